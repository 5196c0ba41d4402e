package index

import (
	"encoding/binary"
	"math"
	"strings"

	"plastic/tokenize"
)

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

// add adds the BM25 of one term to the memories that have it, and to their
// conversations.
func (s *search) add(t *tokenize.QueryTerm, p *postings) {
	if p.df == 0 {
		return
	}
	f := t.Field
	s.within(f, p)
	weight := p.weight * (k1 + 1)
	gain := weight * s.ix.information(float64(p.df))
	curve := &s.curves[f]
	curve.fit(mean(s.ix.length[f], s.ix.live))
	score, block := s.score, s.ix.base
	sessions, lengths := block.sec[secSession], block.sec[secLength]
	s.touched = s.touched[:0]
	for i, d := range s.docs {
		var n, talk uint32
		if d < block.n {
			n = uint32(binary.LittleEndian.Uint16(lengths[2*(int(d)*fields+int(f)):]))
			if talk = binary.LittleEndian.Uint32(sessions[4*int(d):]); talk > block.talks {
				talk = 0 // only a damaged block says so
			}
		} else {
			a := &s.ix.added[d-block.n]
			n, talk = a.length[f], a.session
		}
		times := s.times[i]
		x := gain * curve.at(times, n)
		score[d] += x
		if s.q.Explain {
			s.addend[f][d] += x
		}
		if talk != 0 && s.reached[talk] {
			if s.inTalk[talk] == 0 {
				s.touched = append(s.touched, talk)
			}
			s.inTalk[talk] += times
		}
	}
	s.addTalks(f, weight, p)
}

// A curve is BM25's saturation for one average length: what so many times of a term
// are worth in a text of so many terms. Once in a short text is the commonest case.
type curve struct {
	mean float64
	once [128]float64 // by length
}

func (c *curve) fit(mean float64) {
	if c.mean == mean {
		return
	}
	c.mean = mean
	for n := range c.once {
		c.once[n] = saturated(1, uint32(n), mean)
	}
}

func (c *curve) at(times, length uint32) float64 {
	if times == 1 && length < uint32(len(c.once)) {
		return c.once[length]
	}
	return saturated(float64(times), length, c.mean)
}

func saturated(times float64, length uint32, mean float64) float64 {
	return times / (times + k1*(1-b+b*float64(length)/mean))
}

// addTalks adds the BM25 of a term to the conversations that were touched, each of
// which counts as one document.
func (s *search) addTalks(f tokenize.Field, weight float64, p *postings) {
	ix := s.ix
	gain := weight * inverse(float64(ix.talks), float64(p.talks))
	average := mean(ix.talked[f], ix.talks)
	for _, t := range s.touched {
		s.talk[t] += gain * saturated(float64(s.inTalk[t]), s.talkLength(t, f), average)
		s.inTalk[t] = 0
	}
}

// mean is the average length, 1 where there is none.
func mean(sum int64, n int) float64 {
	if sum <= 0 || n <= 0 {
		return 1
	}
	return float64(sum) / float64(n)
}

// talkLength gives how many terms of a field a conversation has.
func (s *search) talkLength(t uint32, f tokenize.Field) uint32 {
	if e := s.ix.sessions.at(t); e != nil {
		return e.length[f]
	}
	n := &s.shapes().length[int(t)*fields+int(f)]
	if *n == 0 {
		*n = s.ix.base.talkLength(t, int(f))
	}
	return *n
}
