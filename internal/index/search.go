package index

import (
	"time"

	"plastic/tokenize"
)

// BM25 and what is added to it, measured on public conversations in Chinese,
// English and Russian (TestMeasureParts prints what each part is worth). Where two
// values did equally well the plainer one stands.
const (
	k1 = 0.8 // saturation of repeated terms
	b  = 0.4 // how much a long memory pays for its length

	cyrillicLetters = 1.5 // × the letters' weight: Russian forms differ more than the stemmer knows
	aloneWeight     = 2.5 // × a single character's, where no known pair covers it: it stands as a word

	shareBefore = 0.4                                 // of the score of the turn before; squared, cubed further back
	shareAnswer = 0.9                                 // … if that turn asks
	shareAfter  = 0.25                                // … of the turn after; none from an answer to its question
	turns       = 3                                   // how many turns each way
	silence     = int64(time.Hour / time.Microsecond) // ends a sitting: nothing is lent over it
	shareTalk   = 0.4                                 // of the best score, for the best conversation

	asQuestion = 0.7  // × a turn that only asks
	asNumber   = 1.15 // × one with a number or time word, if the question asks for one
	asSpeaker  = 1.3  // × one by the person named
	asUser     = 1.3  // × one by the user
	asDate     = 3.0  // × one from the time named
	dayWeight  = 1.0  // of the time named as a term of its own

	evidenceTurns = 8    // how many turns each way a memory may owe its evidence to
	dayMass       = 4.0  // × the information of the time named, beside the words'
	lightMass     = 0.3  // × the information of a word that only frames the question
	halfWord      = 0.5  // × that of an unknown character: two make a word
	temper        = 0.7  // exponent of information beyond that of one thing
	oneSentence   = 0.65 // × what one sentence of several proves
	fewWords      = 2.0  // a short question must be covered more fully
	ofOthers      = 0.1  // × the share of what has none of the people and codes that the question names
	ofNothing     = 0.1  // … of a question that is about nothing: light words only
	usualLength   = 20.0 // words at least: a memory of the usual length
	muchLonger    = 4.0  // times that: see shorten
	noticed       = 0.1  // of the best: less is under any floor
	smallStore    = 20   // memories: see information

	userSpeaker  = "user"
	maxInforming = 64 // terms told apart in evidence
)

// Search scores every memory for q and gives those that share something
// informative with it, by themselves or by their neighbours in the conversation.
// Kind core is never among them. Nothing is skipped: the result is a plain scan's.
func (ix *Index) Search(q Query) Result {
	s := ix.borrow()
	defer ix.giveBack(s)
	s.begin(&q)
	s.terms()
	s.context()
	return s.hits()
}

// borrow takes working memory from the pool that an Index shares with those made
// from it; giveBack returns it.
func (ix *Index) borrow() *search {
	s, _ := ix.pool.Get().(*search)
	if s == nil {
		s = new(search)
	}
	s.ix, s.edited = ix, len(ix.states.pages) > 0
	return s
}

func (ix *Index) giveBack(s *search) {
	s.ix, s.q = nil, nil
	ix.pool.Put(s)
}

// search is the working memory of one Search.
type search struct {
	ix *Index
	q  *Query

	unit      float64               // scale of Raw
	edited    bool                  // some state is not as in base: memories may be dead
	score     []float64             // by ref
	top       float64               // the highest score, before conversations, speakers and dates
	named     uint64                // those that name somebody or are a code
	solid     uint64                // those that do more than frame the question
	informed  []uint64              // by ref: bit i = has informing term i
	nearby    []uint64              // by ref: … it or its neighbours in the conversation
	pairs     []string              // known pairs of characters that inform, and parts of a time
	things    []thing               // what the question asks for
	partial   []*tokenize.QueryTerm // terms that name a thing together only
	together  []uint8               // by ref: parts of the thing at hand
	mass      []float64             // by thing: its information
	day       float64               // information of the time that the question names
	dayMass   float64               // … beside that of the informing terms
	sentences []sentence            // of the question; the first is all of it
	trust     float64               // × it: less if the question only frames

	talk    []float64 // by conversation: its score
	lent    []float64 // by conversation: what it lends each of its memories
	reached []bool    // by conversation: some memory of it may answer
	talks   []uint32  // those that are reached
	may     []uint32  // refs that may answer, rising
	inTalk  []uint32  // by conversation: times of the term at hand
	touched []uint32  // conversations with the term at hand
	best    float64   // highest talk

	postings   []postings // by term of the question
	asker      tokenize.Asker
	in         []uint64 // bit set of refs whose scores count: see reach
	read       []uint32 // the lists that were read whole, one after another: refs …
	readTimes  []uint32 // … and how often
	onlyWithin bool     // read no memory but those in in
	curves     [fields]curve

	shared        []uint32 // by ref: stems in common, of Overlaps
	sharing       []uint32 // refs that have any
	key           []byte
	spelled       []byte   // a Cyrillic word in Latin letters
	docs          []uint32 // the posting list at hand: refs …
	times         []uint32 // … and how often
	docs2, times2 []uint32 // another list, while alias joins the two
	chain         chain
	kept          shapes
	passing       shape
	gain          []float64 // by speaker: what a memory gains by who said it
	head          []float64 // the best Raw, falling
	found         []Hit
	addend        [addends][]float64 // by addend and ref, with Explain only
}

