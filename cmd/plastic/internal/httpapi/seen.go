package httpapi

import (
	"net/http"
	"time"

	"plastic/memory"
)

// seen is a ResponseWriter that remembers what was answered.
type seen struct {
	http.ResponseWriter
	status int
	bytes  int
}

// WriteHeader notes the status.
func (w *seen) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (w *seen) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += n
	return n, err
}

// Flush sends what was written, for handlers that ask for no controller.
func (w *seen) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap gives http.ResponseController the connection.
func (w *seen) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// done logs and counts a request: the method, the route's pattern, the status,
// how much and how long. Never the address itself: it holds queries and ids.
func (s *Server) done(r *http.Request, where string, a memory.Audience, w *seen, took time.Duration) {
	status := or(w.status, http.StatusOK)
	s.metrics.request(known(r.Method), where, status, took)
	s.log.Info("request", "method", known(r.Method), "route", where, "status", status, "audience", string(a),
		"bytes", w.bytes, "ms", float64(took.Microseconds())/1000)
}
