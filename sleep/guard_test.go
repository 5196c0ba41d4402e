package sleep_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"plastic/memory"
	"plastic/sleep"
)

func weight(x float64) *float64 { return &x }

// TestWhatAPlanMayNotDo is a table of plans of hostile, lazy and broken models, and
// the reason for which each is refused.
func TestWhatAPlanMayNotDo(t *testing.T) {
	ms := []memory.Memory{
		old("core", "My name is Eva and I write with a pen"), old("pin", "Ann's birthday is 3 May"), old("who", "I am patient with Ann"),
		old("big", "Ann had an operation on her heart"), old("told", "Ann likes the word lagoon"), old("new", "Ann keeps two grey cats in Berlin"),
		old("cats", "Ann keeps two grey cats in Berlin"), old("cats2", "Ann has two grey cats, Mia and Tom, in Berlin"), old("meat", "Ann eats meat"),
		old("nomeat", "Ann does not eat meat any more"), old("opera", "Лена не любит оперу с 2019 года"), old("bob", "Bob keeps two grey cats in Berlin"),
		old("small", "the tram was late"),
	}
	for i := range ms {
		switch m := &ms[i]; m.ID {
		case "core":
			m.Kind = memory.Core
		case "pin":
			m.Pinned = true
		case "who":
			m.Kind = memory.Identity
		case "big":
			m.Importance = 0.8
		case "told":
			m.RecallCount = 3
		case "new":
			m.CreatedAt = now.Add(-47 * time.Hour)
		case "cats", "cats2":
			m.Speaker = "ann"
		case "bob":
			m.Speaker = "bob"
		case "nomeat":
			m.CreatedAt = now.AddDate(0, 0, -10)
		}
	}
	op := func(verb sleep.Verb, content string, ids ...string) sleep.Op {
		return sleep.Op{Op: verb, IDs: ids, Content: content, Why: "because"}
	}
	set := func(kind memory.Kind, x *float64, id string) sleep.Op {
		return sleep.Op{Op: sleep.Set, IDs: []string{id}, Kind: kind, Importance: x, Why: "because"}
	}
	for _, r := range []struct {
		name string
		op   sleep.Op
		want string
	}{
		{"core is forgotten", op(sleep.Forget, "", "core"), "core and never forgotten"},
		{"a pinned one is", op(sleep.Forget, "", "pin"), "pinned and never"},
		{"who the bot is", op(sleep.Forget, "", "who"), "identity and never"},
		{"an important one is", op(sleep.Forget, "", "big"), "important and never"},
		{"one recalled often is", op(sleep.Forget, "", "told"), "important and never"},
		{"a young one is", op(sleep.Forget, "", "new"), "younger than"},
		{"an invented one is", op(sleep.Forget, "", "zzz"), "was not shown zzz"},
		{"a young one is rewritten", op(sleep.Rewrite, "Ann has two grey cats in Berlin", "new"), "younger than"},
		{"core is closed", op(sleep.Supersede, "", "core", "nomeat"), "core: fold"},
		{"the newer is closed for the older", op(sleep.Supersede, "", "nomeat", "meat"), "is older than"},
		{"itself is", op(sleep.Supersede, "", "meat", "meat"), "twice"},
		{"a statement and its denial", op(sleep.Merge, "Ann eats no meat any more", "meat", "nomeat"), "close the older"},
		{"one id is merged", op(sleep.Merge, "Ann eats meat", "meat"), "does not take 1 ids"},
		{"two people's words are", op(sleep.Merge, "Ann and Bob keep two grey cats in Berlin", "cats", "bob"), "different people"},
		{"a merge drops the number", op(sleep.Merge, "Ann has grey cats, Mia and Tom, in Berlin", "cats", "cats2"), "drops the number 2"},
		{"a merge drops a name", op(sleep.Merge, "Ann has two grey cats, Mia and Tom", "cats", "cats2"), `drops "berlin"`},
		{"a merge is empty", op(sleep.Merge, "", "cats", "cats2"), "no text"},
		{"another language", op(sleep.Merge, "Аня держит в Берлине 2 серых кошек, Мия и Том", "cats", "cats2"), "another script"},
		{"a number comes from nowhere", op(sleep.Merge, "Ann has two grey cats, Mia and Tom, in Berlin since 1999", "cats", "cats2"), "says 1999"},
		{"a negation is dropped", op(sleep.Rewrite, "Лена любит оперу с 2019 года", "opera"), "drops a negation"},
		{"a year is dropped", op(sleep.Rewrite, "Лена не любит оперу", "opera"), "drops the number 2019"},
		{"a negation is made beside a number", op(sleep.Rewrite, "Ann eats no meat, no 6", "meat"), "not denied"},
		{"a negation is made", op(sleep.Rewrite, "Ann does not eat meat", "meat"), "not denied"},
		{"what is left is little", op(sleep.Rewrite, "the tram", "small"), "keeps"},
		{"pinned words are changed", op(sleep.Rewrite, "Ann's birthday is on 3 May", "pin"), "its words stay"},
		{"a split loses a half", sleep.Op{Op: sleep.Split, IDs: []string{"cats2"}, Contents: []string{"Ann has two grey cats", "Ann lives in Berlin"}, Why: "x"}, "drops"},
		{"a fact from one witness", op(sleep.Derive, "Ann eats meat", "meat"), "does not take 1"},
		{"a fact of other things", op(sleep.Derive, "Zoe collects old violins", "meat", "cats"), "other things"},
		{"a derived core", sleep.Op{Op: sleep.Derive, IDs: []string{"meat", "cats"}, Kind: memory.Core, Content: "Ann eats meat and keeps cats", Why: "x"}, "a fact or an event"},
		{"a weight out of range", set("", weight(4), "meat"), "from 0 to 1"},
		{"an invented kind", set("legend", nil, "meat"), "no kind"},
		{"identity's kind", set(memory.Fact, nil, "who"), "its kind stays"},
		{"no reason", sleep.Op{Op: sleep.Forget, IDs: []string{"small"}}, "no reason"},
		{"no such operation", op("delete_all", "", "small"), "no operation"},
	} {
		got := guard(ms, params()).Apply(sleep.InCluster, []sleep.Op{r.op}, ms)
		if len(got) != 1 || got[0].Applied || !strings.Contains(got[0].Refused, r.want) {
			t.Errorf("%s: %+v, want a refusal with %q", r.name, got, r.want)
		}
	}
}

