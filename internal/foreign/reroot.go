package foreign

import "strings"

// homes are the folders in which tools keep their memory one level below the
// folder a person knows them by: ~/.openclaw/workspace, ~/.codex/memories.
var homes = []string{"workspace/", "memories/", "memory/"}

// reroot makes a home the root where the tree shows itself to be no format by
// itself and what is in the home does: read from above, notes are only prose.
func (t *tree) reroot() {
	if t.special() {
		return
	}
	for _, home := range homes {
		sub := &tree{title: t.title, left: t.left, heads: map[string][]byte{}}
		for _, f := range t.files {
			if rest, ok := strings.CutPrefix(f.name, home); ok {
				sub.files = append(sub.files, file{rest, f.open})
			}
		}
		if len(sub.files) > 0 && sub.special() {
			t.files, t.heads = sub.files, sub.heads
			return
		}
	}
}

// special reports whether t is in a format of one tool's own.
func (t *tree) special() bool {
	for _, f := range forms() {
		if f.Name != "markdown" && f.Name != JSONL && f.is(t) {
			return true
		}
	}
	return false
}
