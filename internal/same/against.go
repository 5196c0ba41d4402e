package same

import (
	"slices"
	"strings"
	"unicode"
)

// Clash says in what two texts about the same thing seem to deny each other.
type Clash string

// The ways in which two texts may clash.
const (
	NoClash  Clash = ""
	Number   Clash = "another number"
	Negation Clash = "one denies it"
)

// Against reports whether two texts are likely to contradict each other: word for
// word the same but for a number, or but for a negation. It errs to the side of
// NoClash: another word, a number that names rather than counts ("room 1 …"), or
// fewer than two words in common are none.
func Against(a, b *Text) Clash {
	short, long := a.plainly(), b.plainly()
	if len(short) > len(long) {
		short, long = long, short
	}
	switch {
	case otherNumber(short, long):
		return Number
	case denied(short, long):
		return Negation
	case slices.Equal(short, long) && len(short) > leastInCommon && signs(a.folded) != signs(b.folded) && strings.ContainsFunc(a.folded, unicode.IsDigit):
		return Number // $5 and €5
	}
	return NoClash
}

// leastInCommon is how many terms two texts must share, numbers and negations
// aside, to be about the same thing.
const leastInCommon = 2

// otherNumber reports whether long begins as short is, but for numbers.
func otherNumber(short, long []string) bool {
	if len(long) > 2*len(short) {
		return false
	}
	others, common := 0, 0
	for i, t := range short {
		switch {
		case t == long[i]:
			common++
		case number(t) && number(long[i]) && !names(short, i):
			others++
		default:
			return false
		}
	}
	return others > 0 && common >= leastInCommon
}

// names reports whether the number at i is likely a name or a date that the rest
// is about: it stands first, or right after the first word with more to come.
func names(terms []string, i int) bool { return i <= 1 && len(terms)-i-1 > 1 }

// denied reports whether long is short with one negation in it, and nothing else
// but what comes with a negation.
func denied(short, long []string) bool {
	if len(short) < leastInCommon {
		return false
	}
	i, negations := 0, 0
	for _, t := range long {
		switch {
		case i < len(short) && t == short[i]:
			i++
		case in(denials, t):
			negations++
		case !in(helpers, t):
			return false
		}
	}
	return i == len(short) && negations == 1
}

// Words that deny, and words that come and go with them; as stems.
const (
	denials = " not no never neither cannot nobody none" +
		" не нет никогда ни 不 沒 没 無 无 冇 唔 未 nicht kein keinen nie niemal pas jamai nunca nada não nem mai niet geen nooit ikk inte aldrig ні 안 못 "
	helpers = " do did ani anymor more at all ever yet still больш 再 了 en ne more plus "
	numbers = " one two three four five six seven eight nine ten eleven twelv один одн дв две три четыр пят шест сем восем девят десят" +
		" 一 二 两 兩 三 四 五 六 七 八 九 十 半 百 千 万 萬 "
)

func number(t string) bool {
	return strings.ContainsFunc(t, unicode.IsDigit) && !strings.ContainsFunc(t, unicode.IsLetter) || in(numbers, t)
}

// plainly is the text's sequence of terms with short forms of "not" written out.
func (t *Text) plainly() []string {
	if t.plain == nil {
		t.plain = writtenOut(sequence(t.m.Content))
	}
	return t.plain
}

func writtenOut(terms []string) []string {
	out := make([]string, 0, len(terms))
	for _, t := range terms {
		if verb, ok := strings.CutSuffix(t, "nt"); ok && in(verbsWithNot, verb) {
			switch verb {
			case "ca":
				verb = "can"
			case "wo":
				verb = "will"
			}
			out = append(append(out, sequence(verb)...), "not")
			continue
		}
		out = append(out, t)
	}
	return out
}

// verbsWithNot are what stands before n't, which the terms have as nt.
const verbsWithNot = " is are was were ca could wo would do does did has have had should must need "
