package index_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plastic/internal/index"
	"plastic/tokenize"
)

// The law: whatever the bytes of an index say, opening it is an error or gives one
// that can be asked, edited and merged: reading ends and stays inside.
func FuzzBlock(f *testing.F) {
	whole := index.Build(invented(12), day).Block()
	f.Add(uint32(index.Counts), []byte{0xff, 0xff, 0xff, 0xff}, uint32(3000), []byte{0}, "cats")
	f.Add(uint32(200), []byte{}, uint32(900), []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, "Ann tea 2026")
	f.Add(uint32(len(whole)-8), []byte{1, 2, 3}, uint32(len(whole)-300), []byte("plastix2"), "大肥魚 кошка")
	f.Fuzz(func(t *testing.T, at uint32, a []byte, and uint32, b []byte, query string) {
		block := slices.Clone(whole)
		body := len(block) - index.Counts
		copy(block[index.Counts+int(at)%body:], a)
		copy(block[index.Counts+int(and)%body:], b)
		harmless(t, block, query)
	})
}

// harmless uses an index of these bytes in every way.
func harmless(t *testing.T, block []byte, query string) {
	ix, err := index.Open(block)
	if err != nil {
		return
	}
	n := ix.Len()
	for _, h := range ix.Search(index.Ask(query, day)).Hits {
		ix.Signals(h.Ref)
	}
	ix.Overlaps(tokenize.Stems(query), 0.2)
	ix.Earliest(8)
	edited := ix.With(invented(3), []string{"m0000005"})
	edited.Search(index.Ask(query, day))
	edited.Merged(nil)
	if ix.Len() != n {
		t.Fatalf("%d memories became %d", n, ix.Len())
	}
}

// The law: whatever a file holds, opening it is an error or gives a whole index.
func FuzzIndexFile(f *testing.F) {
	parts := index.Build(invented(5), day).File([]byte("mark"))
	whole := slices.Concat(parts[0], parts[1])
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(append([]byte("plastix2"), make([]byte, 4000)...))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "index")
		if err := os.WriteFile(path+".new", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		ix, _, err := index.OpenFile(path)
		if err != nil {
			return
		}
		if err := ix.Verify(); err != nil {
			t.Fatalf("it was opened, and is not whole: %v", err)
		}
		ix.Search(index.Ask("tea cats", day))
	})
}
