package browser_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// faded has four memories of one day, of which a night keeps the two clearest,
// and one that was recalled often enough to be raised.
const faded = `{"version":1,"memories":[
 {"id":"dim1","content":"the old kettle, 舊水壺","kind":"fact","importance":0.1,"createdAt":"2026-09-01T08:00:00Z"}
,{"id":"dim2","content":"старый чайник","kind":"fact","importance":0.2,"createdAt":"2026-09-01T09:00:00Z"}
,{"id":"dim3","content":"the green door","kind":"fact","importance":0.6,"createdAt":"2026-09-01T10:00:00Z"}
,{"id":"dim4","content":"the long table","kind":"fact","importance":0.7,"createdAt":"2026-09-01T11:00:00Z"}
,{"id":"oft1","content":"@ann drinks tea at five","kind":"fact","importance":0.4,"recallCount":5,"createdAt":"2026-09-02T11:00:00Z"}
]}
`

const fading = "memory: {timezone: UTC, anchorCount: 0, recentCount: 0}\n"

// night is one line of nights.jsonl.
type night struct {
	Date     string
	Undo     bool
	Restored []string
	Compress *struct{ Pruned, Promoted int }
}

// nights reads nights.jsonl, where there is one.
func (p *page) nights() []night {
	p.t.Helper()
	f, err := os.Open(filepath.Join(p.dir, "nights.jsonl"))
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []night
	for d := json.NewDecoder(f); d.More(); {
		var n night
		if err := d.Decode(&n); err != nil {
			p.t.Fatal(err)
		}
		out = append(out, n)
	}
	return out
}

// has reports whether memory.json has these ids and no others.
func (p *page) has(ids ...string) bool {
	all := p.memories()
	for _, id := range ids {
		if _, ok := all[id]; !ok {
			return false
		}
	}
	return len(all) == len(ids)
}

// sleepNow shows the plan of the night and has it done.
func (p *page) sleepNow() {
	p.t.Helper()
	p.click("#sleep-now")
	p.until(`document.querySelector("#plan").open`)
	p.click("#plan-go")
	p.until(`!document.querySelector("#plan").open`)
}

func TestASleepByHandShowsItsPlanFirst(t *testing.T) {
	p := open(t, folder(t, "memory.json", faded, "config.yaml", fading))
	p.click("#tab-nights")
	p.until(`document.querySelector("#nights-note").textContent === "No night has been yet."`)
	p.click("#sleep-now")
	p.until(`document.querySelector("#plan").open`)
	plan := js[string](p, `document.querySelector("#plan").innerText`)
	for _, want := range []string{"5 → 3 memories", "To the archive: 2", "舊水壺", "старый чайник", "Raised for good: 1", "tea at five"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan does not say %q:\n%s", want, plan)
		}
	}
	p.press(kb.Escape)
	p.until(`!document.querySelector("#plan").open`)
	if !p.has("dim1", "dim2", "dim3", "dim4", "oft1") || p.nights() != nil {
		t.Fatal("a plan that was only looked at was done")
	}

	p.sleepNow()
	p.eventually("the night", func() bool {
		n := p.nights()
		return p.has("dim3", "dim4", "oft1") && p.memories()["oft1"].Importance == 0.75 && p.away()["dim1"] == "pruned" && p.away()["dim2"] == "pruned" &&
			len(n) == 1 && n[0].Date == "2026-11-28" && n[0].Compress.Pruned == 2 && n[0].Compress.Promoted == 1
	})
	p.until(`document.querySelector("[data-date='2026-11-28'] summary")?.textContent.includes("5 → 3")`)

	p.click("#sleep-now") // that date's night has been
	p.until(`document.querySelector("#plan").open && !document.querySelector("#plan-note").hidden && document.querySelector("#plan-go").textContent === "Sleep once more"`)
}

