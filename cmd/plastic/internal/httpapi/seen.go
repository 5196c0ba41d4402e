package httpapi

import (
	"net/http"
	"time"

	"plastic/memory"
)

// seen is a ResponseWriter that remembers what was answered. A reader that takes
// nothing for patience is dropped; one that takes a long answer slowly is not.
type seen struct {
	http.ResponseWriter
	patience time.Duration
	status   int
	bytes    int
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
	rc, total := http.NewResponseController(w.ResponseWriter), 0
	for first := true; first || total < len(b); first = false {
		part := b[total:min(len(b), total+onePart)]
		if len(b) > onePart {
			_ = rc.SetWriteDeadline(time.Now().Add(w.patience)) // a recorder has none
		}
		n, err := w.ResponseWriter.Write(part)
		w.bytes += n
		if total += n; err != nil {
			return total, err
		}
	}
	return total, nil
}

// onePart is how much a reader must take within its patience, in bytes.
const onePart = 64 << 10

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
