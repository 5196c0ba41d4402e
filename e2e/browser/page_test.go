package browser_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const few = `{"version":1,"memories":[
 {"id":"tea1","content":"@ann drinks tea at five","kind":"fact","importance":0.5,"createdAt":"2026-11-01T08:00:00Z"}
,{"id":"cat1","content":"@ann keeps two cats, 大肥魚 and Кошка","kind":"fact","importance":0.6,"createdAt":"2026-11-02T08:00:00Z"}
,{"id":"evil","content":"<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>\n</textarea>","kind":"fact","importance":0.5,"createdAt":"2026-11-03T08:00:00Z"}
,{"id":"ring","content":"her ring size is 17","kind":"fact","importance":0.5,"private":true,"createdAt":"2026-11-04T08:00:00Z"}
]}
`

const settings = "# ours\nmemory:\n  timezone: UTC\n"

// find searches and waits for the answer.
func (p *page) find(words, id string) {
	p.t.Helper()
	p.write("#search-words", words)
	p.press(kb.Enter)
	p.until(`document.querySelector("#results li .score") && document.querySelector("#results li").dataset.id === ` + quote(id))
}

// openMemory opens the first answer to words.
func (p *page) openMemory(words, id string) {
	p.t.Helper()
	p.find(words, id)
	p.click("#results li .text")
	p.until(`document.querySelector("#memory").open`)
}

func TestAChangedMemoryIsChangedInItsFile(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	p.openMemory("cats", "cat1")
	p.write("#memory-content", "@ann keeps three cats")
	p.write("#memory-kind", "core")
	p.slide("#memory-importance", "0.85")
	p.click("#memory-pinned")
	p.click("#memory-private")
	p.click("#memory-save")
	p.eventually("the change", func() bool {
		return p.memories()["cat1"] == stored{"cat1", "@ann keeps three cats", "core", 0.85, true, true}
	})
	if p.away()["cat1"] != "version" {
		t.Errorf("the former wording is not in the archive: %v", p.away())
	}
	p.until(`document.querySelector("#legend .important") && document.querySelector("#state").textContent.includes("core 1")`)
}

func TestAForgottenMemoryComesBackByUndo(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	p.openMemory("tea", "tea1")
	p.click("#memory-forget")
	p.eventually("tea1 is away", func() bool { _, there := p.memories()["tea1"]; return !there && p.away()["tea1"] == "forgotten" })
	p.until(`document.querySelector("#picture-title").textContent === "3 memories"`)
	p.click(".toast button")
	p.eventually("tea1 is back", func() bool { _, there := p.memories()["tea1"]; return there })
	p.until(`document.querySelector("#picture-title").textContent === "4 memories"`)
}

func TestTheArchiveGivesBack(t *testing.T) {
	archive := `{"version":1,"archive":[
 {"memory":{"id":"old1","content":"the old kettle","kind":"fact","importance":0.5,"createdAt":"2026-10-01T08:00:00Z"},"archivedAt":"2026-11-20T08:00:00Z","as":"pruned","by":"night","why":"faded"}
]}
`
	p := open(t, folder(t, "memory.json", few, "archive.json", archive, "config.yaml", settings))
	p.click("#tab-archive")
	p.until(`document.querySelector("#archive-list li")?.textContent.includes("the old kettle")`)
	p.click("#archive-list button")
	p.eventually("old1 is back", func() bool { return p.memories()["old1"].Content == "the old kettle" })
	p.until(`!document.querySelector("#archive-list li button")`)
}

func TestANewMemoryIsWritten(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	p.click("#new")
	p.write("#memory-content", "the blue bicycle, 藍色單車, синий велосипед")
	p.slide("#memory-importance", "0.3")
	p.click("#memory-save")
	p.eventually("the new memory", func() bool {
		for _, m := range p.memories() {
			if m.Content == "the blue bicycle, 藍色單車, синий велосипед" && m.Importance == 0.3 && m.Kind == "fact" {
				return true
			}
		}
		return false
	})
	p.until(`document.querySelector("#results li").textContent.includes("藍色單車")`)
}