func TestANightIsReadAndUndone(t *testing.T) {
	p := open(t, folder(t, "memory.json", faded, "config.yaml", fading))
	p.click("#tab-nights")
	p.sleepNow()
	item := "[data-date='2026-11-28'] "
	p.until(`document.querySelector("` + item + `summary")`)
	p.do(chromedp.Focus(chromedp.CSS(item + "summary")))
	p.press(kb.Enter)
	p.until(`document.querySelector("` + item + `.undo")`)
	told := js[string](p, `document.querySelector("`+item+`").innerText`)
	for _, want := range []string{"dim1", "舊水壺", "старый чайник", "number 4 of the 4 fading of 2026-09-01", "recalled 5 times", "importance was 0.40"} {
		if !strings.Contains(told, want) {
			t.Errorf("the night does not say %q:\n%s", want, told)
		}
	}

	p.do(chromedp.Focus(chromedp.CSS(item + ".undo")))
	p.press(kb.Enter)
	p.until(`document.activeElement.className === "keep"`) // Enter once more would change nothing
	p.press(kb.Enter)
	p.until(`document.activeElement.className === "undo"`)
	if !p.has("dim3", "dim4", "oft1") {
		t.Fatal("a question was taken for its answer")
	}

	p.click(item + ".undo")
	p.click(item + ".yes")
	p.eventually("the undo", func() bool {
		n := p.nights()
		return p.has("dim1", "dim2", "dim3", "dim4", "oft1") && p.memories()["oft1"].Importance == 0.4 && len(n) == 2 && n[1].Undo && len(n[1].Restored) == 2
	})
	p.until(`document.querySelector("` + item + `summary .chip")?.textContent === "undone" && !document.querySelector("` + item + `.undo")`)
	p.until(`document.querySelector("` + item + `.note").textContent.includes("2 memories came back")`)
}

func TestAnUndoListsWhatItLeftAndForces(t *testing.T) {
	p := open(t, folder(t, "memory.json", faded, "config.yaml", fading))
	p.click("#tab-nights")
	p.sleepNow()
	item := "[data-date='2026-11-28'] "
	p.until(`document.querySelector("` + item + `summary")`)
	other := exec.Command(binary, "update", "--dir", p.dir, "--now", "2026-11-28T12:00:00Z", "oft1", "--importance", "0.9")
	if out, err := other.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.click(item + "summary")
	p.click(item + ".undo")
	p.click(item + ".yes")
	p.until(`document.querySelector("` + item + `.ask").textContent.includes("its importance was changed since")`)
	p.eventually("the undo of the rest", func() bool {
		return p.has("dim1", "dim2", "dim3", "dim4", "oft1") && p.memories()["oft1"].Importance == 0.9
	})
	p.until(`document.querySelector("` + item + `summary .chip")`) // the list is made anew: the question stays
	p.click(item + ".yes")
	p.eventually("the forced undo", func() bool { return p.memories()["oft1"].Importance == 0.4 })
	p.until(`!document.querySelector("` + item + `.ask button")`)
}

