package plastic

import (
	"strings"
	"unicode/utf8"

	"plastic/internal/secret"
	"plastic/memory"
)

// labels checks the fields beside the text for secrets: they stand in files and
// answers as the text does.
func labels(m *memory.Memory) error {
	for _, f := range []struct{ name, value string }{{"kind", string(m.Kind)}, {"source", m.Source}, {"session", m.Session}, {"speaker", m.Speaker}} {
		if err := noSecret("the "+f.name, f.value); err != nil {
			return err
		}
	}
	return nil
}

// noSecret fails with memory.ErrInvalid for a text with a known shape of a
// secret in it; it never quotes the text.
func noSecret(name, text string) error {
	what := secret.Find(text)
	if what == "" {
		return nil
	}
	return Hint(memory.ErrInvalid, name+" looks like it holds "+what+"; nothing was kept", "leave the secret out: a key stands in the environment or in .env")
}

// maxWhy bounds the reason of a forgetting, in runes: it is a sentence.
const maxWhy = 1000

// reason checks why something is forgotten.
func reason(why string) (string, error) {
	why = strings.ToValidUTF8(why, "\uFFFD")
	if n := utf8.RuneCountInString(why); n > maxWhy {
		return "", memory.Errorf(memory.ErrInvalid, "the reason has %d characters, at most %d are kept", n, maxWhy)
	}
	return why, noSecret("the reason", why)
}
