package main

import (
	"path/filepath"
	"time"

	"plastic/memory"
)

const (
	insertRounds   = 60
	rehearseRounds = 60
	bulk           = 1000
	bulkRounds     = 3
	nightRounds    = 3
)

// A writer takes memories durably: what insert answered for survives power loss.
type writer interface {
	searcher
	insert(m *memory.Memory) error
}

// A bulkWriter takes many at once.
type bulkWriter interface {
	writer
	insertAll(list []memory.Memory) error
}

// A sleeper runs the night over all it holds.
type sleeper interface {
	night(now time.Time) error
	close() error
}

// writes measures the durable writes on copies of the data.
func (s *size) writes() error {
	dir, err := s.folder("write")
	if err != nil {
		return err
	}
	opens := map[string]func() (bulkWriter, error){
		product: func() (bulkWriter, error) { return openBank(dir) },
		"FTS5":  s.copiedFTS("FTS5", "DELETE"),
		wal:     s.copiedFTS(wal, "WAL"),
		"bleve": func() (bulkWriter, error) {
			path, err := s.copyOf("bleve", "write.bleve")
			if err != nil {
				return nil, err
			}
			return openBleve(path, false)
		},
	}
	tools := map[string]bulkWriter{}
	for tool, open := range opens {
		t, err := open()
		if err == nil {
			_, err = t.search(s.queries[0])
		}
		if err != nil {
			s.failed("durable insert")(tool, err)
			continue
		}
		defer t.close()
		tools[tool] = t
	}
	s.inserts(tools)
	s.rehearsals(tools)
	s.bulks(tools)
	return nil
}

func (s *size) copiedFTS(label, journal string) func() (bulkWriter, error) {
	return func() (bulkWriter, error) {
		path, err := s.copyOf("words.db", "write-"+journal+".db")
		if err != nil {
			return nil, err
		}
		return openFTS(label, path, false, journal)
	}
}

func (s *size) inserts(tools map[string]bulkWriter) {
	const row = "durable insert p50"
	var probes []probe
	for tool, t := range tools {
		probes = append(probes, probe{tool: tool, do: func(i int) error { return t.insert(&s.fresh[coldRounds+1+i]) }})
	}
	if path, err := s.copyOf("memory.json", "linear.json"); err != nil {
		s.failed(row)("linear", err)
	} else if l, err := openLinear(path); err != nil {
		s.failed(row)("linear", err)
	} else {
		probes = append(probes, probe{tool: l.name(), do: func(i int) error { return l.insert(&s.fresh[coldRounds+1+i]) }})
	}
	s.row(row, insertRounds, probes)
}

// rehearsals measures what counting the ten answers of a recall adds: the peers
// update ten rows, the product counts inside Recall, so that its figure can not
// be told from nothing below the noise of its recalls and is given as that then.
func (s *size) rehearsals(tools map[string]bulkWriter) {
	const row = "rehearsal p50"
	var probes []probe
	for tool, t := range tools {
		f, ok := t.(*fts)
		if !ok {
			continue
		}
		var hits []int64
		probes = append(probes, probe{
			tool: tool,
			before: func(i int) (err error) {
				hits, err = f.answer(s.queries[i])
				return err
			},
			do: func(i int) error { return f.rehearse(hits, time.Now()) },
		})
	}
	var added, noises []float64
	if b, ok := tools[product].(*bank); ok {
		probes = append(probes, probe{
			tool:   product,
			before: func(i int) error { return s.ask(b, i) },
			do: func(i int) error {
				cost, noise, counted, err := b.rehearsal(s.queries[i])
				if counted {
					added = append(added, milliseconds(cost))
					noises = append(noises, milliseconds(noise))
				}
				return err
			},
		})
	}
	times := s.interleave(row, rehearseRounds, probes)
	delete(times, product)
	if len(added) > 0 {
		times[product] = []float64{max(median(added), median(noises))}
	}
	s.figures.medians(row, times)
}

// bulks measures a thousand memories at once, until one of them is found.
func (s *size) bulks(tools map[string]bulkWriter) {
	const row = "inserts a second, 1000 at once"
	var probes []probe
	lists := make([][]memory.Memory, bulkRounds)
	for i := range lists {
		lists[i] = s.generator.fresh(bulk)
	}
	for tool, t := range tools {
		probes = append(probes, probe{tool: tool, do: func(i int) error {
			if err := t.insertAll(lists[i]); err != nil {
				return err
			}
			_, err := t.search(s.queries[i])
			return err
		}})
	}
	for tool, list := range s.interleave(row, bulkRounds, probes) {
		s.figures.set(row, tool, bulk/median(list)*1000)
	}
}

// nights measures a night over all memories, on a fresh copy each time, until
// the next query is answered by an index that knows of it.
func (s *size) nights() error {
	opens := map[string]func() (sleeper, error){
		product: func() (sleeper, error) {
			dir, err := s.folder("night")
			if err != nil {
				return nil, err
			}
			return openBank(dir)
		},
		"FTS5": func() (sleeper, error) {
			path, err := s.copyOf("words.db", "night.db")
			if err != nil {
				return nil, err
			}
			return openFTS("FTS5", path, false, "DELETE")
		},
		"linear": func() (sleeper, error) {
			path, err := s.copyOf("memory.json", "night.json")
			if err != nil {
				return nil, err
			}
			return openLinear(path)
		},
	}
	var probes []probe
	for tool, open := range opens {
		var t sleeper
		probes = append(probes, probe{
			tool: tool,
			before: func(i int) (err error) {
				if t, err = open(); err == nil {
					err = s.ask(t, i)
				}
				return err
			},
			do: func(i int) error {
				if err := t.night(time.Now()); err != nil {
					return err
				}
				return s.ask(t, i)
			},
			after: func() error { return t.close() },
		})
	}
	s.row("night over all", nightRounds, probes)
	return nil
}

// ask asks what has an index a query.
func (s *size) ask(t sleeper, i int) error {
	if t, ok := t.(searcher); ok {
		_, err := t.search(s.queries[i])
		return err
	}
	return nil
}

// disk measures what lies on it: the memories and their index.
func (s *size) disk() error {
	index, err := indexSize(s.base("plastic"))
	if err != nil {
		s.failed("disk")(product, err)
	}
	for tool, names := range map[string][]string{
		product: {filepath.Join("plastic", "memory.json")}, "FTS5": {"words.db"}, "FTS5 trigram": {"trigram.db"}, "bleve": {"bleve"}, "linear": {"memory.json"},
	} {
		total := 0.0
		for _, name := range names {
			n, err := diskUse(s.base(name))
			if err != nil {
				s.failed("disk")(tool, err)
			}
			total += n
		}
		if tool == product {
			total += index
		}
		s.figures.set("disk", tool, total/1e6)
	}
	return nil
}
