package tokenize

import (
	"bytes"
	"unicode/utf8"
)

// emit hands a term out; a term longer than maxTerm is cut at a character.
func (t *Tokenizer) emit(f Field, term []byte) {
	if len(term) > maxTerm {
		n := maxTerm
		for n > 0 && !utf8.RuneStart(term[n]) {
			n--
		}
		term = term[:n]
	}
	if len(term) > 0 {
		t.yield(f, term)
	}
}

// yieldIdentifier yields the whole of what is in run, its segments and its words.
func (t *Tokenizer) yieldIdentifier(prefixed bool) {
	last := len(t.parts) - 1
	first := t.parts[0]
	if last == 0 && !prefixed && first.end == first.to {
		t.yieldWord(t.run[first.from:first.to])
		return
	}
	t.function, t.light = false, false
	t.next()
	if t.initials() || t.grouped() {
		t.emit(Word, t.joined())
		return
	}
	if t.compound() && t.plain {
		t.yieldWords()
		return
	}
	code := hasDigit(t.run)
	if !code && last > 0 && !t.letters() {
		t.thing = 0 // its words name it
	}
	if len(t.run) <= maxTerm {
		t.emit(Word, t.run)
	}
	if t.plain && len(t.run) <= maxTerm {
		return
	}
	if version(t.run[first.from:first.to]) && last > 0 {
		t.emit(Word, t.run[first.from+1:])
	}
	if t.hyphened() && !t.plain {
		t.variant = true
		t.emit(Word, t.joined())
		t.variant = false
	}
	if code {
		t.need = len(t.parts)
	}
	t.yieldSegments(code)
	if !t.plain {
		t.yieldParts(code)
	}
}

func (t *Tokenizer) yieldWords() {
	for _, p := range t.parts {
		t.yieldWord(t.run[p.from:p.to])
	}
}

// yieldParts yields the words of an identifier. Those of one with digits name it
// together only; of others a single letter or what has a sign attached names nothing.
func (t *Tokenizer) yieldParts(code bool) {
	whole := t.thing
	t.within = true
	for _, p := range t.parts {
		switch {
		case code || len(t.parts) == 1 && p.end == p.to:
		case p.end != p.to || p.to-p.from == 1:
			t.thing = 0
		default:
			t.next()
		}
		t.yieldWord(t.run[p.from:p.to])
	}
	t.thing, t.within = whole, false
}

// letters reports an identifier of single letters or of words with signs, like
// MB/s or C++/C: its parts name nothing.
func (t *Tokenizer) letters() bool {
	for _, p := range t.parts {
		if p.end == p.to && p.to-p.from > 1 {
			return false
		}
	}
	return true
}

// hyphened reports a code like QX-77, which is also written QX77: letters and
// digits, joined by hyphens or underscores only.
func (t *Tokenizer) hyphened() bool {
	if len(t.parts) < 2 || t.parts[0].from != 0 {
		return false
	}
	digits := 0
	for i, p := range t.parts {
		if p.end != p.to || i < len(t.parts)-1 && p.sep != '-' && p.sep != '_' {
			return false
		}
		if allDigits(t.run[p.from:p.to]) {
			digits++
		}
	}
	return digits < len(t.parts) && hasDigit(t.run)
}

// yieldSegments yields the pieces between the wider borders: in a path or an
// address each name is an identifier of its own, as is c++ in c++/rust.
func (t *Tokenizer) yieldSegments(code bool) {
	from, whole := 0, t.thing
	defer func() { t.thing = whole }()
	for i, p := range t.parts {
		if i < len(t.parts)-1 && bytes.IndexByte([]byte("/:@,&"), p.sep) < 0 {
			continue
		}
		all := t.parts[from].from == 0 && i == len(t.parts)-1
		single := from == i && p.end == p.to
		if !all && (!single || t.plain) {
			if t.thing = 0; !code && single {
				t.next() // c++ in c++/rust
			}
			t.emit(Word, t.run[t.parts[from].from:p.end])
		}
		from = i + 1
	}
}