func TestAMergeKeepsTheMostRecalledAndWhatIsStronger(t *testing.T) {
	a, b := old("a", "Ann has two grey cats in Berlin"), old("b", "Ann keeps two grey cats, Mia and Tom, in Berlin")
	a.RecallCount, a.LastRecalledAt, b.RecallCount, b.Private, b.Importance, b.Kind = 2, now.Add(-time.Hour), 1, true, 0.7, memory.Core
	b.CreatedAt = b.CreatedAt.Add(time.Hour)
	ms := []memory.Memory{a, b}
	g := guard(ms, params())
	done := g.Apply(sleep.InCluster, []sleep.Op{{Op: sleep.Merge, IDs: []string{"b", "a"}, Content: b.Content, Why: "said twice"}}, ms)
	if !done[0].Applied {
		t.Fatal(done[0].Refused)
	}
	want := a
	want.Content, want.RecallCount, want.Private, want.Importance, want.Kind, want.ConsolidatedAt = b.Content, 3, true, 0.7, memory.Core, now
	if got := done[0].After; len(got) != 1 || string(memory.AppendJSON(nil, &got[0])) != string(memory.AppendJSON(nil, &want)) {
		t.Errorf("the merge is %+v", got)
	}
	if left := g.Memories(); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
}

func TestSoundPlansPass(t *testing.T) {
	berlin, paris := old("berlin", "Ann lives in Berlin"), old("paris", "Ann lives in Paris now")
	paris.CreatedAt = now.Add(-time.Hour)
	glued := old("glued", "Ann plays the violin and Bob drives a tram")
	ru, ru2 := old("ru", "Лена была в опере с Аней"), old("ru2", "Лена опять была в опере")
	zh, zh2 := old("zh", "大肥魚不喜歡香菜"), old("zh2", "大肥魚一直不喜歡吃香菜")
	ann, ann2 := old("ann", "@ann不喜欢香菜"), old("ann2", "@ann从小时候起一直不喜欢吃香菜")
	house, flat := old("house", "Ann lives at number 6 in Mill Lane"), old("flat", "Bob lives at number six in Mill Lane")
	ms := []memory.Memory{berlin, paris, glued, ru, ru2, zh, zh2, ann, ann2, house, flat, old("small", "the tram was late")}
	ops := []sleep.Op{
		{Op: sleep.Supersede, IDs: []string{"berlin", "paris"}, Why: "she moved"},
		{Op: sleep.Split, IDs: []string{"glued"}, Contents: []string{"Ann plays the violin", "Bob drives a tram"}, Why: "two things"},
		{Op: sleep.Derive, IDs: []string{"ru", "ru2"}, Content: "Лена часто бывает в опере", Why: "a series"},
		{Op: sleep.Merge, IDs: []string{"zh", "zh2"}, Content: "大肥魚一直不喜歡吃香菜", Why: "said twice"},
		{Op: sleep.Merge, IDs: []string{"ann", "ann2"}, Content: "@ann从小不喜欢吃香菜", Why: "said twice"},
		{Op: sleep.Rewrite, IDs: []string{"house"}, Content: "Ann lives at no. 6, Mill Lane", Why: "shorter"},
		{Op: sleep.Rewrite, IDs: []string{"flat"}, Content: "Bob lives at no six in Mill Lane", Why: "shorter"},
		{Op: sleep.Forget, IDs: []string{"small"}, Why: "small talk"},
		{Op: sleep.Set, IDs: []string{"ru"}, Importance: weight(0.3), Kind: memory.Event, Why: "an evening"},
	}
	g := guard(ms, params())
	for _, d := range g.Apply(sleep.InCluster, ops, ms) {
		if !d.Applied {
			t.Errorf("%s %v: %s", d.Op.Op, d.IDs, d.Refused)
		}
	}
	if m, _ := g.Get("berlin"); m.SupersededBy != "paris" || !m.ValidTo.Equal(now) {
		t.Errorf("berlin: %+v", m)
	}
	if m, _ := g.Get("new1"); m.Content != "Bob drives a tram" || !m.CreatedAt.Equal(glued.CreatedAt) {
		t.Errorf("the second part: %+v", m)
	}
}

