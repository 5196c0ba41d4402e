package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"plastic/memory"
)

// Turn is one turn of a conversation that waits to be distilled: a line of
// queue.jsonl. A turn leaves the queue by the journal line that stores its facts (see
// Tx.Done), so that neither is ever there without the other.
type Turn struct {
	ID        string    `json:"id"`
	User      string    `json:"user"`
	Assistant string    `json:"assistant"`
	At        time.Time `json:"at"`
	Session   string    `json:"session,omitempty"`
	Source    string    `json:"source,omitempty"` // of an import: what[:original id]
	Private   bool      `json:"private,omitempty"`
	Tries     int       `json:"tries,omitempty"`    // answers that were none
	SetAside  bool      `json:"setAside,omitempty"` // not tried again until taken back
	Reason    string    `json:"reason,omitempty"`   // why the last try failed
}

// MaxQueue is how many turns may wait, those set aside too.
const MaxQueue = 50_000

// leastTurn is the least a line of the queue has, in bytes.
const leastTurn = 40

// lockQueue holds the queue's own lock, which is on queue.jsonl itself, so that a turn
// can be put in while a long update goes on; a file that was put in the place of the
// locked one is locked in turn. Whoever holds the folder's lock may take it, not the
// other way round.
func (s *Store) lockQueue(ctx context.Context) (f *os.File, unlock func(), err error) {
	path, err := resolve(s.path(queueName))
	if err != nil {
		return nil, nil, err
	}
	deadline := time.Now().Add(s.o.LockWait)
	for pause := shortRest; ; pause = min(2*pause, longRest) {
		_, err := os.Stat(path)
		fresh := errors.Is(err, fs.ErrNotExist)
		l := &lock{f: flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600)), path: path}
		got, err := l.f.TryLock()
		if err != nil {
			return nil, nil, lockError(path, err)
		}
		if got && l.held() == nil {
			if fresh {
				s.fresh().give(path)
			}
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				l.release()
				return nil, nil, writeError(queueName, err)
			}
			return f, func() { f.Close(); l.release() }, nil
		}
		l.release()
		if !time.Now().Before(deadline) {
			return nil, nil, fmt.Errorf("another process holds %s: %w", path, memory.ErrBusy)
		}
		if err := rest(ctx, pause); err != nil {
			return nil, nil, err
		}
	}
}

