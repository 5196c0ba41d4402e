package plastic

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"plastic/internal/foreign"
	"plastic/memory"
)

// maxImportLine bounds one line of an import, in bytes.
const maxImportLine = 1 << 20

// reading is how another tool's format is to be read.
func (in *intake) reading() foreign.Options {
	return foreign.Options{Now: in.now, Location: in.bank.settings().Memory.Location()}
}

// foreign takes what was read from another tool's format through the gates.
func (in *intake) foreign(got foreign.Result) {
	in.out.Notes = append(in.out.Notes, got.Notes...)
	for _, it := range got.Items {
		if it.Refused != "" {
			in.refuse(it.Line, it.Where+": "+it.Refused)
			continue
		}
		m, dated := it.Memory, !it.Memory.CreatedAt.IsZero()
		if err := in.gate(&m); err != nil {
			in.refuse(it.Line, it.Where+": "+err.Error())
			continue
		}
		in.items = append(in.items, item{line: it.Line, dated: dated, m: m})
	}
	in.turns = got.Turns
	if len(got.Card) > 0 {
		in.out.Notes = append(in.out.Notes, "there is a text meant for the card as well; put it into memory.md by hand")
	}
}

// read parses and checks every line; bad ones are listed, not fatal.
func (in *intake) read(r io.Reader) error {
	br := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, tooLong, err := readLine(br)
		if err != nil && err != io.EOF {
			return fmt.Errorf("read the import: %w", err)
		}
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		switch text := strings.TrimSpace(line); {
		case tooLong:
			in.refuse(n, fmt.Sprintf("longer than %d bytes", maxImportLine))
		case text != "":
			if it, err := in.parse(n, text); err != nil {
				in.refuse(n, err.Error())
			} else {
				in.items = append(in.items, it)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func readLine(br *bufio.Reader) (line string, tooLong bool, err error) {
	var b strings.Builder
	for {
		chunk, err := br.ReadSlice('\n')
		if b.Len()+len(chunk) > maxImportLine {
			tooLong = true
			b.Reset()
		}
		if !tooLong {
			b.Write(chunk)
		}
		if err != bufio.ErrBufferFull {
			return b.String(), tooLong, err
		}
	}
}

// strict are the fields whose odd values a hand edit may have and an import may not.
var strict = []string{"importance", "createdAt", "updatedAt", "lastRecalledAt", "consolidatedAt", "validTo",
	"supersededBy", "recallCount", "kind", "pinned", "source", "session", "speaker"}

func (in *intake) parse(n int, text string) (item, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) {
			return item{}, errors.New("not a JSON object")
		}
		return item{}, fmt.Errorf("not a JSON object: %w", err)
	}
	if isMessage(fields) {
		return item{}, errors.New("it is a message of a conversation, which becomes memories only by distillation (`plastic retain`)")
	}
	if raw, ok := fields["id"]; ok {
		var id string
		if json.Unmarshal(raw, &id) != nil || id != "" && !memory.ValidID(id) {
			return item{}, fmt.Errorf("id %s is not one (letters, digits and ._:-, at most %d)", clip(string(raw), 40), memory.MaxID)
		}
	}
	if raw, ok := fields["importance"]; ok {
		var x float64
		if err := json.Unmarshal(raw, &x); err != nil {
			return item{}, fmt.Errorf("importance %s is not a number", clip(string(raw), 40))
		}
		if err := memory.CheckImportance(x); err != nil {
			return item{}, err
		}
	}
	m, err := memory.ParseJSON([]byte(text))
	if err != nil {
		return item{}, err
	}
	for _, name := range strict {
		if raw, odd := m.Extra[name]; odd {
			return item{}, fmt.Errorf("%s %s can not be read", name, clip(string(raw), 40))
		}
	}
	in.zoned(&m, fields)
	if err := in.level(&m); err != nil {
		return item{}, err
	}
	return item{line: n, dated: !m.CreatedAt.IsZero(), m: m}, in.gate(&m)
}

// isMessage reports whether a line is of a log of messages, as chat endpoints
// have them: what was said there is no memory yet.
func isMessage(fields map[string]json.RawMessage) bool {
	switch string(fields["role"]) {
	case `"user"`, `"assistant"`, `"system"`, `"developer"`, `"tool"`:
		return true
	}
	return false
}

// zoned reads the times of a line that say no zone as a person means them: in the memory's
// own. (On disk they would be UTC.)
func (in *intake) zoned(m *memory.Memory, fields map[string]json.RawMessage) {
	loc := in.bank.settings().Memory.Location()
	for name, at := range map[string]*time.Time{"createdAt": &m.CreatedAt, "updatedAt": &m.UpdatedAt, "lastRecalledAt": &m.LastRecalledAt, "consolidatedAt": &m.ConsolidatedAt, "validTo": &m.ValidTo} {
		var text string
		if json.Unmarshal(fields[name], &text) != nil {
			continue
		}
		for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.DateTime} {
			if t, err := time.ParseInLocation(layout, strings.TrimSpace(text), loc); err == nil && !t.IsZero() {
				*at = t.UTC().Truncate(time.Second)
			}
		}
	}
}

// level takes the five-step scale where a line says it is on that scale.
func (in *intake) level(m *memory.Memory) error {
	raw, ok := m.Extra["level"]
	if !ok {
		return nil
	}
	var n int
	if json.Unmarshal(raw, &n) != nil {
		return fmt.Errorf("level %s is no whole number from 1 to 5", clip(string(raw), 40))
	}
	x, err := memory.FromLevel(n)
	if err != nil {
		return err
	}
	m.Importance = x
	delete(m.Extra, "level")
	return nil
}

// gate is what Remember asks of a draft.
func (in *intake) gate(m *memory.Memory) error {
	text, err := in.bank.content(m.Content, false)
	if err != nil {
		return err
	}
	m.Content = text
	if m.CreatedAt.IsZero() {
		m.CreatedAt = whole(in.now)
	}
	delete(m.Extra, "private") // whatever it was, it is private now
	for _, raw := range m.Extra {
		if err := noSecret("a field", string(raw)); err != nil {
			return err
		}
	}
	if err := labels(m); err != nil {
		return err
	}
	return check(m)
}
