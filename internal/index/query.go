package index

import (
	"time"
	"unicode/utf8"

	"plastic/tokenize"
)

// Query is a question as the index sees it. Ask makes one from text.
type Query struct {
	Terms   []tokenize.QueryTerm
	Names   []string       // folded words that may be a speaker's name
	Dates   *tokenize.Span // the time the question names, if it does
	Number  bool           // it asks when or how many
	Off     Part           // what the score leaves out, to measure what it is worth
	Explain bool           // give each hit its Parts
	Floor   float64        // least Raw of a hit, as a share of the best, 0…1
	Head    int            // with Within: hits far behind the Head-th best are left out
	Within  float64        // … whose Raw is less than this share of its, 0…1
}

// Ask cuts a question into terms and looks for names, dates and numbers in it.
// now is what "yesterday" counts from.
func Ask(text string, now time.Time) Query { return askBy(new(tokenize.Asker), text, now, true) }

// Of a longer message (a pasted log) the end and the beginning are read, where what is
// asked stands; the end first, because the things told apart in evidence are few.
const (
	longestQuestion = 16 << 10 // bytes
	endOfQuestion   = 300      // bytes
)

// bounded gives what of a message is read.
func bounded(text string) string {
	if len(text) <= longestQuestion {
		return text
	}
	from, to := len(text)-endOfQuestion, longestQuestion-endOfQuestion
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > 0 && !utf8.RuneStart(text[to]) {
		to--
	}
	return text[from:] + "\n" + text[:to]
}

// Ask is Ask for this Index: it looks for names only if somebody speaks in it, and
// keeps its working memory.
func (ix *Index) Ask(text string, now time.Time) Query {
	s := ix.borrow()
	defer ix.giveBack(s)
	return askBy(&s.asker, text, now, ix.base.speaker+ix.newSpeakers > 0)
}

func askBy(a *tokenize.Asker, text string, now time.Time, names bool) Query {
	text = bounded(text)
	q := Query{Terms: a.Query(text), Number: a.Number(text)}
	if names {
		q.Names = a.Names(text)
	}
	if span, ok := a.Dates(text, now); ok {
		q.Dates = &span
	}
	return q
}

// Part names what a score is made of beside the plain sum over its words.
type Part uint32

// The parts that a Query may switch off.
const (
	Context        Part = 1 << iota // the turns before and after in the conversation
	Talk                            // the whole conversation's score
	Message                         // one hit for a message cut in pieces
	Questions                       // turns that only ask weigh less
	Numbers                         // when and how many look for numbers
	Speakers                        // the one person named is the speaker
	User                            // said by the user
	Dates                           // the time named is the memory's
	LetterTerms                     // letter 4-grams
	SingleTerms                     // single characters
	FunctionWeight                  // function words weigh less
	Length                          // a long text gives way to a short one
	Informing                       // what shares nothing informative is no hit
)

// Result is what Search found.
type Result struct {
	Hits []Hit   // in no particular order
	Best float64 // the highest Raw of them
	// Total is the information of the query, in nats: the IDF mass of its terms
	// that carry any. What no memory has counts as well.
	Total float64
}

// Hit is one memory that may answer.
type Hit struct {
	Ref Ref
	// Raw is the score: ((word + bigram + single + letters + before + after) ×
	// question × number + talk) × speaker × date × user, see Parts. It compares
	// within one query only.
	Raw   float64
	Own   float64 // share of the query's information in the memory itself, 0…1
	Share float64 // … in it and its neighbours of the same conversation, 0…1; less if it speaks of others than the question
	Parts Parts   // by name, with Explain only
}

// Parts are the named addends and factors of a Raw score.
type Parts map[string]float64
