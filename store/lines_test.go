package store_test

import (
	"fmt"
	"testing"
	"time"

	"plastic/memory"
	"plastic/store"
)

func TestAfterACheckpointEveryMemoryIsFoundWhereItIsOrNotAtAll(t *testing.T) {
	dir := folder(t)
	s := open(t, dir, at(start.Add(time.Hour)))
	const n = 200
	id := func(i int) string { return fmt.Sprintf("m%03d", i) }
	update(t, s, func(tx *store.Tx) {
		for i := range n {
			tx.Put(memory.Memory{ID: id(i), Content: fmt.Sprint("note ", i), CreatedAt: start.Add(time.Duration(i) * time.Second)})
		}
	})
	gone := map[int]bool{}
	for round := range 4 {
		var touched []string
		st := update(t, s, func(tx *store.Tx) {
			for i := round; i < n; i += 7 {
				touched = append(touched, id(i))
				if _, living := tx.Get(id(i)); living && (i+round)%3 != 0 {
					tx.Archive(id(i), memory.Archived{As: memory.Pruned})
					gone[i] = true
				} else {
					tx.Put(memory.Memory{ID: id(i), Content: fmt.Sprint("again ", round, " ", i), CreatedAt: start.Add(time.Duration(n-i) * time.Second)})
					delete(gone, i)
				}
			}
		})
		if !st.Located(touched) {
			t.Error("what was just written has to be searched for")
		}
		anew := read(t, open(t, dir, store.Options{}))
		for i := range n {
			m, ok := st.Get(id(i))
			other, there := anew.Get(id(i))
			if ok == gone[i] || ok != there || m.Content != other.Content {
				t.Errorf("round %d, %s: %v %q, of the file alone %v %q", round, id(i), ok, m.Content, there, other.Content)
			}
			if m, ok := st.GetAt(id(i), 40); ok == gone[i] || m.Content != other.Content {
				t.Errorf("round %d, %s by a stale offset: %v %q", round, id(i), ok, m.Content)
			}
		}
	}
}
