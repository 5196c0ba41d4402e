package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"plastic"
	"plastic/memory"
)

// metrics counts requests. Labels are methods, routes and statuses: no address,
// no id and no text ever is one.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	streams  prometheus.Gauge
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plastic_http_requests_total", Help: "Requests that were answered.",
		}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plastic_http_request_seconds", Help: "How long answers took; streams are counted at their end.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5, 30},
		}, []string{"route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "plastic_http_streams", Help: "Event streams that are open.",
		}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.streams)
	return m
}

func (m *metrics) request(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// prometheusText answers with the counts of the memory as the audience sees it,
// and to others than the public with those of the server.
func prometheusText(c *call) error {
	stats, err := c.bank.Stats()
	if err != nil {
		return err
	}
	own := prometheus.NewRegistry()
	own.MustRegister(counts{stats, c.bank.Audience() == memory.Trusted})
	from := prometheus.Gatherers{own}
	if c.bank.Audience() != memory.Public {
		from = append(from, c.s.metrics.registry)
	}
	plain := http.Header{"Accept": c.r.Header["Accept"]}
	r := c.r.Clone(c.r.Context())
	r.Header = plain
	promhttp.HandlerFor(from, promhttp.HandlerOpts{}).ServeHTTP(c.w, r)
	return nil
}

// counts tells one answer of Stats to Prometheus.
type counts struct {
	stats plastic.Stats
	whole bool // also what is only there for trusted
}

var (
	descMemories = prometheus.NewDesc("plastic_memories", "Live memories by layer.", []string{"layer"}, nil)
	descOld      = prometheus.NewDesc("plastic_superseded", "Memories that no longer hold.", nil, nil)
	descArchive  = prometheus.NewDesc("plastic_archive_entries", "What can be restored.", nil, nil)
	descProblems = prometheus.NewDesc("plastic_problems", "What is wrong with the folder and not settled.", nil, nil)
	descNight    = prometheus.NewDesc("plastic_next_night_timestamp_seconds", "When the next night is due.", nil, nil)
)

// Describe names the counts.
func (c counts) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descMemories, descOld, descArchive, descProblems, descNight} {
		to <- d
	}
}

// Collect gives them.
func (c counts) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	for layer, n := range c.stats.Layers {
		gauge(descMemories, float64(n), layer)
	}
	gauge(descOld, float64(c.stats.Superseded))
	gauge(descNight, float64(c.stats.NextNight.Unix()))
	if c.whole {
		gauge(descArchive, float64(c.stats.Archive))
		gauge(descProblems, float64(len(c.stats.Problems)))
	}
}