// Enqueue puts turns behind the queue, each in one line, and returns when they are on
// disk; n of them are new. A turn without an id gets one; one whose id waits already,
// or has been distilled as far as this machine knows, is passed over. It needs the
// queue's lock alone. A queue that is full takes none of them and fails with
// memory.ErrInvalid.
func (s *Store) Enqueue(ctx context.Context, turns []Turn) (n int, err error) {
	if len(turns) == 0 {
		return 0, nil
	}
	if s.isClosed() {
		return 0, fs.ErrClosed
	}
	f, unlock, err := s.lockQueue(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	known := map[string]bool{}
	named := slices.ContainsFunc(turns, func(t Turn) bool { return t.ID != "" })
	waiting := 0
	if named || size/leastTurn+int64(len(turns)) > MaxQueue {
		old, err := io.ReadAll(io.NewSectionReader(f, 0, size))
		if err != nil {
			return 0, err
		}
		for line := range bytes.Lines(old) {
			if t, ok := parseTurn(line); ok {
				known[t.ID] = true
				waiting++
			}
		}
	}
	if named {
		s.distilled(known)
	}
	var text []byte
	for _, t := range turns {
		if t.ID == "" {
			t.ID = randomID(longIDLength)
		}
		if known[t.ID] {
			continue
		}
		known[t.ID] = true
		text = append(append(text, t.line(nil)...), '\n')
		n++
	}
	if waiting+n > MaxQueue {
		return 0, fmt.Errorf("%d turns wait already, the queue holds %d (plastic flush distils them): %w", waiting, MaxQueue, memory.ErrInvalid)
	}
	if n == 0 {
		return 0, nil
	}
	return n, inTurn(
		s.step("queue:write"),
		func() error { return appendLines(f, size, text) },
		s.step("queue:kept"),
	)
}

// appendLines writes text behind the first size bytes of f and syncs it. Behind a line
// that has no end, which was never acknowledged, it begins a new one; when it fails
// nothing of it stays.
func appendLines(f *os.File, size int64, text []byte) error {
	if size > 0 {
		var end [1]byte
		if _, err := f.ReadAt(end[:], size-1); err != nil {
			return err
		}
		if end[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	_, err := f.WriteAt(text, size)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		f.Truncate(size)
		return writeError(queueName, err)
	}
	return nil
}

// TurnID is the id of a turn that comes from elsewhere, by its source: the same turn
// has the same id again.
func TurnID(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "t" + hex.EncodeToString(sum[:8])
}

// parseTurn reads a line of the queue. It is not ok for one that is none.
func parseTurn(line []byte) (t Turn, ok bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return t, false
	}
	var in struct {
		Turn
		At json.RawMessage `json:"at"`
	}
	if json.Unmarshal(line, &in) != nil {
		return t, false
	}
	t = in.Turn
	t.At, _ = memory.ParseTime(string(in.At))
	if t.ID == "" {
		t.ID = TurnID(string(line)) // one that another hand wrote
	}
	return t, strings.TrimSpace(t.User) != "" || strings.TrimSpace(t.Assistant) != ""
}

// line is t as a line of the queue, without its end; fields of old that a Turn does not
// have are kept.
func (t *Turn) line(old []byte) []byte {
	out := unescaped(t)
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(old, &fields)
	for _, name := range []string{"id", "user", "assistant", "at", "session", "source", "private", "tries", "setAside", "reason"} {
		delete(fields, name)
	}
	if len(fields) == 0 {
		return out
	}
	rest := unescaped(fields)
	return append(append(out[:len(out)-1], ','), rest[1:]...)
}

// unescaped is v as JSON on one line, in plain characters.
func unescaped(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}

// Queue gives the turns that wait, oldest first, those set aside too, and how many
// lines of queue.jsonl are none; these stay where they are.
func (s *Store) Queue() (turns []Turn, odd int, err error) {
	st, err := s.Read()
	if err != nil {
		return nil, 0, err
	}
	return s.queue(st)
}

func (s *Store) queue(st *State) (turns []Turn, odd int, err error) {
	text, err := readFile(s.path(queueName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	done := st.done()
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		t, ok := parseTurn(line)
		switch {
		case !ok:
			if len(bytes.TrimSpace(line)) > 0 {
				odd++
			}
		case !done[t.ID] && !seen[t.ID]:
			seen[t.ID] = true
			turns = append(turns, t)
		}
	}
	return turns, odd, nil
}

// done are the turns that the journal says are distilled.
func (st *State) done() map[string]bool {
	out := map[string]bool{}
	for _, o := range st.allOps() {
		if o.kind == opTurn {
			out[o.turn] = true
		}
	}
	return out
}

// Done takes a turn out of the queue with this update. It reports whether the turn
// waits: one that does not has been distilled by somebody else, and what the caller
// made of it must not be stored again.
func (tx *Tx) Done(id string) bool {
	if slices.ContainsFunc(tx.ops, func(o op) bool { return o.kind == opTurn && o.turn == id }) {
		return false
	}
	turns, _, err := tx.base.store.queue(tx.base)
	if err != nil {
		tx.fail("read the queue: %w", err)
		return false
	}
	if !slices.ContainsFunc(turns, func(t Turn) bool { return t.ID == id }) {
		return false
	}
	tx.do(op{kind: opTurn, turn: id})
	return true
}

// ChangeQueue calls change for every turn that waits and writes the queue anew where it
// answers true; a turn is only ever changed, never taken out. It gives how many
// changed.
func (s *Store) ChangeQueue(ctx context.Context, change func(*Turn) bool) (n int, err error) {
	err = s.editQueue(ctx, func(line []byte) []byte {
		t, ok := parseTurn(line)
		if !ok || !change(&t) {
			return line
		}
		n++
		return t.line(line)
	})
	return n, err
}

// Unqueue takes the turns for which gone answers true out of the queue undistilled, for
// who can put them in again, and gives how many they were.
func (s *Store) Unqueue(ctx context.Context, gone func(*Turn) bool) (n int, err error) {
	err = s.editQueue(ctx, func(line []byte) []byte {
		t, ok := parseTurn(line)
		if !ok || !gone(&t) {
			return line
		}
		n++
		return nil
	})
	return n, err
}

// writeQueue takes the turns that the journal has distilled out of queue.jsonl. It goes
// before the journal is begun anew.
func (s *Store) writeQueue(st *State) error {
	done := st.done()
	if len(done) == 0 {
		return nil
	}
	err := s.editQueue(context.Background(), func(line []byte) []byte {
		if t, ok := parseTurn(line); ok && done[t.ID] {
			return nil
		}
		return line
	})
	if err == nil {
		s.noteDistilled(done)
	}
	return err
}

// editQueue writes queue.jsonl anew with each line as edit gives it, nil to take it
// out. Nothing is written where nothing changes.
func (s *Store) editQueue(ctx context.Context, edit func(line []byte) []byte) error {
	if _, err := os.Stat(s.path(queueName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, unlock, err := s.lockQueue(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	text := make([]byte, 0, len(old))
	for line := range bytes.Lines(old) {
		bare := bytes.TrimRight(line, "\r\n")
		if kept := edit(bare); kept != nil {
			text = append(append(text, kept...), line[len(bare):]...)
		}
	}
	if bytes.Equal(text, old) {
		return nil
	}
	_, err = s.replaceFile(s.path(queueName), "", text, nil)
	return err
}

// checkQueue tells of lines that are no turns.
func (s *Store) checkQueue(st *State) []Problem {
	_, odd, err := s.queue(st)
	switch {
	case err != nil:
		return []Problem{{Code: CodeIO, Path: queueName, Message: "the queue can not be read: " + err.Error()}}
	case odd > 0:
		return []Problem{{Code: CodeOdd, Path: queueName, Message: fmt.Sprintf("%d lines are no turns and wait for ever", odd), Hint: "mend or remove them by hand"}}
	}
	return nil
}

// distilledName lists, under .plastic/, turns of imports that were distilled, so that
// importing them again does nothing. Lost, it costs some calls of a model.
const distilledName = "turns"

const mostDistilled = 4 << 20 // bytes

func (s *Store) noteDistilled(done map[string]bool) {
	old, _ := readFile(s.own(distilledName))
	have := map[string]bool{}
	for line := range bytes.Lines(old) {
		have[string(bytes.TrimSpace(line))] = true
	}
	text := old
	for id := range done {
		if len(id) == len(TurnID("")) && id[0] == 't' && !have[id] {
			text = append(append(text, id...), '\n')
		}
	}
	if len(text) > len(old) {
		text = text[max(0, len(text)-mostDistilled):]
		_ = writeLocal(s.own(distilledName), text, s.fresh())
	}
}

// distilled adds the turns of imports that were distilled to known.
func (s *Store) distilled(known map[string]bool) {
	text, _ := readFile(s.own(distilledName))
	for line := range bytes.Lines(text) {
		known[string(bytes.TrimSpace(line))] = true
	}
	if st, err := s.Read(); err == nil {
		for id := range st.done() {
			known[id] = true
		}
	}
}
