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
	sketch sketch // … as bits
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
	cut    tokenize.Tokenizer
	terms  table
	marks  []mark // by term
	pieces pieces
	met    []met // the pieces of the document at hand
	round  uint32
	key    []byte
	doc    document

	known      func(piece []byte) bool
	term, stem func(f tokenize.Field, text []byte)
	inContent  bool // the piece at hand is of the content, not of the speaker's name
}

// seen is where something stands in the document of a round.
type seen struct{ round, at uint32 }

// mark is what the counter knows of a term beside its key.
type mark struct {
	seen
	twin  uint32 // the term of the same text among words or pairs, none if there is none
	field tokenize.Field
	bit   uint8 // of a sketch
	list  list  // of a build: beside what is looked at with it
}

// met is a piece in the document at hand.
type met struct {
	number, times uint32
	inContent     bool
}

func newCounter() *counter {
	c := new(counter)
	c.known = c.meet
	c.term = func(f tokenize.Field, text []byte) { c.pieces.addTerm(c.number(f, text)) }
	c.stem = func(f tokenize.Field, text []byte) { c.pieces.addStem(c.number(f, text)) }
	return c
}

// count analyses m. The result is valid until the next call.
func (c *counter) count(m *memory.Memory) *document {
	c.round++
	c.met = c.met[:0]
	c.doc = document{terms: c.doc.terms[:0], flags: flagsOf(m), hash: textHash(m)}
	c.inContent = false
	if m.Speaker != "" {
		c.cut.Pieces(m.Speaker, c.known, c.term, c.stem)
	}
	c.inContent = true
	c.cut.Pieces(m.Content, c.known, c.term, c.stem)
	for _, p := range c.met {
		for _, id := range c.pieces.termsOf(p.number) {
			c.at(id).times += p.times
			c.doc.length[c.marks[id].field] += p.times
		}
	}
	for _, p := range c.met {
		if p.inContent {
			for _, id := range c.pieces.stemsOf(p.number) {
				c.markStem(id)
			}
		}
	}
	for f, n := range c.doc.length {
		c.doc.length[f] = min(n, longest)
	}
	return &c.doc
}

// meet notes that a piece stands in the document at hand and reports whether it
// was met before.
func (c *counter) meet(piece []byte) bool {
	n, known := c.pieces.number(piece)
	s := &c.pieces.of[n].seen
	if s.round != c.round {
		*s = seen{c.round, uint32(len(c.met))}
		c.met = append(c.met, met{number: n})
	}
	p := &c.met[s.at]
	p.times++
	p.inContent = p.inContent || c.inContent
	return known
}

// number gives the number of a term.
func (c *counter) number(f tokenize.Field, text []byte) uint32 {
	c.key = append(append(c.key[:0], byte(f)), text...)
	id := c.terms.put(c.key)
	if int(id) == len(c.marks) {
		c.marks = append(c.marks, mark{twin: none, field: f, bit: sketchBit(text)})
		c.pair(id)
	}
	return id
}

// pair finds the twin of a new term, whose key is at hand.
func (c *counter) pair(id uint32) {
	m := &c.marks[id]
	if !marksStems(m.field) || !mayBeHangul(c.key[1]) {
		return
	}
	c.key[0] = byte(tokenize.Word + tokenize.Bigram - m.field)
	if twin, ok := c.terms.find(c.key); ok {
		m.twin, c.marks[twin].twin = twin, id
	}
}

// mayBeHangul reports whether a text that begins with this byte may begin with
// Hangul: of all that is written without borders only its runs are words as well.
func mayBeHangul(first byte) bool {
	return first == 0xE1 || first == 0xE3 || first >= 0xEA && first <= 0xED
}

// at gives the entry of a term in the document at hand.
func (c *counter) at(id uint32) *termCount {
	s := &c.marks[id]
	if s.round != c.round {
		s.seen = seen{c.round, uint32(len(c.doc.terms))}
		c.doc.terms = append(c.doc.terms, termCount{id: id})
	}
	return &c.doc.terms[s.at]
}

// markStem marks the term that stands for a stem of the content: the word, if the
// text has it as a word, else the pair of characters, else a word that is there no
// time.
func (c *counter) markStem(id uint32) {
	m := &c.marks[id]
	if there := m.round == c.round; m.twin != none && (m.field == tokenize.Bigram || !there) && c.marks[m.twin].round == c.round {
		id = m.twin
	}
	if t := c.at(id); !t.stem {
		t.stem = true
		c.doc.stems++
		c.doc.sketch.set(c.marks[id].bit)
	}
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
// conversation; the moment is compared beside it. It has 48 bits.
func textHash(m *memory.Memory) uint64 {
	h := hashInto(hashStart, m.Session)
	h = hashInto((h^0xff)*hashPrime, m.Speaker)
	h = hashInto((h^0xff)*hashPrime, m.Content)
	return mix(h) >> 16
}
