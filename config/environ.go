package config

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// Variable is an environment variable that overrides a key of the file.
type Variable struct{ Name, Key string }

// Variables gives every variable that overrides a key. An empty one counts as
// not set. They belong to this machine, so what they say needs no allowing;
// they are not read from .env, which holds keys only.
//
// OPENAI_BASE_URL stands in for model.apiBase, and OPENAI_API_KEY for its key,
// if no address is given otherwise and one of the PLASTIC_*MODEL variables is
// set: on the word of this machine alone, never because of a file from git.
func Variables() []Variable { return append([]Variable(nil), variables...) }

var variables = []Variable{
	{"PLASTIC_BASE_URL", "model.apiBase"},
	{"PLASTIC_MODEL", "model.chat"},
	{"PLASTIC_EMBED_BASE_URL", "model.embedBase"},
	{"PLASTIC_EMBED_MODEL", "model.embed"},
	{"PLASTIC_RERANK_BASE_URL", "model.rerankBase"},
	{"PLASTIC_RERANK_MODEL", "model.rerank"},
	{"PLASTIC_TIMEOUT", "model.timeout"},
	{"PLASTIC_READ_TIMEOUT", "model.readTimeout"},
	{"PLASTIC_LISTEN", "server.listen"},
}

// FromEnvironment gives the variable that set key in c, or "".
func (c *Config) FromEnvironment(key string) string { return c.env[key] }

// override lays the environment over what the file said.
func (c *Config) override() []*Error {
	var errs []*Error
	own := c.clone()
	env := map[string]string{}
	take := func(v Variable, text string) {
		for _, e := range c.setText(v.Key, text) {
			e.From = v.Name
			errs = append(errs, e)
		}
		env[v.Key] = v.Name
	}
	named := false
	for _, v := range variables {
		if text := os.Getenv(v.Name); text != "" {
			take(v, text)
			named = named || strings.HasSuffix(v.Name, "MODEL")
		}
	}
	if base := os.Getenv("OPENAI_BASE_URL"); named && base != "" && c.Model.APIBase == "" {
		take(Variable{"OPENAI_BASE_URL", "model.apiBase"}, base)
		if c.Model.APIKeyEnv == defaultKeyEnv && os.Getenv(defaultKeyEnv) == "" && os.Getenv("OPENAI_API_KEY") != "" {
			take(Variable{"OPENAI_API_KEY", "model.apiKeyEnv"}, "OPENAI_API_KEY")
		}
	}
	if len(env) > 0 {
		c.file, c.env = own, env
	}
	return errs
}

// Env reads the file .env of the folder dir: lines KEY=VALUE, with export,
// quotes and comments as shells know them. Where the environment has a variable
// too, and not empty, its value wins. A missing file is an empty map. Each
// warning is a sentence without any value: a mode wider than 0600, a line that
// is none, a file that can not be read.
func Env(dir string) (values map[string]string, warnings []string) {
	path := filepath.Join(dir, ".env")
	values = map[string]string{}
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return values, nil
	}
	b, err := readFile(path)
	if err != nil {
		return values, []string{fmt.Sprintf("read .env: %v", err)}
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		warnings = append(warnings, fmt.Sprintf(".env can be read by others (mode %04o); run chmod 600 on it", mode))
	}
	read, bad := parseEnv(b)
	maps.Copy(values, read)
	for name := range values {
		if v := os.Getenv(name); v != "" {
			values[name] = v
		}
	}
	for _, v := range variables {
		if _, ok := read[v.Name]; ok && os.Getenv(v.Name) == "" {
			bad = append(bad, fmt.Sprintf("%s in .env has no effect: set %s in %s, or the variable in the environment", v.Name, v.Key, FileName))
		}
	}
	return values, append(warnings, bad...)
}

// EnvOpen reports whether others than its owner can read the keys of dir.
func EnvOpen(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, ".env"))
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0
}

func parseEnv(b []byte) (values map[string]string, warnings []string) {
	values = map[string]string{}
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(b, bom)) {
		n++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		text = strings.TrimSpace(strings.TrimPrefix(text, "export "))
		name, value, ok := strings.Cut(text, "=")
		name = strings.TrimSpace(name)
		value, whole := unquote(strings.TrimSpace(value))
		if !ok || !whole || name == "" || strings.ContainsAny(name, " \t\"'\x00") || strings.ContainsRune(value, 0) {
			warnings = append(warnings, fmt.Sprintf(".env line %d is not KEY=VALUE and was left out", n))
			continue
		}
		values[name] = value
	}
	return values, warnings
}

// unquote takes the quotes or the comment off a value; a quote that does not
// end is not whole.
func unquote(s string) (value string, whole bool) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		if strings.HasPrefix(s, "#") {
			return "", true
		}
		if i := strings.Index(s, " #"); i >= 0 {
			s = strings.TrimSpace(s[:i])
		}
		return s, true
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == s[0]:
			rest := strings.TrimSpace(s[i+1:])
			return b.String(), rest == "" || rest[0] == '#'
		case c == '\\' && s[0] == '"' && i+1 < len(s):
			i++
			if s[i] == 'n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
