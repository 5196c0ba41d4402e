package plastic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// What is private now was shared once: its former wordings in the archive are not
// there for others either, nor may they bring it back or erase it by them.
func TestFormerWordingsOfAPrivateMemoryAreAsPrivate(t *testing.T) {
	private := true
	for name, away := range map[string]bool{"living": false, "forgotten": true} {
		b := banktest.New(t)
		id := b.Say("@ann lives in Marrow Lane")
		content := "@ann lives in Marrow Lane 17, door code on file"
		if _, err := b.Update(t.Context(), id, plastic.Change{Content: &content, Private: &private}); err != nil {
			t.Fatal(err)
		}
		if away {
			if _, err := b.Forget(t.Context(), []string{id}, plastic.Forgetting{}); err != nil {
				t.Fatal(err)
			}
		}
		before := whole(t, b)
		owner := b.As(memory.Owner)
		if st, err := owner.Stats(); err != nil || st.Archive != 0 {
			t.Errorf("%s: the owner counts %d in the archive, error %v", name, st.Archive, err)
		}
		for _, short := range []string{id, id[:3]} {
			for verb, do := range map[string]func() error{
				"restore": func() error { _, err := owner.Restore(t.Context(), []string{short}); return err },
				"purge": func() error {
					_, err := owner.Forget(t.Context(), []string{short}, plastic.Forgetting{Purge: true})
					return err
				},
			} {
				err := do()
				if plastic.Code(err) != "not_found" || strings.Contains(strings.ReplaceAll(err.Error(), `"`+short+`"`, ""), id) {
					t.Errorf("%s: %s of %s by the owner: %v", name, verb, short, err)
				}
			}
		}
		if after := whole(t, b); after != before {
			t.Errorf("%s: the owner changed a private memory:\n%s\nto\n%s", name, before, after)
		}
	}
}

// What was private and is shared now can be brought back as it was shared.
func TestWhatIsSharedNowIsRestoredByTheOwner(t *testing.T) {
	b := banktest.New(t)
	id := b.Remember(plastic.Draft{Content: "the party is for @ann", Private: true}).ID
	content, private := "the party for @ann was on Friday", false
	if _, err := b.Update(t.Context(), id, plastic.Change{Content: &content, Private: &private}); err != nil {
		t.Fatal(err)
	}
	b.Pass(time.Minute)
	owner := b.As(memory.Owner)
	if _, err := owner.Forget(t.Context(), []string{id}, plastic.Forgetting{}); err != nil {
		t.Fatal(err)
	}
	if got, err := owner.Restore(t.Context(), []string{id}); err != nil || !slices.Equal(got.IDs, []string{id}) {
		t.Errorf("restored %v, error %v", got.IDs, err)
	}
	if m := owner.Show(id); m.Content != content || m.Private {
		t.Errorf("it is %+v", m)
	}
}

// whole is all that the owner alone has, living and away.
func whole(t *testing.T, b *banktest.Bank) string {
	t.Helper()
	var out strings.Builder
	if err := b.Export(&out, ""); err != nil {
		t.Fatal(err)
	}
	archive, err := b.Archive()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range archive.Archive {
		out.WriteString(e.Memory.ID + " " + string(e.As) + " " + e.Memory.Content + "\n")
	}
	return out.String()
}

// A conversation that the owner had alone is not known to others by its name: the
// first turn of each audience gets its memories.
func TestASessionIsFirstForEachAudience(t *testing.T) {
	b := banktest.New(t, "config.yaml", "memory: {timezone: UTC}\nchannel: {recall: session}\n")
	id := b.Say("tea at five")
	turn := plastic.Turn{Text: "tea", Session: "quiet-room"}
	for _, who := range []memory.Audience{memory.Trusted, memory.Owner, memory.Public} {
		if got := b.As(who).Prompt(turn); !slices.Equal(got.IDs, []string{id}) {
			t.Errorf("%s gets %v in its first turn", who, got.IDs)
		}
		if got := b.As(who).Prompt(turn); len(got.IDs) != 0 {
			t.Errorf("%s gets %v in its second turn", who, got.IDs)
		}
	}
}

