package store

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"unsafe"
)

// standing is what the lines of a queue file come to, without their texts.
type standing struct {
	lines []queued       // those that count, in their order; one that left has no bytes
	at    map[string]int // the turns that stand: id → place in lines
	odd   int            // lines that are none
	live  int64          // bytes of the lines that count
	size  int64          // bytes of all lines
}

// queued is where a line stands in the file, its end included. One that is no turn has
// no id.
type queued struct {
	id                string
	from              int64
	n                 int
	private, setAside bool
}

// foldQueue reads the lines of f.
func foldQueue(f io.ReaderAt) (*standing, error) {
	q := &standing{at: map[string]int{}}
	lines := bufio.NewReaderSize(io.NewSectionReader(f, 0, 1<<62), 256<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long := slices.Clone(line)
			var rest []byte
			rest, err = lines.ReadBytes('\n')
			line = append(long, rest...)
		}
		q.take(unsafe.String(unsafe.SliceData(line), len(line))) // it keeps nothing of it
		if err == io.EOF {
			return q, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// take takes in lines that stand behind those that q has.
func (q *standing) take(text string) {
	for line := range strings.Lines(text) {
		l := glance(line)
		here := queued{id: strings.Clone(l.id), from: q.size, n: len(line), private: l.private, setAside: l.setAside}
		q.size += int64(len(line))
		for _, id := range l.done {
			q.drop(id)
		}
		switch i, again := q.at[l.id]; {
		case l.kind == oddLine:
			q.odd++
		case l.kind != turnLine:
			continue
		case again:
			q.live += int64(here.n - q.lines[i].n)
			q.lines[i] = here
			continue
		default:
			q.at[here.id] = len(q.lines)
		}
		q.live += int64(here.n)
		q.lines = append(q.lines, here)
	}
}

func (q *standing) drop(id string) {
	if i, ok := q.at[id]; ok {
		q.live -= int64(q.lines[i].n)
		q.lines[i] = queued{}
		delete(q.at, id)
	}
}

// compactLines gives those of text that count, each with its end.
func compactLines(text []byte) []byte {
	at := bytes.NewReader(text)
	q, err := foldQueue(at)
	if err == nil {
		text, err = q.compact(at)
	}
	if err != nil {
		panic(err) // memory can be read
	}
	return text
}

// compact gives the lines of f that count, each with its end.
func (q *standing) compact(f io.ReaderAt) ([]byte, error) {
	out := make([]byte, 0, q.live+1)
	for _, l := range q.lines {
		if l.n == 0 {
			continue
		}
		line, err := l.read(f)
		if err != nil {
			return nil, err
		}
		if out = append(out, line...); line[len(line)-1] != '\n' {
			out = append(out, '\n')
		}
	}
	return out, nil
}

// read gives the line as it stands in f.
func (l queued) read(f io.ReaderAt) (string, error) {
	line := make([]byte, l.n)
	if _, err := f.ReadAt(line, l.from); err == io.EOF {
		return "", errMoved // another hand has shortened it
	} else if err != nil {
		return "", err
	}
	return string(line), nil
}

// turn reads the turn of the line from f, a file of this key.
func (l queued) turn(f io.ReaderAt, key FileKey) (line string, t Turn, err error) {
	if line, err = l.read(f); err != nil {
		return "", t, err
	}
	if got := glance(line); got.kind != turnLine || got.id != l.id {
		return "", t, errMoved
	}
	return line, parseTurn(line, key), nil
}
