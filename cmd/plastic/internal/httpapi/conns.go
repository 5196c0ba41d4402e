package httpapi

import (
	"context"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// conns are the open connections. There are never more than most: who comes then takes
// the place of the one that has been silent longest, so that no number of clients that
// connect and say nothing, or little and slowly, keeps another out.
type conns struct {
	most int

	mu   sync.Mutex // guards all below
	open map[net.Conn]*conn
}

// conn is how far a connection is, and since when.
type conn struct {
	stage stage
	since time.Time
}

type stage int

const (
	silent    stage = iota // between requests, or before the first
	reading                // a request is on its way in
	answering              // it is there whole: this takes no client's time but in writing
	streaming              // events go out until somebody ends it
)

// defaultConns is Options.Conns where it is not given, if the system allows that many.
const defaultConns = 512

// mostConns leaves half of the files that this process may open to the memory.
func mostConns(wanted int) int {
	var files syscall.Rlimit
	if wanted <= 0 {
		wanted = defaultConns
	}
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil {
		wanted = min(wanted, max(16, int(min(files.Cur, 1<<20))/2))
	}
	return wanted
}

// state is http.Server.ConnState.
func (cs *conns) state(c net.Conn, to http.ConnState) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	switch to {
	case http.StateNew:
		for len(cs.open) >= cs.most {
			cs.drop()
		}
		cs.open[c] = &conn{silent, time.Now()}
	case http.StateActive:
		cs.set(c, reading)
	case http.StateIdle:
		cs.set(c, silent)
	default:
		delete(cs.open, c)
	}
}

func (cs *conns) set(c net.Conn, to stage) {
	if mine := cs.open[c]; mine != nil && mine.stage != to {
		*mine = conn{to, time.Now()}
	}
}

// drop closes the connection that can be missed most easily: the one that has been
// silent or reading for longest, else the oldest stream, else the oldest of all.
func (cs *conns) drop() {
	var victim net.Conn
	rank := func(c *conn) int {
		switch c.stage {
		case silent, reading:
			return 0
		case streaming:
			return 1
		}
		return 2
	}
	for c, a := range cs.open {
		b := cs.open[victim]
		if b == nil || rank(a) < rank(b) || rank(a) == rank(b) && a.since.Before(b.since) {
			victim = c
		}
	}
	delete(cs.open, victim)
	victim.Close()
}

// connKey carries the connection of a request.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// now says how far the request is.
func (cs *conns) now(r *http.Request, to stage) {
	c, ok := r.Context().Value(connKey{}).(net.Conn)
	if !ok {
		return
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.set(c, to)
}
