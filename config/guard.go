package config

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// guard is a key that could run a command, send memories somewhere or reach
// outside the folder. config.yaml travels in git, so such a key works on a
// machine only after it was allowed there.
type guard struct {
	key  string
	set  func(*Config) bool
	with []string // what the consent covers as well
}

var guards = []guard{
	{key: "card.path", set: func(c *Config) bool { return reachesOut(c.Card.Path) }},
	{key: "model.apiBase", set: func(c *Config) bool { return c.Model.APIBase != "" }, with: []string{"model.apiKeyEnv", "model.embedKeyEnv", "model.rerankKeyEnv"}},
	{key: "model.embedBase", set: func(c *Config) bool { return c.Model.EmbedBase != "" }, with: []string{"model.embedKeyEnv"}},
	{key: "model.rerankBase", set: func(c *Config) bool { return c.Model.RerankBase != "" }, with: []string{"model.rerankKeyEnv"}},
	{key: "sleep.persona", set: func(c *Config) bool { return c.Sleep.Persona != "" && reachesOut(c.Sleep.Persona) }},
	{key: "sleep.notify", set: func(c *Config) bool { return len(c.Sleep.Notify) > 0 }},
	{key: "sleep.after", set: func(c *Config) bool { return len(c.Sleep.After) > 0 }},
	{key: "server.listen", set: func(c *Config) bool { return !loopback(c.Server.Listen) }, with: []string{"server.tokens"}},
}

// own is what the file says, without the environment.
func (c *Config) own() *Config {
	if c.file != nil {
		return c.file
	}
	return c
}

// Guarded names the keys that the file sets and that need allowing: sleep.after
// and sleep.notify with a command, the addresses of models, server.listen beyond
// loopback, card.path and sleep.persona outside the folder or hidden in it. What the environment
// sets belongs to this machine and is not among them.
func (c *Config) Guarded() []string {
	var keys []string
	for _, g := range guards {
		if g.set(c.own()) {
			keys = append(keys, g.key)
		}
	}
	return keys
}

// Fingerprint is a hash over the values of the guarded keys that are set, and
// of what goes with them (the variables of their keys, the server's tokens).
func (c *Config) Fingerprint() string {
	sum := sha256.New()
	for _, key := range c.Guarded() {
		sum.Write([]byte(c.fingerprint(key) + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (c *Config) fingerprint(key string) string {
	i := slices.IndexFunc(guards, func(g guard) bool { return g.key == key })
	sum := sha256.New()
	for _, k := range append([]string{key}, guards[i].with...) {
		sum.Write([]byte(k + ": " + fieldOf(k).flow(c.own()) + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Restrict gives a copy in which the named guarded keys have their defaults,
// but for what the environment set. Other names are ignored, and without names
// it is c.
func (c *Config) Restrict(keys ...string) *Config {
	if len(keys) == 0 {
		return c
	}
	out := c.clone()
	for _, g := range guards {
		if !slices.Contains(keys, g.key) {
			continue
		}
		f := fieldOf(g.key)
		f.copy(out.own(), Default())
		if out.env[g.key] == "" {
			f.copy(out, Default())
		}
	}
	return out
}