// initials reports U.S.A and e.g, which are one word.
func (t *Tokenizer) initials() bool {
	for i, p := range t.parts {
		if p.end-p.from != 1 || isDigit(t.run[p.from]) || i < len(t.parts)-1 && p.sep != '.' {
			return false
		}
	}
	return len(t.parts) > 1 && t.parts[0].from == 0
}

// grouped reports a number with commas between its thousands.
func (t *Tokenizer) grouped() bool {
	for i, p := range t.parts {
		if !allDigits(t.run[p.from:p.to]) || p.end != p.to || i > 0 && p.to-p.from != 3 || i < len(t.parts)-1 && p.sep != ',' {
			return false
		}
	}
	return len(t.parts) > 1 && t.parts[0].to-t.parts[0].from <= 3 && t.parts[0].from == 0
}

// joined is run without its connectors.
func (t *Tokenizer) joined() []byte {
	t.gram = t.gram[:0]
	for _, p := range t.parts {
		t.gram = append(t.gram, t.run[p.from:p.end]...)
	}
	return t.gram
}

// compound reports words of letters joined by hyphens or slashes: well-known,
// tea/coffee.
func (t *Tokenizer) compound() bool {
	for i, p := range t.parts {
		if p.end != p.to || hasDigit(t.run[p.from:p.to]) || i < len(t.parts)-1 && p.sep != '-' && p.sep != '/' {
			return false
		}
	}
	return t.parts[0].from == 0
}

// version reports v2 and the like, whose number is also asked for alone.
func version(w []byte) bool { return len(w) > 1 && w[0] == 'v' && allDigits(w[1:]) }

func allDigits(w []byte) bool {
	for _, c := range w {
		if !isDigit(c) {
			return false
		}
	}
	return len(w) > 0
}

func hasDigit(w []byte) bool {
	for _, c := range w {
		if isDigit(c) {
			return true
		}
	}
	return false
}

// yieldCharacters yields the pairs of neighbouring characters in run and the
// characters alone. A run of one character is its own pair.
func (t *Tokenizer) yieldCharacters(kind class) {
	t.function, t.light = false, false
	if kind == hangul {
		t.function = t.asking && functionWord(t.run)
		t.next()
		t.emit(Word, t.run)
	}
	from, to, word := 0, 0, 0 // the katakana word at hand, its thing
	cut := t.asking && kind == han
	if cut {
		t.keep = contentHan(t.run, t.at, t.keep[:0])
	}
	for i, a := range t.at {
		b, c := len(t.run), len(t.run)
		if i+1 < len(t.at) {
			b = t.at[i+1]
		}
		if i+2 < len(t.at) {
			c = t.at[i+2]
		}
		if b < len(t.run) || i == 0 {
			if cut {
				t.function = !t.keep[i] || b < len(t.run) && !t.keep[i+1]
			}
			if cut && i >= to {
				from, to = i, t.katakana(i)
				if to-from > 2 {
					t.next()
					word = t.thing
				}
			}
			if t.thing, t.need = word, 2; to-from <= 2 || i+1 >= to {
				t.next()
			}
			t.light = cut && lightHan(t.run[a:c])
			t.emit(Bigram, t.run[a:c])
			t.light = false
		}
		if cut {
			t.function = !t.keep[i]
		}
		if !t.plain {
			if t.next(); kind == sea || kana(t.run[a:b]) {
				t.thing = 0
			}
			t.emit(Single, t.run[a:b])
		}
	}
}

// katakana gives the end of the katakana word that begins at character i of the
// run; one character of another kind is its own.
func (t *Tokenizer) katakana(i int) int {
	j := i
	for j < len(t.at) && katakana(t.run[t.at[j]:]) {
		j++
	}
	return max(j, i+1)
}

func katakana(w []byte) bool {
	r, _ := utf8.DecodeRune(w)
	return r >= 0x30A1 && r <= 0x30FF
}

func kana(w []byte) bool {
	r, _ := utf8.DecodeRune(w)
	return r >= 0x3041 && r <= 0x30FF
}

func (t *Tokenizer) yieldEmoji() {
	t.function, t.light = false, false
	t.next()
	term := bytes.TrimRight(t.run, "\u200d")
	t.emit(Word, term)
}
