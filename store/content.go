package store

import (
	"cmp"
	"strings"

	"plastic/memory"
)

const memoriesKey = "memories"

// content is what stands in the text of a memory.json, before anything is
// settled.
type content struct {
	doc
	mems []memory.Memory
	odd  []string // entries that are no memory, each on one line
}

// readContent reads the text of a memory.json, with both sides of a conflict.
// The memories share the text.
func readContent(text string) *content {
	ours, theirs, merging := sides(text)
	c := readSide(ours)
	c.damage = cmp.Or(c.damage, noText(text))
	if !merging {
		return c
	}
	c.merging, c.lined = true, false
	other := readSide(theirs)
	c.add(other)
	if other.damage != "" && c.unread == 0 {
		c.damage, c.unread = cmp.Or(c.damage, other.damage), other.unread
	}
	return c
}

func readSide(text string) *content {
	c := &content{mems: make([]memory.Memory, 0, strings.Count(text, "\n"))}
	byLine := true
	c.doc = readDoc(text, memoriesKey, func(text string, i int) (int, bool) {
		if text[i] != '{' {
			n := memory.SkipValue(text[i:])
			if n > 0 {
				c.odd = append(c.odd, string(memory.CleanValue(text[i:i+n])))
			}
			return n, true
		}
		m, n, err := memory.ParsePrefix(text[i:])
		switch {
		case n == 0:
			return 0, false
		case err != nil && swallows(text[i:i+n]):
			return 0, false // it would hide them
		case err != nil:
			c.odd = append(c.odd, string(memory.CleanValue(text[i:i+n])))
			return n, false
		}
		byLine = byLine && namesItself(text[i:], m.ID)
		c.mems = append(c.mems, m)
		return n, true
	}, func() { c.mems, c.odd = c.mems[:0], nil })
	c.lined = c.lined && byLine
	if c.foreign {
		c.odd = nil
	}
	return c
}

// inForm reports whether the text is one that plastic could have written.
func (c *content) inForm() bool {
	return c.lined && c.damage == "" && !c.merging && !c.foreign && !c.blank && len(c.odd) == 0 && c.version <= formatVersion
}

// idHead is how the line of every memory begins.
const idHead = `{"id":"`

// namesItself reports whether the line begins with the id that was read from it,
// so that it can be found by its first bytes.
func namesItself(line, id string) bool {
	n := len(idHead)
	return id != "" && len(line) > n+len(id) && line[:n] == idHead && line[n:n+len(id)] == id && line[n+len(id)] == '"'
}

// add puts the entries of the other side of a conflict beside those of c; what
// both sides have stays once.
func (c *content) add(other *content) {
	have := make(map[string]bool, len(c.mems)+len(c.odd))
	for i := range c.mems {
		have[string(memory.AppendJSON(nil, &c.mems[i]))] = true
	}
	for _, o := range c.odd {
		have[o] = true
	}
	for i := range other.mems {
		if !have[string(memory.AppendJSON(nil, &other.mems[i]))] {
			c.mems = append(c.mems, other.mems[i])
		}
	}
	for _, o := range other.odd {
		if !have[o] {
			c.odd = append(c.odd, o)
		}
	}
	c.version = max(c.version, other.version)
}

// appendContent appends the text of a memory.json. mems must be sorted.
func appendContent(dst []byte, c *doc, mems []memory.Memory, odd []string) []byte {
	nl := lineEnd(c.crlf)
	dst = append(appendHead(dst, memoriesKey, c.head), nl...)
	sep := byte(' ')
	for i := range mems {
		dst = memory.AppendJSON(append(dst, sep), &mems[i])
		dst = append(dst, nl...)
		sep = ','
	}
	for _, o := range odd {
		dst = append(append(append(dst, sep), o...), nl...)
		sep = ','
	}
	return append(append(dst, docFoot...), nl...)
}
