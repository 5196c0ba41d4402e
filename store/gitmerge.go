package store

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"plastic/memory"
)

// GitMerge merges two versions of one of plastic's files from the version they
// both come from, as git's merge driver: memories by id and field
// (gitmerge_memory.go), the archive and the nights line by line. pathname says
// which file it is by its last element; where that says nothing the content does.
//
// It never gives a conflict, and the same bytes whichever side is ours. A side
// that is empty took nothing away: it counts as unchanged. A base that can not be
// read counts as none. A side that can not be read whole, is of a newer version
// or another tool's fails with memory.ErrCorrupt, memory.ErrReadOnly or
// memory.ErrInvalid; then a hand must merge.
//
//	merged, err := store.GitMerge("memory.json", base, ours, theirs)
func GitMerge(pathname string, base, ours, theirs []byte) ([]byte, error) {
	if isEmpty(ours) {
		ours = base
	}
	if isEmpty(theirs) {
		theirs = base
	}
	if bytes.Equal(ours, theirs) {
		return ours, nil
	}
	b, o, t := string(base), string(ours), string(theirs)
	name := filepath.Base(pathname)
	if name != memoryName && name != archiveName && name != nightsName {
		name = cmp.Or(sniff(o), sniff(t))
		if other := cmp.Or(sniff(t), name); other != name {
			name = "" // they are two files
		}
	}
	switch name {
	case memoryName:
		return gitMergeMemories(b, o, t)
	case archiveName:
		return gitMergeArchive(b, o, t)
	case nightsName:
		return gitMergeNights(b, o, t), nil
	}
	return nil, memory.Errorf(memory.ErrInvalid, "%s is none of the files that plastic merges", pathname)
}

func isEmpty(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// sniff tells by its content which file a text is, "" if none: by what it begins with,
// or, where that says nothing, by the first line that says something.
func sniff(text string) string {
	name := sniffObject(text)
	for line := range strings.Lines(text) {
		if name == "" {
			name = sniffObject(line)
		}
	}
	if name == "" && strings.HasPrefix(strings.TrimSpace(text), "[") {
		return memoryName
	}
	return name
}

func sniffObject(text string) (name string) {
	memory.Members(text, func(key, _ string) {
		switch key {
		case memoriesKey, "content", "text":
			name = memoryName
		case archiveKey:
			name = archiveName
		case "phases", "compress", "undo":
			name = cmp.Or(name, nightsName)
		}
	})
	return name
}

// readable says why a side can not be merged, nil when it can.
func readable(which string, d *doc) error {
	switch {
	case d.foreign:
		return memory.Errorf(memory.ErrInvalid, "%s is another tool's file", which)
	case d.version > formatVersion:
		return memory.Errorf(memory.ErrReadOnly, "%s has version %d, this plastic knows %d", which, d.version, formatVersion)
	case d.damage != "":
		return memory.Errorf(memory.ErrCorrupt, "%s can not be read (%s)", which, d.damage)
	}
	return nil
}

// gitMergeArchive keeps every entry of both sides; tidy takes away those that say
// nothing any more, and the next reading those whose memory is living again.
func gitMergeArchive(base, ours, theirs string) ([]byte, error) {
	b, o, t := readArchive(base), readArchive(ours), readArchive(theirs)
	if err := cmp.Or(readable("our archive.json", &o.doc), readable("their archive.json", &t.doc)); err != nil {
		return nil, err
	}
	entries := slices.Concat(o.entries, t.entries)
	slices.SortFunc(entries, func(a, b memory.Archived) int {
		return bytes.Compare(memory.AppendArchived(nil, &a), memory.AppendArchived(nil, &b))
	})
	entries = tidy(entries, func(string) (memory.Memory, bool) { return memory.Memory{}, false })
	d := mergeDocs(&b.doc, &o.doc, &t.doc)
	return appendArchive(nil, &d, entries, mergeSet(b.odd, o.odd, t.odd)), nil
}

// gitMergeNights keeps every line that neither side has taken out, sorted by date
// and by when the night started; a line of no night comes first.
func gitMergeNights(base, ours, theirs string) []byte {
	lines := mergeSet(nightLines(base), nightLines(ours), nightLines(theirs))
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(nightOf(a), nightOf(b)) })
	crlf := pick(hasCRLF(base), hasCRLF(ours), hasCRLF(theirs), or)
	var out []byte
	for _, line := range lines {
		out = append(append(out, line...), lineEnd(crlf)...)
	}
	return out
}

func hasCRLF(text string) bool { return strings.Contains(text, "\r\n") }

// nightLines gives the lines of nights.jsonl, of a conflict those of both sides.
func nightLines(text string) []string {
	ours, theirs, _ := sides(text)
	var out []string
	for _, side := range []string{ours, theirs} {
		for line := range strings.Lines(side) {
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				out = append(out, line)
			}
		}
	}
	return out
}

// nightOf is what a line of nights.jsonl is sorted by.
func nightOf(line string) string {
	var date, started string
	memory.Members(line, func(key, raw string) {
		switch {
		case !strings.HasPrefix(raw, `"`):
		case key == "date":
			date = memory.Unquote(raw)
		case key == "started":
			if at, ok := memory.ParseTime(raw); ok {
				started = string(memory.AppendTime(nil, at))
			}
		}
	})
	return date + "\x00" + started
}

// mergeDocs merges what the files say about themselves: unknown members one by
// one, the line ends.
func mergeDocs(base, ours, theirs *doc) doc {
	d := doc{version: formatVersion, crlf: pick(base.crlf, ours.crlf, theirs.crlf, or)}
	if base.blank {
		d.crlf = ours.crlf || theirs.crlf
	}
	b, o, t := headOf(base), headOf(ours), headOf(theirs)
	for _, head := range [][]member{ours.head, theirs.head} {
		for _, m := range head {
			raw := pick(b[m.key], o[m.key], t[m.key], maxOf[string])
			if raw != "" && !slices.ContainsFunc(d.head, func(o member) bool { return o.key == m.key }) {
				d.head = append(d.head, member{m.key, raw})
			}
		}
	}
	if !slices.Equal(keysOf(ours), keysOf(theirs)) { // else in the order both have
		slices.SortFunc(d.head, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	}
	return d
}

func headOf(d *doc) map[string]string {
	head := make(map[string]string, len(d.head))
	for _, m := range d.head {
		head[m.key] = m.raw
	}
	return head
}

func keysOf(d *doc) []string {
	keys := make([]string, len(d.head))
	for i, m := range d.head {
		keys[i] = m.key
	}
	return keys
}

// mergeSet gives, sorted and each once, what both sides have, and what one side
// has added; what one side has taken out is not in it.
func mergeSet(base, ours, theirs []string) []string {
	had, o, t := setOf(base), setOf(ours), setOf(theirs)
	out := make([]string, 0, len(o)+len(t))
	for line := range o {
		if t[line] || !had[line] {
			out = append(out, line)
		}
	}
	for line := range t {
		if !o[line] && !had[line] {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func setOf(lines []string) map[string]bool {
	set := make(map[string]bool, len(lines))
	for _, line := range lines {
		set[line] = true
	}
	return set
}

// pick merges one value: the side that changed it stands; both decides between
// two changes.
func pick[T comparable](base, ours, theirs T, both func(a, b T) T) T {
	switch {
	case ours == theirs, theirs == base:
		return ours
	case ours == base:
		return theirs
	}
	return both(ours, theirs)
}

func or(a, b bool) bool { return a || b }

func maxOf[T cmp.Ordered](a, b T) T { return max(a, b) }
