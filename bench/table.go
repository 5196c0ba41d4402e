package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"text/tabwriter"
	"time"
)

// A row is one line of the table and what plastic is held to in it.
type row struct {
	name, unit string
	more       bool       // more is better
	marks      [4]float64 // ratio to the strongest peer at 1k, 10k, 100k, 1M; 0: none
	most       float64    // the product's own limit in the row's unit; 0: none
	reference  []string   // tools that are shown and not counted
}

// steps are the sizes the marks are given for; another size has the nearest's.
var steps = [4]float64{1e3, 1e4, 1e5, 1e6}

// rows is the table, in its order. A linear scan has no index to compare with
// and stands for reference, but for the night, where no index is asked for.
var rows = []row{
	{name: "cold recall", unit: "ms", marks: [4]float64{1.4, 0.8, 0.4, 0.15}, reference: []string{"linear"}},
	{name: "cold recall, rehearsed", unit: "ms", marks: [4]float64{1.2, 0.8, 0.4, 0.12}},
	{name: "cold remember", unit: "ms", marks: [4]float64{1.5, 4, 1.5, 1.5}},
	{name: "first recall after a foreign edit", unit: "ms", marks: [4]float64{0.3, 0.2, 0.15, 0.1}, reference: []string{"linear"}},
	{name: "warm query p50", unit: "ms", marks: [4]float64{0.4, 0.3, 0.3, 0.3}},
	{name: "warm query p99", unit: "ms", marks: [4]float64{0.5, 0.5, 0.5, 0.5}},
	{name: "queries a second", unit: "/s", more: true, marks: [4]float64{4, 4, 4, 4}},
	{name: "allocations a query", most: 10},
	{name: "open, first answer", unit: "ms", marks: [4]float64{1, 1, 1, 1}},
	{name: "durable insert p50", unit: "ms", marks: [4]float64{0.7, 0.7, 0.7, 0.7}, reference: []string{"linear"}},
	{name: "inserts a second, 1000 at once", unit: "/s", more: true, marks: [4]float64{1, 1, 1, 1}},
	{name: "rehearsal p50", unit: "ms", marks: [4]float64{0.5, 0.5, 0.5, 0.5}},
	{name: "night over all", unit: "ms", marks: [4]float64{0.6, 0.4, 0.3, 0.3}},
	{name: "peak memory, cold", unit: "MB", marks: [4]float64{2, 2, 3, 5}, reference: []string{"linear"}},
	{name: "private memory, cold", unit: "MB", most: 4, reference: []string{"linear"}},
	{name: "disk", unit: "MB", marks: [4]float64{1.3, 1.3, 1.3, 1.3}, reference: []string{"linear"}},
	{name: "syncs of a recall, rehearsed"},
	{name: "syncs of a remember"},
	{name: "binary", unit: "MB", most: 20},
}

// mark is the row's ratio at n memories, or 0.
func (r *row) mark(n int) float64 {
	best := 0
	for i := range steps {
		if math.Abs(math.Log(steps[i]/float64(n))) < math.Abs(math.Log(steps[best]/float64(n))) {
			best = i
		}
	}
	return r.marks[best]
}

// figures are what was measured at one size.
type figures struct {
	values   map[string]map[string]float64 // row → tool → value
	answers  map[string]*answers
	failures []string
}

// answers counts the queries a tool was asked and those it found something for.
type answers struct{ asked, answered int }

func newFigures() *figures {
	return &figures{values: map[string]map[string]float64{}, answers: map[string]*answers{}}
}

func (f *figures) set(row, tool string, v float64) {
	if f.values[row] == nil {
		f.values[row] = map[string]float64{}
	}
	f.values[row][tool] = v
}

func (f *figures) medians(row string, samples map[string][]float64) {
	for tool, list := range samples {
		f.set(row, tool, median(list))
	}
}

func (f *figures) asked(tool string, answered bool) {
	a := f.answers[tool]
	if a == nil {
		a = &answers{}
		f.answers[tool] = a
	}
	a.asked++
	if answered {
		a.answered++
	}
}

func (f *figures) fail(row, tool string, err error) {
	text := fmt.Sprintf("%s, %s: %v", tool, row, err)
	if !slices.Contains(f.failures, text) {
		f.failures = append(f.failures, text)
	}
}

// answering is the share of queries below which a tool's searches are no measure
// for another's: it is fast because it does not find.
const answering = 0.9

func (f *figures) share(tool string) (share float64, known bool) {
	a := f.answers[tool]
	if a == nil || a.asked == 0 {
		return 1, false
	}
	return float64(a.answered) / float64(a.asked), true
}

// A line is a row as it was judged.
type line struct {
	Row       string             `json:"row"`
	Unit      string             `json:"unit,omitempty"`
	Figures   map[string]float64 `json:"figures"`
	Strongest string             `json:"strongest,omitempty"`
	Ratio     float64            `json:"ratio,omitempty"`
	Mark      string             `json:"mark,omitempty"`
	Verdict   string             `json:"verdict,omitempty"` // ok or short
	counted   []string
}

