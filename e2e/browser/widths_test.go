package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// many is a memory.json of n memories over half a year, in three languages, some
// of them long.
func many(n int) string {
	texts := []string{
		"@ann keeps two cats and a very patient tortoise", "大肥魚話今晚唔食飯，聽日再煮", "Аня попросила не звонить до девяти утра",
		strings.Repeat("длинный рассказ о чайнике, ", 30), strings.Repeat("長長的故事", 40), "https://example.org/" + strings.Repeat("path/", 40),
	}
	var b strings.Builder
	b.WriteString(`{"version":1,"memories":[` + "\n")
	at := time.Date(2026, 5, 28, 8, 0, 0, 0, time.UTC)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		at = at.Add(184 * 24 * time.Hour / time.Duration(n))
		fmt.Fprintf(&b, `{"id":"m%05d","content":%s,"kind":"fact","importance":%.2f,"recallCount":%d,"createdAt":%q}`+"\n",
			i, quote(fmt.Sprintf("%s (%d)", texts[i%len(texts)], i)), float64(i%37)/40, i%4, at.Format(time.RFC3339))
	}
	return b.String() + "]}\n"
}

// cut are the controls that can be seen but not whole, by what they say.
const cut = `[...document.querySelectorAll("button, select, input, textarea, summary")].filter((e) => {
  const r = e.getBoundingClientRect();
  const away = (a) => r.left < a.left - 1 || r.right > a.right + 1;
  if (!r.width || !e.checkVisibility()) return false;
  if (document.querySelector("dialog[open]") && !e.closest("dialog[open]")) return false;
  const holder = e.closest("dialog, .panel, .top").getBoundingClientRect();
  return away(holder) || away({ left: 0, right: innerWidth }) || (e.tagName === "BUTTON" && !e.matches(".text") && e.scrollWidth > e.clientWidth + 1);
}).map((e) => e.id || e.textContent.trim().slice(0, 30)).join(", ")`

// TestThePageFitsEveryWidth opens every part of the page at four widths, light
// and dark, with few and with many memories: nothing sticks out to the side, and no
// control is cut off. With
// PLASTIC_SHOTS=DIR it leaves pictures there, to be looked at.
func TestThePageFitsEveryWidth(t *testing.T) {
	shots := os.Getenv("PLASTIC_SHOTS")
	for _, n := range []int{20, 5000} {
		p := open(t, folder(t, "memory.json", many(n), "archive.json", pruned, "nights.jsonl", journal, "memory.md", "# Card\nAnswer in the language of the message.\n", "config.yaml", settings))
		for _, width := range []int64{360, 390, 820, 1440} {
			for _, theme := range []string{"light", "dark"} {
				look := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
				if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, look); err != nil {
					t.Fatal(err)
				}
				p.do(chromedp.EmulateViewport(width, 900))
				for _, part := range []string{"search", "forecast", "nights", "plan", "sleeping", "archive", "card", "memory"} {
					p.show(part)
					what := fmt.Sprintf("%s-%d-%d-%s", part, n, width, theme)
					if wide := js[int64](p, `Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll("dialog[open]")].map((d) => d.scrollWidth))`); wide > width {
						t.Errorf("%s is %d wide", what, wide)
					}
					if away := js[string](p, cut); away != "" {
						t.Errorf("%s: cut off: %s", what, away)
					}
					if shots != "" {
						p.shot(filepath.Join(shots, what+".png"))
					}
					js[bool](p, `(document.querySelectorAll("dialog[open]").forEach((d) => d.close()), true)`)
				}
			}
		}
	}
}

