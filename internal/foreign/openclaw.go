package foreign

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"plastic/memory"
)

// An OpenClaw workspace: MEMORY.md holds durable facts, USER.md directives about
// the user, memory/YYYY-MM-DD[-slug].md the notes of a day. Comments say more:
//
//	- Gateway binds loopback only. <!-- trigger: gateway --> <!-- importance: 9 -->
//	<!-- observed: 2026-05-10 | status: superseded -->
//	- Prefer detailed explanations.
//	<!-- openclaw-memory-promotion:memory:memory/2026-05-01.md:3:3 -->
//	- The report looks ugly. [score=0.878 recalls=0 avg=0.620 source=memory/2026-05-01.md:3-3]
//
// Importance n of 1…10 is (n−1)/9. A daily note is an event. A superseded
// directive ended when the next one was observed, else at the time of the import.
// A promoted note has the date of the day it comes from. Saved sessions become
// turns; the diary, drafts of dreaming and generated digests are passed over.

var dayFileExpr = pattern(`^\d{4}-\d{2}-\d{2}`)

func isOpenClaw(t *tree) bool {
	if f, ok := t.alone(); ok {
		return clawComment(t.head(f))
	}
	root := t.named("MEMORY.md", "USER.md")
	for _, f := range t.named("memory/*.md") {
		if dayFileExpr().MatchString(path.Base(f.name)) && (len(root) > 0 || len(t.named("AGENTS.md", "SOUL.md")) > 0) {
			return true
		}
	}
	return len(root) > 0 && (len(t.named("AGENTS.md", "SOUL.md", "IDENTITY.md", "DREAMS.md")) > 0 ||
		slices.ContainsFunc(root, func(f file) bool { return clawComment(t.head(f)) }))
}

var clawExpr = pattern(`<!-- (?:openclaw-memory-promotion:|observed: \d{4}-\d{2}-\d{2}|trigger: |importance: (?:10|[1-9]) -->)`)

func clawComment(head []byte) bool { return clawExpr().Match(head) }

func readOpenClaw(r *reader) {
	files := r.tree.named("MEMORY.md", "USER.md", "memory/*.md", "memory/*/*.md")
	if f, ok := r.tree.alone(); ok {
		files = []file{f}
	}
	for _, f := range files {
		switch base := strings.ToLower(path.Base(f.name)); {
		case base == "dreams.md", base == "context-digest.md", base == "readme.md":
			r.note("%s is written by OpenClaw for itself and was passed over", f.name)
		default:
			d := r.document(f)
			if !r.clawSession(d) {
				r.clawNotes(f, d)
			}
		}
	}
	if len(r.tree.named("DREAMS.md", "dreams.md")) > 0 {
		r.note("DREAMS.md is a diary of the tool and was passed over")
	}
}

// A claw is what the comments before an entry say about it.
type claw struct {
	observed    time.Time
	superseded  bool
	placeholder bool // observed: YYYY-MM-DD, as the template has it
	promotion   string
	dreaming    bool
}

// clawNotes walks over entries and comments in order: a comment speaks of what
// follows it.
func (r *reader) clawNotes(f file, d document) {
	es := d.entries
	isUser := strings.EqualFold(path.Base(f.name), "USER.md")
	if isUser {
		es = directives(d)
	}
	var c claw
	section := ""
	for i, e := range es {
		if e.section != section { // what was said of entries ends with their section
			section, c = e.section, claw{dreaming: c.dreaming}
		}
		if e.comment {
			r.clawComment(&c, e.text)
			continue
		}
		if !c.dreaming && !c.placeholder && !(isUser && emptyField(e.text)) {
			m := fact("")
			m.CreatedAt = e.day
			switch {
			case isUser:
				m.Importance = standing
			case dayFileExpr().MatchString(path.Base(f.name)):
				m.Kind = memory.Event
			}
			r.clawFact(place{file: f.name, line: e.line}, c, e, m, es[i+1:])
		}
		c.superseded, c.placeholder, c.promotion = false, false, ""
	}
}

// clawFact takes e as m, with what c and its own comments say; rest is what follows.
func (r *reader) clawFact(p place, c claw, e entry, m memory.Memory, rest []entry) {
	if c.promotion != "" {
		if d, _, _ := dayIn(c.promotion, r.loc); !d.IsZero() {
			m.CreatedAt = d
		}
		e.text = promotedExpr().ReplaceAllString(e.text, "")
		e.context = nil
	}
	if !c.observed.IsZero() {
		m.CreatedAt = c.observed
	}
	if c.superseded {
		m.ValidTo = r.ended(rest, c.observed)
	}
	r.clawMarks(&m, e.marks)
	m.Content = e.said("")
	r.add(p, c.promotion, m)
}