func TestARefusalIsShownAndNothingIsLost(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	p.click("#new")
	js[bool](p, `(document.querySelector("#memory-content").value = "x".repeat(4001), true)`)
	p.click("#memory-save")
	p.until(`document.querySelector("#memory-error").textContent.includes("at most 4000")`)
	if n := js[int](p, `document.querySelector("#memory-content").value.length`); n != 4001 {
		t.Errorf("what was written is gone: %d characters", n)
	}
}

func TestTheForecastSavesItsSettings(t *testing.T) {
	sameDay := strings.NewReplacer("2026-11-02T", "2026-11-01T", "2026-11-03T", "2026-11-01T", "2026-11-04T", "2026-11-01T").Replace(few)
	p := open(t, folder(t, "memory.json", sameDay, "config.yaml", settings))
	p.click("#tab-forecast")
	p.until(`document.querySelector("#forecast-chart svg")`)
	p.slide("#slide-memory-keepFraction", "0.6")
	p.slide("#slide-memory-decayHalfLifeDays", "60")
	p.slide("#slide-memory-anchorCount", "1")
	p.slide("#slide-memory-recentCount", "0")
	p.until(`document.querySelector("#forecast-chart .then") && !document.querySelector("#forecast-save").disabled`)
	p.until(`document.querySelector("#forecast-lists").textContent.includes("Would go too")`)
	p.click("#forecast-save")
	p.eventually("the settings", func() bool {
		text, err := os.ReadFile(filepath.Join(p.dir, "config.yaml"))
		if err != nil {
			return false
		}
		for _, want := range []string{"# ours", "keepFraction: 0.6", "decayHalfLifeDays: 60", "anchorCount: 1", "recentCount: 0"} {
			if !strings.Contains(string(text), want) {
				return false
			}
		}
		return !strings.Contains(string(text), "importanceThreshold")
	})
	p.until(`document.querySelector("#forecast-save").disabled`)
	if len(p.memories()) != 4 {
		t.Error("a forecast changed the memory")
	}
}