// journal is a nights.jsonl with a night of every sort: one that was undone, one
// that took a lot, some without change, one in which a model did something.
var journal = func() string {
	var took []string
	for i := range 40 {
		took = append(took, fmt.Sprintf(`{"id":"away%02d","why":"fading, clarity 0.%02d: number %d of the 60 fading of 2026-11-01, 21 stay"}`, i, i, 60-i))
	}
	line := func(date string, before, after int, archived, raised, phases string) string {
		return fmt.Sprintf(`{"date":"%[1]s","started":"%[1]sT03:00:00Z","ended":"%[1]sT03:00:04Z","dryRun":false,"phases":[%[6]s],"compress":{"before":%[2]d,"after":%[3]d,"pruned":%[7]d,"promoted":%[8]d,"archived":[%[4]s],"raised":[%[5]s]}}`+"\n",
			date, before, after, archived, raised, phases, before-after, strings.Count(raised, `"id"`))
	}
	return line("2026-11-22", 77, 76, took[0], "", "") +
		`{"date":"2026-11-22","started":"2026-11-22T09:00:00Z","undo":true,"restored":["away00"],"lowered":[]}` + "\n" +
		line("2026-11-23", 77, 77, "", "", "") + line("2026-11-24", 77, 77, "", "", "") + line("2026-11-25", 77, 77, "", "", "") +
		line("2026-11-26", 78, 77, took[1], "", `{"name":"clusters","calls":2,"ops":[{"op":"merge","ids":["m00001","m00007"],"why":"one thing said twice","applied":true,"refused":""},{"op":"forget","ids":["m00002"],"why":"it holds no more","applied":false,"refused":"it is an anchor"}]}`) +
		line("2026-11-28", 117, 77, strings.Join(took, ","), `{"id":"m00003","why":"recalled 3 times: importance 0.08 → 0.75","was":0.08}`, "")
}()

// pruned is the archive.json that goes with journal.
var pruned = func() string {
	texts := []string{"大肥魚話今晚唔食飯，聽日再煮", "Аня попросила не звонить до девяти утра", strings.Repeat("a long story about a kettle, ", 30)}
	var b strings.Builder
	b.WriteString(`{"version":1,"archive":[` + "\n")
	for i := range 38 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"memory":{"id":"away%02d","content":%s,"kind":"fact","importance":0.3,"createdAt":"2026-11-01T08:00:00Z"},"archivedAt":"2026-11-28T03:00:00Z","as":"pruned","by":"night","why":"fading"}`+"\n", i, quote(texts[i%3]))
	}
	return b.String() + "]}\n"
}()

// show opens a part of the page and waits until it is filled.
func (p *page) show(part string) {
	p.t.Helper()
	if part == "plan" {
		js[bool](p, `(document.querySelector("#tab-nights").click(), document.querySelector("#sleep-now").click(), true)`)
		p.until(`document.querySelector("#plan").open`)
		return
	}
	if part == "sleeping" {
		js[bool](p, `(document.querySelector("#sleeping").hidden = false, document.querySelector("#sleeping-words").textContent = "The memory sleeps…", scrollTo(0, 0), true)`)
		return
	}
	if part == "nights" {
		js[bool](p, `(document.querySelector("#tab-nights").click(), true)`)
		p.until(`document.querySelector("#nights-list .undo, #nights-list [data-date='2026-11-28'] summary")`)
		js[bool](p, `(document.querySelectorAll("#nights-list details").forEach((d) => { d.open = true }), true)`)
		p.until(`document.querySelector("#nights-list .undo, #nights-list .yes")`)
		js[bool](p, `(document.querySelector("#nights-list .undo")?.click(), document.querySelector("#tab-nights").scrollIntoView(), true)`)
		return
	}
	if part == "memory" {
		js[bool](p, `(document.querySelector("#tab-search").click(), document.querySelector("#results li:nth-child(4) .text").click(), true)`)
		p.until(`document.querySelector("#memory").open`)
		return
	}
	js[bool](p, `(document.querySelector("#tab-`+part+`").click(), true)`)
	p.until(map[string]string{
		"search":   `document.querySelector("#results li")`,
		"forecast": `document.querySelector("#forecast-chart svg")`,
		"archive":  `document.querySelector("#archive-note").textContent`,
		"card":     `document.querySelector("#card-text").value`,
	}[part])
}

func (p *page) shot(path string) {
	p.t.Helper()
	p.until(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, picture, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
