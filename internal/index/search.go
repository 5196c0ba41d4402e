package index

import (
	"math"
	"strings"
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

	talk         []float64 // by conversation: its score
	lent         []float64 // by conversation: what it lends each of its memories
	talkInformed []bool    // by conversation: some memory of it has an informing term
	may          []uint32  // refs that may answer, rising
	inTalk       []uint32  // by conversation: times of the term at hand
	touched      []uint32  // conversations with the term at hand
	best         float64   // highest talk

	shared        []uint32 // by ref: stems in common, of Overlaps
	sharing       []uint32 // refs that have any
	key           []byte
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
	s.score, s.informed = zeroed(s.score, n), zeroed(s.informed, n)
	s.nearby = zeroed(s.nearby, n)
	talks := int(ix.base.talks) + int(ix.newTalks) + 1
	s.talk, s.inTalk, s.lent = zeroed(s.talk, talks), zeroed(s.inTalk, talks), zeroed(s.lent, talks)
	s.talkInformed = zeroed(s.talkInformed, talks)
	s.may = s.may[:0]
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

// terms adds up BM25 over the query's terms, for memories and conversations: field
// by field, because what single characters tell depends on the pairs.
func (s *search) terms() {
	for f := range tokenize.Fields {
		for i := range s.q.Terms {
			if t := &s.q.Terms[i]; t.Field == f {
				s.term(t)
			}
		}
	}
	s.inform()
	s.others()
}

func (s *search) term(t *tokenize.QueryTerm) {
	weight := s.weight(t)
	if weight == 0 {
		return
	}
	s.list(t.Field, "", t.Text, anyTimes)
	person := s.alias(t)
	df := float64(len(s.docs))
	idf := s.ix.information(df)
	informs := s.informs(t)
	if informs && t.Field == tokenize.Single {
		weight *= aloneWeight
	}
	s.touched = s.touched[:0]
	if df > 0 {
		s.add(t.Field, weight*idf)
		s.addTalks(t.Field, weight)
	}
	if informs {
		s.name(t, person)
	}
}

// others leaves of each conversation's score what the memories beside the one at
// hand lend it: all but one in n. A conversation of one has nothing to lend.
func (s *search) others() {
	for t := range s.talk {
		if s.talk[t] > 0 {
			n := float64(s.ix.session(uint32(t)).docs)
			s.lent[t] = s.talk[t] * (1 - 1/n)
			s.best = max(s.best, s.talk[t])
		}
	}
}

func (s *search) weight(t *tokenize.QueryTerm) float64 {
	switch off := s.q.Off; {
	case t.Field == tokenize.Letters && off&LetterTerms != 0, t.Field == tokenize.Single && off&SingleTerms != 0:
		return 0
	case t.Function && off&FunctionWeight != 0:
		return t.Field.Weight()
	case t.Field == tokenize.Letters && isCyrillic(t.Text):
		return t.Weight * t.Field.Weight() * cyrillicLetters
	}
	return t.Weight * t.Field.Weight()
}

// isCyrillic reports whether a letter term has a Cyrillic letter.
func isCyrillic(term string) bool {
	return strings.IndexFunc(term, func(r rune) bool { return r >= 0x400 && r <= 0x52f }) >= 0
}

// inverse is the inverse document frequency: ln(1 + (n − df + ½)/(df + ½)), above
// zero for any df up to n.
func inverse(n, df float64) float64 { return math.Log1p((n - df + 0.5) / (df + 0.5)) }

// unit is the scale of Raw: about one for a word that no other memory has.
func (ix *Index) unit() float64 { return 1 / math.Log1p(float64(ix.live)+2) }

// add adds the BM25 of the list at hand to its memories.
func (s *search) add(f tokenize.Field, weight float64) {
	base := k1 * (1 - b)
	slope := k1 * b / mean(s.ix.length[f], s.ix.live)
	block := s.ix.base
	weight *= k1 + 1
	for i, d := range s.docs {
		var n uint32
		if d < block.n {
			n = block.lengthOf(d, int(f))
		} else {
			n = s.ix.added[d-block.n].length[f]
		}
		tf := float64(s.times[i])
		x := weight * tf / (tf + base + slope*float64(n))
		s.score[d] += x
		if s.q.Explain {
			s.addend[f][d] += x
		}
	}
}

// addTalks adds the BM25 of the list at hand to its conversations, each of which
// counts as one document.
func (s *search) addTalks(f tokenize.Field, weight float64) {
	ix := s.ix
	if ix.talks == 0 {
		return
	}
	for i, d := range s.docs {
		t := ix.sessionOf(d)
		if t == 0 {
			continue
		}
		if s.inTalk[t] == 0 {
			s.touched = append(s.touched, t)
		}
		s.inTalk[t] += s.times[i]
	}
	weight *= inverse(float64(ix.talks), float64(len(s.touched)))
	base := k1 * (1 - b)
	slope := k1 * b / mean(ix.talked[f], ix.talks)
	for _, t := range s.touched {
		tf := float64(s.inTalk[t])
		s.inTalk[t] = 0
		s.talk[t] += weight * tf * (k1 + 1) / (tf + base + slope*float64(ix.talkLength(t, f)))
	}
}

// mean is the average length, 1 where there is none.
func mean(sum int64, n int) float64 {
	if sum <= 0 || n <= 0 {
		return 1
	}
	return float64(sum) / float64(n)
}

func (ix *Index) talkLength(t uint32, f tokenize.Field) uint32 {
	if s := ix.sessions.at(t); s != nil {
		return s.length[f]
	}
	return ix.base.talkLength(t, int(f))
}