func TestNightsThatChangedNothingAreFolded(t *testing.T) {
	lines := `{"date":"2026-11-24","started":"2026-11-24T03:00:00Z","ended":"2026-11-24T03:00:00Z","dryRun":false,"phases":[{"name":"clusters","calls":1,"ops":[{"op":"merge","ids":["dim3","dim4"],"why":"one thing said twice","applied":true,"refused":""}]}],"compress":{"before":9,"after":7,"pruned":2,"promoted":0,"archived":[{"id":"gone1","why":"fading, clarity 0.10"},{"id":"lost1","why":"fading, clarity 0.12"}],"raised":[]}}
{"date":"2026-11-25","started":"2026-11-25T03:00:00Z","ended":"2026-11-25T03:00:00Z","dryRun":false,"phases":[],"compress":{"before":7,"after":7,"pruned":0,"promoted":0,"archived":[],"raised":[]}}
{"date":"2026-11-26","started":"2026-11-26T03:00:00Z","ended":"2026-11-26T03:00:00Z","dryRun":false,"phases":[],"compress":{"before":7,"after":7,"pruned":0,"promoted":0,"archived":[],"raised":[]}}
{"date":"2026-11-28","started":"2026-11-28T03:00:00Z","ended":"2026-11-28T03:00:00Z","dryRun":false,"phases":[],"compress":{"before":7,"after":6,"pruned":1,"promoted":0,"archived":[{"id":"gone1","why":"fading, clarity 0.10"}],"raised":[]}}
`
	archive := `{"version":1,"archive":[
 {"memory":{"id":"gone1","content":"<b>the paper boat</b>","kind":"fact","importance":0.5,"createdAt":"2026-10-01T08:00:00Z"},"archivedAt":"2026-11-28T03:00:00Z","as":"pruned","by":"night","why":"fading, clarity 0.10"}
]}
`
	p := open(t, folder(t, "memory.json", faded, "archive.json", archive, "nights.jsonl", lines, "config.yaml", fading))
	p.click("#tab-nights")
	p.until(`document.querySelectorAll("#nights-list > li").length === 3 && document.querySelector("#nights-note").textContent.includes("2 changed nothing")`)
	if got := js[string](p, `document.querySelector("#nights-list .still summary").innerText`); !strings.Contains(got, "2 nights without change") {
		t.Errorf("the fold says %q", got)
	}
	p.click("#nights-list .still summary")
	p.until(`document.querySelectorAll("#nights-list .still li").length === 2`)
	p.click("[data-date='2026-11-24'] summary")
	p.until(`document.querySelector("[data-date='2026-11-24'] .undo")`)
	told := js[string](p, `document.querySelector("[data-date='2026-11-24']").innerText`)
	for _, want := range []string{"9 → 7", "<b>the paper boat</b>", "Its text is gone from the archive.", "clarity 0.12", "Phase clusters: 1", "merge", "one thing said twice", "the green door"} {
		if !strings.Contains(told, want) {
			t.Errorf("the night does not say %q:\n%s", want, told)
		}
	}
}

