package plastic_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

func TestRehearsalRules(t *testing.T) {
	for _, c := range []struct {
		rule   string
		door   string
		counts bool
	}{
		{"recall", "recall", true}, {"recall", "prompt", false}, {"recall", "quiet", false}, {"recall", "asked prompt", true},
		{"always", "recall", true}, {"always", "prompt", true}, {"always", "quiet", false}, {"always", "facts", true},
		{"never", "recall", false}, {"never", "prompt", false}, {"recall", "facts", false},
		{"recall", "as of", false}, {"recall", "history", false}, {"recall", "owner", true}, {"recall", "public", false},
	} {
		b := banktest.New(t, "config.yaml", "memory:\n  timezone: UTC\n  rehearse: "+c.rule+"\n")
		id := b.Say("@ann likes tea")
		b.Pass(time.Hour)
		q := plastic.Query{Text: "tea"}
		switch c.door {
		case "recall":
			b.Recall(q)
		case "quiet":
			q.NoRehearse = true
			b.Recall(q)
		case "as of":
			q.AsOf = b.Clock().Now()
			b.Recall(q)
		case "history":
			q.History = true
			b.Recall(q)
		case "prompt":
			b.Prompt(plastic.Turn{Text: "tea"})
		case "asked prompt":
			b.Prompt(plastic.Turn{Text: "tea", Rehearse: true})
		case "facts":
			if _, err := b.Facts(t.Context(), plastic.Turn{Text: "tea"}); err != nil {
				t.Fatal(err)
			}
		case "owner", "public":
			b.As(memory.Audience(c.door)).Recall(q)
		}
		m := b.Show(id)
		if counted := m.RecallCount == 1 && m.LastRecalledAt.Equal(b.Clock().Now()); counted != c.counts || m.RecallCount > 1 {
			t.Errorf("rehearse: %s, %s: count %d at %v", c.rule, c.door, m.RecallCount, m.LastRecalledAt)
		}
	}
}

func TestRecallSaysNothingRatherThanSomethingElse(t *testing.T) {
	b := banktest.New(t)
	for _, text := range []string{
		"@ann works in AI", "her cat is named Ada", "部署流程：先构建再发布", "мой район тихий и зелёный", "the meeting is at noon", "he is a good friend of the family",
	} {
		b.Say(text)
	}
	for _, query := range []string{
		"", "  ", "???", "it rains in Spain again", "he said so", "education", "how do we deploy", "thanks, good night!", "what is my blood type", "ну ладно, спасибо", "哈哈好的", "🦊",
	} {
		if got := b.Recall(plastic.Query{Text: query}); len(got.Memories) != 0 {
			t.Errorf("%q is answered with %q", query, got.Memories[0].Content)
		}
	}
	for _, m := range b.All() {
		if m.RecallCount != 0 {
			t.Errorf("%q was rehearsed", m.Content)
		}
	}
}

func TestRecallFindsInEveryLanguage(t *testing.T) {
	b := banktest.New(t)
	others := strings.Fields("tea rain bread garden дождь сад концерт работа 開會 鋼琴 早餐 下雨 piano opera Kazakhstan Казахстан")
	for i := range 30 {
		b.Say(others[i%len(others)] + " " + others[(i*7+3)%len(others)] + " number " + strings.Repeat("x", i+1))
	}
	for _, c := range []struct {
		text    string
		queries []string
	}{
		{"我对花生过敏，出去吃饭要提醒我", []string{"花生", "过敏", "提醒", "過敏"}},
		{"Лена весной переехала в Казань", []string{"где Лена живёт", "Казани", "ЛЕНА"}},
		{"держит двух кошек", []string{"кошка", "кошки"}},
		{"ticket QX-78 is done", []string{"QX-78"}},
		{"prefers C++ over node.js v2.1", []string{"C++", "node.js", "v2.1"}},
		{"host 10.0.0.7", []string{"10.0.0.7"}},
		{"🦊 is my sign", []string{"🦊"}},
		{"Zoe\u0308 lives in Malmo\u0308", []string{"Zoë", "Malmö"}},
		{"한국어 수업은 목요일", []string{"한국어", "목요일"}},
	} {
		id := b.Say(c.text)
		for _, q := range c.queries {
			if got := b.Find(q); len(got) == 0 || got[0] != id {
				t.Errorf("%q does not find %q first: %v", q, c.text, got)
			}
		}
	}
}

