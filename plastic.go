// Package plastic is the long-term memory of a bot that lives in a folder. It
// remembers the beginning, the recent and what really matters; the rest fades
// day by day.
//
//	bank, err := plastic.Open("/home/bot/memory", nil)
//	if err != nil { … }
//	defer bank.Close()
//	_, err = bank.Remember(ctx, plastic.Draft{Content: "@ann told me she keeps two cats"})
//	got, err := bank.Recall(ctx, plastic.Query{Text: "does Ann have pets?"})
//	section, err := bank.Prompt(ctx, plastic.Turn{Text: "good morning!"})
//
// A Bank speaks for the owner, alone. For gives the same memory as another
// audience may see it:
//
//	section, err := bank.For(memory.Public).Prompt(ctx, plastic.Turn{Text: message})
//
// The files are the truth: another process, an editor or git may change them at
// any time, and every call sees the folder as it is then. The package opens no
// network connection: whoever wants a model gives its functions in Options.
package plastic

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plastic/config"
	"plastic/internal/vectors"
	"plastic/memory"
	"plastic/store"
)

// Options change how a Bank behaves; the zero value and nil are fine.
type Options struct {
	Now     func() time.Time // the clock, read once a call; nil: time.Now
	Config  *config.Config   // nil: config.yaml of the folder, read again when it changes
	Notice  func(Problem)    // told once for each problem of the folder; nil: dropped
	Debug   io.Writer        // the candidates' scores before the cut, one line each; nil: none
	Examine bool             // a config.yaml that is bad at the start is no error but a problem, for Doctor to tell; the defaults serve
	Delay   time.Duration    // how long memory.json may lag behind an acknowledged change; 0: not at all

	// What models do, each optional: nil, or an answer of memory.ErrNoModel, is a
	// memory that works on terms alone. They are called only where the configuration
	// names a model for them; Chat never on the read path.
	Chat   memory.Chat
	Embed  memory.Embed
	Rerank memory.Rerank

	// Progress is told how far something is that takes longer than a second: what,
	// and how many of all memories are done. nil: nobody.
	Progress func(what string, done, all int)
}

// Bank is the memory in one folder. Its methods may be called at once from
// several goroutines.
type Bank struct {
	*shared
	audience memory.Audience
	by       string // which door calls, for the archive
}

// shared is what all views of one folder have in common.
type shared struct {
	store  *store.Store
	config *config.Live
	opts   Options

	gate gate
	work work

	usedIn atomic.Int64 // the quarter of an hour, since 1970, in which use was last noted

	mu        sync.Mutex // guards all below
	views     map[scope]*view
	vectors   *vectors.File        // nil: not opened yet
	vectorsOf string               // the model they are of
	degraded  string               // what was last told about a model
	held      string               // which settings were last told to be not in force
	refused   map[vectors.Key]bool // texts that the model gave no vector for
	dimension int                  // of the last question's vector
}

