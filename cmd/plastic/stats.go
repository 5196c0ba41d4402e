package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) statsCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Counts by layer and kind, the nights, the card, and what is unsettled",
		Args:  count(0, 0, "no words"),
		RunE:  func(*cobra.Command, []string) error { return a.stats() },
	}
}

func (a *app) stats() error {
	return a.with(reads, func(b *plastic.Bank) error {
		got, err := b.Stats()
		if err != nil {
			return err
		}
		if got.Dir != "" {
			got.Dir = absolute(a.home)
		}
		return a.answer(got, func(w io.Writer) { counted(w, a.home, got, location(b)) })
	})
}

func counted(w io.Writer, folder string, s plastic.Stats, loc *time.Location) {
	row := func(name, value string) { fmt.Fprintf(w, "%-11s %s\n", name, value) }
	if s.Dir != "" {
		row("folder", folder)
	}
	row("memories", fmt.Sprintf("%d live, %d superseded, %d in the archive", s.Live, s.Superseded, s.Archive))
	row("layers", tally(s.Layers, layerNames()))
	row("kinds", tally(s.Kinds, kinds))
	if s.Queue > 0 || s.SetAside > 0 {
		row("queue", fmt.Sprintf("%s, %d set aside", plural(s.Queue, "turn", "turns"), s.SetAside))
	}
	if s.Vectors.Model != "" {
		row("vectors", fmt.Sprintf("%d by %s, %d missing", s.Vectors.Have, oneLine(s.Vectors.Model), s.Vectors.Missing))
	}
	row("card", fmt.Sprintf("%s, about %s", plural(s.Card.Bytes, "byte", "bytes"), plural(s.Card.Tokens, "token", "tokens")))
	last, next := nights(s, loc)
	row("last night", last)
	row("next night", next)
	row("channel", fmt.Sprintf("%s, recall %s, retain %s", onOff(s.Channel.Enabled), s.Channel.Recall, onOff(s.Channel.Retain)))
	if len(s.Problems) > 0 {
		row("problems", fmt.Sprint(len(s.Problems)))
		tellProblems(w, s.Problems)
	}
}

// tally lists counts, the names of first before all others.
func tally(counts map[string]int, first []string) string {
	var parts []string
	add := func(name string) { parts = append(parts, fmt.Sprintf("%s %d", oneLine(name), counts[name])) }
	for _, name := range first {
		if _, ok := counts[name]; ok {
			add(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if !slices.Contains(first, name) {
			add(name)
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// nights says when the last night was and when the next is due.
func nights(s plastic.Stats, loc *time.Location) (last, next string) {
	last = s.LastNight
	if last == "" {
		last = "none yet"
	}
	return last, fmt.Sprintf("%s (%s)", day(s.NextNight, loc), s.Timezone)
}
