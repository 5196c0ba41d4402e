// Command bench prints plastic's speed and size side by side with its peers, in
// one interleaved run, as ratios to the strongest peer of that run and against
// the marks plastic is held to. It never fails for a figure: a tool that breaks
// is named below the table and left out of its row.
//
//	cd bench && go run . -sizes 1000,10000,100000
//	cd bench && go run . -quick -only cold -json figures.json
//
// The peers are SQLite FTS5 (in process by modernc.org/sqlite, cold by the
// sqlite3 command line where it is installed), over words and character bigrams
// and over trigrams, and bleve; a linear scan of the JSON file stands beside
// them. plastic runs as it is shipped: the stripped binary for the cold rows,
// the package for the warm ones, no configuration.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The tools that several files name.
const (
	product    = "plastic"
	cli        = "sqlite3 CLI"
	cliTrigram = "sqlite3 CLI trigram"
	wal        = "FTS5 WAL"
)

func main() {
	if len(os.Args) == 5 && os.Args[1] == coldPeer {
		if err := coldPeerMain(os.Args[2], os.Args[3], os.Args[4]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	sizes []int
	only  []string
	root  string
	json  string
	// patience is how long one tool may take over one row.
	patience time.Duration
}

func parse() (options, error) {
	sizes := flag.String("sizes", "1000,10000,100000", "how many memories, with commas")
	quick := flag.Bool("quick", false, "1000 and 10000 only")
	only := flag.String("only", "cold,warm,write,night", "the parts to measure, with commas")
	o := options{patience: 10 * time.Second}
	flag.StringVar(&o.root, "root", "..", "plastic's own `folder`, for the binary")
	flag.StringVar(&o.json, "json", "", "write the figures to this `file` too")
	flag.Parse()
	if *quick {
		*sizes, o.patience = "1000,10000", 2*time.Second
	}
	for _, f := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(f)
		if err != nil || n < 100 {
			return o, fmt.Errorf("-sizes %q is not a list of numbers from 100", *sizes)
		}
		o.sizes = append(o.sizes, n)
	}
	slices.Sort(o.sizes)
	o.only = strings.Split(*only, ",")
	return o, nil
}

func run() error {
	o, err := parse()
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(cores)
	work, err := os.MkdirTemp("", "plastic-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	defer cleanUp(work)()
	t, err := build(o.root, work)
	if err != nil {
		return err
	}
	t.patience = o.patience
	rep := report{Started: time.Now().UTC().Truncate(time.Second), Go: runtime.Version(), CPUs: cores}
	for _, n := range o.sizes {
		b, err := t.block(n, filepath.Join(work, strconv.Itoa(n)), o.only)
		if err != nil {
			return fmt.Errorf("%d memories: %w", n, err)
		}
		b.print(os.Stdout)
		rep.Sizes = append(rep.Sizes, b)
		rep.Growth = growth(rep.Sizes)
		if err := rep.write(o.json); err != nil {
			return err
		}
	}
	printGrowth(os.Stdout, rep.Growth)
	return nil
}

// block makes the data of n memories under dir, measures, and takes it away.
func (p programs) block(n int, dir string, only []string) (block, error) {
	defer os.RemoveAll(dir)
	s, err := p.size(n, dir)
	if err != nil {
		return block{}, err
	}
	if err := s.measure(only); err != nil {
		return block{}, err
	}
	b := s.figures.judge(n)
	b.Load = load()
	return b, nil
}

// load is the machine's load average over a minute, or 0 where it does not tell.
func load() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	x, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return x
}

// write writes the report as JSON; path "" is nowhere.
func (r *report) write(path string) error {
	if path == "" {
		return nil
	}
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// cleanUp sees to it that an interrupted run leaves no data behind, until the
// func it gives is called.
func cleanUp(work string) (end func()) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, interrupted := <-stop; interrupted {
			os.RemoveAll(work)
			os.Exit(1)
		}
	}()
	return func() {
		signal.Stop(stop)
		close(stop)
	}
}

// programs are the files that are run cold.
type programs struct {
	bin     string // plastic
	self    string // this program
	launch  string
	sqlite3 string // or ""

	patience time.Duration
}

func build(root, work string) (programs, error) {
	p := programs{bin: filepath.Join(work, "plastic"), launch: filepath.Join(work, "launch")}
	var err error
	if p.self, err = os.Executable(); err != nil {
		return p, err
	}
	if p.sqlite3, err = exec.LookPath("sqlite3"); err != nil {
		fmt.Println("no sqlite3 command line is installed: its cold rows are left out")
		p.sqlite3 = ""
	}
	return p, errors.Join(
		buildBinary(root, "./cmd/plastic", p.bin),
		buildBinary(".", "./launch", p.launch),
	)
}

// measure runs the parts that were asked for.
func (s *size) measure(only []string) error {
	for _, part := range only {
		start := time.Now()
		var err error
		switch part {
		case "cold":
			err = s.cold()
		case "warm":
			err = s.warm()
		case "write":
			err = s.writes()
		case "night":
			err = s.nights()
		default:
			err = fmt.Errorf("there is no part %q; cold, warm, write and night are", part)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d memories, %s: %.1f s\n", s.n, part, time.Since(start).Seconds())
	}
	return s.disk()
}
