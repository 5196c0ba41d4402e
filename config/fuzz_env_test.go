package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic/config"
)

// The laws of .env: what is read from it is what is read from its values written plainly,
// no warning shows a value, and every line is either read or warned of.
func FuzzEnvFile(f *testing.F) {
	for _, s := range []string{
		"PLASTIC_API_KEY=sk-1\n", "export A = 'x y' # c\nB=\"a\\n\\\"b\"\r\n#C=1\nD=# none\n", "\ufeffA==b\n=c\nA B=1\n'A'=2\nE='open\n", "A=1\nA=2\n", "export export=1\nexport =1\n", "A=a\x00b\n", "A=\xff\n", "PLASTIC_MODEL=x\n",
	} {
		f.Add(s)
	}
	dir := f.TempDir()
	path := filepath.Join(dir, ".env")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		values, warnings := config.Env(dir)
		said := 0
		for l := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
				said++
			}
		}
		if len(values) > said || len(values) == 0 && said > 0 && len(warnings) == 0 {
			t.Fatalf("%d values and %q from %d lines of %q", len(values), warnings, said, text)
		}
		var plain strings.Builder
		for _, name := range slices.Sorted(maps.Keys(values)) {
			value := values[name]
			if strings.ContainsAny(name, " \t\"'\x00=\n") || strings.ContainsRune(value, 0) {
				t.Fatalf("%q = %q", name, value)
			}
			for _, w := range warnings {
				if len(value) > 8 && strings.Contains(w, value) && !strings.Contains(w, name+" in .env") {
					t.Fatalf("%q shows the value %q", w, value)
				}
			}
			plain.WriteString(name + "=\"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + "\"\n")
		}
		if err := os.WriteFile(path, []byte(plain.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		again, _ := config.Env(dir)
		for name, value := range values {
			if got, ok := again[name]; !ok || got != value {
				t.Fatalf("%s is %q of\n%s\nand %q of\n%s", name, value, text, got, plain.String())
			}
		}
	})
}

// The law: setting a key leaves every other line of the text as it stands, comments too.
func FuzzAnEditKeepsTheOtherLines(f *testing.F) {
	for _, key := range []string{"memory.keepFraction", "sleep.idleFor", "model.chat", "server.listen", "recall.floor"} {
		f.Add([]byte(handWritten), key, "3")
		f.Add([]byte("# mine\r\nmemory:  # m\r\n\r\n  keepFraction: 0.5   # half\r\n\r\n# end"), key, "0.25")
	}
	f.Add([]byte("memory: {keepFraction: 0.5, # a\n  anchorCount: 3} # b\n"), "memory.keepFraction", "1")
	f.Add([]byte("model:\n  chat: >-\n    a\n    b\n# c\n"), "model.chat", "x")
	f.Fuzz(func(t *testing.T, b []byte, key, text string) {
		if _, err := config.Parse(b); err != nil {
			return
		}
		got, err := config.Edited(b, config.Change{Key: key, Value: text})
		if err != nil {
			return
		}
		for l := range strings.Lines(string(b)) {
			if l = strings.TrimRight(l, "\r\n"); strings.HasPrefix(strings.TrimLeft(l, " "), "# ") && !strings.ContainsAny(string(b), "|>\"'") && !strings.Contains("\n"+string(got)+"\n", "\n"+l) {
				t.Fatalf("the comment %q is gone: %s = %s makes\n%s\nof\n%s", l, key, text, got, b)
			}
		}
	})
}
