package foreign

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An object is a JSON object read leniently: a value of another type than asked
// for counts as not there.
type object map[string]any

func toObject(raw []byte) (object, error) {
	var o object
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&o); err != nil {
		if other := new(json.UnmarshalTypeError); errors.As(err, &other) {
			return nil, errors.New("it is no JSON object")
		}
		return nil, fmt.Errorf("it is no JSON object (%v)", err)
	}
	if o == nil {
		return nil, errors.New("it is null")
	}
	return o, nil
}

// text is the first of the keys that holds a text, or a number as text.
func (o object) text(keys ...string) string {
	for _, k := range keys {
		switch v := o[k].(type) {
		case string:
			if strings.TrimSpace(v) != "" {
				return v
			}
		case json.Number:
			return v.String()
		}
	}
	return ""
}

func (o object) object(key string) object {
	v, _ := o[key].(map[string]any)
	return v
}

func (o object) list(key string) []any {
	v, _ := o[key].([]any)
	return v
}

// objects are the objects of a list.
func (o object) objects(key string) []object {
	var out []object
	for _, v := range o.list(key) {
		if m, ok := v.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// set reports whether the key holds anything but absent, null, false and "".
func (o object) set(key string) bool {
	switch v := o[key].(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != "" && v != "false"
	}
	return true
}

func (o object) number(key string) (float64, bool) {
	n, ok := o[key].(json.Number)
	if !ok {
		return 0, false
	}
	x, err := n.Float64()
	return x, err == nil
}

// when is the first of the keys that holds a time: text, or seconds or
// milliseconds since 1970.
func (r *reader) when(o object, keys ...string) time.Time {
	for _, k := range keys {
		switch v := o[k].(type) {
		case string:
			if t := moment(v, r.loc); !t.IsZero() {
				return t
			}
			if x, err := strconv.ParseFloat(v, 64); err == nil {
				return epoch(x)
			}
		case json.Number:
			if x, err := v.Float64(); err == nil && x != 0 {
				return epoch(x)
			}
		}
	}
	return time.Time{}
}

func epoch(x float64) time.Time {
	if math.Abs(x) >= 1e11 {
		x /= 1000
	}
	if math.IsNaN(x) || math.Abs(x) > 1e12 {
		return time.Time{}
	}
	return time.Unix(int64(math.Floor(x)), 0)
}

// each calls take for the entries of a JSON file, without having the whole of it
// in memory: the elements of an array, or of the array under one of the keys of an
// object, or else the object itself. An entry that breaks the syntax ends the
// file, with a refusal.
func (r *reader) each(f file, keys []string, take func(p place, raw json.RawMessage)) {
	src, err := r.tree.stream(f)
	if err != nil {
		r.fail(place{file: f.name}, err)
		return
	}
	defer src.Close()
	br := bufio.NewReaderSize(src, 64<<10)
	if b, _ := br.Peek(3); string(b) == "\ufeff" {
		br.Discard(3)
	}
	e := elements{r: r, f: f, dec: json.NewDecoder(br), keys: keys, take: take}
	if err := e.top(); err != nil {
		r.fail(place{file: f.name, at: fmt.Sprintf("after entry %d (byte %d)", e.n, e.dec.InputOffset())}, err)
	}
}

type elements struct {
	r    *reader
	f    file
	dec  *json.Decoder
	keys []string
	take func(p place, raw json.RawMessage)
	n    int
}

func (e *elements) top() error {
	tok, err := e.dec.Token()
	switch {
	case err == io.EOF:
		return errors.New("it is empty")
	case err != nil:
		return err
	case tok == json.Delim('['):
		return e.array()
	case tok != json.Delim('{'):
		return errors.New("it is neither a JSON array nor an object")
	}
	return e.object()
}

// object reads on after the opening brace.
func (e *elements) object() error {
	rest, found := map[string]json.RawMessage{}, false
	for e.dec.More() {
		key, err := e.dec.Token()
		if err != nil {
			return err
		}
		name := key.(string)
		if slices.Contains(e.keys, name) {
			has, err := e.member(name)
			if err != nil {
				return err
			}
			found = found || has
			continue
		}
		var raw json.RawMessage
		if err := e.dec.Decode(&raw); err != nil {
			return err
		}
		if !found {
			rest[name] = raw
		}
	}
	if found {
		return nil
	}
	raw, err := json.Marshal(rest)
	if err == nil {
		e.n++
		e.take(place{file: e.f.name}, raw)
	}
	return err
}

// member reads the array under one of the keys, and reports whether it is one.
func (e *elements) member(name string) (bool, error) {
	tok, err := e.dec.Token()
	if err != nil {
		return false, err
	}
	switch d, nested := tok.(json.Delim); {
	case tok == json.Delim('['):
		return true, e.array()
	case nested:
		return false, fmt.Errorf("%q is %v and no array", name, d)
	}
	return false, nil
}

func (e *elements) array() error {
	for e.dec.More() {
		var raw json.RawMessage
		if err := e.dec.Decode(&raw); err != nil {
			return err
		}
		e.n++
		e.take(place{file: e.f.name, at: fmt.Sprintf("entry %d", e.n)}, raw)
	}
	_, err := e.dec.Token()
	return err
}

// lines calls take for each line of a JSON-lines file that is not empty.
func (r *reader) lines(f file, take func(p place, line []byte)) {
	text := r.text(f)
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line != "" {
			take(place{file: f.name, line: n}, []byte(line))
		}
	}
}
