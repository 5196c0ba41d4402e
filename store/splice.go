package store

import (
	"slices"
	"strings"

	"plastic/memory"
)

// splice gives the text of memory.json with the changed lines replaced, without
// decoding the others, and where the new ones begin; ok is false when that can not
// be done.
func (st *State) splice() (text []byte, at map[string]int64, ok bool) {
	old, err := st.base.raw()
	if err != nil {
		return nil, nil, false
	}
	lines, head, ok := splitLines(old)
	if !ok {
		return nil, nil, false
	}
	changed := st.touched(st.from)
	var add []memory.Memory
	size := len(old)
	for id := range changed {
		if m, ok := st.Get(id); ok {
			add = append(add, m)
			size += len(m.Content) + 512
		}
	}
	slices.SortFunc(add, compare)
	nl := "\n"
	if strings.HasSuffix(old[:head], "\r\n") {
		nl = "\r\n"
	}
	out := append(make([]byte, 0, size), old[:head]...)
	sep := byte(' ')
	at = make(map[string]int64, len(add))
	put := func() {
		at[add[0].ID] = int64(len(out)) + 1
		out = memory.AppendJSON(append(out, sep), &add[0])
		out = append(out, nl...)
		add, sep = add[1:], ','
	}
	gone := func(l span) bool { return len(changed) > 0 && changed[lineID(l.of(old))] }
	run := -1 // start of a run of lines that stay as they are
	flush := func(end int) {
		if run >= 0 {
			from := len(out)
			out = append(out, old[run:end]...)
			out[from], sep, run = sep, ',', -1
		}
	}
	next := insertions(old, lines, add)
	for i, l := range lines {
		for len(next) > 0 && next[0] == i {
			flush(l.start)
			put()
			next = next[1:]
		}
		if gone(l) {
			flush(l.start)
			continue
		}
		if run < 0 {
			run = l.start
		} else if old[l.start] != ',' {
			flush(l.start) // git's union merge left a blank here
			run = l.start
		}
	}
	foot := lines[len(lines)-1].end
	flush(foot)
	for len(add) > 0 {
		put()
	}
	return append(out, old[foot:]...), at, true
}

// span is one memory's line: from its blank or comma to behind its line end.
type span struct{ start, end int }

func (l span) of(text string) string { return text[l.start+1 : l.end] }

// splitLines finds the lines of the memories and the end of the head before them.
func splitLines(text string) (lines []span, head int, ok bool) {
	for i := 0; i < len(text); {
		end := i + strings.IndexByte(text[i:], '\n') + 1
		if end <= i {
			break
		}
		if rest := text[i:]; len(rest) > 1 && (rest[0] == ' ' || rest[0] == ',') && strings.HasPrefix(rest[1:], idHead) {
			if lines == nil {
				head = i
			}
			lines = append(lines, span{i, end})
		} else if lines != nil {
			break
		}
		i = end
	}
	return lines, head, lines != nil
}

func lineID(line string) string {
	id := line[len(idHead):]
	return id[:strings.IndexByte(id, '"')]
}

// insertions gives for each memory the number of the line before which it goes.
func insertions(text string, lines []span, add []memory.Memory) []int {
	at := make([]int, len(add))
	lo := 0
	for k := range add {
		hi := len(lines)
		if hi > 0 && lineBefore(lines[hi-1].of(text), &add[k]) {
			lo = hi
		}
		for lo < hi {
			mid := (lo + hi) / 2
			if lineBefore(lines[mid].of(text), &add[k]) {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		at[k] = lo
	}
	return at
}

func lineBefore(line string, m *memory.Memory) bool {
	o, _, err := memory.ParsePrefix(line)
	return err == nil && o.Before(m)
}
