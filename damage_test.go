package plastic_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plastic"
)

var long = flag.Bool("long", false, "every damage to every file, and many at once")

// The files that are damaged, and which spoils of each leave a file that is in order:
// what is read as it was meant, or could be what somebody wrote there.
var sound = map[string][]string{
	"memory.json":  {"a byte order mark", "CRLF", "no ids", "the year 9999"},
	"archive.json": {"a byte order mark", "CRLF", "no ids", "one id for all", "ids that are none", "ids of another memory", "contents that are empty", "importance", "counts"},
	"nights.jsonl": {"a byte order mark", "CRLF", "lines", "the file twice", "no ids", "one id for all", "ids that are none", "the year", "times", "another JSON"},
	"queue.jsonl": {"missing", "zero bytes", "blanks alone", "a byte order mark", "CRLF", "lines", "the file twice", "invalid UTF-8",
		"no ids", "one id for all", "ids that are none", "the year", "times"},
	"memory.journal": {"missing", "zero bytes", "CRLF", "another JSON", "one id for all", "the year 9999", "cut at"},
	"memory.md": {"missing", "zero bytes", "blanks alone", "a byte order mark", "CRLF", "lines", "the file twice", "a conflict cut off", "another", "a page of HTML",
		"a strange line", "a pointer of git-lfs", "cut at"},
	"config.yaml": {"missing", "zero bytes", "blanks alone", "a byte order mark", "CRLF", "lines turned round", "cut at 4"},
	".env":        {"missing", "zero bytes", "blanks alone", "a byte order mark", "CRLF", "lines", "the file twice", "invalid UTF-8", "cut at 9"},
	// What is made of the memory is made anew without a word, or told when it is looked at.
	".plastic/state.json": {""}, ".plastic/last.json": {""}, ".plastic/index": {""}, ".plastic/index.shared": {""}, ".plastic/vectors": {""}, ".plastic/steps": {""}, ".plastic/night": {""}, ".plastic/used": {""},
}

// byHand are the problems that doctor leaves to a person.
var byHand = []string{"newer", "odd_field", "config", "env", "card_text", "card_conflict", "card_unreadable"}

func startsWithAny(name string, with []string) bool {
	return slices.ContainsFunc(with, func(p string) bool { return strings.HasPrefix(name, p) })
}

// Every damage to every file is read around or told, named by doctor, and mended by
// doctor --fix so that nothing is lost that could still be read.
func TestEveryDamageIsNamedAndMendedWithoutLoss(t *testing.T) {
	from := wholeFolder(t)
	had := texts(t, examined(t, from))
	if len(had) < 14 {
		t.Fatalf("the folder holds %d texts", len(had))
	}
	rows := 0
	for place, name := range slices.Sorted(maps.Keys(sound)) {
		healthy := sound[name]
		text, err := os.ReadFile(filepath.Join(from, name))
		must(t, err)
		for i, s := range append([]spoil{{"missing", nil}}, spoils(*long)...) {
			if !*long && i%4 != place%4 {
				continue
			}
			var bad []byte
			if s.do != nil {
				if bad = s.do(slices.Clone(text)); bytes.Equal(bad, text) {
					continue
				}
			}
			rows++
			t.Run(name+" "+s.name, func(t *testing.T) {
				d := &damaged{TB: t, dir: copied(t, from)}
				d.put(name, bad)
				d.mend()
				named := slices.ContainsFunc(d.found.Problems, func(p plastic.Problem) bool {
					return p.Path == name || name == "memory.journal" && p.Path == "memory.json"
				})
				flipped := strings.HasPrefix(s.name, "bytes flipped") // which may give another text as well
				if !named && !flipped && !startsWithAny(s.name, healthy) {
					t.Errorf("doctor does not name it: %+v", d.found.Problems)
				}
				if named && startsWithAny(s.name, healthy) && !strings.HasPrefix(name, ".plastic/") && !flipped {
					t.Errorf("doctor finds fault with it: %+v", d.found.Problems)
				}
				if name == "memory.json" && d.damagedWhole() && !flipped && s.name != "a text in Latin-1" { // which say other words
					d.holds("at once", had, d.before)
				}
				d.remembers()
			})
		}
	}
	t.Logf("%d damages", rows)
}

// Several damages at once are no worse than each alone.
func TestSeveralDamagesAtOnceLoseNothingThatCanBeRead(t *testing.T) {
	if !*long {
		t.Skip("with -long (make damage)")
	}
	from := wholeFolder(t)
	names := slices.Sorted(maps.Keys(sound))
	all := spoils(true)
	rapid.Check(t, func(rt *rapid.T) {
		d := &damaged{TB: rt, dir: copied(t, from)}
		for n := rapid.IntRange(2, 4).Draw(rt, "damages"); n > 0; n-- {
			name := rapid.SampledFrom(names).Draw(rt, "file")
			i := rapid.IntRange(-1, len(all)-1).Draw(rt, "spoil")
			text, err := os.ReadFile(filepath.Join(d.dir, name))
			if i < 0 || err != nil || len(text) == 0 {
				d.put(name, nil)
				continue
			}
			rt.Logf("%s: %s", name, all[i].name)
			d.put(name, all[i].do(text))
		}
		d.mend()
		d.remembers()
	})
}