func TestCoreIsInThePromptAndNoAnswer(t *testing.T) {
	b := banktest.New(t)
	core := b.Remember(plastic.Draft{Content: "@ann is my owner and likes tea", Kind: memory.Core}).ID
	other := b.Say("@bob likes tea too, with milk")
	if got := b.Find("who likes tea"); len(got) != 1 || got[0] != other {
		t.Errorf("recall gives %v", got)
	}
	p := b.Prompt(plastic.Turn{Text: "who likes tea"})
	if len(p.IDs) != 2 || p.IDs[0] != core || p.IDs[1] != other {
		t.Errorf("the section holds %v", p.IDs)
	}
}

func TestAnsweringOnceIsEnough(t *testing.T) {
	b := banktest.New(t)
	load(t, b, `{"content":"@ann likes green tea with honey"}
{"content":"@ann likes green tea with honey.","createdAt":"2026-11-01T10:00:00Z"}
{"content":"@bob hates green tea with honey"}
`)
	if got := b.Find("green tea with honey"); len(got) != 2 {
		t.Errorf("answers: %v", got)
	}
}

func TestTheChannelOffIsSilent(t *testing.T) {
	b := banktest.New(t, "config.yaml", "memory: {timezone: UTC}\nchannel: {enabled: false}\n")
	b.Say("@ann likes tea")
	if got := b.Find("tea"); len(got) != 0 {
		t.Errorf("recall with the channel off gives %v", got)
	}
	b = banktest.New(t, "config.yaml", "memory: {timezone: UTC, recentCount: 0, anchorCount: 0}\nchannel: {recall: session}\n")
	b.Say("@ann likes tea")
	for i, want := range []int{1, 0} {
		if got := b.Prompt(plastic.Turn{Text: "tea", Session: "s1"}); len(got.IDs) != want {
			t.Errorf("turn %d of the session holds %v", i, got.IDs)
		}
	}
	if got := b.Find("tea"); len(got) != 1 {
		t.Errorf("explicit recall gives %v", got)
	}
}

// Few of many hits are ranked where that is enough: an answer that explains all of
// them must be the same.
func TestAnAnswerIsThatOfAllHits(t *testing.T) {
	b := banktest.New(t)
	r := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("tea cat Lena river Kazan moved garden 花生 大肥魚 пирог кошка bread winter song train old letter QX-77 blue yellow market music stone")
	text := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[int(float64(len(words))*math.Pow(r.Float64(), 2))])
		}
		return strings.Join(out, " ")
	}
	var lines strings.Builder
	for i := range 600 {
		importance := r.Float64()
		fmt.Fprintf(&lines, `{"id":"m%03d","content":"%s, number %d","importance":%.2f,"createdAt":"2026-01-%02dT10:00:00Z"`, i, text(2+r.IntN(6)), i/2, importance, 1+i%28)
		if i%3 == 0 {
			fmt.Fprintf(&lines, `,"session":"s%d"`, i/30)
		}
		lines.WriteString("}\n")
	}
	if _, err := b.Import(t.Context(), strings.NewReader(lines.String()), plastic.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		q := plastic.Query{Text: text(1 + r.IntN(5)), Limit: 1 + r.IntN(20), NoRehearse: true}
		got := b.Recall(q)
		q.Explain = true
		want := b.Recall(q)
		if len(got.Memories) != len(want.Memories) {
			t.Fatalf("%q gives %d answers, with all hits looked at %d", q.Text, len(got.Memories), len(want.Memories))
		}
		for i, m := range got.Memories {
			if w := want.Memories[i]; m.ID != w.ID || m.Score != w.Score || m.Relevance != w.Relevance {
				t.Fatalf("%q: answer %d is %s %v, with all hits looked at %s %v", q.Text, i, m.ID, m.Score, w.ID, w.Score)
			}
		}
	}
}
