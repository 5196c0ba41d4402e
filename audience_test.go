package plastic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

var words = strings.Fields("tea cat rain Oslo Kazan opera bread piano garden ticket QX-77 кошка дождь чай опера сад 花生 香菜 大肥魚 開會 鋼琴 likes keeps lost found")

func load(t testing.TB, b *banktest.Bank, lines string) {
	t.Helper()
	out, err := b.Import(context.Background(), strings.NewReader(lines), plastic.ImportOptions{})
	if err != nil || len(out.Refused) > 0 {
		t.Fatalf("import: %v %+v", err, out.Refused)
	}
}

func TestTheOwnerIsToldThatSomethingIsKeptBack(t *testing.T) {
	b := banktest.New(t)
	b.Say("@ann likes tea")
	if got := b.As(memory.Owner).Recall(plastic.Query{Text: "tea"}); got.Withheld != 0 {
		t.Errorf("withheld %d where nothing is private", got.Withheld)
	}
	b.Remember(plastic.Draft{Content: "ring size 17", Private: true})
	for _, query := range []string{"tea", "ring size", ""} {
		owner, public := b.As(memory.Owner), b.As(memory.Public)
		if got := owner.Recall(plastic.Query{Text: query}); got.Withheld != 1 {
			t.Errorf("owner asking %q: withheld %d", query, got.Withheld)
		}
		if got := owner.Prompt(plastic.Turn{Text: query}); got.Withheld != 1 || !strings.Contains(got.Text, "kept back") {
			t.Errorf("owner's section for %q says nothing: %d\n%s", query, got.Withheld, got.Text)
		}
		if got := public.Recall(plastic.Query{Text: query}); got.Withheld != 0 {
			t.Errorf("public asking %q: withheld %d", query, got.Withheld)
		}
		if got := public.Prompt(plastic.Turn{Text: query}); got.Withheld != 0 || strings.Contains(got.Text, "kept back") || strings.Contains(got.Text, "17") {
			t.Errorf("public's section for %q:\n%s", query, got.Text)
		}
	}
}

func TestWhatOthersMayNotDo(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	id := b.Say("@ann likes tea")
	hidden := b.Remember(plastic.Draft{Content: "ring size 17", Private: true}).ID
	content := "changed"
	dumps := map[string]func(*plastic.Bank) error{
		"list":    func(b *plastic.Bank) error { _, err := b.List(plastic.Filter{}); return err },
		"archive": func(b *plastic.Bank) error { _, err := b.Archive(); return err },
		"export":  func(b *plastic.Bank) error { return b.Export(&strings.Builder{}, "") },
		"import": func(b *plastic.Bank) error {
			_, err := b.Import(ctx, strings.NewReader(""), plastic.ImportOptions{})
			return err
		},
		"compress": func(b *plastic.Bank) error { _, err := b.Compress(ctx, plastic.Nightly{}); return err },
		"forecast": func(b *plastic.Bank) error { _, err := b.Forecast(1, nil); return err },
		"chart":    func(b *plastic.Bank) error { _, err := b.Chart(80, 10, false); return err },
		"card":     func(b *plastic.Bank) error { _, err := b.Card(); return err },
		"config":   func(b *plastic.Bank) error { return b.AllowConfig() },
		"doctor":   func(b *plastic.Bank) error { _, err := b.Doctor(ctx, false); return err },
	}
	writes := map[string]func(*plastic.Bank) error{
		"remember": func(b *plastic.Bank) error { _, err := b.Remember(ctx, plastic.Draft{Content: "x"}); return err },
		"update": func(b *plastic.Bank) error {
			_, err := b.Update(ctx, id, plastic.Change{Content: &content})
			return err
		},
		"forget":  func(b *plastic.Bank) error { _, err := b.Forget(ctx, []string{id}, plastic.Forgetting{}); return err },
		"restore": func(b *plastic.Bank) error { _, err := b.Restore(ctx, []string{id}); return err },
	}
	for name, do := range dumps {
		for _, who := range []memory.Audience{memory.Owner, memory.Public} {
			if err := do(b.For(who)); !errors.Is(err, memory.ErrDenied) {
				t.Errorf("%s as %s: %v", name, who, err)
			}
		}
	}
	for name, do := range writes {
		if err := do(b.For(memory.Public)); !errors.Is(err, memory.ErrDenied) {
			t.Errorf("%s as public: %v", name, err)
		}
	}
	if err := writes["update"](b.For(memory.Owner)); err != nil {
		t.Errorf("the owner may write: %v", err)
	}
	if _, err := b.For(memory.Owner).Update(ctx, hidden, plastic.Change{Content: &content}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("the owner among others changed a private memory: %v", err)
	}
	if b.For(memory.Public).For(memory.Trusted).Audience() != memory.Public {
		t.Error("an audience was raised")
	}
}

func TestPublicIsCutAndNeverRehearses(t *testing.T) {
	b := banktest.New(t, "config.yaml", "memory:\n  timezone: UTC\n  rehearse: always\n")
	for i := range 8 {
		b.Say(fmt.Sprintf("tea number %d of %s", i, words[i]))
	}
	public := b.As(memory.Public)
	if got := public.Recall(plastic.Query{Text: "tea", Limit: 50}); len(got.Memories) != 3 {
		t.Errorf("public got %d answers", len(got.Memories))
	}
	if got := public.Prompt(plastic.Turn{Text: "tea", Rehearse: true}); len(got.IDs) != 3 || strings.Contains(got.Text, plastic.Rule()) {
		t.Errorf("public's section has %d memories\n%s", len(got.IDs), got.Text)
	}
	for _, m := range b.All() {
		if m.RecallCount != 0 {
			t.Errorf("%s was rehearsed by the public", m.ID)
		}
	}
}

func TestAPrivateSuccessorIsNotNamed(t *testing.T) {
	b := banktest.New(t)
	old := b.Say("@ann likes tea")
	next := b.Remember(plastic.Draft{Content: "@ann must not drink tea, doctor's order", Private: true, Supersedes: old}).ID
	if got := b.Show(old).SupersededBy; got != next {
		t.Errorf("the owner alone sees %q", got)
	}
	for _, who := range []memory.Audience{memory.Owner, memory.Public} {
		if m := b.As(who).Show(old); m.SupersededBy != "" || m.ValidTo.IsZero() {
			t.Errorf("%s sees %+v", who, m)
		}
		if _, err := b.For(who).Remember(t.Context(), plastic.Draft{Content: "another tea", Supersedes: old}); err == nil || strings.Contains(err.Error(), next) {
			t.Errorf("%s superseding it again is told %v", who, err)
		}
		for _, a := range b.As(who).Recall(plastic.Query{Text: "tea", History: true}).Memories {
			if a.ID == next || a.SupersededBy != "" {
				t.Errorf("%s sees in the history %+v", who, a)
			}
		}
	}
	if _, err := b.Forget(t.Context(), []string{next}, plastic.Forgetting{}); err != nil {
		t.Fatal(err)
	}
	if m := b.As(memory.Owner).Show(old); m.SupersededBy != "" {
		t.Errorf("once the private one is archived the owner sees %q", m.SupersededBy)
	}
}