var promotedExpr = pattern(`\s*(?:\[score=[^\]]*\]|Source: \S+#L\d+(?:-L?\d+)?)\s*$`)

func (r *reader) clawComment(c *claw, text string) {
	if key, ok := strings.CutPrefix(text, "openclaw-memory-promotion:"); ok {
		c.promotion = key
		return
	}
	if strings.HasPrefix(text, "openclaw:dreaming:") {
		c.dreaming = strings.HasSuffix(text, ":start")
		return
	}
	fields := markFields(text)
	if day, ok := fields["observed"]; ok {
		*c = claw{observed: moment(day, r.loc), superseded: strings.EqualFold(fields["status"], "superseded"), placeholder: day == "YYYY-MM-DD"}
	}
}

// markFields reads "key: value | key: value".
func markFields(text string) map[string]string {
	out := map[string]string{}
	for _, part := range strings.Split(text, "|") {
		if k, v, ok := strings.Cut(part, ":"); ok {
			out[strings.ToLower(strings.TrimSpace(k))] = strings.TrimSpace(v)
		}
	}
	return out
}

// ended is when something superseded ended: when the next directive that holds
// was observed.
func (r *reader) ended(rest []entry, observed time.Time) time.Time {
	for _, e := range rest {
		f := markFields(e.text)
		if next := moment(f["observed"], r.loc); e.comment && strings.EqualFold(f["status"], "active") && !next.IsZero() {
			if next.Before(observed) {
				return observed
			}
			return next
		}
	}
	return r.now
}

func (r *reader) clawMarks(m *memory.Memory, marks []string) {
	for _, text := range marks {
		f := markFields(text)
		if n, err := strconv.Atoi(f["importance"]); err == nil && n >= 1 && n <= 10 {
			m.Importance = float64(n-1) / 9
		}
		for _, key := range []string{"trigger", "project"} {
			if v := f[key]; v != "" {
				if m.Extra == nil {
					m.Extra = map[string]json.RawMessage{}
				}
				m.Extra[key], _ = json.Marshal(v)
			}
		}
		if day := moment(f["observed"], r.loc); !day.IsZero() {
			m.CreatedAt = day
		}
		if strings.EqualFold(f["status"], "superseded") {
			m.ValidTo = r.now
		}
	}
}

// directives leaves out what the template of USER.md says before its heading
// "Directives", and what it links to.
func directives(d document) []entry {
	template := directivesExpr().MatchString(d.body)
	return slices.DeleteFunc(slices.Clone(d.entries), func(e entry) bool {
		return template && d.title != "" && e.section == d.title || strings.EqualFold(e.section, "Related") || !e.comment && ellipsisExpr().MatchString(e.text)
	})
}

var (
	directivesExpr = pattern(`(?mi)^##\s+Directives\s*$`)
	ellipsisExpr   = pattern(`^(?:[\w/]+\s*)?(?:\.\.\.|…)$`)
	fieldExpr      = pattern(`^\**[\w ()'-]{1,40}:\**\s*(?:_?\([^)]*\)_?)?$`)
)

// emptyField tells a line of a form that nobody filled in: "**Name:**".
func emptyField(text string) bool { return fieldExpr().MatchString(text) }

var sessionExpr = pattern(`(?i)^(user|assistant):\s*(.*)$`)

// clawSession reads a saved session ("# Session: 2026-01-16 14:30:00 UTC") into
// turns; it reports whether d is one.
func (r *reader) clawSession(d document) bool {
	if !strings.HasPrefix(d.title, "Session:") {
		return false
	}
	at := moment(strings.TrimPrefix(d.title, "Session:"), r.loc)
	if at.IsZero() {
		at, _, _ = dayIn(d.title, r.loc)
	}
	c := chat{r: r, start: at}
	var said []string
	speaker := ""
	tell := func() {
		text := strings.TrimSpace(strings.Join(said, "\n"))
		if said = nil; text == "" {
			return
		}
		if speaker == "user" {
			c.user("", text, at)
		} else {
			c.assistant(text)
		}
	}
	for line := range strings.Lines(d.body) {
		line = strings.TrimRight(line, "\n")
		if _, id, ok := strings.Cut(line, "**Session ID**:"); ok {
			c.session = strings.TrimSpace(id)
		}
		if m := sessionExpr().FindStringSubmatch(line); m != nil {
			tell()
			speaker, line = strings.ToLower(m[1]), m[2]
		}
		if speaker != "" {
			said = append(said, line)
		}
	}
	tell()
	c.end()
	return true
}
