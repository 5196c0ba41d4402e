package index

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"

	"plastic/tokenize"
)

// BM25 and what is added to it. Measured on public conversations in Chinese,
// English and Russian; the figures stand in testdata beside the goldens.
const (
	k1 = 0.8 // saturation of repeated terms
	b  = 0.4 // how much a long memory pays for its length

	shareBefore     = 0.4  // of the score of the turn before; squared, cubed further back
	shareAnswer     = 0.9  // … if that turn asks
	shareAfter      = 0.25 // … of the turn after
	turns           = 3    // how many turns each way
	evidenceTurns   = 8    // … that a memory may owe its evidence to
	shareTalk       = 0.4  // of the best score, for the best conversation
	asQuestion      = 0.7
	asNumber        = 1.15
	asSpeaker       = 1.3
	asUser          = 1.3
	asDate          = 3.0
	cyrillicLetters = 1.5 // Russian forms differ more than the stemmer knows
	dayWeight       = 0.6
	ofOthers        = 0.5
	smallStore      = 50.0
	userSpeaker     = "user"
	maxInforming    = 64 // terms told apart in evidence
)

// Search scores every memory for q and gives those that share something
// informative with it, by themselves or by their neighbours in the conversation.
// Kind core is never among them. Nothing is skipped: the result is a plain scan's.
func (ix *Index) Search(q Query) Result {
	s := searches.Get().(*search)
	defer searches.Put(s)
	s.begin(ix, &q)
	s.terms()
	s.context()
	return s.hits()
}

var searches = sync.Pool{New: func() any { return new(search) }}

// search is the working memory of one Search. Its arrays go back to a pool clean.
type search struct {
	ix *Index
	q  *Query

	unit     float64   // scale of Raw
	edited   bool      // some state is not as in base: memories may be dead
	score    []float64 // by ref
	top      float64   // the highest score, before conversations, speakers and dates
	persons  uint64    // informing terms that name somebody
	informed []uint64  // by ref: bit i = has informing term i
	nearby   []uint64  // by ref: … it or its neighbours in the conversation
	mass     []float64 // by informing term: its information
	day      float64   // information of the time that the question names
	total    float64   // of all informing terms, the unknown too

	talk         []float64 // by conversation: its score
	lent         []float64 // by conversation: what it lends each of its memories
	talkInformed []bool    // by conversation: some memory of it has an informing term
	may          []uint32  // refs that may answer, rising
	inTalk       []uint32  // by conversation: times of the term at hand
	touched      []uint32  // conversations with the term at hand
	best         float64   // highest talk

	key    []byte
	docs   []uint32 // the posting list at hand: refs …
	times  []uint32 // … and how often
	chain  chain
	head   []float64 // the best Raw, falling
	found  []Hit
	addend [addends][]float64 // by addend and ref, with Explain only
}

