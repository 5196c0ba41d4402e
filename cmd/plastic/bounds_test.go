package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"plastic/internal/banktest"
	"plastic/memory"
)

// sizes are how much a folder holds.
type sizes struct{ memories, archive, queue, card, flushed int }

// bound is what one run cost.
type bound struct {
	verb string
	took time.Duration
	peak int64 // bytes of memory, at most
	out  int   // bytes of its answer
}

// TestBoundsOfALargeFolder prints what each verb costs in a folder as large as any: the
// time, the most memory it had, and what it added to the disk. In this small form it
// only sees to it that each verb does its work; -long is `make bounds`.
func TestBoundsOfALargeFolder(t *testing.T) {
	n := sizes{memories: 300, archive: 200, queue: 40, card: 100 << 10, flushed: 3}
	program := "plastic"
	if *long {
		n = sizes{memories: 100_000, archive: 200_000, queue: 50_000, card: 4 << 20, flushed: 20}
		program = filepath.Join(t.TempDir(), "plastic")
		if out, err := exec.Command("go", "build", "-trimpath", "-o", program, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	l := newLarge(t, program, n)
	l.run("version", "")
	l.run("stats", "", "stats")
	l.run("recall, the first", "", "recall", l.word(3), l.word(40))
	l.run("recall", "", "recall", l.word(5), l.word(60))
	l.run("remember, the first", "", "remember", "@ann keeps two cats in the "+l.word(90)+" house")
	l.run("remember", "", "remember", "@ben sold the "+l.word(70)+" boat to his sister")
	l.run("prompt", "", "prompt", l.word(7)+" "+l.word(9))
	l.run("list", "", "list")
	l.run("list --json", "", "--json", "list")
	l.run("archive", "", "archive")
	l.run("card check", "", "card", "check")
	l.run("retain", `{"user":"I moved to the `+l.word(11)+` street","assistant":"Noted."}`, "retain")
	l.run("queue", "", "queue")
	l.flush(n.flushed)
	l.run("doctor", "", "doctor")
	l.run("compress --dry-run", "", "compress", "--dry-run")
	l.run("compress", "", "compress")
	l.run("forecast --days 30", "", "forecast", "--days", "30")
	l.run("export", "", "export")
	l.importAll()
	l.serve()
	l.print()
}

// large is a folder that holds much, and what its verbs cost.
type large struct {
	*memoryWith
	program string
	n       sizes
	words   *vocabulary
	bounds  []bound
	disk    int64 // before the first run
}

func newLarge(t *testing.T, program string, n sizes) *large {
	l := &large{memoryWith: newMemoryWith(t, "model: {chat: c}\n"), program: program, n: n, words: newVocabulary()}
	day := time.Now().AddDate(-3, 0, 0).UTC().Truncate(time.Second)
	step := time.Since(day) / time.Duration(n.memories+1)
	l.write("memory.json", func(w *bufio.Writer) {
		w.WriteString(`{"version":1,"memories":[` + "\n")
		for i := range n.memories {
			m := memory.Memory{ID: fmt.Sprintf("m%d", i), Content: l.words.text(), Kind: memory.Fact, Importance: float64(i%11) / 14, CreatedAt: day.Add(time.Duration(i) * step)}
			w.WriteString(" ,"[min(i, 1):][:1])
			w.Write(append(memory.AppendJSON(nil, &m), '\n'))
		}
		w.WriteString("]}\n")
	})
	l.write("archive.json", func(w *bufio.Writer) {
		w.WriteString(`{"version":1,"archive":[` + "\n")
		for i := range n.archive {
			e := memory.Archived{As: memory.Pruned, By: "night", Why: "fading", ArchivedAt: time.Now().Add(-80*24*time.Hour + time.Duration(i)*30*time.Second).UTC().Truncate(time.Second),
				Memory: memory.Memory{ID: fmt.Sprintf("a%d", i), Content: l.words.text(), Kind: memory.Fact, Importance: 0.3, CreatedAt: day.Add(time.Duration(i) * time.Minute)}}
			w.WriteString(" ,"[min(i, 1):][:1])
			w.Write(append(memory.AppendArchived(nil, &e), '\n'))
		}
		w.WriteString("]}\n")
	})
	l.write("queue.jsonl", func(w *bufio.Writer) {
		for i := range n.queue - 1 {
			fmt.Fprintf(w, `{"id":"q%d","user":"note number %d %s","assistant":"%s","at":"2026-03-01T08:00:00Z"}`+"\n", i, i, l.words.many(60), l.words.many(140))
		}
	})
	l.write("memory.md", func(w *bufio.Writer) {
		w.WriteString("# Card\n\n")
		for size := 0; size < n.card; {
			k, _ := fmt.Fprintf(w, "- %s\n", l.words.text())
			size += k
		}
	})
	l.disk = l.size()
	l.model.Chat = func(q banktest.Asked) banktest.Said {
		return banktest.Said{Arguments: `{"facts":[{"content":"@ann wrote ` + regexp.MustCompile(`note number \d+`).FindString(q.User) + ` down"}]}`}
	}
	return l
}

func (l *large) write(name string, fill func(w *bufio.Writer)) {
	l.t.Helper()
	f, err := os.Create(filepath.Join(l.dir, name))
	if err != nil {
		l.t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fill(w)
	if err := w.Flush(); err != nil {
		l.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		l.t.Fatal(err)
	}
}

// size is what the folder has on disk.
func (l *large) size() (n int64) {
	_ = filepath.WalkDir(l.dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if fi, err := d.Info(); err == nil {
				n += fi.Size()
			}
		}
		return nil
	})
	return n
}

func (l *large) word(i int) string { return l.words.all[i] }

func (l *large) command(args ...string) *exec.Cmd {
	cmd := exec.Command(l.program, append([]string{"--dir", l.dir}, args...)...)
	cmd.Env = append(os.Environ(), l.env...)
	return cmd
}

// run runs a verb to its end. A doctor that finds something is no failure.
func (l *large) run(verb, in string, args ...string) {
	l.t.Helper()
	if args == nil {
		args = []string{verb}
	}
	cmd := l.command(args...)
	cmd.Stdin = strings.NewReader(in)
	var out drain
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	if err != nil && !(verb == "doctor" && cmd.ProcessState.ExitCode() == exitFailure) && !(verb == "card check" && cmd.ProcessState.ExitCode() == exitFailure) {
		l.t.Fatalf("%s: %v: %s", verb, err, errs.String())
	}
	l.bounds = append(l.bounds, bound{verb, time.Since(began), peakOf(cmd.ProcessState), int(out)})
}

// drain takes whatever is written and keeps how much.
type drain int

func (c *drain) Write(b []byte) (int, error) { *c += drain(len(b)); return len(b), nil }

func peakOf(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(u.Maxrss) << 10 // of Linux, in KiB
}

// flush distils some turns and is interrupted then.
func (l *large) flush(turns int) {
	l.t.Helper()
	asked := make(chan struct{}, 1<<16)
	answer := l.model.Chat
	l.model.Chat = func(q banktest.Asked) banktest.Said {
		asked <- struct{}{}
		return answer(q)
	}
	cmd := l.command("flush")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	began := time.Now()
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	var first time.Duration
	for i := range turns + 1 {
		select {
		case <-asked:
		case <-time.After(time.Minute):
			l.t.Fatalf("turn %d is not distilled: %s", i, errs.String())
		}
		if i == 0 {
			first = time.Since(began)
		}
	}
	each := (time.Since(began) - first) / time.Duration(turns)
	cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait() // interrupted
	l.bounds = append(l.bounds, bound{"flush, to the first question", first, peakOf(cmd.ProcessState), 0}, bound{"flush, a turn", each, 0, 0})
	if got := l.ok("", "export"); strings.Count(got, "wrote note number") < turns {
		l.t.Errorf("%d turns are distilled, want %d", strings.Count(got, "wrote note number"), turns)
	}
}

// importAll imports all memories into an empty folder.
func (l *large) importAll() {
	l.t.Helper()
	file := filepath.Join(l.t.TempDir(), "export.jsonl")
	if err := os.WriteFile(file, []byte(l.ok("", "export")), 0o600); err != nil {
		l.t.Fatal(err)
	}
	from := l.dir
	l.dir = l.t.TempDir()
	l.run("import of the export", "", "import", file)
	l.dir = from
}

// serve starts the server, loads the page and its data, and asks for what is large.
func (l *large) serve() {
	l.t.Helper()
	cmd := l.command("serve", "--listen", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Signal(os.Interrupt)
	url := addressIn(l.t, errs)
	get := func(verb string, paths ...string) {
		l.t.Helper()
		began, n := time.Now(), drain(0)
		for _, path := range paths {
			res, err := http.Get(url + path)
			if err != nil {
				l.t.Fatal(err)
			}
			_, err = io.Copy(&n, res.Body)
			res.Body.Close()
			if err != nil || res.StatusCode != http.StatusOK {
				l.t.Fatalf("%s: %d, %v", path, res.StatusCode, err)
			}
		}
		l.bounds = append(l.bounds, bound{verb, time.Since(began), peakNow(cmd.Process.Pid), int(n)})
	}
	get("serve, to its first answer", "/healthz")
	l.bounds[len(l.bounds)-1].took = time.Since(began)
	get("serve: the first search", "/v1/memories/search?q="+l.word(8))
	get("serve: a search", "/v1/memories/search?q="+l.word(9))
	get("serve: a prompt", "/v1/memories/prompt?q="+l.word(9))
	get("serve: the page and its data", "/", "/page/app.js", "/page/style.css", "/v1/memories", "/v1/stats", "/v1/sleep", "/v1/config")
	get("serve: the archive", "/v1/memories/archive")
	get("serve: a search after all that", "/v1/memories/search?q="+l.word(12))
}

// addressIn waits for the line of a server that says where it listens.
func addressIn(t *testing.T, errs io.Reader) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(errs)
		for lines.Scan() {
			if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
				found <- strings.TrimSpace(url)
			}
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case url := <-found:
		return url
	case <-ctx.Done():
		t.Fatal("the server does not say where it listens")
		return ""
	}
}

