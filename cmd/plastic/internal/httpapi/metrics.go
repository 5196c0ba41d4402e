package httpapi

import (
	"fmt"
	"time"

	prometheus "github.com/VictoriaMetrics/metrics"

	"plastic"
	"plastic/memory"
)

// metrics counts requests, by a client library of Prometheus' text format that is small:
// what Prometheus' own runs before main took a quarter of every verb's start. Labels are methods, routes and statuses: no address,
// no id and no text ever is one.
type metrics struct {
	set     *prometheus.Set
	streams *prometheus.Gauge // event streams that are open
}

// secondsWithin are the upper bounds that answers are counted by.
var secondsWithin = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5, 30}

func newMetrics() *metrics {
	prometheus.ExposeMetadata(true)
	m := &metrics{set: prometheus.NewSet()}
	m.streams = m.set.NewGauge("plastic_http_streams", nil)
	return m
}

func (m *metrics) request(method, route string, status int, took time.Duration) {
	m.set.GetOrCreateCounter(fmt.Sprintf(`plastic_http_requests_total{method=%q,route=%q,status="%d"}`, method, route, status)).Inc()
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf(`plastic_http_request_seconds{route=%q}`, route), secondsWithin).Update(took.Seconds())
}

// prometheusText answers with the counts of the memory as the audience sees it,
// and to others than the public with those of the server.
func prometheusText(c *call) error {
	stats, err := c.bank.Stats()
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	counts(stats, c.bank.Audience() == memory.Trusted).WritePrometheus(c.w)
	if c.bank.Audience() != memory.Public {
		c.s.metrics.set.WritePrometheus(c.w)
	}
	return nil
}

// counts is one answer of Stats; whole: also what is only there for trusted.
func counts(stats plastic.Stats, whole bool) *prometheus.Set {
	set := prometheus.NewSet()
	gauge := func(name string, value float64) { set.NewGauge(name, nil).Set(value) }
	for layer, n := range stats.Layers {
		gauge(fmt.Sprintf(`plastic_memories{layer=%q}`, layer), float64(n))
	}
	gauge("plastic_superseded", float64(stats.Superseded))
	gauge("plastic_next_night_timestamp_seconds", float64(stats.NextNight.Unix()))
	if whole {
		gauge("plastic_archive_entries", float64(stats.Archive))
		gauge("plastic_problems", float64(len(stats.Problems)))
	}
	return set
}
