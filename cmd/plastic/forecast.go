package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
)

func (a *app) forecastCmd() *cobra.Command {
	var days int
	var set []string
	cmd := &cobra.Command{
		Use:   "forecast",
		Short: "What the coming nights will take, and what a setting would change",
		Long: "Plays the coming nights on a copy (daily use, nothing new). With --set it plays\n" +
			"them once more under other settings and shows both.",
		Example: "  plastic forecast --days 30 --set memory.decayHalfLifeDays=60",
		Args:    count(0, 0, "no words"),
		RunE: func(*cobra.Command, []string) error {
			others, err := settings(set)
			if err != nil {
				return err
			}
			return a.with(reads, func(b *plastic.Bank) error {
				got, err := b.Forecast(days, others)
				if err != nil {
					return err
				}
				return a.answer(got, func(w io.Writer) { a.outlook(w, got, set) })
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().IntVar(&days, "days", 7, "how many `nights`")
	cmd.Flags().StringArrayVar(&set, "set", nil, "compare with this setting, as `key=value`; may be repeated")
	return cmd
}

// settings reads key=value words.
func settings(words []string) (map[string]string, error) {
	set := map[string]string{}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok || key == "" {
			return nil, usage("--set "+quote(word)+" is not key=value", "for example --set memory.keepFraction=0.6")
		}
		if _, twice := set[key]; twice {
			return nil, usage("--set "+key+" is given twice", "")
		}
		set[key] = value
	}
	return set, nil
}

// outlook prints the nights as a table with a bar for what is left, and what
// will be gone at the end.
func (a *app) outlook(w io.Writer, f plastic.Forecast, set []string) {
	head := []string{"night", "before", "after", "pruned", "promoted", ""}
	if f.Compared != nil {
		head = append(head[:5], "with", "pruned", "")
	}
	rows := [][]string{head}
	for i, d := range f.Days {
		row := []string{d.Date, strconv.Itoa(d.Before), strconv.Itoa(d.After), strconv.Itoa(d.Pruned), strconv.Itoa(d.Promoted)}
		left := d.After
		if f.Compared != nil && i < len(f.Compared.Days) {
			other := f.Compared.Days[i]
			row = append(row, strconv.Itoa(other.After), strconv.Itoa(other.Pruned))
			left = other.After
		}
		rows = append(rows, append(row, bar(left, f.Days[0].Before, barWidth)))
	}
	last := len(head) - 1
	table(w, rows, func(i int) bool { return i > 0 && i < last })
	if f.Compared == nil {
		a.gone(w, "will be gone:", f.Gone)
		return
	}
	fmt.Fprintf(w, "\nwith %s\n", strings.Join(set, ", "))
	a.gone(w, "would go too:", missing(f.Compared.Gone, f.Gone))
	a.gone(w, "would stay:", missing(f.Gone, f.Compared.Gone))
}

// barWidth keeps the table within a terminal of eighty columns.
const barWidth = 30

func (a *app) gone(w io.Writer, title string, ms []plastic.Memory) {
	if len(ms) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	someLines(w, ms, a.time(), "all of them: --json")
}

// missing are those of ms that are not among others.
func missing(ms, others []plastic.Memory) []plastic.Memory {
	have := map[string]bool{}
	for _, m := range others {
		have[m.ID] = true
	}
	var out []plastic.Memory
	for _, m := range ms {
		if !have[m.ID] {
			out = append(out, m)
		}
	}
	return out
}
