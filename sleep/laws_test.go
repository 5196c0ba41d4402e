package sleep_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/memory"
	"plastic/sleep"
)

// anyMemories draws a small memory with everything a night may meet.
func anyMemories() *rapid.Generator[[]memory.Memory] {
	return rapid.Custom(func(t *rapid.T) []memory.Memory {
		texts := []string{"Ann keeps two grey cats", "Ann keeps two grey cats in Berlin", "Ann does not keep cats", "the tram was late", "Лена любит оперу", "大肥魚喜歡雲吞麵", "Ann met Bob on 3 May 2026"}
		ms := make([]memory.Memory, rapid.SampledFrom([]int{1, 3, 6, 9}).Draw(t, "n"))
		for i := range ms {
			ms[i] = memory.Memory{
				ID: fmt.Sprintf("m%d", i), Content: rapid.SampledFrom(texts).Draw(t, "text"),
				Kind:       rapid.SampledFrom([]memory.Kind{memory.Fact, memory.Event, memory.Core, memory.Identity}).Draw(t, "kind"),
				Importance: float64(rapid.SampledFrom([]int{0, 1, 2, 3, 4}).Draw(t, "importance")) / 4, Pinned: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "pin"),
				Private: rapid.Bool().Draw(t, "private"), RecallCount: rapid.SampledFrom([]int{0, 0, 1, 2, 3}).Draw(t, "recalls"),
				CreatedAt: now.Add(-time.Duration(rapid.SampledFrom([]int{0, 1, 3, 30, 60, 100}).Draw(t, "days")) * 24 * time.Hour),
			}
			if rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5}).Draw(t, "closed") == 5 {
				ms[i].SupersededBy, ms[i].ValidTo = "m0", now.Add(-time.Hour)
			}
		}
		slices.SortFunc(ms, func(a, b memory.Memory) int { return a.Compare(&b) })
		return ms
	})
}

func anyOps() *rapid.Generator[[]sleep.Op] {
	id := rapid.Map(rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 6, 10}), func(i int) string { return fmt.Sprintf("m%d", i) })
	text := rapid.SampledFrom([]string{"", "Ann keeps two grey cats", "Ann keeps two grey cats in Berlin", "Лена любит оперу", "the tram was late", "nothing"})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sleep.Op {
		op := sleep.Op{
			Op:  rapid.SampledFrom([]sleep.Verb{sleep.Merge, sleep.Supersede, sleep.Rewrite, sleep.Split, sleep.Derive, sleep.Forget, sleep.Forget, sleep.Set, "drop"}).Draw(t, "op"),
			IDs: rapid.SliceOfN(id, 1, 3).Draw(t, "ids"), Content: text.Draw(t, "content"), Contents: rapid.SliceOfN(text, 0, 3).Draw(t, "contents"),
			Kind: rapid.SampledFrom([]memory.Kind{"", memory.Fact, memory.Core, memory.Identity}).Draw(t, "kind"), Why: "x",
		}
		if rapid.Bool().Draw(t, "weighs") {
			x := rapid.Float64Range(-1, 2).Draw(t, "importance")
			op.Importance = &x
		}
		return op
	}), 1, 12)
}