func TestAPlanIsAPatchOnTheStateAsItIsThen(t *testing.T) {
	seen := []memory.Memory{old("a", "the tram was late"), old("b", "the bus was late"), old("c", "the boat was late")}
	ms := []memory.Memory{seen[0], seen[1]}
	ms[0].Content = "the tram was late, and Ann cried"
	ms[1].RecallCount = 1 // a rehearsal is no edit
	got := guard(ms, params()).Apply(sleep.InCluster, []sleep.Op{
		{Op: sleep.Forget, IDs: []string{"a"}, Why: "x"}, {Op: sleep.Forget, IDs: []string{"b"}, Why: "x"}, {Op: sleep.Forget, IDs: []string{"c"}, Why: "x"}, {Op: sleep.Forget, IDs: []string{"b"}, Why: "x"},
	}, seen)
	for i, want := range []string{"a was changed since", "", "c is not there any more", "b was used by an operation before"} {
		if got[i].Refused != want || got[i].Applied != (want == "") {
			t.Errorf("%d: %q, want %q", i, got[i].Refused, want)
		}
	}
}

func TestCapsHoldOverAllPhasesOfANight(t *testing.T) {
	p := params()
	p.MaxForget, p.MaxOps = 2, 3
	var ms []memory.Memory
	var ops []sleep.Op
	for _, id := range strings.Fields("a b c d e") {
		ms = append(ms, old(id, "the tram "+id+" was late"))
		ops = append(ops, sleep.Op{Op: sleep.Forget, IDs: []string{id}, Why: "x"})
	}
	g := guard(ms, p)
	done := g.Apply(sleep.Outside, ops, ms)
	more := g.Apply(sleep.Whole, []sleep.Op{{Op: sleep.Set, IDs: []string{"e"}, Importance: weight(0.1), Why: "x"}, {Op: sleep.Set, IDs: []string{"d"}, Importance: weight(0.1), Why: "x"}}, ms)
	for i, want := range []bool{true, true, false, false, false} {
		if done[i].Applied != want || done[i].Capped == want {
			t.Errorf("forget %d: %+v", i, done[i])
		}
	}
	if !more[0].Applied || more[1].Applied || !more[1].Capped {
		t.Errorf("set: %+v", more)
	}
}

func TestWhatAPersonTookBackIsNotDoneAgain(t *testing.T) {
	a := old("a", "the tram was late")
	op := sleep.Op{Op: sleep.Forget, IDs: []string{"a"}, Why: "small talk"}
	p := params()
	p.Rejected = map[string]bool{sleep.Key(op, []memory.Memory{a}): true}
	if got := guard([]memory.Memory{a}, p).Apply(sleep.Outside, []sleep.Op{op}, []memory.Memory{a}); got[0].Applied {
		t.Error("it was done again")
	}
	a.Content = "the tram was late again"
	if got := guard([]memory.Memory{a}, p).Apply(sleep.Outside, []sleep.Op{op}, []memory.Memory{a}); !got[0].Applied {
		t.Errorf("with another text: %s", got[0].Refused)
	}
}

func TestManySmallLossesAreOneLargeOne(t *testing.T) {
	m := old("a", "the old tram was late again because snow lay upon rails near harbour")
	first, p := m.Content, params()
	for range 10 {
		words := strings.Fields(m.Content)
		op := sleep.Op{Op: sleep.Rewrite, IDs: []string{"a"}, Content: strings.Join(words[:len(words)*4/5], " "), Why: "shorter"}
		done := guard([]memory.Memory{m}, p).Apply(sleep.InCluster, []sleep.Op{op}, []memory.Memory{m})
		if done[0].Applied {
			m = done[0].After[0]
		}
		p.Originals = map[string]string{"a": first}
	}
	if n := len(strings.Fields(m.Content)); n < 7 {
		t.Errorf("ten nights left %q", m.Content)
	}
}

