package store_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"plastic/store"
)

// oldForm is a memory.json as an older tool wrote it: another version, other names of
// fields, other times, another layout, and fields that nobody knows.
func oldForm(t *testing.T, n int) string {
	t.Helper()
	type entry struct {
		ID        string `json:"id"`
		Text      string `json:"text"`
		CreatedAt int64  `json:"createdAt"`
		Mood      string `json:"mood"`
	}
	var list []entry
	for i := range n {
		list = append(list, entry{"v" + strconv.Itoa(i), "old memory " + strconv.Itoa(i), 1_700_000_000_000 + int64(i)*3_600_000, "calm"})
	}
	text, err := json.MarshalIndent(map[string]any{"version": 0, "owner": "ann", "memories": list}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCase160AnOldFileIsTakenOverWholeOrNotAtAll kills the process that first writes in a
// folder with a file of an older form, at steps of every kind: all that was in it is there, once,
// and whoever comes next finishes it. Who only reads leaves the file as it is.
func TestCase160AnOldFileIsTakenOverWholeOrNotAtAll(t *testing.T) {
	const olds = 40
	was := oldForm(t, olds)
	for n := 1; ; n += stride(9) {
		dir := t.TempDir()
		spit(t, dir, "memory.json", was)
		if got := len(read(t, open(t, dir, store.Options{})).Memories()); got != olds || slurp(t, dir, "memory.json") != was {
			t.Fatalf("read: %d memories, the file is as it was: %v", got, slurp(t, dir, "memory.json") == was)
		}
		out, _ := child(t, "live", dir, string(atOnce), strconv.Itoa(n)).Output()
		check := func(when string) {
			t.Helper()
			st := read(t, open(t, dir, store.Options{}))
			old := 0
			for _, m := range st.Memories() {
				if strings.HasPrefix(m.Content, "old memory ") && string(m.Extra["mood"]) == `"calm"` && m.CreatedAt.Year() == 2023 {
					old++
				}
			}
			if old != olds || len(st.Problems()) > 0 {
				t.Fatalf("%s: %d old memories of %d, %+v", when, old, olds, st.Problems())
			}
			if said := string(out); strings.Contains(said, "put") && !strings.Contains(said, "restored") && !strings.Contains(told(st.Memories())+archived(st.Archive()), "first") {
				t.Fatalf("%s: what was acknowledged is not there", when)
			}
		}
		check(fmt.Sprintf("killed at step %d", n))
		if _, err := open(t, dir, store.Options{}).Checkpoint(ctx); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("killed at step %d and gone on", n))
		if strings.Contains(string(out), "closed") {
			if n < 20 {
				t.Errorf("only %d steps", n)
			}
			text := slurp(t, dir, "memory.json")
			if !strings.HasPrefix(text, `{"version":1,`) || !strings.Contains(text, `"owner":"ann"`) {
				t.Errorf("memory.json begins %.80q", text)
			}
			return
		}
	}
}
