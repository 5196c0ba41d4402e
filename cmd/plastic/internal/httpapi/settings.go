package httpapi

import (
	"encoding/json"
	"slices"
	"strings"

	"plastic"
	"plastic/config"
	"plastic/memory"
)

// setting is one key of config.yaml.
type setting struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Default string `json:"default"`
	Changed bool   `json:"changed"`
	Meaning string `json:"meaning"`
	Range   string `json:"range"`
}

// settings answers with every key, or with those that were asked for.
type settings struct {
	Config []setting `json:"config"`
}

func readSettings(c *call) (any, error) { return c.settings(nil) }

func (c *call) settings(only []string) (any, error) {
	conf := c.s.config()
	out, usual := settings{Config: []setting{}}, config.Default()
	for _, k := range config.Keys() {
		if only != nil && !slices.Contains(only, k.Name) {
			continue
		}
		value, err := conf.Get(k.Name)
		if err != nil {
			return nil, err
		}
		plain, err := usual.Get(k.Name)
		if err != nil {
			return nil, err
		}
		out.Config = append(out.Config, setting{k.Name, value, plain, value != plain, k.Meaning, k.Range})
	}
	return out, nil
}

// settingsBody is what a PATCH changes: keys with their dots, or sections with
// keys in them; null is the default. preset names a preset.
type settingsBody struct {
	lowering
	Preset string `json:"preset"`
	Set    fields `json:"-"`
}

type fields map[string]json.RawMessage

// UnmarshalJSON parts the settings from the other fields.
func (b *settingsBody) UnmarshalJSON(text []byte) error {
	all := fields{}
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for name, to := range map[string]any{"audience": &b.Audience, "public": &b.Public, "preset": &b.Preset} {
		raw, ok := all[name]
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, to); err != nil {
			return err
		}
		delete(all, name)
	}
	b.Set = fields{}
	for name, raw := range all {
		b.Set.take(name, raw)
	}
	return nil
}

// take adds the key name, or the keys below it where it is a section.
func (f fields) take(name string, raw json.RawMessage) {
	section := slices.ContainsFunc(config.Keys(), func(k config.Key) bool { return strings.HasPrefix(k.Name, name+".") })
	inner := fields{}
	if !section || json.Unmarshal(raw, &inner) != nil {
		f[name] = raw
		return
	}
	for key, raw := range inner {
		f.take(name+"."+key, raw)
	}
}

// text is the value of key as config.yaml would have it. JSON is YAML already,
// but for texts that stand there without quotes.
func (f fields) text(key string) string {
	var s string
	switch raw := string(f[key]); {
	case raw == "null":
		for _, k := range config.Keys() {
			if k.Name == key {
				return k.Default
			}
		}
		return raw
	case json.Unmarshal(f[key], &s) == nil:
		return s
	default:
		return raw
	}
}

func changeSettings(c *call) (any, error) {
	b := c.body.(*settingsBody)
	if b.Preset == "" && len(b.Set) == 0 || b.Preset != "" && len(b.Set) > 0 {
		return nil, plastic.Hint(memory.ErrUsage, "give keys and their values, or a preset", `such as {"memory.keepFraction": 0.6}`)
	}
	if b.Preset != "" {
		if err := c.bank.UsePreset(c.r.Context(), b.Preset); err != nil {
			return nil, err
		}
		return c.settings(nil)
	}
	set, keys := map[string]string{}, []string{}
	for key := range b.Set {
		set[key], keys = b.Set.text(key), append(keys, key)
	}
	if err := c.setAll(set); err != nil {
		return nil, err
	}
	return c.settings(keys)
}

// local are keys that this door never sets, beside those that need allowing:
// who may come in, and which files are read.
var local = []string{"server.", "card.path", "sleep.persona"}

// setAll sets keys of config.yaml: all of them, or none where one is refused.
// What could run a command, send memories somewhere or open a door is not set
// from afar, whoever asks: `plastic config set` does, on the machine itself.
func (c *call) setAll(set map[string]string) error {
	if len(set) == 0 {
		return plastic.Hint(memory.ErrUsage, "nothing to change was given", "")
	}
	before, err := config.Load(c.bank.Dir())
	if err != nil {
		return err
	}
	var changes []config.Change
	for key, value := range set {
		changes = append(changes, config.Change{Key: key, Value: value})
	}
	slices.SortFunc(changes, func(a, b config.Change) int { return strings.Compare(a.Key, b.Key) })
	guarded := slices.ContainsFunc(changes, func(ch config.Change) bool {
		return slices.ContainsFunc(local, func(p string) bool { return strings.HasPrefix(ch.Key, p) })
	})
	if after, err := before.WithAll(changes); !guarded && err != nil {
		return err
	} else if guarded || after.Fingerprint() != before.Fingerprint() {
		return plastic.Hint(memory.ErrDenied, "a setting that opens a door, names a file, runs a command or sends memories somewhere is not set over HTTP", "`plastic config set` on the machine itself")
	}
	for _, ch := range changes {
		if err := c.bank.SetConfig(c.r.Context(), ch.Key, ch.Value); err != nil {
			return err
		}
	}
	return nil
}
