package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plastic/memory"
)

// A generator makes memories and queries that look like a bot's: 20 to 300
// characters (short ones more often), 45 % Chinese, 35 % English and 20 %
// Russian, words by Zipf with the function words of each language on top,
// spread over three years. The same seed gives the same texts.
type generator struct {
	r       *rand.Rand
	tongues [3]tongue
	made    int
	asked   []sentence // of which queries are made
}

// tongue is one language: its vocabulary, most frequent first, and how often it
// is spoken.
type tongue struct {
	words  []string
	rank   *rand.Zipf
	glue   string // between words
	comma  string
	upTo   float64 // share of the memories, cumulated
	unlike int     // so many words on top carry no meaning
}

const (
	vocabulary = 20_000
	years      = 3
	shortest   = 20  // characters of a memory
	longest    = 300 // characters of a memory
	everyAsked = 5   // of so many memories one may be asked for
	rareWord   = "quizzaciously"
)

// dataEnd is when the last generated memory came about.
var dataEnd = time.Date(2026, 6, 30, 18, 0, 0, 0, time.UTC)

// functionWords stand on top of the vocabularies. A query's are given to the
// peers that have no list of their own as words to leave out.
var functionWords = [3][]string{
	strings.Fields("的 是 了 在 我 他 她 有 和 不 就 也 都 很 说 要 去 这 那 会"),
	strings.Fields("the and to of a in he she is was that it for on with has at her his does"),
	strings.Fields("и в не на что с он она по как из у за от это к был его о ли"),
}

func newGenerator(seed uint64) *generator {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	chars := make([]string, 2000)
	for i := range chars {
		chars[i] = string(rune(0x4e00 + g.r.IntN(0x5000)))
	}
	latin := parts{strings.Fields("b br c ch d dr f g gr h j k l m n p r s sh st t th v w"), strings.Fields("a e i o u ea ee ou"), strings.Fields("n r t l nd st ck m"), strings.Fields("_ s ed ing ly er ness _ _ s")}
	cyrillic := parts{strings.Fields("б бр в г гр д ж з к л м н п пр р с ст т тр х ц ч ш"), strings.Fields("а е и о у ы я ю"), strings.Fields("н р т л ст к м в"), strings.Fields("_ а ы ами ого ую ой ить ает ал ов ах")}
	g.tongues = [3]tongue{
		{words: g.vocabulary(0, func() string { return g.han(chars) }), glue: "", comma: "，", upTo: 0.45},
		{words: g.vocabulary(1, func() string { return g.word(latin) }), glue: " ", comma: ", ", upTo: 0.80},
		{words: g.vocabulary(2, func() string { return g.word(cyrillic) }), glue: " ", comma: ", ", upTo: 1},
	}
	for i := range g.tongues {
		t := &g.tongues[i]
		t.rank = rand.NewZipf(g.r, 1.07, 2.7, uint64(len(t.words)-1))
		t.unlike = len(functionWords[i])
	}
	return g
}

// parts are what a language's words are put together from; "_" is nothing.
type parts struct{ begin, middle, end, ending []string }

func (g *generator) word(p parts) string {
	var b strings.Builder
	for range 1 + g.r.IntN(3) {
		b.WriteString(pick(g.r, p.begin))
		b.WriteString(pick(g.r, p.middle))
	}
	b.WriteString(pick(g.r, p.end))
	b.WriteString(strings.Trim(pick(g.r, p.ending), "_"))
	return b.String()
}

// han is a word of one to three characters, two most of the time.
func (g *generator) han(chars []string) string {
	n := []int{1, 2, 2, 2, 2, 2, 3}[g.r.IntN(7)]
	var b strings.Builder
	for range n {
		b.WriteString(pick(g.r, chars))
	}
	return b.String()
}