// peakNow is the most memory that a running process had, 0 where it is not told.
func peakNow(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	var kib int64
	if _, rest, ok := strings.Cut(string(text), "VmHWM:"); ok {
		fmt.Sscan(rest, &kib)
	}
	return kib << 10
}

func (l *large) print() {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "verb\ttime ms\tpeak memory MB\tanswer MB\t")
	for _, b := range l.bounds {
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.2f\t\n", b.verb, float64(b.took.Microseconds())/1000, float64(b.peak)/1e6, float64(b.out)/1e6)
	}
	w.Flush()
	l.t.Logf("%d memories, %d in the archive, a queue of %d turns, a card of %d bytes\nthe folder on disk: %.1f MB before, %.1f MB after\n%s",
		l.n.memories, l.n.archive, l.n.queue, l.n.card, float64(l.disk)/1e6, float64(l.size())/1e6, text.String())
}

// vocabulary makes texts that look like those of people: few words often, many seldom.
type vocabulary struct {
	r    *rand.Rand
	rank *rand.Zipf
	all  []string
}

func newVocabulary() *vocabulary {
	r := rand.New(rand.NewPCG(1, 2))
	w := &vocabulary{r: r, rank: rand.NewZipf(r, 1.1, 4, 19_999)}
	for i := range 20_000 {
		text := ""
		for n := i + 20; n > 0; n /= 20 {
			text += "ka be mi so tu ra le ni po du ga ve zi mo su la fe ri no bu"[3*(n%20):][:2]
		}
		w.all = append(w.all, text)
	}
	return w
}

func (w *vocabulary) text() string { return w.many(6 + w.r.IntN(20)) }

func (w *vocabulary) many(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = w.all[w.rank.Uint64()]
	}
	return strings.Join(out, " ")
}