func (s *search) begin(ix *Index, q *Query) {
	s.ix, s.q = ix, q
	s.total, s.best, s.top, s.day, s.persons = 0, 0, 0, 0, 0
	s.unit, s.edited = unit(ix.live), len(ix.states.pages) > 0
	s.mass = s.mass[:0]
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

// terms adds up BM25 over the query's terms, for memories and conversations.
func (s *search) terms() {
	for i := range s.q.Terms {
		t := &s.q.Terms[i]
		weight := s.weight(t)
		if weight == 0 {
			continue
		}
		s.list(t, anyTimes)
		df := float64(len(s.docs))
		idf := inverse(float64(s.ix.live), df)
		if df > 0 {
			s.add(t.Field, weight*idf)
			s.addTalks(t.Field, weight)
		}
		s.inform(t, idf)
	}
	s.others()
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

// which entries of a posting list count.
type which bool

const (
	anyTimes  which = false // those where the term stands at least once
	stemsOnly which = true  // those where it is a stem of the content
)

// unit is the scale of Raw: about one for a word that stands in one memory of n.
// In a store much smaller than smallStore, where how rare a word is says little
// about how much it says, it is more.
func unit(n int) float64 {
	if n == 0 {
		return 1
	}
	return (1 + smallStore/float64(n)) / math.Log1p(float64(n))
}

// list reads the posting list of t: the living memories that have it.
func (s *search) list(t *tokenize.QueryTerm, w which) {
	s.docs, s.times = s.docs[:0], s.times[:0]
	s.key = append(append(s.key[:0], byte(t.Field)), t.Text...)
	ix := s.ix
	if i, ok := ix.base.term(s.key); ok {
		p := ix.base.postings(i)
		if marksStems(t.Field) {
			s.readMarked(p, w)
		} else {
			s.readPlain(p)
		}
	}
	if len(ix.added) > 0 {
		s.readDelta(w)
	}
}

// readMarked and readPlain decode a list of the base block, with and without marks
// of stems. A list that is not well formed ends where it stops making sense.
func (s *search) readMarked(p []byte, w which) {
	d := uint32(0)
	for len(p) > 0 {
		x, n := varint(p)
		if n <= 0 {
			return
		}
		p = p[n:]
		d += uint32(x >> 2)
		times, stem := uint64(1), x&1 != 0
		if x&2 != 0 {
			if len(p) == 0 {
				return
			}
			if times, n = varint(p); n <= 0 {
				return
			}
			p = p[n:]
			times, stem = times>>1, times&1 != 0
		}
		if d >= s.ix.base.n {
			return
		}
		if counts := times > 0 && w == anyTimes || stem && w == stemsOnly; counts {
			s.see(d, uint32(times))
		}
		d++
	}
}

func (s *search) readPlain(p []byte) {
	d := uint32(0)
	for len(p) > 0 {
		x, n := varint(p)
		if n <= 0 {
			return
		}
		p = p[n:]
		d += uint32(x >> 1)
		times := uint64(1)
		if x&1 != 0 {
			if len(p) == 0 {
				return
			}
			if times, n = varint(p); n <= 0 {
				return
			}
			p = p[n:]
		}
		if d >= s.ix.base.n {
			return
		}
		s.see(d, uint32(times))
		d++
	}
}

// varint is binary.Uvarint with its commonest case first.
func varint(p []byte) (uint64, int) {
	if p[0] < 0x80 {
		return uint64(p[0]), 1
	}
	return binary.Uvarint(p)
}

// list gives the posting list of a key; the caller holds the lock.
func (d *delta) list(key []byte) []entry {
	if i, ok := d.counter.terms.find(key); ok {
		return d.lists[i]
	}
	return nil
}

func (s *search) readDelta(w which) {
	ix := s.ix
	ix.delta.mu.RLock()
	list := ix.delta.list(s.key)
	ix.delta.mu.RUnlock()
	for _, e := range list {
		if e.ref >= ix.refs() {
			return
		}
		if counts := e.times > 1 && w == anyTimes || e.times&1 != 0 && w == stemsOnly; counts {
			s.see(e.ref, e.times>>1)
		}
	}
}

// see puts a memory into the list at hand if it is alive.
func (s *search) see(d, times uint32) {
	if !s.edited || !s.ix.isDead(d) {
		s.docs, s.times = append(s.docs, d), append(s.times, times)
	}
}

// inform notes which memories have t, if t carries information.
func (s *search) inform(t *tokenize.QueryTerm, idf float64) {
	if !s.informs(t) {
		return
	}
	mass := idf * t.Weight
	s.total += mass
	if len(s.docs) == 0 || len(s.mass) == maxInforming {
		return
	}
	bit := uint64(1) << len(s.mass)
	s.mass = append(s.mass, mass)
	for _, d := range s.docs {
		s.informed[d] |= bit
		s.talkInformed[s.ix.sessionOf(d)] = true
	}
	if s.isPerson(t) {
		s.persons |= bit
	}
}

// informs reports whether t carries information: no function word, no letter
// piece, no part of the time named, which informs as a whole, and a single
// character only where no pair of the query speaks for it.
func (s *search) informs(t *tokenize.QueryTerm) bool {
	if t.Function || t.Field == tokenize.Letters || s.q.Dates != nil && tokenize.HasNumber(t.Text) {
		return false
	}
	return t.Field != tokenize.Single || !slices.ContainsFunc(s.q.Terms, func(o tokenize.QueryTerm) bool {
		return o.Field == tokenize.Bigram && !o.Function && strings.Contains(o.Text, t.Text)
	})
}

// isPerson reports whether t is the name of somebody the store knows: one who
// speaks in it, or one whom it mentions with an @.
func (s *search) isPerson(t *tokenize.QueryTerm) bool {
	if slices.ContainsFunc(s.ix.who().called[t.Text], func(p uint32) bool { return s.ix.said(p) > 0 }) {
		return true
	}
	if t.Field != tokenize.Word {
		return false
	}
	s.list(&tokenize.QueryTerm{Field: tokenize.Word, Text: "@" + t.Text}, anyTimes)
	return len(s.docs) > 0
}

// add adds the BM25 of the list at hand to its memories.
func (s *search) add(f tokenize.Field, weight float64) {
	base := k1 * (1 - b)
	slope := k1 * b / mean(s.ix.length[f], s.ix.live)
	lengths := s.ix.base.sec[secLength]
	weight *= k1 + 1
	for i, d := range s.docs {
		var n uint32
		if d < s.ix.base.n {
			n = u32(lengths, d*uint32(fields)+uint32(f))
		} else {
			n = s.ix.added[d-s.ix.base.n].length[f]
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
	if ix.talks == 0 || s.q.Off&Talk != 0 {
		return
	}
	s.touched = s.touched[:0]
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

// share is the part of the query's information that a set of informing terms has.
func (s *search) share(set uint64) float64 {
	if set == 0 {
		return 0
	}
	sum := 0.0
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 != 0 {
			sum += s.mass[i]
		}
	}
	return sum / s.total
}

func (ix *Index) talkLength(t uint32, f tokenize.Field) uint32 {
	if s := ix.sessions.at(t); s != nil {
		return s.length[f]
	}
	return u32(ix.base.sec[secTalkLength], (t-1)*uint32(fields)+uint32(f))
}

func (k *block) term(key []byte) (uint32, bool) {
	return find(k.sec[secTermTable], k.sec[secTermOff], k.sec[secTerm], key)
}

func (k *block) postings(i uint32) []byte {
	return k.sec[secPost][u64(k.sec[secPostOff], i):u64(k.sec[secPostOff], i+1)]
}
