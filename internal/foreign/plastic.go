package foreign

import (
	"encoding/json"
	"strings"

	"plastic/memory"
)

// A folder of plastic or of the tool it comes from: memory.json holds
// {"version":1,"memories":[{…},…]}, where a memory has "content" or "text"; a bare
// array is read too. memory.md beside it is the card.

func isPlastic(t *tree) bool {
	f, ok := plasticFile(t)
	if !ok {
		return false
	}
	s := t.shape(f)
	if s.has(".memories") {
		return s.has(".memories[].content", ".memories[].text") || !s.has(".memories[]")
	}
	return s.has("[].content", "[].text") && s.has("[].createdAt", "[].recallCount", "[].pinned", "[].kind")
}

func plasticFile(t *tree) (file, bool) {
	if f, ok := t.alone(); ok {
		return f, true
	}
	if fs := t.named("memory.json"); len(fs) > 0 {
		return fs[0], true
	}
	return file{}, false
}

func readPlastic(r *reader) {
	f, ok := plasticFile(r.tree)
	if !ok {
		r.refuse(place{file: "memory.json"}, "the folder has none")
		return
	}
	r.plasticMemories(f)
	for _, c := range r.tree.named("memory.md") {
		b, err := r.tree.whole(c)
		if err != nil {
			r.fail(place{file: c.name}, err)
			continue
		}
		r.res.Card = b
	}
	for _, j := range r.tree.named("memory.journal") {
		if len(r.tree.head(j)) > 0 {
			r.note("memory.journal has changes that memory.json lacks: run `plastic checkpoint` in that folder first")
		}
	}
	if len(r.tree.named("archive.json")) > 0 {
		r.note("archive.json stays where it is: what was forgotten there is not brought back")
	}
}

// plasticMemories reads one memory after the other, so that a broken one costs
// only itself.
func (r *reader) plasticMemories(f file) {
	s := r.text(f)
	at := 0
	if i := strings.Index(s, `"memories"`); i >= 0 && strings.HasPrefix(strings.TrimSpace(s), "{") {
		at = i + len(`"memories"`)
	}
	if i := strings.IndexByte(s[at:], '['); i >= 0 {
		at += i + 1
	}
	line, counted, broken := 1, 0, 0
	for {
		for at < len(s) && strings.IndexByte(" \t\n,", s[at]) >= 0 {
			at++
		}
		if at >= len(s) || s[at] == ']' {
			return
		}
		if strings.HasPrefix(s[at:], "//") {
			at += len(firstLine(s[at:]))
			continue
		}
		line, counted = line+strings.Count(s[counted:at], "\n"), at
		p := place{file: f.name, line: line}
		m, n, err := memory.ParsePrefix(s[at:min(len(s), at+maxLine)])
		switch {
		case err == nil:
			r.own(p, m)
		case n > 0:
			r.refuse(p, "there is no text in it")
		case jsonValue(s[at:min(len(s), at+maxLine)]) > 0:
			n = jsonValue(s[at:min(len(s), at+maxLine)])
			r.refuse(p, "it is no memory: %s", clip(s[at:at+n], 60))
		default:
			r.refuse(p, "it is no memory: %s", clip(strings.TrimSpace(firstLine(s[at:])), 60))
			n = nextEntry(s[at:])
			if broken++; broken == maxBroken {
				r.refuse(p, "so much is broken that the rest was not read")
				return
			}
		}
		at += n
	}
}

// jsonValue is the length of the JSON value that s begins with, 0 if it is broken.
func jsonValue(s string) int {
	dec := json.NewDecoder(strings.NewReader(s))
	if dec.Decode(new(json.RawMessage)) != nil {
		return 0
	}
	return int(dec.InputOffset())
}

// maxBroken is after how many broken entries a file is given up.
const maxBroken = 200

// maxLine is how many bytes one memory may have.
const maxLine = 256 << 10

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// nextEntry finds where, after something broken, a line begins with a memory.
func nextEntry(s string) int {
	for i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s); {
		rest := strings.TrimLeft(s[i:], " \t\n,")
		if rest != "" && (rest[0] == '{' || rest[0] == ']') {
			return len(s) - len(rest)
		}
		next := strings.IndexByte(s[i+1:], '\n')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return len(s)
}

// isLines tells plastic's own JSON lines, which the hall reads.
func isLines(t *tree) bool {
	f, ok := t.alone()
	if !ok {
		return false
	}
	s := t.shape(f)
	return s.has(".content", ".text") && !s.has(".role", ".messages")
}
