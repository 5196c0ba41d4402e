package plastic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// withModel opens a folder whose models are functions.
func withModel(t *testing.T, config string, o plastic.Options) *plastic.Bank {
	t.Helper()
	dir := t.TempDir()
	banktest.Write(t, dir, "config.yaml", "memory: {timezone: UTC}\nmodel: {chat: scripted, embed: words, rerank: off}\n"+config)
	if err := plastic.Init(dir, plastic.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	if o.Now == nil {
		o.Now = func() time.Time { return banktest.Start }
	}
	b, err := plastic.Open(dir, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// gives is a chat model that answers each question with the facts of a script, in turn.
func gives(answers ...string) memory.Chat {
	n := 0
	return func(context.Context, memory.Ask) (memory.Reply, error) {
		n++
		a := answers[min(n, len(answers))-1]
		if a == "unreached" {
			return memory.Reply{}, fmt.Errorf("%w: scripted", memory.ErrUnreached)
		}
		return memory.Reply{Arguments: []string{a}}, nil
	}
}

func embeds(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = banktest.Words(t)
	}
	return out, nil
}

func retain(t *testing.T, b *plastic.Bank, user string) {
	t.Helper()
	if got, err := b.Retain(context.Background(), plastic.Exchange{User: user, Assistant: "I see."}); err != nil || got.Queued != 1 {
		t.Fatalf("retain: %+v, error %v", got, err)
	}
}

func listed(t *testing.T, b *plastic.Bank) string {
	t.Helper()
	l, err := b.List(plastic.Filter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range l.Memories {
		out = append(out, m.Content)
	}
	return strings.Join(out, "|")
}

func TestATurnBecomesFactsOnce(t *testing.T) {
	b := withModel(t, "", plastic.Options{Chat: gives(`{"facts":[{"content":"@ann keeps two cats","kind":"fact","importance":0.6},{"content":"@ann moved to Lisbon","kind":"event","importance":0.5,"private":true}]}`), Embed: embeds})
	retain(t, b, "I keep two cats and moved to Lisbon")
	got, err := b.Flush(context.Background(), plastic.Flushing{})
	if err != nil || got != (plastic.Flushed{Turns: 1, Facts: 2, Created: 2}) {
		t.Fatalf("%+v, error %v", got, err)
	}
	if got, err := b.Flush(context.Background(), plastic.Flushing{}); err != nil || got != (plastic.Flushed{}) {
		t.Errorf("again: %+v, error %v", got, err)
	}
	retain(t, b, "I keep two cats and moved to Lisbon")
	if got, err := b.Flush(context.Background(), plastic.Flushing{}); err != nil || got != (plastic.Flushed{Turns: 1, Facts: 2, Reinforced: 2}) {
		t.Errorf("said again: %+v, error %v", got, err)
	}
	if st, _ := b.Stats(); st.Vectors.Have != 2 || st.Vectors.Missing != 0 || st.Queue != 0 {
		t.Errorf("stats %+v, queue %d", st.Vectors, st.Queue)
	}
}

func TestAChangedFactClosesTheOldOne(t *testing.T) {
	var ask memory.Ask
	var id string
	chat := func(_ context.Context, a memory.Ask) (memory.Reply, error) {
		ask = a
		return memory.Reply{Arguments: []string{`{"facts":[{"content":"@ann lives in Lisbon now","kind":"fact","importance":0.5,"supersedes":"` + id + `"}]}`}}, nil
	}
	b := withModel(t, "", plastic.Options{Chat: chat, Embed: embeds})
	old, err := b.Remember(context.Background(), plastic.Draft{Content: "@ann lives in Porto", Private: true})
	if err != nil {
		t.Fatal(err)
	}
	id = old.ID
	retain(t, b, "I live in Lisbon now, no longer in Porto")
	got, err := b.Flush(context.Background(), plastic.Flushing{})
	if err != nil || got.Superseded != 1 || !strings.Contains(ask.User, id) {
		t.Fatalf("%+v, error %v", got, err)
	}
	m, err := b.Show(id)
	if err != nil || m.Memory.SupersededBy == "" {
		t.Fatalf("%+v, error %v", m, err)
	}
	if now, err := b.Show(m.Memory.SupersededBy); err != nil || !now.Memory.Private {
		t.Errorf("what took a private memory's place is %+v, error %v", now, err)
	}
}

func TestThreeOutcomesAreKeptApart(t *testing.T) {
	ctx := context.Background()
	b := withModel(t, "", plastic.Options{Chat: gives("unreached", "nonsense", "nonsense", "nonsense", "nonsense", "nonsense", `{"facts":[]}`)})
	retain(t, b, "I keep two cats")
	if got, err := b.Flush(ctx, plastic.Flushing{}); !errors.Is(err, memory.ErrUnreached) || got.Left != 1 {
		t.Fatalf("unreached: %+v, error %v", got, err)
	}
	if q, _ := b.Queue(); len(q.Turns) != 1 || q.Turns[0].Tries != 0 {
		t.Errorf("a model that is not reached counts as a try: %+v", q)
	}
	for n := 1; n <= 5; n++ {
		got, err := b.Flush(ctx, plastic.Flushing{})
		if !errors.Is(err, memory.ErrModel) || got.SetAside != n/5 || got.Left != 1-n/5 {
			t.Errorf("bad answer %d: %+v, error %v", n, got, err)
		}
	}
	if got, err := b.Flush(ctx, plastic.Flushing{}); err != nil || got.SetAside != 1 {
		t.Errorf("one set aside is tried again: %+v, error %v", got, err)
	}
	if got, err := b.Flush(ctx, plastic.Flushing{Retry: true}); err != nil || got != (plastic.Flushed{Turns: 1}) {
		t.Errorf("no facts: %+v, error %v", got, err)
	}
}

// Card, rule and memories that the bot has in its prompt, and its own words, teach it
// nothing (case 92).
func TestCase092TheMemorysOwnWordsAreNotLearnt(t *testing.T) {
	chat := func(_ context.Context, a memory.Ask) (memory.Reply, error) { // a model that takes everything
		return memory.Reply{Arguments: []string{`{"facts":[{"content":"@ann has a grey cat called Mops"},{"content":"Deploy only on Mondays by the blue script"}]}`}}, nil
	}
	b := withModel(t, "", plastic.Options{Chat: chat})
	ctx := context.Background()
	banktest.Write(t, b.Dir(), "memory.md", "Deploy only on Mondays by the blue script\n")
	m, err := b.Remember(ctx, plastic.Draft{Content: "@ann has a grey cat called Mops"})
	if err != nil {
		t.Fatal(err)
	}
	section, err := b.Prompt(ctx, plastic.Turn{Text: "cat"})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		x := plastic.Exchange{User: section.Text + "\nwhat is new?", Assistant: "You have a grey cat called Mops. Deploy only on Mondays by the blue script."}
		if _, err := b.Retain(ctx, x); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Flush(ctx, plastic.Flushing{}); err != nil {
			t.Fatal(err)
		}
	}
	if got := listed(t, b); got != "@ann has a grey cat called Mops" {
		t.Errorf("memories: %s", got)
	}
	if got, _ := b.Show(m.ID); got.Memory.RecallCount != 0 {
		t.Errorf("the memory was strengthened %d times", got.Memory.RecallCount)
	}
}

func TestSecretsAreMaskedInTheQueueAndNeverFacts(t *testing.T) {
	b := withModel(t, "", plastic.Options{Chat: gives(`{"facts":[{"content":"the API key is sk-test-1234567890abcdef"}]}`)})
	retain(t, b, "my API key is sk-test-1234567890abcdef")
	if q, _ := b.Queue(); strings.Contains(q.Turns[0].User, "1234567890") {
		t.Errorf("the queue holds %q", q.Turns[0].User)
	}
	if got, err := b.Flush(context.Background(), plastic.Flushing{}); err != nil || got.Created != 0 || listed(t, b) != "" {
		t.Errorf("%+v, error %v, memories %q", got, err, listed(t, b))
	}
}

// A fact that is left out for its secret does not lend its neighbour what it supersedes.
func TestAFactBesideASecretKeepsWhatItSupersedes(t *testing.T) {
	var id string
	chat := func(context.Context, memory.Ask) (memory.Reply, error) {
		return memory.Reply{Arguments: []string{`{"facts":[{"content":"the new API key is sk-test-1234567890abcdef","supersedes":"` + id + `"},{"content":"@ann bought a red bicycle"}]}`}}, nil
	}
	b := withModel(t, "", plastic.Options{Chat: chat})
	old, err := b.Remember(context.Background(), plastic.Draft{Content: "@ann keeps the API key in a drawer"})
	if err != nil {
		t.Fatal(err)
	}
	id = old.ID
	retain(t, b, "the API key is a new one, and I bought a red bicycle")
	if got, err := b.Flush(context.Background(), plastic.Flushing{}); err != nil || got.Created != 1 || got.Superseded != 0 {
		t.Errorf("%+v, error %v", got, err)
	}
	if m, err := b.Show(id); err != nil || m.Memory.SupersededBy != "" {
		t.Errorf("the memory of the key was closed by the bicycle: %+v, error %v", m.Memory, err)
	}
}

// What the assistant quotes of the memory is not sent to a model either.
func TestRecalledLinesThatTheAssistantQuotesAreNotSent(t *testing.T) {
	var asked string
	b := withModel(t, "", plastic.Options{Chat: func(_ context.Context, a memory.Ask) (memory.Reply, error) {
		asked = a.User
		return memory.Reply{Arguments: []string{`{"facts":[]}`}}, nil
	}})
	ctx := context.Background()
	if _, err := b.Remember(ctx, plastic.Draft{Content: "@ann has a ring of size seventeen", Private: true}); err != nil {
		t.Fatal(err)
	}
	if err := b.SetConfig(ctx, "model.sendPrivate", "false"); err != nil {
		t.Fatal(err)
	}
	section, err := b.Prompt(ctx, plastic.Turn{Text: "ring"})
	if err != nil || !strings.Contains(section.Text, "seventeen") {
		t.Fatal(section.Text, err)
	}
	if _, err := b.Retain(ctx, plastic.Exchange{User: "I bought a red bicycle", Assistant: "I know this:\n" + section.Text}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Flush(ctx, plastic.Flushing{}); err != nil || asked == "" || strings.Contains(asked, "seventeen") {
		t.Errorf("asked %q, error %v", asked, err)
	}
}

func TestWhatTheChannelKeepsOutIsNotQueued(t *testing.T) {
	for _, config := range []string{"channel: {enabled: false}\n", "channel: {retain: false}\n"} {
		b := withModel(t, config, plastic.Options{})
		if got, err := b.Retain(context.Background(), plastic.Exchange{User: "x"}); err != nil || got.Queued != 0 {
			t.Errorf("%s: %+v, error %v", config, got, err)
		}
	}
	b := withModel(t, "", plastic.Options{})
	if _, err := b.For(memory.Public).Retain(context.Background(), plastic.Exchange{User: "x"}); !errors.Is(err, memory.ErrDenied) {
		t.Errorf("a public turn: %v", err)
	}
}

func TestPrivateTurnsWaitWhereTheyMayNotBeSent(t *testing.T) {
	called := 0
	chat := func(context.Context, memory.Ask) (memory.Reply, error) {
		called++
		return memory.Reply{Arguments: []string{`{"facts":[]}`}}, nil
	}
	b := withModel(t, "", plastic.Options{Chat: chat})
	ctx := context.Background()
	if err := b.SetConfig(ctx, "model.sendPrivate", "false"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Retain(ctx, plastic.Exchange{User: "my knee hurts", Private: true}); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Flush(ctx, plastic.Flushing{}); err != nil || got.Left != 1 || called != 0 {
		t.Errorf("%+v, %d calls, error %v", got, called, err)
	}
}

// Words shared with no memory find it by its vector; what the model says nothing about,
// and no model at all, leave recall as it is by words.
func TestRecallByMeaning(t *testing.T) {
	meaning := map[string][]float32{"she keeps two cats": {1, 0, 0.1}, "the rent is due on Mondays": {0, 1, 0.1}, "any pets?": {0.9, 0.1, 0.1}, "weather tomorrow": {0, 0, 1}}
	calls := 0
	down := false
	embed := func(_ context.Context, texts []string) ([][]float32, error) {
		calls++
		if down {
			return nil, fmt.Errorf("%w: scripted", memory.ErrUnreached)
		}
		var out [][]float32
		for _, x := range texts {
			out = append(out, meaning[x])
		}
		return out, nil
	}
	b := withModel(t, "", plastic.Options{Embed: embed, Chat: func(context.Context, memory.Ask) (memory.Reply, error) {
		t.Error("a chat model was asked on the read path")
		return memory.Reply{}, memory.ErrModel
	}})
	ctx := context.Background()
	for _, text := range []string{"she keeps two cats", "the rent is due on Mondays"} {
		if _, err := b.Remember(ctx, plastic.Draft{Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 0 {
		t.Errorf("remember made %d calls", calls)
	}
	found := func(q string) (string, string) {
		got, err := b.Recall(ctx, plastic.Query{Text: q, NoRehearse: true})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range got.Memories {
			out = append(out, m.Content)
		}
		return strings.Join(out, "|"), got.Degraded
	}
	if got, why := found("any pets?"); got != "" || !strings.Contains(why, "reindex") {
		t.Errorf("before reindex: %q, degraded %q", got, why)
	}
	if got, err := b.Reindex(ctx, plastic.Reindexing{}); err != nil || got.Embedded != 2 || got.Missing != 0 {
		t.Fatalf("reindex: %+v, error %v", got, err)
	}
	for q, want := range map[string]string{"any pets?": "she keeps two cats", "weather tomorrow": "", "rent": "the rent is due on Mondays"} {
		if q == "rent" {
			meaning[q] = []float32{0, 1, 0}
		}
		if got, why := found(q); got != want || why != "" {
			t.Errorf("%q: %q, degraded %q; want %q", q, got, why, want)
		}
	}
	down = true
	if got, why := found("rent"); got != "the rent is due on Mondays" || !strings.HasPrefix(why, "words only") {
		t.Errorf("with a dead model: %q, degraded %q", got, why)
	}
}

// Why nothing can be compared is one sentence: others do not learn from it that a memory
// kept back has a vector, and nobody is told of dimensions where there is only a gap.
func TestWhyNothingCanBeComparedIsToldAlikeToAll(t *testing.T) {
	ctx := context.Background()
	said := map[bool]string{}
	for _, private := range []bool{false, true} {
		b := withModel(t, "", plastic.Options{Embed: func(_ context.Context, texts []string) ([][]float32, error) {
			out := make([][]float32, len(texts))
			for i, x := range texts {
				out[i] = banktest.Words(x)
			}
			return out, nil
		}})
		if private {
			if _, err := b.Remember(ctx, plastic.Draft{Content: "the ring size of @ann is 17", Private: true}); err != nil {
				t.Fatal(err)
			}
			if got, err := b.Reindex(ctx, plastic.Reindexing{}); err != nil || got.Embedded != 1 {
				t.Fatalf("%+v, error %v", got, err)
			}
		}
		if _, err := b.Remember(ctx, plastic.Draft{Content: "@ann likes tea"}); err != nil {
			t.Fatal(err)
		}
		got, err := b.For(memory.Public).Recall(ctx, plastic.Query{Text: "tea"})
		if err != nil || len(got.Memories) != 1 {
			t.Fatalf("%+v, error %v", got, err)
		}
		said[private] = got.Degraded
	}
	if said[true] != said[false] || !strings.Contains(said[false], "reindex") || strings.Contains(said[true], "dimension") {
		t.Errorf("without a private memory %q, beside one %q", said[false], said[true])
	}
}
