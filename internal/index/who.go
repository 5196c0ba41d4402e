package index

import (
	"slices"
	"sync"

	"plastic/tokenize"
)

// people finds speakers by the words of their names; made when first needed.
type people struct {
	once   sync.Once
	called map[string][]uint32 // by folded word: the speakers it may mean
	user   uint32              // the speaker "user", 0 if there is none

	handles bool // the base block has @names
}

// who gives the speakers that ix knows.
func (ix *Index) who() *people {
	p := ix.people
	p.once.Do(func() {
		p.called = map[string][]uint32{}
		p.handles = ix.base.dictionary.has([]byte{byte(tokenize.Word), '@'})
		for s := uint32(1); s <= ix.base.speaker+ix.newSpeakers; s++ {
			name := ix.speakerName(s)
			if name == userSpeaker {
				p.user = s
			}
			for _, word := range tokenize.Names(name) {
				if !slices.Contains(p.called[word], s) {
					p.called[word] = append(p.called[word], s)
				}
			}
		}
	})
	return p
}

// named gives the one speaker that the names of q fit, 0 if there are none or
// several.
func (ix *Index) named(q *Query) uint32 {
	if q.Off&Speakers != 0 || len(q.Names) == 0 {
		return 0
	}
	one, called := uint32(0), ix.who().called
	for _, word := range q.Names {
		speakers := called[word]
		if speakers == nil && isCyrillic(word) {
			speakers = called[string(appendLatin(nil, word))]
		}
		for _, s := range speakers {
			if s == one || ix.said(s) == 0 {
				continue
			}
			if one != 0 {
				return 0
			}
			one = s
		}
	}
	return one
}

// said is the number of living memories by speaker s.
func (ix *Index) said(s uint32) uint32 {
	if n := ix.speakers.at(s); n != nil {
		return *n
	}
	return ix.base.said(s)
}
