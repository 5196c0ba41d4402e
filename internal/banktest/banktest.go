// Package banktest gives tests a memory in a folder of their own, with a clock
// that stands still until it is told to move, and looks over the folder's files
// when the test ends.
//
//	b := banktest.New(t)
//	id := b.Remember(plastic.Draft{Content: "@ann keeps two cats"}).ID
package banktest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"plastic"
	"plastic/memory"
)

// Start is where a new Bank's clock stands.
var Start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// Bank is a plastic.Bank whose verbs fail the test instead of returning errors.
type Bank struct {
	*plastic.Bank
	t     testing.TB
	clock *Clock
}

// Clock is a time that only moves when told to.
type Clock struct {
	mu  sync.Mutex
	now time.Time // guarded by mu
}

// Now reads the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to t.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// New makes a folder with the given files (name, content, name, content …) and
// opens it. Its configuration is UTC and otherwise the default, unless
// config.yaml is among the files.
func New(t testing.TB, files ...string) *Bank {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memory")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	Write(t, dir, "config.yaml", "memory:\n  timezone: UTC\n")
	for i := 0; i+1 < len(files); i += 2 {
		Write(t, dir, files[i], files[i+1])
	}
	if err := plastic.Init(dir, plastic.InitOptions{}); err != nil {
		t.Fatalf("init: %v", err)
	}
	return Open(t, dir, &Clock{now: Start})
}

// Open opens dir with the given clock.
func Open(t testing.TB, dir string, clock *Clock) *Bank {
	t.Helper()
	bank, err := plastic.Open(dir, &plastic.Options{Now: clock.Now})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	b := &Bank{Bank: bank, t: t, clock: clock}
	t.Cleanup(b.check)
	return b
}

// Write puts a file into dir.
func Write(t testing.TB, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// check closes the Bank, opens the folder anew and asks doctor.
func (b *Bank) check() {
	if err := b.Bank.Close(); err != nil {
		b.t.Errorf("close: %v", err)
	}
	again, err := plastic.Open(b.Dir(), &plastic.Options{Now: b.clock.Now})
	if err != nil {
		b.t.Errorf("the folder does not open again: %v", err)
		return
	}
	defer again.Close()
	got, err := again.Doctor(context.Background(), false)
	if err != nil {
		b.t.Errorf("doctor: %v", err)
	}
	for _, p := range got.Problems {
		b.t.Errorf("doctor at the end: %s %s: %s", p.Code, p.Path, p.Message)
	}
}

// Clock is the Bank's clock.
func (b *Bank) Clock() *Clock { return b.clock }

// Pass lets d go by.
func (b *Bank) Pass(d time.Duration) { b.clock.Set(b.clock.Now().Add(d)) }

// As is the Bank as audience a sees it.
func (b *Bank) As(a memory.Audience) *Bank {
	return &Bank{Bank: b.Bank.For(a), t: b.t, clock: b.clock}
}

// Remember keeps d.
func (b *Bank) Remember(d plastic.Draft) plastic.Remembered {
	b.t.Helper()
	out, err := b.Bank.Remember(context.Background(), d)
	if err != nil {
		b.t.Fatalf("remember %q: %v", d.Content, err)
	}
	return out
}

// Say keeps a text with nothing else said about it, and gives its id.
func (b *Bank) Say(text string) string {
	b.t.Helper()
	return b.Remember(plastic.Draft{Content: text}).ID
}

// Recall asks q.
func (b *Bank) Recall(q plastic.Query) plastic.Recalled {
	b.t.Helper()
	out, err := b.Bank.Recall(context.Background(), q)
	if err != nil {
		b.t.Fatalf("recall %q: %v", q.Text, err)
	}
	return out
}

// Find gives the ids that answer text, without a rehearsal.
func (b *Bank) Find(text string) []string {
	b.t.Helper()
	ids := []string{}
	for _, a := range b.Recall(plastic.Query{Text: text, NoRehearse: true}).Memories {
		ids = append(ids, a.ID)
	}
	return ids
}

// Prompt builds the section for t.
func (b *Bank) Prompt(t plastic.Turn) plastic.Section {
	b.t.Helper()
	out, err := b.Bank.Prompt(context.Background(), t)
	if err != nil {
		b.t.Fatalf("prompt: %v", err)
	}
	return out
}

// Show gives a memory.
func (b *Bank) Show(id string) plastic.Memory {
	b.t.Helper()
	out, err := b.Bank.Show(id)
	if err != nil {
		b.t.Fatalf("show %s: %v", id, err)
	}
	return out.Memory
}

// All lists every memory, superseded ones too.
func (b *Bank) All() []plastic.Memory {
	b.t.Helper()
	out, err := b.Bank.List(plastic.Filter{All: true})
	if err != nil {
		b.t.Fatalf("list: %v", err)
	}
	return out.Memories
}

// Compress runs the night.
func (b *Bank) Compress(n plastic.Nightly) plastic.Compressed {
	b.t.Helper()
	out, err := b.Bank.Compress(context.Background(), n)
	if err != nil {
		b.t.Fatalf("compress: %v", err)
	}
	return out
}