func (g *generator) vocabulary(tongue int, word func() string) []string {
	out := append([]string(nil), functionWords[tongue]...)
	seen := map[string]bool{}
	for _, w := range out {
		seen[w] = true
	}
	for len(out) < vocabulary {
		if w := word(); !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func (g *generator) tongue() *tongue {
	x := g.r.Float64()
	for i := range g.tongues {
		if x < g.tongues[i].upTo {
			return &g.tongues[i]
		}
	}
	return &g.tongues[len(g.tongues)-1]
}

// A sentence is a text before it is written out: places in a vocabulary.
type sentence struct {
	*tongue
	at []int
}

func (g *generator) sentence() sentence {
	s := sentence{tongue: g.tongue()}
	size := int(shortest * math.Exp(g.r.Float64()*math.Log(float64(longest)/shortest)))
	for n := 0; n < size; {
		k := int(s.rank.Uint64())
		s.at = append(s.at, k)
		n += utf8.RuneCountInString(s.words[k]) + len(s.glue)
	}
	return s
}

// String writes the words out, with a comma after every eighth.
func (s sentence) String() string {
	var b strings.Builder
	for i, k := range s.at {
		switch {
		case i == 0:
		case i%8 == 0:
			b.WriteString(s.comma)
		default:
			b.WriteString(s.glue)
		}
		b.WriteString(s.words[k])
	}
	return b.String()
}

// queries are n queries, each of two to five words that one of the generated
// memories holds, the first of them with meaning where that memory has one.
func (g *generator) queries(n int) []string {
	out := make([]string, n)
	for i := range out {
		s := g.asked[i*len(g.asked)/n]
		g.r.Shuffle(len(s.at), func(a, b int) { s.at[a], s.at[b] = s.at[b], s.at[a] })
		if first := slices.IndexFunc(s.at, func(k int) bool { return k >= s.unlike }); first > 0 {
			s.at[0], s.at[first] = s.at[first], s.at[0]
		}
		list := make([]string, min(2+g.r.IntN(4), len(s.at)))
		for k := range list {
			list[k] = s.words[s.at[k]]
		}
		out[i] = strings.Join(list, s.glue)
	}
	g.r.Shuffle(n, func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}

// memories are n memories in the order of memory.json. The one in the middle
// holds rareWord, which no other has.
func (g *generator) memories(n int) []memory.Memory {
	out := make([]memory.Memory, n)
	start := dataEnd.AddDate(-years, 0, 0)
	step := dataEnd.Sub(start) / time.Duration(n)
	for i := range out {
		out[i] = g.memory(start.Add(time.Duration(i) * step).Truncate(time.Second))
	}
	out[n/2].Content = "we laughed " + rareWord + " about it the whole evening"
	return out
}

// memory is one memory of the given moment: one of seven is an event, one of
// twenty important, one of five was recalled, one of three has a speaker.
func (g *generator) memory(at time.Time) memory.Memory {
	g.made++
	said := g.sentence()
	if g.made%everyAsked == 0 {
		g.asked = append(g.asked, said)
	}
	m := memory.Memory{
		ID: fmt.Sprintf("m%06x", g.made), Content: said.String(), Kind: memory.Fact, CreatedAt: at,
		Importance: float64(g.r.IntN(15)) * 0.05,
	}
	if g.r.IntN(7) == 0 {
		m.Kind = memory.Event
	}
	if g.r.IntN(20) == 0 {
		m.Importance = 0.75 + float64(g.r.IntN(6))*0.05
	}
	if g.r.IntN(5) == 0 {
		m.RecallCount = 1 + g.r.IntN(3)
		m.LastRecalledAt = at.Add(time.Duration(g.r.IntN(30*24)) * time.Hour)
	}
	if g.r.IntN(3) == 0 {
		m.Speaker = pick(g.r, []string{"ann", "misha", "阿明", "dana"})
		m.Session = fmt.Sprintf("s%d", g.made/20)
	}
	return m
}

// fresh are n memories that came after the generated ones.
func (g *generator) fresh(n int) []memory.Memory {
	out := make([]memory.Memory, n)
	for i := range out {
		out[i] = g.memory(dataEnd.Add(time.Duration(g.made) * time.Second))
	}
	return out
}

// writeMemories writes memory.json as plastic itself writes it: one memory a
// line, the comma leading its line.
func writeMemories(path string, list []memory.Memory) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	w.WriteString("{\"version\":1,\"memories\":[\n")
	var line []byte
	for i := range list {
		line = append(line[:0], " ,"[min(i, 1)])
		line = append(memory.AppendJSON(line, &list[i]), '\n')
		w.Write(line)
	}
	w.WriteString("]}\n")
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
