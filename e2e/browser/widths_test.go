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

// TestThePageFitsEveryWidth opens every part of the page at three widths, light
// and dark, with few and with many memories: nothing sticks out to the side. With
// PLASTIC_SHOTS=DIR it leaves pictures there, to be looked at.
func TestThePageFitsEveryWidth(t *testing.T) {
	shots := os.Getenv("PLASTIC_SHOTS")
	for _, n := range []int{20, 5000} {
		p := open(t, folder(t, "memory.json", many(n), "memory.md", "# Card\nAnswer in the language of the message.\n", "config.yaml", settings))
		for _, width := range []int64{390, 820, 1440} {
			for _, theme := range []string{"light", "dark"} {
				look := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
				if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, look); err != nil {
					t.Fatal(err)
				}
				p.do(chromedp.EmulateViewport(width, 900))
				for _, part := range []string{"search", "forecast", "archive", "card", "memory"} {
					p.show(part)
					what := fmt.Sprintf("%s-%d-%d-%s", part, n, width, theme)
					if wide := js[int64](p, `Math.max(document.documentElement.scrollWidth, document.querySelector("#memory").open ? document.querySelector("#memory").scrollWidth : 0)`); wide > width {
						t.Errorf("%s is %d wide", what, wide)
					}
					if shots != "" {
						p.shot(filepath.Join(shots, what+".png"))
					}
				}
				js[bool](p, `(document.querySelector("#memory").close(), true)`)
			}
		}
	}
}

// show opens a part of the page and waits until it is filled.
func (p *page) show(part string) {
	p.t.Helper()
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
