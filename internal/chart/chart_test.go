package chart_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"plastic/internal/chart"
	"plastic/layers"
)

var update = flag.Bool("update", false, "write the golden files anew")

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// life gives n bars a day apart: 8 anchors, 12 recent ones, every tenth of the
// others important, the rest fading towards the past.
func life(n int) []chart.Bar {
	bars := make([]chart.Bar, n)
	for i := range bars {
		age := n - 1 - i
		b := chart.Bar{ID: fmt.Sprintf("m%04d", i), Content: fmt.Sprintf("memory %d <b> & 大肥魚", i), CreatedAt: now.AddDate(0, 0, -age)}
		switch {
		case i < 8:
			b.Layer, b.Clarity = layers.Anchor, 0.95
		case i%10 == 0:
			b.Layer, b.Clarity = layers.Important, 0.9
		case age < 12:
			b.Layer, b.Clarity = layers.Recent, 0.92-0.01*float64(age)
		default:
			b.Layer, b.Clarity = layers.Fading, 0.6*float64(i)/float64(n)
		}
		bars[i] = b
	}
	return bars
}

func TestPicturesLookLikeThis(t *testing.T) {
	// Outside every zone of layers, as a hand-made call may be.
	odd := []chart.Bar{{ID: "a", Layer: layers.None, Clarity: -1, CreatedAt: now}, {ID: "b", Layer: layers.Fading, Clarity: 7, CreatedAt: now}}
	rows := map[string]string{
		"nothing.txt": chart.Terminal(nil, 80, 20, true),
		"three.txt":   chart.Terminal(life(3), 80, 12, false),
		"forty.txt":   chart.Terminal(life(40), 60, 14, false),
		"many.txt":    chart.Terminal(life(1000), 72, 16, false),
		"small.txt":   chart.Terminal(life(40), 1, 1, false),
		"odd.txt":     chart.Terminal(odd, 40, 10, false),
		"colour.txt":  strings.ReplaceAll(chart.Terminal(life(24), 60, 10, true), "\x1b", "ESC"),
		"nothing.svg": chart.SVG(nil, 0, 0),
		"three.svg":   chart.SVG(life(3), 0, 0),
	}
	for name, got := range rows {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
		}
	}
}

func anyBars() *rapid.Generator[[]chart.Bar] {
	bar := rapid.Custom(func(t *rapid.T) chart.Bar {
		return chart.Bar{
			ID: rapid.String().Draw(t, "id"), Content: rapid.String().Draw(t, "content"),
			Layer:     rapid.SampledFrom([]layers.Layer{layers.Anchor, layers.Important, layers.Recent, layers.Fading}).Draw(t, "layer"),
			Clarity:   rapid.Float64Range(-0.5, 1.5).Draw(t, "clarity"),
			CreatedAt: now.Add(-time.Duration(rapid.IntRange(0, 1e6).Draw(t, "age")) * time.Minute),
		}
	})
	return rapid.SliceOfN(bar, 0, 120)
}

var escapes = regexp.MustCompile("\x1b\\[[0-9]*m")

func TestATerminalPictureKeepsToItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bars := anyBars().Draw(t, "bars")
		width, height := rapid.IntRange(30, 200).Draw(t, "width"), rapid.IntRange(10, 50).Draw(t, "height")
		plain, colored := chart.Terminal(bars, width, height, false), chart.Terminal(bars, width, height, true)
		if stripped := escapes.ReplaceAllString(colored, ""); stripped != plain {
			t.Fatalf("coloured it differs:\n%s\n%s", stripped, plain)
		}
		lines := strings.Split(strings.TrimSuffix(plain, "\n"), "\n")
		if len(lines) > height {
			t.Fatalf("%d lines for a height of %d", len(lines), height)
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) > width {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
	})
}

func TestThePictureDoesNotDependOnTheOrderOfBars(t *testing.T) {
	bars := life(60)
	other := slices.Clone(bars)
	slices.Reverse(other)
	if chart.Terminal(bars, 80, 20, false) != chart.Terminal(other, 80, 20, false) || chart.SVG(bars, 0, 0) != chart.SVG(other, 0, 0) {
		t.Error("another order gives another picture")
	}
}

func TestAnSVGIsWellFormedWhateverMemoriesHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bars := anyBars().Draw(t, "bars")
		elements := parse(t.Fatalf, chart.SVG(bars, 0, 0))
		if n := elements["bar"]; n != len(bars) {
			t.Fatalf("%d bars are drawn of %d", n, len(bars))
		}
		if elements["script"]+elements["image"]+elements["foreignObject"] != 0 {
			t.Fatalf("foreign elements: %v", elements)
		}
	})
}

// parse counts elements by name, and rects of class bar as "bar".
func parse(fatalf func(string, ...any), svg string) map[string]int {
	n := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			n[e.Name.Local]++
			for _, a := range e.Attr {
				if a.Name.Local == "class" && strings.HasPrefix(a.Value, "bar ") {
					n["bar"]++
				}
			}
		}
	}
}

// Five thousand memories are a few columns, each parted by layer, so that the
// eight anchors among them are still seen; and the file stays small.
func TestAnSVGOfThousandsStaysReadable(t *testing.T) {
	svg := chart.SVG(life(5000), 0, 0)
	n := parse(t.Fatalf, svg)
	if n["bar"] < 74 || n["bar"] > 3*74 || len(svg) > 64<<10 {
		t.Errorf("%d bars in %d bytes", n["bar"], len(svg))
	}
	for _, part := range []string{`class="bar anchor"`, `class="bar important"`, "8 anchor of 67 memories", "a column is 67 or 68 memories"} {
		if !strings.Contains(svg, part) {
			t.Errorf("%s is missing", part)
		}
	}
}

func TestALongTextIsCutInItsTooltip(t *testing.T) {
	bar := chart.Bar{ID: "a", Layer: layers.Fading, Clarity: 0.5, CreatedAt: now, Content: strings.Repeat("👩‍💻", 100)}
	svg := chart.SVG([]chart.Bar{bar}, 0, 0)
	if strings.Contains(svg, "\u200D…") || !strings.Contains(svg, "…</title>") {
		t.Errorf("cut badly: %s", svg)
	}
}
