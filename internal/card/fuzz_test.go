package card_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"plastic/internal/card"
)

// The law: what is written is read, byte for byte, under the hash it is written under
// next; and a writer who read something else changes nothing.
func FuzzWhatIsWrittenIsRead(f *testing.F) {
	f.Add([]byte(""), []byte("# Ann\n"))
	f.Add([]byte("a\r\nb"), []byte("\xff\x00"))
	f.Add([]byte("- 大肥魚\n"), []byte(""))
	f.Fuzz(func(t *testing.T, old, text []byte) {
		path := filepath.Join(t.TempDir(), "memory.md")
		if err := os.WriteFile(path, old, 0o644); err != nil {
			t.Fatal(err)
		}
		before, err := card.Read(path)
		if err != nil || !bytes.Equal(before.Bytes, old) && before.State == card.Whole {
			t.Fatalf("%q is read as %q, %v", old, before.Bytes, err)
		}
		if err := card.Write(path, text, before.Hash); err != nil {
			if got, _ := os.ReadFile(path); !bytes.Equal(got, old) {
				t.Fatalf("%v, and %q became %q", err, old, got)
			}
			return
		}
		after, err := card.Read(path)
		if err != nil || !bytes.Equal(after.Bytes, text) || after.Size != int64(len(text)) || after.Tokens() < 0 {
			t.Fatalf("%q is read as %+v, %v", text, after, err)
		}
		if bytes.Equal(old, text) {
			return
		}
		if err := card.Write(path, append(text, 'x'), before.Hash); !errors.Is(err, card.ErrChanged) {
			t.Fatalf("an old hash: %v", err)
		}
	})
}
