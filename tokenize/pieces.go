package tokenize

import "encoding/binary"

// Pieces cuts a text like Terms, but asks before it makes terms of a piece, so that
// a caller who meets the same words again and again pays for each only once. It
// calls known for every piece, in the text's order; where known reports false, the
// piece's terms follow through term, as Terms gives them, and its stems through
// stem, as Stems does. Both depend on the piece alone. The bytes of a piece and of
// its terms are valid during the call only; a piece is not readable text.
//
// The terms of a text's pieces are the text's terms, and likewise its stems, in
// another order.
func (t *Tokenizer) Pieces(text string, known func(piece []byte) bool, term, stem func(f Field, term []byte)) {
	t.known, t.term, t.stemOf = known, term, stem
	t.folded = appendFolded(t.folded[:0], text)
	t.scan(t.folded)
	t.known, t.term, t.stemOf = nil, nil, nil
}

// A piece begins with what it is.
const (
	pieceWord       = 'w' // one word without signs
	pieceIdentifier = 'i' // words that hold together, with where they begin and end
	pieceEmoji      = 'e'
	pieceRun        = 'h' // a run of Hangul
	piecePair       = 'c' // a character and the one after it; one that is alone
	pieceLast       = 'z' // the last character of a run
)

// offer reports whether the piece of that kind and text is known.
func (t *Tokenizer) offer(kind byte, text []byte) bool {
	t.piece = append(append(t.piece[:0], kind), text...)
	return t.known(t.piece)
}

func (t *Tokenizer) offerIdentifier(prefixed bool) {
	if t.knowsIdentifier(prefixed) {
		return
	}
	t.whole = append(t.whole[:0], t.run...) // making terms of don't uses its bytes
	t.yield = t.term
	t.yieldIdentifier(prefixed)
	t.run = append(t.run[:0], t.whole...)
	t.yield, t.plain = t.stemOf, true
	t.yieldIdentifier(prefixed)
	t.yield, t.plain = nil, false
}

func (t *Tokenizer) knowsIdentifier(prefixed bool) bool {
	if len(t.parts) == 1 && !prefixed && t.parts[0].end == t.parts[0].to {
		return t.offer(pieceWord, t.run)
	}
	t.piece = append(append(t.piece[:0], pieceIdentifier), t.run...)
	t.piece = append(t.piece, 0) // stands in no text
	for _, p := range t.parts {
		t.piece = binary.AppendUvarint(t.piece, uint64(p.from))
		t.piece = binary.AppendUvarint(t.piece, uint64(p.to))
		t.piece = binary.AppendUvarint(t.piece, uint64(p.end))
	}
	return t.known(t.piece)
}

func (t *Tokenizer) offerCharacters(kind class) {
	if kind == hangul && !t.offer(pieceRun, t.run) {
		t.yield = t.term
		t.emit(Word, t.run)
		t.yield = t.stemOf
		t.emit(Word, t.run)
	}
	last := len(t.at) - 1
	for i, a := range t.at {
		b, c := len(t.run), len(t.run)
		if i < last {
			b = t.at[i+1]
		}
		if i+1 < last {
			c = t.at[i+2]
		}
		switch {
		case i == last && i > 0:
			if !t.offer(pieceLast, t.run[a:]) {
				t.yield = t.term
				t.emit(Single, t.run[a:])
			}
		case !t.offer(piecePair, t.run[a:c]):
			t.yield = t.term
			t.emit(Bigram, t.run[a:c])
			t.emit(Single, t.run[a:b])
			t.yield = t.stemOf
			t.emit(Bigram, t.run[a:c])
		}
	}
	t.yield = nil
}

func (t *Tokenizer) offerEmoji() {
	if !t.offer(pieceEmoji, t.run) {
		t.yield = t.term
		t.yieldEmoji()
		t.yield = t.stemOf
		t.yieldEmoji()
		t.yield = nil
	}
}