// Open opens the memory in dir, which must exist (Init makes one): without it Open
// fails with memory.ErrInvalid.
func Open(dir string, o *Options) (*Bank, error) {
	if o == nil {
		o = &Options{}
	}
	opts := *o
	if opts.Now == nil {
		opts.Now = time.Now
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := folder(dir); err != nil {
		return nil, err
	}
	live, err := openConfig(dir, opts)
	if err != nil {
		return nil, err
	}
	b := &Bank{
		shared:   &shared{config: live, opts: opts, views: map[scope]*view{}},
		audience: memory.Trusted,
		by:       "go",
	}
	b.store, err = store.Open(dir, store.Options{
		Now:    opts.Now,
		Delay:  opts.Delay,
		Notice: func(p store.Problem) { b.notice(problem(p)) },
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// folder fails with memory.ErrInvalid unless dir is one.
func folder(dir string) error {
	switch st, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return Hint(fmt.Errorf("%w: %w", memory.ErrInvalid, err), "there is no folder "+dir, "`plastic init "+dir+"` makes it")
	case err != nil:
		return err
	case !st.IsDir():
		return Hint(memory.ErrInvalid, dir+" is not a folder", "it is to be the folder that holds memory.json")
	}
	return nil
}

// Close writes what is still pending and ends what the Bank started. Every Bank
// that came from it by For or By is closed too.
func (b *Bank) Close() error {
	b.mu.Lock()
	if b.vectors != nil {
		b.vectors.Close()
		b.vectors = nil
	}
	b.mu.Unlock()
	return b.store.Close()
}

// Dir is the folder.
func (b *Bank) Dir() string { return b.store.Dir() }

// For gives the same memory as a sees it. An audience is only ever lowered:
// For(Trusted) of a Bank for Public is a Bank for Public.
func (b *Bank) For(a memory.Audience) *Bank {
	c := *b
	c.audience = b.audience.Lower(a)
	return &c
}

// By gives the same Bank, whose changes are marked in the archive as made by door.
func (b *Bank) By(door string) *Bank {
	c := *b
	c.by = door
	return &c
}

// Audience is who reads what this Bank answers.
func (b *Bank) Audience() memory.Audience { return b.audience }

// Config is the configuration in force; a bad edit of config.yaml leaves the
// last good one and is returned as the error beside it.
func (b *Bank) Config() (*config.Config, error) {
	if b.opts.Config != nil {
		return b.opts.Config, nil
	}
	return b.config.Config(b.opts.Now())
}

// badConfig is why config.yaml as it stands is not in force, nil when it is.
func (b *Bank) badConfig() error {
	if b.opts.Config != nil {
		return nil
	}
	_, _ = b.config.Config(b.opts.Now())
	return b.config.Problem()
}

// Settings is the configuration that verbs go by on this machine: the last good one,
// with what was not allowed here at its default.
func (b *Bank) Settings() *config.Config { return b.settings() }

// settings is Config for a verb: a bad edit is noticed, not fatal, and what was
// not allowed on this machine is at its default.
func (b *Bank) settings() *config.Config {
	c, err := b.Config()
	if err != nil {
		b.notice(Problem{Code: "config", Path: configFile, Message: err.Error(), Hint: "the last good configuration stays in force"})
	}
	held := config.Held(b.Dir(), c)
	if names := strings.Join(held, ", "); b.newlyHeld(names) {
		b.notice(Problem{Code: "config_held", Path: configFile, Message: names + " came with the folder and is not in force on this machine", Hint: "read it, then `plastic config allow`"})
	}
	if len(held) == 0 {
		return c
	}
	return c.Restrict(held...)
}

// newlyHeld reports whether names, of settings that are not in force, are to be told: they
// are others than at the last look.
func (sh *shared) newlyHeld(names string) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if names == sh.held {
		return false
	}
	sh.held = names
	return names != ""
}

func (b *Bank) notice(p Problem) {
	if b.opts.Notice != nil {
		b.opts.Notice(p)
	}
}

func problem(p store.Problem) Problem {
	return Problem{Code: p.Code, Path: p.Path, Message: p.Message, Hint: p.Hint, Fixed: p.Fixed}
}

// Writes of an audience that may not write, and what exists only for the owner
// alone, fail with memory.ErrDenied.
func (b *Bank) mayWrite(verb string) error {
	return Writer(b.audience, verb)
}

func (b *Bank) mayDump(verb string) error { return OwnerAlone(b.audience, verb) }

// OwnerAlone fails with memory.ErrDenied where others than the owner alone read what
// verb answers: a door asks it before it tells of its settings or of this machine.
func OwnerAlone(a memory.Audience, verb string) error {
	if a == memory.Trusted {
		return nil
	}
	return denied(verb, a)
}

// Writer fails with memory.ErrDenied where a may not write.
func Writer(a memory.Audience, verb string) error {
	if a.Writes() {
		return nil
	}
	return denied(verb, a)
}

func denied(verb string, a memory.Audience) error {
	return Hint(memory.ErrDenied, verb+" is not for the audience "+string(a), "the owner of the memory can do it, alone")
}