func TestASleepIsSeenAndEndedByThePage(t *testing.T) {
	p := open(t, folder(t, "memory.json", faded, "config.yaml", fading))
	lock, err := os.OpenFile(filepath.Join(p.dir, ".plastic", "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	p.click("#tab-nights")
	p.until(`document.querySelector("#sleeping").hidden && !document.querySelector("#sleep-now").disabled`)
	p.click("#sleep-now")
	p.until(`document.querySelector("#plan").open`)
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil { // as another process: the night waits
		t.Fatal(err)
	}
	p.click("#plan-go")
	p.until(`!document.querySelector("#sleeping").hidden && document.querySelector("#sleeping").innerText.includes("The memory sleeps…") && document.querySelector("#sleep-now").disabled`)
	p.click("#wake")
	p.until(`document.querySelector("#sleeping").hidden && !document.querySelector("#sleep-now").disabled`)
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	p.until(`[...document.querySelectorAll(".toast.bad")].some((t) => t.textContent.includes("the sleep was ended"))`)
	if !p.has("dim1", "dim2", "dim3", "dim4", "oft1") || p.nights() != nil {
		t.Errorf("the night from which it was woken was done: %v", p.nights())
	}
	p.sleepNow()
	p.eventually("the night after all", func() bool { return p.has("dim3", "dim4", "oft1") && len(p.nights()) == 1 })
}

func TestANightOfAnotherProcessIsSeen(t *testing.T) {
	p := open(t, folder(t, "memory.json", faded, "config.yaml", fading))
	p.click("#tab-nights")
	p.until(`document.querySelector("#nights-note").textContent === "No night has been yet."`)
	other := exec.Command(binary, "compress", "--dir", p.dir, "--now", "2026-11-28T12:00:00Z")
	if out, err := other.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.until(`document.querySelector("[data-date='2026-11-28'] summary")?.textContent.includes("5 → 3")`)
	p.until(`document.querySelector("#picture-title").textContent === "3 memories"`)
}

// thought is a night in which a model merged two memories and forgot one.
const thought = `{"date":"2026-11-28","started":"2026-11-28T03:00:00Z","ended":"2026-11-28T03:01:00Z","dryRun":false,"phases":[{"name":"clusters","calls":1,"ops":[{"op":"rewrite","ids":["b"],"content":"Bob sings","why":"shorter","applied":false,"refused":"it drops a negation"},{"op":"merge","ids":["a","c"],"content":"Ann keeps two grey cats in Berlin","why":"said twice","applied":true,"refused":"","before":[{"id":"a","content":"Ann has grey cats, in Berlin","kind":"fact","importance":0.5,"createdAt":"2026-09-10T08:00:00Z"},{"id":"c","content":"Ann keeps two grey cats","kind":"fact","importance":0.5,"createdAt":"2026-09-12T08:00:00Z"}],"after":[{"id":"a","content":"Ann keeps two grey cats in Berlin","kind":"fact","importance":0.5,"createdAt":"2026-09-10T08:00:00Z","consolidatedAt":"2026-11-28T03:00:00Z"}]}]},{"name":"forgetting","calls":1,"ops":[{"op":"forget","ids":["d"],"why":"small talk","applied":true,"refused":"","before":[{"id":"d","content":"the bus was late","kind":"fact","importance":0.2,"createdAt":"2026-09-12T09:00:00Z"}]}]}],"compress":{"before":2,"after":2,"pruned":0,"promoted":0,"archived":[],"raised":[]}}
`

func TestOneOperationOfANightIsUndone(t *testing.T) {
	p := open(t, folder(t, "memory.json", `{"version":1,"memories":[
 {"id":"a","content":"Ann keeps two grey cats in Berlin","kind":"fact","importance":0.5,"createdAt":"2026-09-10T08:00:00Z","consolidatedAt":"2026-11-28T03:00:00Z"}
,{"id":"b","content":"Bob does not sing","kind":"fact","importance":0.5,"createdAt":"2026-09-11T08:00:00Z"}
]}
`, "archive.json", `{"version":1,"archive":[
 {"memory":{"id":"a","content":"Ann has grey cats, in Berlin","kind":"fact","importance":0.5,"createdAt":"2026-09-10T08:00:00Z"},"archivedAt":"2026-11-28T03:00:00Z","as":"version","by":"sleep"}
,{"memory":{"id":"c","content":"Ann keeps two grey cats","kind":"fact","importance":0.5,"createdAt":"2026-09-12T08:00:00Z"},"archivedAt":"2026-11-28T03:00:00Z","as":"version","by":"sleep"}
,{"memory":{"id":"d","content":"the bus was late","kind":"fact","importance":0.2,"createdAt":"2026-09-12T09:00:00Z"},"archivedAt":"2026-11-28T03:00:00Z","as":"forgotten","by":"sleep"}
]}
`, "nights.jsonl", thought, "config.yaml", fading))
	p.click("#tab-nights")
	item := "[data-date='2026-11-28'] "
	p.until(`document.querySelector("` + item + `summary")`)
	p.click(item + "summary")
	p.until(`document.querySelectorAll("` + item + `.undo-one").length === 2`) // not of what was refused

	merged := item + "[data-id='a, c'] "
	p.click(merged + ".undo-one")
	p.until(`document.activeElement.className === "keep"`)
	if !p.has("a", "b") {
		t.Fatal("a question was taken for its answer")
	}
	p.click(merged + ".yes")
	p.eventually("the undo", func() bool {
		return p.has("a", "b", "c") && p.memories()["a"].Content == "Ann has grey cats, in Berlin"
	})
	p.until(`document.querySelector("` + merged + `").innerText.includes("merge, undone") && document.querySelectorAll("` + item + `.undo-one").length === 1`)
	p.until(`document.querySelector("` + item + `summary").innerText.includes("partly undone")`)

	p.click(item + ".undo") // the rest
	p.click(item + ".yes")
	p.eventually("the undo of the rest", func() bool { return p.has("a", "b", "c", "d") })
	p.until(`document.querySelectorAll("` + item + `.undo-one").length === 0 && !document.querySelector("` + item + `summary").innerText.includes("partly")`)
}
