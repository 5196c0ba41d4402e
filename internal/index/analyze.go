package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plastic/memory"
	"plastic/tokenize"
)

const fields = int(tokenize.Fields)

// longMessage is the length, in characters, from which a memory may be one piece
// of a message that was cut: the next memory of the same conversation, moment and
// speaker then goes on with it. Facts drawn from one turn share these too, but
// they are short.
const longMessage = 200

// document is what the index keeps of one memory's text.
type document struct {
	terms  []termCount
	length [fields]uint32
	stems  uint32 // different stems of the content
	flags  uint16
	hash   uint64 // of all that went into terms, length, stems and flags
}

// termCount is one term of a document, by its number in the counter's table.
type termCount struct {
	id    uint32
	times uint32
	stem  bool
}

// counter turns texts into documents. Its table numbers the terms of all texts it
// met: a term's key is its field's byte and the term.
type counter struct {
	cut   *tokenize.Tokenizer
	terms table
	seen  []seen // by term
	round uint32
	key   []byte
	doc   document
}

// seen is where a term stands in the document of a round.
type seen struct{ round, at uint32 }

func newCounter(t *tokenize.Tokenizer) *counter { return &counter{cut: t} }

// count analyses m. The result is valid until the next call.
func (c *counter) count(m *memory.Memory) *document {
	c.round++
	c.doc = document{terms: c.doc.terms[:0], flags: flagsOf(m), hash: textHash(m)}
	add := func(f tokenize.Field, term []byte) {
		c.doc.length[f]++
		c.term(f, term).times++
	}
	if m.Speaker != "" {
		c.cut.Terms(m.Speaker, add)
	}
	c.cut.Terms(m.Content, add)
	for _, s := range tokenize.Stems(m.Content) {
		if t := c.stem(s); !t.stem {
			t.stem = true
			c.doc.stems++
		}
	}
	return &c.doc
}

func (c *counter) term(f tokenize.Field, term []byte) *termCount {
	c.key = append(append(c.key[:0], byte(f)), term...)
	id := c.terms.put(c.key)
	if int(id) == len(c.seen) {
		c.seen = append(c.seen, seen{})
	}
	s := &c.seen[id]
	if s.round != c.round {
		*s = seen{c.round, uint32(len(c.doc.terms))}
		c.doc.terms = append(c.doc.terms, termCount{id: id})
	}
	return &c.doc.terms[s.at]
}

// stem gives the entry that carries the mark of stem s: the word if the text has
// it as a word, else the bigram, else a word that is there no time.
func (c *counter) stem(s string) *termCount {
	for _, f := range stemFields {
		c.key = append(append(c.key[:0], byte(f)), s...)
		if id, ok := c.terms.find(c.key); ok && c.seen[id].round == c.round {
			return &c.doc.terms[c.seen[id].at]
		}
	}
	return c.term(tokenize.Word, []byte(s))
}

// stemFields are the fields whose postings carry stem marks.
var stemFields = [...]tokenize.Field{tokenize.Word, tokenize.Bigram}

func marksStems(f tokenize.Field) bool { return f == tokenize.Word || f == tokenize.Bigram }

// ownFlags are the flags that may change while the text stays.
func ownFlags(m *memory.Memory) (f uint16) {
	if m.Pinned {
		f |= flagPinned
	}
	if m.Private {
		f |= flagPrivate
	}
	if m.Kind == memory.Core {
		f |= flagCore
	}
	return f
}

func flagsOf(m *memory.Memory) uint16 {
	f := ownFlags(m)
	if tokenize.Question(m.Content) {
		f |= flagQuestion
	}
	if asks(m.Content) {
		f |= flagAsks
	}
	if tokenize.HasNumber(m.Content) {
		f |= flagNumber
	}
	if utf8.RuneCountInString(m.Content) >= longMessage {
		f |= flagLong
	}
	return f
}

// asks reports whether a turn ends with a question, which the next one answers.
func asks(text string) bool {
	end := strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Pf, r) || unicode.Is(unicode.Pe, r) || r == '"' || r == '\'' || unicode.Is(unicode.So, r)
	})
	last, _ := utf8.DecodeLastRuneInString(end)
	return last == '?' || last == '？' || last == '؟'
}

// textHash tells memories apart that need another document or another place in a
// conversation; the moment is compared beside it.
func textHash(m *memory.Memory) uint64 {
	return hash64([]byte(m.Session + "\x00" + m.Speaker + "\x00" + m.Content))
}