func TestTheCardIsSavedUnlessAnotherHandWasFaster(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "memory.md", "# Card\n", "config.yaml", settings))
	card := filepath.Join(p.dir, "memory.md")
	is := func(want string) func() bool {
		return func() bool { text, err := os.ReadFile(card); return err == nil && string(text) == want }
	}
	p.click("#tab-card")
	p.until(`document.querySelector("#card-text").value === "# Card\n"`)
	p.do(chromedp.SendKeys(chromedp.CSS("#card-text"), "short sentences"))
	p.click("#card-save")
	p.eventually("the card", is("# Card\nshort sentences"))

	p.do(chromedp.SendKeys(chromedp.CSS("#card-text"), ", one joke"))
	if err := os.WriteFile(card, []byte("by another hand\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.until(`document.querySelector(".toast.bad")`)
	p.click("#card-save")
	p.until(`[...document.querySelectorAll(".toast.bad")].some((t) => t.textContent.includes("changed since"))`)
	if !is("by another hand\n")() {
		t.Error("the other hand's card was overwritten")
	}
	p.click("#card-reload")
	p.until(`document.querySelector("#card-text").value === "by another hand\n"`)
}

func TestThePageFollowsOtherHands(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	other := exec.Command(binary, "remember", "--dir", p.dir, "--now", "2026-11-28T12:00:00Z", "written in a terminal")
	if out, err := other.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.until(`document.querySelector("#results li").textContent.includes("written in a terminal")`)
	p.until(`document.querySelector("#picture-title").textContent === "5 memories"`)
}

func TestThePictureIsUsedByTheKeyboard(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	p.do(chromedp.Focus(chromedp.CSS("#stage")))
	p.press(kb.Home)
	p.until(`document.querySelector("#under").textContent.includes("tea at five")`)
	p.press(kb.ArrowRight)
	p.until(`document.querySelector("#under").textContent.includes("大肥魚 and Кошка")`)
	spoken := js[string](p, `document.getElementById(document.querySelector("#stage").getAttribute("aria-activedescendant")).textContent`)
	if !strings.Contains(spoken, "two cats") || !strings.Contains(spoken, "clarity") {
		t.Errorf("a screen reader says %q", spoken)
	}
	p.press(kb.Enter)
	p.until(`document.querySelector("#memory").open && document.querySelector("#memory-content").value.startsWith("@ann keeps two cats")`)
	p.press(kb.Escape)
	p.until(`!document.querySelector("#memory").open`)
	p.do(chromedp.Focus(chromedp.CSS("#tab-search")))
	p.press(kb.ArrowRight)
	p.until(`document.activeElement.id === "tab-forecast" && !document.querySelector("#forecast").hidden`)
}

func TestABarOpensItsMemory(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	at := js[[]float64](p, `(() => { const r = document.querySelector("#bars").getBoundingClientRect(); return [r.left + 28 + 60, r.top + 190] })()`)
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	p.until(`document.querySelector("#under").textContent.includes("two cats")`)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.until(`document.querySelector("#memory").open && document.querySelector("#memory-content").value.includes("two cats")`)
}

func TestNoTextOfAMemoryRuns(t *testing.T) {
	p := open(t, folder(t, "memory.json", few, "config.yaml", settings))
	p.openMemory("onerror script owned", "evil")
	if text := js[string](p, `document.querySelector("#memory-content").value`); !strings.HasPrefix(text, "<img src=x") {
		t.Errorf("the text is shown as %q", text)
	}
	p.press(kb.Escape)
	p.click("#tab-forecast")
	p.until(`document.querySelector("#forecast-chart svg")`)
	if title := js[string](p, `document.title`); title != "plastic" {
		t.Errorf("the title is %q", title)
	}
	if n := js[int](p, `document.querySelectorAll("#results img, #under img, dialog img, #results script").length`); n != 0 {
		t.Errorf("%d elements came out of a text", n)
	}
}

func TestOthersAreToldWhatIsNotForThem(t *testing.T) {
	config := settings + "server:\n  tokens:\n    - {name: all, env: PLASTIC_TOKEN_ALL, audience: trusted}\n"
	p := open(t, folder(t, "memory.json", few, "config.yaml", config), "PLASTIC_TOKEN_ALL=all-5c2f")
	p.until(`!document.querySelector("#picture-note").hidden && document.querySelector("#new").disabled`)
	p.click("#tab-archive")
	p.until(`document.querySelector("#archive .note").textContent.includes("owner alone")`)
	p.click("#tab-search")
	p.write("#search-words", "ring size")
	p.press(kb.Enter)
	p.until(`document.querySelector("#search-note").textContent.includes("Nothing in the memory")`)
	if text := js[string](p, `document.body.textContent`); strings.Contains(text, "size is 17") {
		t.Error("the public sees a private memory")
	}

	p.click("#open-token")
	p.write("#token-value", "all-5c2f")
	p.press(kb.Enter)
	p.until(`document.querySelector("#picture-note").hidden && document.querySelector("#picture-title").textContent === "4 memories"`)
	p.find("ring size", "ring")

	p.do(chromedp.SetValue(chromedp.CSS("#audience"), "owner"))
	js[bool](p, `document.querySelector("#audience").dispatchEvent(new Event("change"))`)
	p.until(`document.querySelector("#search-note").textContent.includes("kept back") && !document.querySelector("#picture-note").hidden`)
	if text := js[string](p, `document.body.textContent`); strings.Contains(text, "size is 17") {
		t.Error("the owner among others sees a private memory")
	}
}