func TestCoreGrowsNoFurtherThanItsShare(t *testing.T) {
	p := params()
	p.CoreBudget = 30
	ms := []memory.Memory{old("a", "Ann keeps two grey cats"), old("b", "Bob drives a tram")}
	op := func(id string) sleep.Op {
		return sleep.Op{Op: sleep.Set, IDs: []string{id}, Kind: memory.Core, Why: "always needed"}
	}
	got := guard(ms, p).Apply(sleep.Whole, []sleep.Op{op("a"), op("b")}, ms)
	if !got[0].Applied || !strings.Contains(got[1].Refused, "share of the prompt") {
		t.Errorf("%+v", got)
	}
}

func TestNothingPrivateIsWrittenIntoASharedMemory(t *testing.T) {
	shared, secret := old("a", "Ann keeps two grey cats in Berlin"), old("b", "Ann keeps two grey cats, Mia and Tom, in Berlin")
	secret.Private = true
	ms := []memory.Memory{shared, secret, old("c", "Ann feeds her cats at noon")}
	for _, r := range []struct {
		op   sleep.Op
		want bool
	}{
		{sleep.Op{Op: sleep.Rewrite, IDs: []string{"a"}, Content: "Ann keeps two grey cats, Mia and Tom, in Berlin"}, false},
		{sleep.Op{Op: sleep.Derive, IDs: []string{"a", "c"}, Content: "Ann keeps cats, Mia among them"}, false},
		{sleep.Op{Op: sleep.Rewrite, IDs: []string{"a"}, Content: "Ann keeps two grey cats at home in Berlin"}, true},
		{sleep.Op{Op: sleep.Derive, IDs: []string{"b", "c"}, Content: "Ann keeps cats, Mia among them"}, true},
	} {
		r.op.Why = "clearer"
		if got := guard(ms, params()).Apply(sleep.InCluster, []sleep.Op{r.op}, ms); got[0].Applied != r.want {
			t.Errorf("%s %v %q: %v %s", r.op.Op, r.op.IDs, r.op.Content, got[0].Applied, got[0].Refused)
		}
	}
}

func TestCandidatesAreOldLightAndNeverAskedFor(t *testing.T) {
	ms := []memory.Memory{
		with(old("yes", "the tram was late"), func(m *memory.Memory) { m.Importance = 0.25 }),
		with(old("heavy", "the bus was late"), func(m *memory.Memory) { m.Importance = 0.3 }),
		with(old("asked", "the boat was late"), func(m *memory.Memory) { m.Importance, m.RecallCount = 0.1, 1 }),
		with(old("together", "the car was late"), func(m *memory.Memory) { m.Importance = 0.1 }),
		with(old("judged", "the train was late"), func(m *memory.Memory) { m.Importance = 0.1 }),
		with(old("core", "the moon was late"), func(m *memory.Memory) { m.Importance, m.Kind = 0.1, memory.Core }),
		with(old("fresh", "the plane was late"), func(m *memory.Memory) { m.Importance, m.CreatedAt = 0.1, now.AddDate(0, 0, -20) }),
		with(old("event", "the ship was late"), func(m *memory.Memory) {
			m.Importance, m.Kind, m.CreatedAt = 0.1, memory.Event, now.AddDate(0, 0, -6)
		}),
	}
	p := params()
	p.Judged = map[string]string{"judged": sleep.Sum(&ms[4]), "yes": "another text"}
	var got []string
	for _, m := range sleep.Candidates(ms, map[string]bool{"together": true}, p, now) {
		got = append(got, m.ID)
	}
	if strings.Join(got, " ") != "yes event" {
		t.Errorf("candidates %v", got)
	}
}

func TestTheOverviewRotatesThroughTheRest(t *testing.T) {
	var ms []memory.Memory
	for i := range 900 {
		ms = append(ms, old(fmt.Sprintf("m%03d", i), fmt.Sprintf("%d %s", i, strings.Repeat("word ", 40))))
	}
	ms[5].Kind, ms[6].RecallCount = memory.Core, 2
	seen, after := map[string]bool{}, ""
	for call := range 4 {
		view, next := sleep.Overview(ms, params(), after, now)
		if view[0].ID != "m005" || view[1].ID != "m006" {
			t.Fatalf("call %d begins with %s %s", call, view[0].ID, view[1].ID)
		}
		if ask := sleep.AskOverview(view, params(), 10, now); len([]rune(ask.User)) > 66_000 {
			t.Errorf("call %d shows %d characters", call, len([]rune(ask.User)))
		}
		for _, m := range view {
			seen[m.ID] = true
		}
		after = next
	}
	if len(seen) != len(ms) {
		t.Errorf("four calls have shown %d of %d", len(seen), len(ms))
	}
}
