package plastic_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

// A key in a field beside the text stands in the files as well as one in it.
func TestSecretsAreRefusedInEveryField(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	id := b.Say("@ann likes tea")
	kind := memory.Kind(key)
	for name, err := range map[string]error{
		"content": errOf(b.Bank.Remember(ctx, plastic.Draft{Content: key})),
		"speaker": errOf(b.Bank.Remember(ctx, plastic.Draft{Content: "x", Speaker: key})),
		"session": errOf(b.Bank.Remember(ctx, plastic.Draft{Content: "x", Session: key})),
		"source":  errOf(b.Bank.Remember(ctx, plastic.Draft{Content: "x", Source: key})),
		"kind":    errOf(b.Bank.Remember(ctx, plastic.Draft{Content: "x", Kind: kind})),
		"update":  errOf(b.Bank.Update(ctx, id, plastic.Change{Kind: &kind})),
		"why":     errOf(b.Bank.Forget(ctx, []string{id}, plastic.Forgetting{Why: key})),
		"card":    errOf(b.Bank.WriteCard(ctx, []byte("- "+key+"\n"), "")),
	} {
		if !errors.Is(err, memory.ErrInvalid) || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, err := b.Import(ctx, strings.NewReader(`{"content":"x","speaker":"`+key+`"}`+"\n"+`{"content":"y","note":["`+key+`"]}`), plastic.ImportOptions{})
	if err != nil || len(out.Refused) != 2 {
		t.Errorf("import took %+v: %v", out, err)
	}
	if _, err := b.Bank.Remember(ctx, plastic.Draft{Content: "x", Speaker: key, AllowSecret: true}); err != nil {
		t.Errorf("allowed: %v", err)
	}
	if _, err := b.Bank.Forget(ctx, []string{id}, plastic.Forgetting{Why: strings.Repeat("я", 1001)}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an endless reason: %v", err)
	}
}

func errOf[T any](_ T, err error) error { return err }

// What is unsettled may name a private memory, and the card has a size.
func TestOthersLearnNothingOfTheFolderFromItsCounts(t *testing.T) {
	b := banktest.New(t, "memory.md", strings.Repeat("- long\n", 1000))
	for _, who := range []memory.Audience{memory.Owner, memory.Public} {
		got, err := b.For(who).Stats()
		if err != nil || len(got.Problems) > 0 || got.Card.Bytes > 0 {
			t.Errorf("%s sees %+v: %v", who, got, err)
		}
	}
	if got, err := b.Bank.Stats(); err != nil || len(got.Problems) != 1 || got.Card.Bytes != 7000 {
		t.Errorf("the owner sees %+v: %v", got, err)
	}
	shorten(t, b)
}

// shorten settles what doctor would say about a long card.
func shorten(t *testing.T, b *banktest.Bank) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.Dir(), "memory.md"), []byte("- short\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A card that is too large to be shown is too large to be replaced: nobody has
// read what would be lost.
func TestACardThatNobodyReadIsNotReplaced(t *testing.T) {
	b := banktest.New(t, "memory.md", strings.Repeat("x", 70_000))
	old, err := b.Card()
	if err != nil || old.Text != "" || old.Size.Bytes != 70_000 {
		t.Fatalf("the card: %d bytes, %v", old.Size.Bytes, err)
	}
	if _, err := b.Bank.WriteCard(context.Background(), []byte("- short\n"), old.Hash); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("replaced: %v", err)
	}
	shorten(t, b)
}

func TestTheRefusedLinesOfAnImportStandInTheirOrder(t *testing.T) {
	b := banktest.New(t)
	out, err := b.Import(context.Background(), strings.NewReader(`{"id":"a","content":"one"}
{"id":"a","content":"two"}
[]
{"content":"fine"}
{"content":""}`), plastic.ImportOptions{})
	if err != nil || out.Imported != 2 {
		t.Fatalf("%+v: %v", out, err)
	}
	var lines []int
	for _, r := range out.Refused {
		lines = append(lines, r.Line)
		if strings.Contains(r.Reason, "Go value") {
			t.Errorf("line %d: %s", r.Line, r.Reason)
		}
	}
	if len(lines) != 3 || lines[0] != 2 || lines[1] != 3 || lines[2] != 5 {
		t.Errorf("refused lines %v", lines)
	}
}
