package plastic_test

import (
	"os"
	"path/filepath"
	"testing"

	"plastic/internal/banktest"
)

// A queue that can not be read (another user's, a folder in its place) is a problem among the
// counts, not the end of them.
func TestTheMemoryIsCountedWhereTheQueueCanNotBeRead(t *testing.T) {
	b := banktest.New(t)
	b.Say("she likes tea")
	queue := filepath.Join(b.Dir(), "queue.jsonl")
	if err := os.Mkdir(queue, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(queue) })
	got, err := b.Stats()
	if err != nil || got.Live != 1 || len(got.Problems) != 1 || got.Problems[0].Path != "queue.jsonl" {
		t.Errorf("%+v, error %v", got, err)
	}
}