// TestWhateverAPlanSaysAPersonCouldSignIt: core, identity and pinned ones are never
// gone, what is private stays so and infects, nothing young loses its words or its
// place, the caps hold, and every operation can be taken back exactly.
func TestWhateverAPlanSaysAPersonCouldSignIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, ops := anyMemories().Draw(t, "memories"), anyOps().Draw(t, "ops")
		p := params()
		p.MaxOps, p.MaxForget = rapid.SampledFrom([]int{0, 2, 5, 40}).Draw(t, "maxOps"), rapid.SampledFrom([]int{0, 1, 3, 10}).Draw(t, "maxForget")
		g := guard(slices.Clone(before), p)
		done := g.Apply(rapid.SampledFrom([]sleep.Scope{sleep.InCluster, sleep.Outside, sleep.Whole}).Draw(t, "scope"), ops, before)
		applied, forgotten := 0, 0
		private := map[string]bool{}
		for _, d := range done {
			if d.Applied == (d.Refused != "") {
				t.Fatalf("neither done nor refused: %+v", d)
			}
			if !d.Applied {
				continue
			}
			applied++
			if d.Op.Op == sleep.Forget {
				forgotten++
			}
			infected := slices.ContainsFunc(d.Before, func(m memory.Memory) bool { return m.Private })
			for _, m := range d.After {
				if i := slices.IndexFunc(d.Before, func(b memory.Memory) bool { return b.ID == m.ID }); (i < 0 || d.Before[i].Content != m.Content) && infected && !m.Private {
					t.Fatalf("%s is not private, but made of private ones: %+v", m.ID, d)
				}
				private[m.ID] = private[m.ID] || m.Private
			}
		}
		if applied > p.MaxOps || forgotten > p.MaxForget {
			t.Fatalf("%d operations, %d forgotten", applied, forgotten)
		}
		for _, m := range before {
			now_, there := g.Get(m.ID)
			young := now.Sub(m.CreatedAt) < p.KeepRecent
			switch {
			case !there && young:
				t.Fatalf("%s was young and is gone", m.ID)
			case there && young && (now_.Content != m.Content || m.Live(now) != now_.Live(now)):
				t.Fatalf("%s was young and is changed", m.ID)
			case there && m.Private && !now_.Private:
				t.Fatalf("%s is private no more", m.ID)
			case there && m.Live(now) && (m.Pinned || m.Kind == memory.Core || m.Kind == memory.Identity) && !now_.Live(now):
				t.Fatalf("%s was closed", m.ID)
			}
		}
		for kind, want := range count(before) {
			if kind != "core" && kind != "pinned" && kind != "identity" {
				continue
			}
			if got := count(g.Memories())[kind] + merged(done, kind) + demoted(done, kind); got < want {
				t.Fatalf("%d of %d %s are left", got, want, kind)
			}
		}
		takeBack(t, g, before, done)
	})
}

func is(m *memory.Memory, kind string) bool {
	return kind == "pinned" && m.Pinned || kind == string(m.Kind)
}

func count(ms []memory.Memory) map[string]int {
	out := map[string]int{}
	for i := range ms {
		for _, k := range []string{"core", "identity", "pinned"} {
			if is(&ms[i], k) {
				out[k]++
			}
		}
	}
	return out
}

// merged counts the memories of a kind that went into another one by a merge, which
// itself must be of that kind; demoted those that set made something else.
func merged(done []sleep.Done, kind string) int {
	n := 0
	for _, d := range done {
		if d.Applied && d.Op.Op == sleep.Merge {
			n += count(d.Before)[kind] - min(count(d.Before)[kind], count(d.After)[kind])
		}
	}
	return n
}

func demoted(done []sleep.Done, kind string) int {
	n := 0
	for _, d := range done {
		if d.Applied && d.Op.Op == sleep.Set {
			n += max(count(d.Before)[kind]-count(d.After)[kind], 0)
		}
	}
	return n
}

// takeBack reverses all operations, through their JSON, and compares with before.
func takeBack(t *rapid.T, g *sleep.Guard, before []memory.Memory, done []sleep.Done) {
	state := map[string]memory.Memory{}
	for _, m := range g.Memories() {
		state[m.ID] = m
	}
	for _, d := range slices.Backward(done) {
		if !d.Applied {
			continue
		}
		raw, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var again sleep.Done
		if err := json.Unmarshal(raw, &again); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		r, why := again.Reverse(func(id string) (memory.Memory, bool) { m, ok := state[id]; return m, ok }, false)
		if why != "" {
			t.Fatalf("not taken back: %s\n%s", why, raw)
		}
		for _, m := range r.Put {
			state[m.ID] = m
		}
		for _, id := range r.Drop {
			delete(state, id)
		}
	}
	if len(state) != len(before) {
		t.Fatalf("%d memories, there were %d", len(state), len(before))
	}
	for _, m := range before {
		back := state[m.ID]
		if string(memory.AppendJSON(nil, &back)) != string(memory.AppendJSON(nil, &m)) {
			t.Fatalf("%s is not what it was:\n%+v\n%+v", m.ID, back, m)
		}
	}
}

// FuzzRead: whatever a model answers, reading it ends, and reads no more than the
// bound.
func FuzzRead(f *testing.F) {
	f.Add(`{"ops":[{"op":"forget","ids":["a"],"why":"x"}]}`)
	f.Add("<think>{}</think> ```json\n[{\"op\":\"set\",\"id\":\"a\",\"importance\":\"0.5\"}]\n```")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range []memory.Reply{{Text: text}, {Arguments: []string{text}}} {
			ops, _, err := sleep.Read(r)
			if len(ops) > 1000 || err == nil && ops == nil {
				t.Errorf("%d operations, %v", len(ops), err)
			}
		}
	})
}
