package main

import (
	"errors"
	"math"
	"slices"
	"time"
)

// A probe is one tool's part of a row: do is timed, what stands before and after
// it is not and may be nil. i is the number of the round.
type probe struct {
	tool   string
	before func(i int) error
	do     func(i int) error
	after  func() error
}

// interleave runs the probes in turn, rounds times, each round beginning with
// another one, and gives each tool's times in milliseconds. A tool that has taken
// longer than patience runs no more, but once at least; so does one that fails,
// which is told to failed.
func interleave(rounds int, patience time.Duration, probes []probe, failed func(tool string, err error)) map[string][]float64 {
	times := map[string][]float64{}
	spent := make([]time.Duration, len(probes))
	out := make([]bool, len(probes))
	for i := range rounds {
		for k := range probes {
			at := (i + k) % len(probes)
			p := &probes[at]
			if out[at] || spent[at] > patience {
				continue
			}
			whole := time.Now()
			took, err := p.once(i)
			spent[at] += time.Since(whole)
			if err != nil {
				out[at] = true
				delete(times, p.tool)
				failed(p.tool, err)
				continue
			}
			times[p.tool] = append(times[p.tool], milliseconds(took))
		}
	}
	return times
}

func (p *probe) once(i int) (time.Duration, error) {
	if p.before != nil {
		if err := p.before(i); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	err := p.do(i)
	took := time.Since(start)
	if p.after != nil {
		err = errors.Join(err, p.after())
	}
	return took, err
}

// row measures a row of the table: medians of interleaved rounds.
func (s *size) row(name string, rounds int, probes []probe) {
	s.figures.medians(name, s.interleave(name, rounds, probes))
}

func (s *size) interleave(row string, rounds int, probes []probe) map[string][]float64 {
	return interleave(rounds, s.patience, probes, s.failed(row))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// quantile is the q-th part (0…1) of list, which it sorts.
func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	at := q * float64(len(list)-1)
	low := int(at)
	high := min(low+1, len(list)-1)
	return list[low] + (list[high]-list[low])*(at-float64(low))
}

func median(list []float64) float64 { return quantile(list, 0.5) }
