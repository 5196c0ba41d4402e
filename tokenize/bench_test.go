package tokenize_test

import (
	"strings"
	"testing"

	"plastic/tokenize"
)

var corpora = []struct{ name, text string }{
	{"English", "Lena told me that she moved to the old town last spring, keeps two cats and doesn't drink coffee any more. "},
	{"Russian", "Лена рассказала, что весной переехала в старый город, держит двух кошек и больше не пьёт кофе. "},
	{"Chinese", "莉娜說她去年春天搬到了老城區，養了兩隻貓，而且不再喝咖啡了，出去吃飯的時候要提醒她對花生過敏。"},
	{"Identifiers", "Ticket QX-77: node.js v2.1 on 10.0.0.7 at 40 MB/s, see https://example.com/a-b and @name #tag. "},
}

func mixed() []string {
	var b []string
	for range 200 {
		for _, c := range corpora {
			b = append(b, c.text)
		}
	}
	return b
}

func BenchmarkTerms(b *testing.B) {
	bench := func(name string, texts []string) {
		b.Run(name, func(b *testing.B) {
			tok := tokenize.New()
			size := int64(0)
			for _, t := range texts {
				size += int64(len(t))
			}
			b.SetBytes(size)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for _, t := range texts {
					tok.Terms(t, func(tokenize.Field, []byte) { n++ })
				}
			}
		})
	}
	for _, c := range corpora {
		bench(c.name, []string{strings.Repeat(c.text, 10)})
	}
	bench("Mixed", mixed())
}

func BenchmarkTermsOnce(b *testing.B) {
	text := corpora[0].text + corpora[1].text + corpora[2].text
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		tokenize.Terms(text, func(tokenize.Field, []byte) { n++ })
	}
}

func BenchmarkQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		tokenize.Query("Where did Lena move last spring, and how many cats does she keep?")
	}
}

func BenchmarkFold(b *testing.B) {
	text := strings.Join(mixed()[:4], " ")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		tokenize.Fold(text)
	}
}
