package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"plastic"
	"plastic/memory"
)

// Arguments are what a model wrote, and models write numbers, booleans and
// arrays as strings, null for nothing, and names of their own. They are read in
// their obvious sense, or refused in one error that shows the right form; a
// value is never kept as the text of something else.

// form is what an argument holds.
type form int

const (
	words  form = iota // a text that is kept or searched as it stands
	label              // a short name: "", "null" and the like say nothing
	id                 // the id of a memory
	ids                // one or several ids
	amount             // a number
	count              // a whole number
	yes                // a boolean
	moment             // a time
	reader             // an audience
)

// arg is one argument of a tool.
type arg struct {
	name    string
	form    form
	about   string
	enum    []string
	low     float64  // of amount and count, where high is above it
	high    float64  // …
	needed  bool     // the tool can do nothing without it
	aliases []string // other names it is known by, folded
}

// schema is what is told to the client about a. It is stricter than what is read.
func (a arg) schema() object {
	var s object
	switch a.form {
	case ids:
		s = list(object{"type": "string"}, a.about)
	case amount:
		s = number(a.about)
	case count:
		s = integer(a.about)
	case yes:
		s = boolean(a.about)
	default:
		s = text(a.about)
	}
	if len(a.enum) > 0 {
		s["enum"] = a.enum
	}
	if a.high > a.low {
		s["minimum"], s["maximum"] = a.low, a.high
	}
	return s
}

// inputSchema is the schema of a tool's arguments.
func inputSchema(args []arg) object {
	properties, required := object{}, []string{}
	for _, a := range args {
		properties[a.name] = a.schema()
		if a.needed {
			required = append(required, a.name)
		}
	}
	s := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// values are arguments by their names, each with the type of its form: string,
// []string, float64, int or bool. What was not given is not there.
type values map[string]any

func (v values) text(name string) string { s, _ := v[name].(string); return s }
func (v values) count(name string) int   { n, _ := v[name].(int); return n }
func (v values) yes(name string) bool    { b, _ := v[name].(bool); return b }

// flag is the boolean name, nil when it was not given.
func (v values) flag(name string) *bool {
	if b, ok := v[name].(bool); ok {
		return &b
	}
	return nil
}

// importance is what importance or level say, nil when neither was given.
func (v values) importance() (*float64, error) {
	x, exact := v["importance"].(float64)
	level, stepped := v["level"].(int)
	switch {
	case exact && stepped:
		return nil, plastic.Hint(memory.ErrUsage, "importance and level say the same thing on two scales", "give one of them")
	case stepped:
		x, err := memory.FromLevel(level)
		return &x, err
	case exact:
		return &x, memory.CheckImportance(x)
	}
	return nil, nil
}

// read makes values of the arguments of a call to tool, and notes on what was
// left aside. It fails with memory.ErrUsage.
func read(tool string, args []arg, raw json.RawMessage) (values, []string, error) {
	given, err := members(raw)
	if err != nil {
		return nil, nil, usage("the arguments of "+tool+" are not a JSON object", example(args))
	}
	v, notes := values{}, []string{}
	for _, name := range sorted(given) {
		a, err := named(tool, args, name, given)
		if err != nil {
			return nil, nil, err
		}
		if a == nil {
			if !absent(given[name]) {
				notes = append(notes, fmt.Sprintf("%s has no argument %q; it was left aside", tool, clip(name, 40)))
			}
			continue
		}
		x, err := a.read(given[name])
		if err != nil {
			return nil, nil, err
		}
		if x != nil {
			v[a.name] = x
		}
	}
	for _, a := range args {
		if _, ok := v[a.name]; a.needed && !ok {
			return nil, nil, usage(tool+" needs "+a.name, example(args))
		}
	}
	return v, notes, nil
}

// members are the members of an object. No arguments, null and "" are an empty
// one; an object written as a string is that object.
func members(raw json.RawMessage) (map[string]json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var inner string
	if json.Unmarshal(raw, &inner) == nil {
		if inner = strings.TrimSpace(inner); inner == "" {
			return nil, nil
		}
		raw = json.RawMessage(inner)
	}
	var m map[string]json.RawMessage
	err := json.Unmarshal(raw, &m)
	return m, err
}

// named finds the argument that name means: itself, however it is spelt, or
// another name for it. An argument that nobody knows is nil, unless it looks
// like a slip of the pen or like a wish to keep something private: those are
// errors, for to leave them aside would do what was not meant.
func named(tool string, args []arg, name string, given map[string]json.RawMessage) (*arg, error) {
	folded := fold(name)
	for i := range args {
		if fold(args[i].name) == folded {
			return &args[i], nil
		}
	}
	for i := range args {
		if _, both := given[args[i].name]; !both && slices.Contains(args[i].aliases, folded) {
			return &args[i], nil
		}
	}
	if absent(given[name]) {
		return nil, nil
	}
	for i := range args {
		if near := fold(args[i].name); distance(folded, near) <= slip(near) {
			return nil, usage(fmt.Sprintf("%s has no argument %q; nothing was done", tool, clip(name, 40)), "did you mean "+args[i].name+"?")
		}
	}
	for _, wish := range []string{"priv", "secret", "confid", "sensitiv", "visib"} {
		if strings.Contains(folded, wish) {
			return nil, usage(fmt.Sprintf("%s has no argument %q; nothing was done", tool, clip(name, 40)), "its arguments: "+names(args))
		}
	}
	return nil, nil
}

// fold takes case and separators out of a name: isPrivate and is_private are one.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// slip is how many letters of a name may be wrong for it to be meant.
func slip(name string) int {
	if len(name) < 5 {
		return 1
	}
	return 2
}

// distance is how many letters must be put in, left out or changed to make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			change := diagonal
			if x[i] != y[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}

// absent reports whether raw says nothing.
func absent(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "[]", "{}":
		return true
	}
	return false
}

func sorted(m map[string]json.RawMessage) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func names(args []arg) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a.name
	}
	return strings.Join(list, ", ")
}

// example is the right form of a call: what the tool needs, else its first
// argument.
func example(args []arg) string {
	var parts []string
	for i, a := range args {
		if a.needed || i == 0 {
			value, _ := a.example()
			parts = append(parts, fmt.Sprintf("%q: %s", a.name, value))
		}
	}
	return "write {" + strings.Join(parts, ", ") + "}; its arguments: " + names(args)
}

func usage(message, hint string) error { return plastic.Hint(memory.ErrUsage, message, hint) }
