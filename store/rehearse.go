package store

import (
	"context"
	"time"

	"plastic/memory"
)

// Rehearse counts a recall of each of the memories: recallCount + 1, and
// lastRecalledAt = at unless it is later already. It is one line of the journal
// that is not synced, the one thing that a power cut may lose. It never waits:
// when another writer is at work it returns memory.ErrBusy at once, in a folder
// that can not be written memory.ErrReadOnly, and nothing is counted. Ids that
// are no memory are passed over.
func (s *Store) Rehearse(ids []string, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	select {
	case s.turn <- struct{}{}:
		defer s.done()
	default:
		return memory.ErrBusy
	}
	l, err := s.acquire(context.Background(), 0)
	if err != nil {
		return err
	}
	defer l.release()
	st, err := s.read()
	if err != nil {
		return err
	}
	if err := st.Writable(); err != nil {
		return err
	}
	at = at.UTC().Truncate(time.Second)
	ops := make([]op, 0, len(ids))
	for _, id := range ids {
		if m, ok := st.Get(id); ok {
			ops = append(ops, op{kind: opRecall, id: id, count: m.RecallCount + 1, at: at})
		}
	}
	if len(ops) == 0 {
		return nil
	}
	if err := l.held(); err != nil {
		return err
	}
	line := appendRecalled(nil, ops, at)
	if st, err = s.appendJournal(st, line, ops, unsynced); err != nil {
		return err
	}
	if st.log.crowded() {
		return s.compact(l, st)
	}
	return nil
}

// crowded reports whether the recalls take much room that they need not.
func (j *journal) crowded() bool {
	j.mu.RLock()
	defer j.mu.RUnlock()
	many := j.rehearsals >= manyRehearsals || j.recalls >= manyRecalled || j.size-j.content > longJournal
	return many && j.recalls > 2*len(j.byID)
}

// compact writes the journal anew with all its recalls in one line. The updates
// in it stay as they are, and so does memory.json.
func (s *Store) compact(l *lock, st *State) error {
	var text []byte
	text = append(text, journalHead(newJournalName(), st.logBase())...)
	counts := make(map[string]op)
	var order []string
	for _, o := range st.allOps() {
		if o.kind != opRecall {
			text = appendOps(text, []op{o}, stampOf(&o))
			continue
		}
		old, ok := counts[o.id]
		if !ok {
			order = append(order, o.id)
		}
		o.count, o.at = max(o.count, old.count), later(o.at, old.at)
		counts[o.id] = o
	}
	byTime := make(map[time.Time][]op)
	var times []time.Time
	for _, id := range order {
		o := counts[id]
		if byTime[o.at] == nil {
			times = append(times, o.at)
		}
		byTime[o.at] = append(byTime[o.at], o)
	}
	for _, at := range times {
		text = appendRecalled(text, byTime[at], at)
	}
	for _, line := range st.log.bad {
		text = append(append(text, line...), '\n')
	}
	_, err := s.replaceFile(s.path(journalName), "", text, l.held)
	return err
}

// logBase gives the file that the journal goes on from, the zero key if that is
// no longer the one there is.
func (st *State) logBase() FileKey {
	if st.same {
		return st.base.key
	}
	return st.log.base
}

func stampOf(o *op) time.Time {
	if o.kind == opPurge {
		return o.at
	}
	return time.Time{}
}