// With vectors: whether private memories have any shows in no answer, not even in
// why recall went by words alone, and they are not worth a call.
func TestVectorsOfPrivateMemoriesShowNowhere(t *testing.T) {
	dead := false
	calls := 0
	o := plastic.Options{Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
		if calls++; dead {
			return nil, memory.ErrUnreached
		}
		return embeds(ctx, texts)
	}}
	for _, shared := range []bool{false, true} {
		var answers []string
		for _, hides := range []bool{false, true} {
			dead = false
			b := withModel(t, "", o)
			if hides {
				remember(t, b, plastic.Draft{Content: "her zebrawood pension", Private: true})
				if _, err := b.Reindex(t.Context(), plastic.Reindexing{}); err != nil {
					t.Fatal(err)
				}
			}
			if shared {
				remember(t, b, plastic.Draft{Content: "tea at five"})
			}
			dead, calls = true, 0
			got, err := b.For(memory.Public).Recall(t.Context(), plastic.Query{Text: "tea pension"})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Memories) > 1 || calls > 0 {
				t.Errorf("%d answers, %d calls for what nobody here has a vector of", len(got.Memories), calls)
			}
			answers = append(answers, got.Degraded)
		}
		if answers[0] != answers[1] {
			t.Errorf("shared %v: without private ones %q, with them %q", shared, answers[0], answers[1])
		}
	}
}

func remember(t *testing.T, b *plastic.Bank, d plastic.Draft) string {
	t.Helper()
	got, err := b.Remember(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return got.ID
}

// The id of a new memory has the same form however much is kept back.
func TestANewIDDoesNotTellHowMuchThereIs(t *testing.T) {
	var many strings.Builder
	for i := range 90 {
		fmt.Fprintf(&many, `{"content":"%d %s","private":true}`+"\n", i, strings.Repeat("zebrawood ", 390))
	}
	var lengths []int
	for _, lines := range []string{"", many.String()} {
		b := banktest.New(t)
		load(t, b, lines)
		if err := b.Bank.Close(); err != nil {
			t.Fatal(err)
		}
		b = banktest.Open(t, b.Dir(), b.Clock())
		b.As(memory.Owner).Find("tea") // the index of what is shared is made once
		if err := b.Bank.Close(); err != nil {
			t.Fatal(err)
		}
		b = banktest.Open(t, b.Dir(), b.Clock())
		lengths = append(lengths, len(b.As(memory.Owner).Say("tea at five")))
	}
	if lengths[0] != lengths[1] {
		t.Errorf("among few an id has %d characters, among many that are kept back %d", lengths[0], lengths[1])
	}
}

// What others say aloud is not nearer to a question because a private memory says the
// same and has a vector: its vector is its own.
func TestAVectorOfAPrivateMemoryIsNotThatOfASharedOne(t *testing.T) {
	b := withModel(t, "", plastic.Options{Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i := range texts {
			out[i] = []float32{1, 0.5}
		}
		return out, nil
	}})
	remember(t, b, plastic.Draft{Content: "her pension is ten thousand", Private: true})
	remember(t, b, plastic.Draft{Content: "tea at five"})
	if _, err := b.Reindex(t.Context(), plastic.Reindexing{}); err != nil {
		t.Fatal(err)
	}
	owner := b.For(memory.Owner)
	guess := remember(t, owner, plastic.Draft{Content: "her pension is ten thousand"})
	other := remember(t, owner, plastic.Draft{Content: "her pension is nine hundred"})
	got, err := owner.Recall(t.Context(), plastic.Query{Text: "zebrawood"})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range got.Memories {
		if a.ID == guess || a.ID == other {
			t.Errorf("%q is found by a vector that only a private memory has", a.Content)
		}
	}
}

// Whether turns wait or memories lack a vector is the owner's own, alone: private ones
// may be all there is of it.
func TestWhatWaitsIsNotForOthersToKnow(t *testing.T) {
	for _, hides := range []bool{false, true} {
		b := withModel(t, "", plastic.Options{Embed: embeds, Chat: gives(`{"facts":[]}`)})
		if hides {
			remember(t, b, plastic.Draft{Content: "her zebrawood pension", Private: true})
			if _, err := b.Retain(t.Context(), plastic.Exchange{User: "I was at the clinic", Private: true}); err != nil {
				t.Fatal(err)
			}
		}
		if b.WorkDue() != hides {
			t.Errorf("private ones %v: work is due for the owner alone: %v", hides, b.WorkDue())
		}
		for _, who := range []memory.Audience{memory.Owner, memory.Public} {
			other := b.For(who)
			if other.WorkDue() || plastic.Code(other.Work(t.Context())) != "denied" || plastic.Code(other.FlushBefore(t.Context())) != "denied" {
				t.Errorf("private ones %v: %s may work", hides, who)
			}
		}
	}
}
