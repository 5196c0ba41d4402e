package tokenize_test

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plastic/tokenize"
)

func TestFoldMakesTheSameTextEqual(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"Ann likes tea.", "ann likes  TEA"},
		{"我喜欢茶。", "我喜欢茶"},
		{"Ёж", "еж"},
		{"Zoë", "Zoe\u0308"},
		{"ｆｕｌｌ　width", "Full width"},
		{"\n tea \t", "tea"},
		{"Straße", "STRASSE"},
		{"soft\u00adhyphen", "softhyphen"},
		{"❤\ufe0f", "❤"},
		{"ΟΔΟΣ", "οδος"},
		{"한국어", norm.NFD.String("한국어")},
		{"...", "..."},
	} {
		if tokenize.Fold(c.a) != tokenize.Fold(c.b) {
			t.Errorf("%q folds to %q, %q to %q", c.a, tokenize.Fold(c.a), c.b, tokenize.Fold(c.b))
		}
	}
	for _, c := range []struct{ a, b string }{
		{"мой", "мои"}, {"が", "か"}, {"Zoë", "Zoe"}, {"tea?", "tea"}, {"port 8080", "port 8081"}, {"", "."}, {"上個月", "上个月"},
	} {
		if tokenize.Fold(c.a) == tokenize.Fold(c.b) {
			t.Errorf("%q and %q fold to the same", c.a, c.b)
		}
	}
}

func TestTraditionalAndSimplifiedCharactersMeet(t *testing.T) {
	for _, c := range [][2]string{{"體", "体"}, {"臺", "台"}, {"裡", "里"}, {"裏", "里"}, {"麼", "么"}, {"過", "过"}, {"貓", "猫"}, {"綫", "线"}, {"線", "线"}, {"龍", "龙"}, {"點", "点"}} {
		a, b := all(c[0]), all(c[1])
		if len(a) != len(b) || a[0] != b[0] {
			t.Errorf("%s gives %v, %s gives %v", c[0], a, c[1], b)
		}
	}
	for r := rune(0x3400); r <= 0x9FFF; r++ { // simplifying twice is simplifying once
		if !unicode.Is(unicode.Han, r) {
			continue
		}
		once := terms(tokenize.Single, string(r))
		if twice := terms(tokenize.Single, once[0]); twice[0] != once[0] {
			t.Errorf("%c becomes %s, then %s", r, once[0], twice[0])
		}
	}
}
