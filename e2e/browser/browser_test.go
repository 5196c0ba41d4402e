// Package browser_test drives the page of `plastic serve` in a real Chromium and
// looks afterwards at the files: each action must end in the right content. It
// skips where there is no Chromium ($CHROMIUM names one that is not on the path).
//
//	cd e2e/browser && go test .
//	PLASTIC_SHOTS=/tmp/shots go test -run Width .   # pictures at three widths
package browser_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "plastic-browser-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "plastic")
	build := exec.Command("go", "build", "-o", binary, "./cmd/plastic")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		os.Stderr.Write(out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// chromium is the browser's path, or the test is skipped.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium here")
	return ""
}

// folder makes a memory folder with these files: name, content, name, content …
func folder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i+1 < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// serve runs the program on dir until the test ends, and gives its address.
func serve(t *testing.T, dir string, env ...string) string {
	t.Helper()
	return serveAs(t, dir, nil, env...)
}

// serveAs is serve whose program is the caller's to end, where own takes it.
func serveAs(t *testing.T, dir string, own func(*exec.Cmd), env ...string) string {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--dir", dir, "--now", "2026-11-28T12:00:00Z", "--listen", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), env...)
	said, told := io.Pipe()
	cmd.Stderr = told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if own != nil {
		own(cmd)
	} else {
		t.Cleanup(func() {
			cmd.Process.Signal(os.Interrupt)
			if err := cmd.Wait(); err != nil {
				t.Errorf("serve ended with %v", err)
			}
		})
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go io.Copy(io.Discard, said) // the log goes nowhere
			return url
		}
	}
	t.Fatal("serve does not say where it listens")
	return ""
}

// page is an open page.
type page struct {
	t   *testing.T
	ctx context.Context
	dir string
}

// open opens the page of dir and waits until it is live. What the page writes to
// the console as an error fails the test.
func open(t *testing.T, dir string, env ...string) *page {
	t.Helper()
	path := chromium(t)
	url := serve(t, dir, env...)
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path)}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(options...))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			status, failed := strings.CutPrefix(m.Text, "Failed to load resource: the server responded with a status of ")
			refused := failed && (strings.HasPrefix(status, "40") || strings.HasPrefix(status, "503"))
			if (m.IsException() || m.Type == "error") && !refused {
				t.Errorf("the page says %s", m)
			}
		}
	}()
	p := &page{t, ctx, dir}
	p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(url+"/"))
	p.until(`document.querySelector("#live").classList.contains("on")`)
	return p
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// until waits until a JavaScript expression holds.
func (p *page) until(expression string) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(15*time.Second))); err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
}

// js evaluates an expression.
func js[T any](p *page, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// click clicks the first element that fits, as a person would.
func (p *page) click(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// write puts text in the place of what is in a field.
func (p *page) write(selector, text string) {
	p.t.Helper()
	js[bool](p, `(document.querySelector(`+quote(selector)+`).value = "", true)`)
	p.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// slide moves a slider.
func (p *page) slide(selector, value string) {
	p.t.Helper()
	js[bool](p, `(() => { const e = document.querySelector(`+quote(selector)+`); e.value = `+quote(value)+`; e.dispatchEvent(new Event("input", {bubbles: true})); return true })()`)
}

// press sends a key to whatever has the focus.
func (p *page) press(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// stored is one memory as memory.json has it.
type stored struct {
	ID, Content, Kind string
	Importance        float64
	Pinned, Private   bool
}

// memories reads memory.json.
func (p *page) memories() map[string]stored {
	var file struct{ Memories []stored }
	read(p.t, filepath.Join(p.dir, "memory.json"), &file)
	out := map[string]stored{}
	for _, m := range file.Memories {
		out[m.ID] = m
	}
	return out
}

// away reads archive.json: why by id.
func (p *page) away() map[string]string {
	var file struct {
		Archive []struct {
			Memory stored
			As     string
		}
	}
	out := map[string]string{}
	if _, err := os.Stat(filepath.Join(p.dir, "archive.json")); err != nil {
		return out
	}
	read(p.t, filepath.Join(p.dir, "archive.json"), &file)
	for _, e := range file.Archive {
		if e.As != "" {
			out[e.Memory.ID] = e.As
		}
	}
	return out
}

func read(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// eventually waits until the files are as they should be: the server writes them
// a little after it has answered.
func (p *page) eventually(what string, holds func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			text, _ := os.ReadFile(filepath.Join(p.dir, "memory.json"))
			p.t.Fatalf("the files never say: %s\n%s", what, text)
		}
	}
}
