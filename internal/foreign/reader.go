package foreign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plastic/memory"
)

// standing is the importance of a standing word about the user, or of the user:
// it reaches plastic's default threshold of what is never forgotten.
const standing = 0.75

// maxTurns is what plastic's queue holds.
const maxTurns = 50000

// A reader collects what one import gives.
type reader struct {
	tree     *tree
	format   string
	now      time.Time
	loc      *time.Location
	maxTurns int
	res      Result
	keys     map[string]int  // how often a key was given
	said     map[string]bool // key, text and date of what was taken
	repeated int
	refused  int
	err      error // what stops the import
}

func newReader(format string, t *tree, o Options) *reader {
	r := &reader{tree: t, format: format, now: o.Now, loc: o.Location, maxTurns: o.MaxTurns, keys: map[string]int{}, said: map[string]bool{}}
	if r.now.IsZero() {
		r.now = time.Now()
	}
	if r.loc == nil {
		r.loc = time.Local
	}
	if r.maxTurns <= 0 {
		r.maxTurns = maxTurns
	}
	r.res.Format = format
	return r
}

func (r *reader) result() (Result, error) {
	if r.err != nil {
		return Result{}, r.err
	}
	if over := r.refused - maxRefused; over > 0 {
		r.note("%d more entries can not be taken and are not listed", over)
	}
	if r.repeated > 0 {
		r.note("what is said more than once was taken once (%d times)", r.repeated)
	}
	slices.SortStableFunc(r.res.Turns, func(a, b Turn) int { return a.At.Compare(b.At) })
	if over := len(r.res.Turns) - r.maxTurns; over > 0 {
		r.res.Turns = r.res.Turns[over:]
		r.note("%d turns are more than the queue holds: the oldest %d were left out", over+r.maxTurns, over)
	}
	return r.res, nil
}

// place is where something stands.
type place struct {
	file string
	line int    // 0: lines say nothing
	at   string // "entry 3", where there are no lines
}

func (p place) String() string {
	switch {
	case p.line > 0:
		return fmt.Sprintf("%s:%d", p.file, p.line)
	case p.at != "":
		return p.file + ": " + p.at
	}
	return p.file
}

// fact is a memory of which only the text is known.
func fact(text string) memory.Memory {
	return memory.Memory{Content: text, Kind: memory.Fact, Importance: memory.DefaultImportance}
}

// add takes m. id is the original's own id; "" makes a key of the file and text.
// What the file says twice is taken once.
func (r *reader) add(p place, id string, m memory.Memory) {
	m.Content = tidy(m.Content)
	if m.Content == "" {
		r.refuse(p, "there is no text in it")
		return
	}
	for _, label := range []*string{(*string)(&m.Kind), &m.Session, &m.Speaker} {
		*label = oneLine(*label, maxLabel)
	}
	m.CreatedAt, m.UpdatedAt = whole(m.CreatedAt), whole(m.UpdatedAt)
	m.ValidTo, m.LastRecalledAt = whole(m.ValidTo), whole(m.LastRecalledAt)
	if m.CreatedAt.IsZero() {
		m.CreatedAt = m.UpdatedAt // it is no younger than its last change
	}
	key, known := r.key(p, id, m)
	if known {
		r.repeated++
		return
	}
	m.Source = "import:" + r.format + ":" + key
	r.res.Items = append(r.res.Items, Item{Line: p.line, Where: p.String(), Memory: m})
}

// How many notes and refusals one import gives.
const (
	maxNotes   = 100
	maxRefused = 10000
)

// maxLabel bounds session, speaker, kind and the source, in runes.
const maxLabel = 200

// key gives what stands for the original in Source: short, on one line, and
// different for each memory of an import. It reports whether the same was said
// under the same key before.
func (r *reader) key(p place, id string, m memory.Memory) (key string, known bool) {
	if id == "" {
		id = p.file + "#" + digest(m.Content)
	}
	key = short(id)
	once := fmt.Sprintf("%s\n%s\n%d", key, digest(m.Content), m.CreatedAt.Unix())
	if r.said[once] {
		return "", true
	}
	r.said[once] = true
	r.keys[key]++
	if n := r.keys[key]; n > 1 {
		key = fmt.Sprintf("%s~%d", key, n)
	}
	return key, false
}

// short is id as a key can hold it.
func short(id string) string {
	key := oneLine(id, 1<<20)
	if len([]rune(key)) > 120 {
		key = oneLine(key, 100) + "~" + digest(id)
	}
	return key
}

// digest is a short hash of a text: 40 bits, for keys within one import.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:5])
}

// refuse says why what stands at p is no memory. Of very many only the first are
// listed.
func (r *reader) refuse(p place, format string, args ...any) {
	if r.refused++; r.refused > maxRefused {
		return
	}
	r.res.Items = append(r.res.Items, Item{Line: p.line, Where: p.String(), Refused: fmt.Sprintf(format, args...)})
}

func (r *reader) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); len(r.res.Notes) < maxNotes && !slices.Contains(r.res.Notes, n) {
		r.res.Notes = append(r.res.Notes, n)
	}
}

// turn takes t; id is its message's own, "" if it has none. What the export says
// twice is taken once.
func (r *reader) turn(id string, t Turn) {
	t.User, t.Assistant = tidy(t.User), tidy(t.Assistant)
	if t.User == "" {
		return // only what the user said counts
	}
	t.At, t.Session = whole(t.At), oneLine(t.Session, maxLabel)
	if id == "" {
		id = "turn#" + digest(fmt.Sprintf("%s\n%d\n%s", t.Session, t.At.Unix(), t.User))
	} else if t.Session != "" {
		id = t.Session + "/" + id
	}
	t.Source = "import:" + r.format + ":" + short(id)
	if r.said[t.Source] {
		r.repeated++
		return
	}
	r.said[t.Source] = true
	r.res.Turns = append(r.res.Turns, t)
}

// text reads all of f as text with plain line ends. A file that can not be read
// is refused; it is "" then.
func (r *reader) text(f file) string {
	b, err := r.tree.whole(f)
	if err != nil {
		r.fail(place{file: f.name}, err)
		return ""
	}
	if garbled(b) {
		r.refuse(place{file: f.name}, "it is not UTF-8 text: save it in that encoding and import it again")
		return ""
	}
	return decode(b)
}

// fail notes that a file can not be read. What is too large in all ends the import.
func (r *reader) fail(p place, err error) {
	if errors.Is(err, errLarge) && r.tree.left <= 0 {
		r.err = fmt.Errorf("%s: %w", r.tree.title, err)
		return
	}
	r.refuse(p, "it can not be read: %s", strings.TrimSuffix(err.Error(), ": "+memory.ErrInvalid.Error()))
}

// whole is t as memory.json can hold it; what no calendar has is not set.
func whole(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Second)
	if y := t.Year(); t.IsZero() || y < 1 || y > 9999 {
		return time.Time{}
	}
	return t
}