func (s *search) begin(q *Query) {
	ix := s.ix
	s.q = q
	s.best, s.top, s.day, s.dayMass, s.named, s.solid = 0, 0, 0, 0, 0, 0
	s.unit = ix.unit()
	s.mass, s.pairs, s.things, s.partial = s.mass[:0], s.pairs[:0], s.things[:0], s.partial[:0]
	s.found = s.found[:0]
	n := int(ix.refs())
	s.in = zeroed(s.in, (n+63)/64)
	s.score, s.informed, s.nearby = sized(s.score, n), sized(s.informed, n), sized(s.nearby, n)
	talks := int(ix.base.talks) + int(ix.newTalks) + 1
	s.talk, s.inTalk, s.lent = zeroed(s.talk, talks), zeroed(s.inTalk, talks), zeroed(s.lent, talks)
	s.reached, s.talks = zeroed(s.reached, talks), s.talks[:0]
	s.may = s.may[:0]
	s.read, s.readTimes, s.onlyWithin = s.read[:0], s.readTimes[:0], false
	for f := range s.addend {
		s.addend[f] = nil
		if q.Explain {
			s.addend[f] = make([]float64, n)
		}
	}
}

// zeroed gives n zeros, in s if it is large enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// sized gives n entries of any value, in s if it is large enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// terms adds up BM25 over the query's terms, for memories and conversations: field
// by field, because what single characters tell depends on the pairs.
//
// Only what carries information makes an answer, and its lists are short. The others
// (function words, pieces of words, characters) are the long ones: they are read for
// the memories that can answer, and for what lends these something. Nothing is
// approximate: their counts stand in the index.
func (s *search) terms() {
	s.look()
	s.byField(s.informing)
	s.inform()
	s.date()
	s.reach()
	s.onlyWithin = true
	s.byField(s.add)
	s.onlyWithin = false
	s.others()
}

func (s *search) byField(do func(t *tokenize.QueryTerm, p *postings)) {
	for f := range tokenize.Fields {
		for i := range s.q.Terms {
			if t := &s.q.Terms[i]; t.Field == f && s.postings[i].weight != 0 {
				do(t, &s.postings[i])
			}
		}
	}
}

// informing notes the memories that have t, if it carries information.
func (s *search) informing(t *tokenize.QueryTerm, p *postings) {
	person := s.alias(t, p)
	if !s.informs(t, p.df) {
		return
	}
	if t.Field == tokenize.Single {
		p.weight *= aloneWeight
	}
	s.whole(t.Field, p)
	s.name(t, p, person)
}

// reach marks whose scores count: the memories that have something of the question,
// and those of the same conversations. Explain looks at all.
func (s *search) reach() {
	for _, t := range s.talks {
		for _, d := range s.shapeOf(t).docs {
			s.mark(d)
		}
	}
	if s.q.Explain || s.all() {
		for t := range s.reached[1:] {
			s.reachTalk(uint32(t + 1))
		}
		for d := range s.score {
			s.mark(uint32(d))
		}
	}
}

// all reports that what shares nothing informative is a hit as well.
func (s *search) all() bool { return s.q.Off&Informing != 0 }

// mark takes d among those whose scores count.
func (s *search) mark(d uint32) {
	if w, bit := &s.in[d/64], uint64(1)<<(d%64); *w&bit == 0 {
		*w |= bit
		s.score[d], s.informed[d] = 0, 0
	}
}

// reachMemory takes d, and its conversation, among what may answer.
func (s *search) reachMemory(d uint32) {
	s.mark(d)
	s.reachTalk(s.ix.sessionOf(d))
}

func (s *search) reachTalk(t uint32) {
	if t != 0 && !s.reached[t] {
		s.reached[t] = true
		s.talks = append(s.talks, t)
	}
}

// others leaves of each conversation's score what the memories beside the one at
// hand lend it: all but one in n. A conversation of one has nothing to lend.
func (s *search) others() {
	for _, t := range s.talks {
		if s.talk[t] > 0 {
			n := float64(s.ix.session(t).docs)
			s.lent[t] = s.talk[t] * (1 - 1/n)
			s.best = max(s.best, s.talk[t])
		}
	}
}
