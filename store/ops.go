package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"plastic/memory"
)

// An opKind says what an operation of the journal does.
type opKind uint8

const (
	opPut opKind = iota
	opDrop
	opKeep
	opPurge
	opExpire
	opNight
	opTurn
	opRecall
)

// op is one operation on one memory, archive entry or night.
type op struct {
	kind   opKind
	id     string
	m, was *memory.Memory   // put
	entry  *memory.Archived // drop, keep
	at     time.Time        // recall, purge; the cutoff of expire
	end    time.Time        // expire
	count  int              // recall
	night  json.RawMessage  // night
	turn   string           // turn
}

// archives reports whether the operation changes the archive.
func (o op) archives() bool {
	return o.kind == opDrop || o.kind == opKeep || o.kind == opPurge || o.kind == opExpire
}

func parseRecalled(ops []op, raw string, at time.Time) []op {
	memory.Members(raw, func(id, raw string) {
		if n, err := strconv.Atoi(raw); err == nil {
			ops = append(ops, op{kind: opRecall, id: id, count: n, at: at})
		}
	})
	return ops
}

func parseMark(raw string, n int) mark {
	m := mark{n: n}
	memory.Members(raw, func(key, raw string) {
		switch key {
		case "size":
			m.size, _ = strconv.ParseInt(raw, 10, 64)
		case "sum":
			m.sum = memory.Unquote(raw)
		}
	})
	return m
}

func parseOp(raw string, at time.Time) (ops []op, ok bool) {
	var put, was, end string
	ok = true
	memory.Members(raw, func(key, raw string) {
		switch key {
		case "put":
			put = raw
		case "was":
			was = raw
		case "end":
			end = raw
		case "drop", "keep":
			e, err := memory.ParseArchived([]byte(raw))
			kind := opKeep
			if key == "drop" {
				kind = opDrop
			}
			ops, ok = append(ops, op{kind: kind, id: e.Memory.ID, entry: &e}), ok && err == nil
		case "purge":
			memory.Elements(raw, func(raw string) {
				ops = append(ops, op{kind: opPurge, id: memory.Unquote(raw), at: at})
			})
		case "expire":
			cutoff, _ := memory.ParseTime(raw)
			ops = append(ops, op{kind: opExpire, at: cutoff})
		case "night":
			ops = append(ops, op{kind: opNight, night: json.RawMessage(raw)})
		case "turn":
			ops = append(ops, op{kind: opTurn, turn: memory.Unquote(raw)})
		default:
			ok = false // a newer plastic's
		}
	})
	if end != "" && len(ops) == 1 {
		ops[0].end, _ = memory.ParseTime(end)
	}
	if put != "" {
		o := op{kind: opPut}
		m, err := memory.ParseJSON([]byte(put))
		o.id, o.m, ok = m.ID, &m, ok && err == nil && m.ID != "" && !m.CreatedAt.IsZero()
		if was != "" {
			w, err := memory.ParseJSON([]byte(was))
			o.was, ok = &w, ok && err == nil
		}
		ops = append(ops, o)
	}
	return ops, ok && len(ops) > 0
}

// appendOps appends the line of an update, with its line end.
func appendOps(dst []byte, ops []op, at time.Time) []byte {
	dst = slices.Grow(dst, sizeOf(ops))
	dst = memory.AppendTime(append(dst, `{"at":`...), at)
	dst = append(dst, `,"ops":[`...)
	for i := range ops {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendOp(dst, &ops[i])
	}
	return append(dst, "]}\n"...)
}

// sizeOf is about how long the line of an update gets.
func sizeOf(ops []op) int {
	const around = 384 // what stands around a text
	n := around
	for i := range ops {
		o := &ops[i]
		n += around + len(o.night)
		switch {
		case o.entry != nil:
			n += len(o.entry.Memory.Content) + len(o.entry.Why)
		case o.m != nil:
			n += len(o.m.Content)
			if o.was != nil {
				n += around + len(o.was.Content)
			}
		}
	}
	return n
}

func appendOp(dst []byte, o *op) []byte {
	switch o.kind {
	case opPut:
		dst = memory.AppendJSON(append(dst, `{"put":`...), o.m)
		if o.was != nil {
			dst = memory.AppendJSON(append(dst, `,"was":`...), o.was)
		}
	case opDrop:
		dst = memory.AppendArchived(append(dst, `{"drop":`...), o.entry)
	case opKeep:
		dst = memory.AppendArchived(append(dst, `{"keep":`...), o.entry)
	case opPurge:
		dst = append(memory.AppendString(append(dst, `{"purge":[`...), o.id), ']')
	case opExpire:
		dst = memory.AppendTime(append(dst, `{"expire":`...), o.at)
		dst = memory.AppendTime(append(dst, `,"end":`...), o.end)
	case opNight:
		dst = append(append(dst, `{"night":`...), o.night...)
	case opTurn:
		dst = memory.AppendString(append(dst, `{"turn":`...), o.turn)
	}
	return append(dst, '}')
}

func appendRecalled(dst []byte, ops []op, at time.Time) []byte {
	dst = memory.AppendTime(append(dst, `{"at":`...), at)
	dst = append(dst, `,"recalled":{`...)
	for i, o := range ops {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(memory.AppendString(dst, o.id), ':')
		dst = strconv.AppendInt(dst, int64(o.count), 10)
	}
	return append(dst, "}}\n"...)
}

func appendMark(dst []byte, size int64, sum string) []byte {
	return fmt.Appendf(dst, `{"checkpoint":{"size":%d,"sum":"%s"}}`+"\n", size, sum)
}
