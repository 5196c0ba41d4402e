package config_test

import (
	"errors"
	"reflect"
	"testing"

	"plastic/config"
	"plastic/memory"
)

// What Parse accepts it writes so that it reads the same again.
func FuzzParseOfYAMLIsTheSame(f *testing.F) {
	f.Add([]byte(handWritten))
	f.Add(config.Template())
	f.Add(config.Default().YAML())
	f.Add([]byte("{memory: {kinds: {\"a b\": {fade: 1e-1}}, archiveTTL: 1.5ms}, mcp: {names: {list: ls}}}"))
	f.Add([]byte("sleep: {after: \"a | b\", notify: [\"\\u2028\", ~]}\nserver: {tokens: [{name: \"é\", env: T, audience: public}]}"))
	f.Add([]byte("memory:\r\n\ttimezone: '+01'\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := config.Parse(b)
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) || len(config.Problems(err)) == 0 {
				t.Fatalf("not an error of this package: %v", err)
			}
			return
		}
		again, err := config.Parse(c.YAML())
		if err != nil {
			t.Fatalf("%v\n%s", err, c.YAML())
		}
		if !reflect.DeepEqual(c, again) {
			t.Fatalf("written\n%s\nread\n%s", c.YAML(), again.YAML())
		}
		if err := c.Check(); err != nil {
			t.Fatalf("Check refuses what Parse took: %v", err)
		}
	})
}

// Setting a key in a text gives what With gives, and leaves a text that Set
// does not change again.
func FuzzEditedIsWith(f *testing.F) {
	for _, k := range config.Keys() {
		f.Add([]byte(handWritten), k.Name, "3")
	}
	f.Add(config.Template(), "memory.kinds.event.fade", "0.5")
	f.Add([]byte("{sleep: {after: [a, \"b ]\"], notify: # x\n 'y'}}"), "sleep.after", "[c]")
	f.Add([]byte("memory:\n  kinds:\n    ? event\n    : fade: 3\n"), "memory.kinds.event.fade", "7")
	f.Fuzz(func(t *testing.T, b []byte, key, text string) {
		before, err := config.Parse(b)
		if err != nil {
			return
		}
		want, refused := before.With(key, text)
		got, err := config.Edited(b, config.Change{Key: key, Value: text})
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("not an error of this package: %v", err)
			}
			return
		}
		if refused != nil {
			t.Fatalf("Edited took what With refuses: %v", refused)
		}
		after, err := config.Parse(got)
		if err != nil || !reflect.DeepEqual(after, want) {
			t.Fatalf("%v\n%s", err, got)
		}
		again, err := config.Edited(got, config.Change{Key: key, Value: text})
		if err != nil || string(again) != string(got) {
			t.Fatalf("a second time gives %v\n%s\nafter\n%s", err, again, got)
		}
	})
}

func FuzzDurationOfStringIsTheSame(f *testing.F) {
	for _, s := range []string{"30d", "12h", "90m", "1d12h", "0", "1.5h", "250ms", "2w"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := config.ParseDuration(s)
		if err != nil {
			return
		}
		if again, err := config.ParseDuration(d.String()); err != nil || again != d || d < 0 {
			t.Fatalf("%q is %d, written %s, read %d (%v)", s, d, d, again, err)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	for name, text := range map[string]string{"shipped": string(config.Template()), "whole": string(config.Default().YAML()), "edited": handWritten} {
		dir := b.TempDir()
		if err := config.Edit(dir+"/"+config.FileName, func([]byte) ([]byte, error) { return []byte(text), nil }); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := config.Load(dir); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