// A block is the table at one size.
type block struct {
	Memories int                `json:"memories"`
	Load     float64            `json:"load"`     // the machine's, at the end
	Answered map[string]float64 `json:"answered"` // share of the queries
	Lines    []line             `json:"rows"`
	Failures []string           `json:"failures,omitempty"`
}

// A report is what -json writes.
type report struct {
	Started time.Time `json:"started"`
	Go      string    `json:"go"`
	CPUs    int       `json:"cpus"`
	Sizes   []block   `json:"sizes"`
	Growth  []line    `json:"growth"`
}

func (f *figures) judge(n int) block {
	b := block{Memories: n, Answered: map[string]float64{}, Failures: f.failures}
	for tool := range f.answers {
		b.Answered[tool], _ = f.share(tool)
	}
	for i := range rows {
		if values := f.values[rows[i].name]; len(values) > 0 {
			b.Lines = append(b.Lines, f.line(&rows[i], values, n))
		}
	}
	return b
}

func (f *figures) line(r *row, values map[string]float64, n int) line {
	l := line{Row: r.name, Unit: r.unit, Figures: values}
	for tool := range values {
		share, _ := f.share(tool)
		if tool != product && share >= answering && !slices.Contains(r.reference, tool) {
			l.counted = append(l.counted, tool)
		}
	}
	sort.Slice(l.counted, func(i, j int) bool {
		a, b := values[l.counted[i]], values[l.counted[j]]
		if r.more {
			a, b = b, a
		}
		return a < b
	})
	own, measured := values[product]
	if len(l.counted) > 0 {
		l.Strongest = l.counted[0]
		if measured && values[l.Strongest] > 0 {
			l.Ratio = own / values[l.Strongest]
		}
	}
	l.judge(r, n, own, measured)
	return l
}

func (l *line) judge(r *row, n int, own float64, measured bool) {
	good := true
	switch mark := r.mark(n); {
	case r.most > 0:
		l.Mark = fmt.Sprintf("≤ %g %s", r.most, r.unit)
		good = own <= r.most
	case mark > 0 && r.more:
		l.Mark = fmt.Sprintf("≥ %g×", mark)
		good, measured = l.Ratio >= mark, measured && l.Strongest != ""
	case mark > 0:
		l.Mark = fmt.Sprintf("≤ %g×", mark)
		good, measured = l.Ratio <= mark, measured && l.Strongest != ""
	default:
		return
	}
	switch {
	case !measured:
		l.Verdict = "not measured"
	case good:
		l.Verdict = "ok"
	default:
		l.Verdict = "short"
	}
}

// print writes the block as text.
func (b *block) print(w io.Writer) {
	fmt.Fprintf(w, "\n%d memories", b.Memories)
	if b.Memories >= 1e6 {
		fmt.Fprint(w, " (reported, not required)")
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "what\tplastic\tstrongest peer\tratio\tmark\t\tothers\n")
	for _, l := range b.Lines {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Row, l.figure(product), l.strongest(), l.ratio(), l.Mark, l.Verdict, l.others())
	}
	tw.Flush()
	var found []string
	for _, tool := range slices.Sorted(maps.Keys(b.Answered)) {
		found = append(found, fmt.Sprintf("%s %.0f %%", tool, 100*b.Answered[tool]))
	}
	fmt.Fprintf(w, "queries that found something: %s; a tool under %.0f %% is shown in brackets and not counted\n", strings.Join(found, ", "), 100*answering)
	if b.Load > cores+1 {
		fmt.Fprintf(w, "the machine did other work meanwhile (load %.1f): tools that use both cores look slower than they are\n", b.Load)
	}
	for _, text := range b.Failures {
		fmt.Fprintln(w, "failed:", text)
	}
}

func (l *line) figure(tool string) string {
	v, ok := l.Figures[tool]
	if !ok {
		return "-"
	}
	return strings.TrimSpace(number(v) + " " + l.Unit)
}

// number has three digits that count.
func number(v float64) string {
	switch {
	case v >= 100 || v == 0 || v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

func (l *line) strongest() string {
	if l.Strongest == "" {
		return "-"
	}
	return l.Strongest + " " + l.figure(l.Strongest)
}

func (l *line) ratio() string {
	if _, measured := l.Figures[product]; !measured || l.Strongest == "" {
		return "-"
	}
	return number(l.Ratio) + "×"
}

// others are the weaker peers, and in brackets what is not counted.
func (l *line) others() string {
	var out []string
	for _, tool := range l.counted {
		if tool != l.Strongest {
			out = append(out, tool+" "+l.figure(tool))
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(l.Figures)) {
		if tool != product && !slices.Contains(l.counted, tool) {
			out = append(out, "("+tool+" "+l.figure(tool)+")")
		}
	}
	return strings.Join(out, ", ")
}
