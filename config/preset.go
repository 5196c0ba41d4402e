package config

import (
	"strings"

	"plastic/memory"
)

// Preset is a named set of values.
type Preset struct {
	Name    string
	Meaning string // one sentence
	Changes []Change
}

// Presets gives the presets. They change only the keys they name, so one can be
// laid over another.
func Presets() []Preset {
	return []Preset{
		{"sharp", "remembers better: fades slowly, keeps more each night", []Change{
			{"memory.decayHalfLifeDays", "60"}, {"memory.keepFraction", "0.6"}}},
		{"human", "forgets more, as people do", []Change{
			{"memory.decayHalfLifeDays", "7"}, {"memory.keepFraction", "0.2"}}},
		{"frugal", "spends fewer tokens: shorter prompts", []Change{
			{"memory.injectLimit", "6"}, {"memory.recentCount", "8"}}},
	}
}

// ApplyPreset sets a preset's keys in the config.yaml at path, as SetAll does.
func ApplyPreset(path, name string) error {
	p, err := FindPreset(name)
	if err != nil {
		return err
	}
	return SetAll(path, p.Changes...)
}

// FindPreset gives the preset of a name, in any case of letters. It fails with
// memory.ErrInvalid and the names there are.
func FindPreset(name string) (Preset, error) {
	var names []string
	for _, p := range Presets() {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, memory.Errorf(memory.ErrInvalid, "no preset is called %q; there are %s", shortened(name), strings.Join(names, ", "))
}
