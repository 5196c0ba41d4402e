package main

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	warmPasses = 3
	openRounds = 15
	loadRounds = 3
	loadFor    = 700 * time.Millisecond
	cores      = 2
)

// A searcher answers a query with its best ten, texts read, and says how many
// there were. Several may ask at once.
type searcher interface {
	name() string
	search(query string) (int, error)
	close() error
}

// warm measures the tools as a server holds them: open, in one process.
func (s *size) warm() error {
	opens := s.openers()
	s.open(opens)
	var tools []searcher
	for tool, open := range opens {
		t, err := open()
		if err != nil {
			s.failed("warm query")(tool, err)
			continue
		}
		defer t.close()
		tools = append(tools, t)
	}
	tools = s.answering(tools)
	s.warmQueries(tools)
	s.allocations(tools)
	s.rates(tools)
	return nil
}

func (s *size) openers() map[string]func() (searcher, error) {
	return map[string]func() (searcher, error){
		product:        func() (searcher, error) { return openBank(s.base("plastic")) },
		"FTS5":         func() (searcher, error) { return openFTS("FTS5", s.base("words.db"), false, "DELETE") },
		"FTS5 trigram": func() (searcher, error) { return openFTS("FTS5 trigram", s.base("trigram.db"), true, "DELETE") },
		"bleve":        func() (searcher, error) { return openBleve(s.base("bleve"), true) },
	}
}

// open measures from nothing to the answer to a query that one memory answers:
// what only opens lazily has opened by then.
func (s *size) open(opens map[string]func() (searcher, error)) {
	var probes []probe
	for tool, open := range opens {
		probes = append(probes, probe{tool: tool, do: func(int) error {
			t, err := open()
			if err != nil {
				return err
			}
			n, err := t.search(rareWord)
			if err == nil && n == 0 {
				err = errors.New("the one memory that answers was not found")
			}
			return errors.Join(err, t.close())
		}})
	}
	s.row("open, first answer", openRounds, probes)
}

// answering warms the tools up, counts how many queries they answer, and gives
// those that did not fail.
func (s *size) answering(tools []searcher) []searcher {
	var well []searcher
	for _, t := range tools {
		failed := false
		for _, q := range s.queries {
			n, err := t.search(q)
			if err != nil {
				s.failed("warm query")(t.name(), err)
				failed = true
				break
			}
			s.figures.asked(t.name(), n > 0)
		}
		if !failed {
			well = append(well, t)
		}
	}
	return well
}

// warmQueries asks every tool the same query in turn. A query's time is the
// median of its passes, so that the tail over queries is the queries' own and
// not a neighbour's garbage collection.
func (s *size) warmQueries(tools []searcher) {
	times := map[string][]float64{}
	for i, q := range s.queries {
		var probes []probe
		for k := range tools {
			t := tools[(i+k)%len(tools)]
			probes = append(probes, probe{tool: t.name(), do: func(int) error {
				_, err := t.search(q)
				return err
			}})
		}
		for tool, list := range s.interleave("warm query", warmPasses, probes) {
			times[tool] = append(times[tool], median(list))
		}
	}
	for tool, list := range times {
		s.figures.set("warm query p50", tool, median(list))
		s.figures.set("warm query p99", tool, quantile(list, 0.99))
	}
}

// allocations counts what the queries of one goroutine leave to the collector.
func (s *size) allocations(tools []searcher) {
	var before, after runtime.MemStats
	for _, t := range tools {
		runtime.ReadMemStats(&before)
		for _, q := range s.queries {
			if _, err := t.search(q); err != nil {
				s.failed("allocations a query")(t.name(), err)
			}
		}
		runtime.ReadMemStats(&after)
		s.figures.set("allocations a query", t.name(), float64(after.Mallocs-before.Mallocs)/float64(len(s.queries)))
	}
}

// rates asks from as many goroutines as there are cores, without a pause.
func (s *size) rates(tools []searcher) {
	rates := map[string][]float64{}
	for range loadRounds {
		for _, t := range tools {
			n, err := s.flood(t)
			if err != nil {
				s.failed("queries a second")(t.name(), err)
				continue
			}
			rates[t.name()] = append(rates[t.name()], n)
		}
	}
	s.figures.medians("queries a second", rates)
}

func (s *size) flood(t searcher) (float64, error) {
	var asked atomic.Int64
	var wait sync.WaitGroup
	errs := make([]error, cores)
	start := time.Now()
	for g := range cores {
		wait.Go(func() {
			for i := g * len(s.queries) / cores; time.Since(start) < loadFor && errs[g] == nil; i++ {
				_, errs[g] = t.search(s.queries[i%len(s.queries)])
				asked.Add(1)
			}
		})
	}
	wait.Wait()
	return float64(asked.Load()) / time.Since(start).Seconds(), errors.Join(errs...)
}
