package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// A shape is the set of keys near the top of a JSON text, as paths: "[].mapping",
// ".memories[].text". The end of the text may be missing: a head is enough. Of an
// array the first elements count.
type shape struct {
	paths map[string]bool
	types map[string]bool // values of "type" in top-level objects
	lines int             // values at the top
}

// Bounds of what a shape looks at.
const (
	shapeDepth    = 3   // paths
	shapeElements = 3   // of an array
	shapeNesting  = 500 // brackets below each other
)

var errDeep = errors.New("nested too deep")

func (t *tree) shape(f file) shape {
	s := shape{paths: map[string]bool{}, types: map[string]bool{}}
	b := bytes.TrimPrefix(t.head(f), []byte("\ufeff"))
	if trimmed := bytes.TrimLeft(b, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return s
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	for s.lines < 20 {
		if s.value(dec, "", 0) != nil {
			break
		}
		s.lines++
	}
	return s
}

// value walks over one value; what can not be read ends the walk.
func (s *shape) value(dec *json.Decoder, at string, depth int) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	if depth > shapeNesting {
		return errDeep
	}
	open, _ := tok.(json.Delim)
	if open != '{' && open != '[' {
		if text, ok := tok.(string); ok && at == ".type" {
			s.types[text] = true
		}
		return nil
	}
	for n := 0; dec.More(); n++ {
		under := at + "[]"
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			under = at + "." + key.(string)
		}
		if depth < shapeDepth && (open == '{' || n < shapeElements) {
			s.paths[under] = true
		} else {
			under = "…" // counted no more
		}
		if err := s.value(dec, under, depth+1); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// list reports whether it is an array of objects.
func (s shape) list() bool {
	for p := range s.paths {
		if strings.HasPrefix(p, "[].") {
			return true
		}
	}
	return false
}

// has reports whether one of the paths is there.
func (s shape) has(paths ...string) bool {
	for _, p := range paths {
		if s.paths[p] {
			return true
		}
	}
	return false
}
