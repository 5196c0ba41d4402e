package main

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"plastic"
	"plastic/memory"
)

// bank is plastic in process, as a server holds it: memory.json follows a change
// within a second, the journal at once.
type bank struct {
	bank *plastic.Bank

	busy atomic.Bool // a recall was not counted
}

func openBank(dir string) (*bank, error) {
	b := &bank{}
	var err error
	b.bank, err = plastic.Open(dir, &plastic.Options{Delay: time.Second, Notice: b.notice})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (b *bank) notice(p plastic.Problem) {
	if p.Code == "rehearsal" {
		b.busy.Store(true)
	}
}

func (b *bank) name() string { return product }
func (b *bank) close() error { return b.bank.Close() }

func (b *bank) search(query string) (int, error) {
	got, err := b.bank.Recall(context.Background(), plastic.Query{Text: query, NoRehearse: true})
	return len(got.Memories), err
}

func (b *bank) insert(m *memory.Memory) error {
	_, err := b.bank.Remember(context.Background(), plastic.Draft{
		Content: m.Content, Kind: m.Kind, Importance: &m.Importance, Session: m.Session, Speaker: m.Speaker, AllowSecret: true,
	})
	return err
}

func (b *bank) insertAll(list []memory.Memory) error {
	var lines []byte
	for i := range list {
		lines = append(memory.AppendJSON(lines, &list[i]), '\n')
	}
	_, err := b.bank.Import(context.Background(), bytes.NewReader(lines), plastic.ImportOptions{})
	return err
}

// rehearsal is what counting the answers to a query costs. Recall counts as it
// answers, and may leave a part of the work to the next one: so it is a counted
// recall and the one after it, less the two around them that count nothing. noise
// is what those two differ by. The query must have been asked before. A recall is
// not counted while memory.json is being written, and says nothing here then.
func (b *bank) rehearsal(query string) (cost, noise time.Duration, counted bool, err error) {
	b.busy.Store(false)
	var took [4]time.Duration
	for i, plain := range []bool{true, false, true, true} {
		start := time.Now()
		_, err := b.bank.Recall(context.Background(), plastic.Query{Text: query, NoRehearse: plain})
		took[i] = time.Since(start)
		if err != nil {
			return 0, 0, false, err
		}
	}
	return took[1] + took[2] - took[0] - took[3], (took[3] - took[0]).Abs(), !b.busy.Load(), nil
}

func (b *bank) night(time.Time) error {
	_, err := b.bank.Compress(context.Background(), plastic.Nightly{Again: true})
	return err
}

// indexSize is what lies under .plastic/ but for the last good copies, in bytes.
func indexSize(dir string) (float64, error) {
	total := 0.0
	err := filepath.WalkDir(filepath.Join(dir, ".plastic"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "last") {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += float64(info.Size())
		}
		return err
	})
	return total, err
}
