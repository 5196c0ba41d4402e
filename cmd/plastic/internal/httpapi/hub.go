package httpapi

import (
	"context"
	"errors"
	"sync"
	"time"

	"plastic"
	"plastic/config"
	"plastic/memory"
)

// hub tells open streams what changed. While there is one it looks at the folder
// every now and then, and after each write of this server at once. It compares
// what the memory holds, not what the file system says happened: nothing is
// missed however many events there were, and a file written with the same
// content is no change. That the memory falls asleep or wakes it hears from the
// Bank itself.
type hub struct {
	bank   *plastic.Bank
	config func() *config.Config
	every  time.Duration
	most   int
	poke   chan struct{} // look now

	mu      sync.Mutex // guards all below
	readers map[*reader]bool
	asleep  bool          // what the readers were told last
	stop    chan struct{} // ends the goroutine that looks; nil: there is none
	ended   chan struct{} // closed when it has
	closed  bool
}

// reader is one open stream.
type reader struct {
	audience memory.Audience
	card     bool // may see the card
	asleep   bool // how the memory was when the stream began
	events   chan event
}

// event is one thing that a stream says.
type event struct {
	name string
	data any
}

// behind is how many events a reader may leave lying before it is dropped.
const behind = 64

var errFull = errors.New("too many streams")

func newHub(bank *plastic.Bank, config func() *config.Config, every time.Duration, most int) *hub {
	return &hub{bank: bank, config: config, every: every, most: most, poke: make(chan struct{}, 1), readers: map[*reader]bool{}}
}

// join adds a reader that sees what bank sees, or fails where there are too many.
func (h *hub) join(bank *plastic.Bank) (*reader, error) {
	_, err := bank.Card()
	r := &reader{audience: bank.Audience(), card: err == nil, events: make(chan event, behind)}
	h.mu.Lock()
	defer h.mu.Unlock()
	public := 0
	for other := range h.readers {
		if other.audience == memory.Public {
			public++
		}
	}
	if h.closed || len(h.readers) >= h.most || r.audience == memory.Public && public >= (h.most+1)/2 {
		return nil, errFull // others than the owner never take all places
	}
	h.readers[r] = true
	if h.stop == nil {
		h.asleep = h.bank.Sleeping()
		h.stop, h.ended = make(chan struct{}), make(chan struct{})
		first := h.snapshot(nil)
		go h.watch(first, h.stop, h.ended)
	}
	r.asleep = h.asleep
	return r, nil
}

// leave takes a reader out; with the last one the looking ends.
func (h *hub) leave(r *reader) {
	h.mu.Lock()
	delete(h.readers, r)
	var ended chan struct{}
	if len(h.readers) == 0 && h.stop != nil {
		close(h.stop)
		ended, h.stop = h.ended, nil
	}
	h.mu.Unlock()
	if ended != nil {
		<-ended
	}
}

// close takes all readers out and lets none in.
func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	ended := h.ended
	if h.stop != nil {
		close(h.stop)
		h.stop = nil
	}
	h.mu.Unlock()
	if ended != nil {
		<-ended
	}
}

// look asks for a look at the folder now. It never waits.
func (h *hub) look() {
	select {
	case h.poke <- struct{}{}:
	default:
	}
}

// watch looks until stop. A large memory that goes on changing is looked at less
// often: never more than a third of the time goes into it.
func (h *hub) watch(last *snapshot, stop, ended chan struct{}) {
	defer close(ended)
	ctx, cancel := context.WithCancel(context.Background())
	hints := make(chan struct{})
	go func() { // the system's word that a file changed; the tick makes up for what it misses
		defer close(hints)
		_ = h.bank.Watch(ctx, h.look)
	}()
	defer func() {
		cancel()
		<-hints
	}()
	tick := time.NewTicker(h.every)
	defer tick.Stop()
	var rest time.Time
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		case <-h.poke:
		}
		h.listen()
		if time.Now().Before(rest) {
			continue
		}
		began := time.Now()
		next := h.snapshot(last)
		if next != last {
			h.tell(last, next)
			last = next
			rest = time.Now().Add(2 * time.Since(began))
		}
	}
}

// listen tells every reader when the memory has fallen asleep or woken since the
// last time.
func (h *hub) listen() {
	asleep := h.bank.Sleeping()
	h.mu.Lock()
	defer h.mu.Unlock()
	if asleep == h.asleep {
		return
	}
	h.asleep = asleep
	name := "awake"
	if asleep {
		name = "sleeping"
	}
	for r := range h.readers {
		h.give(r, event{name, nothing{}})
	}
}

// tell sends each reader what changed for it.
func (h *hub) tell(from, to *snapshot) {
	news := map[seer][]event{}
	h.mu.Lock()
	defer h.mu.Unlock()
	for r := range h.readers {
		as := seer{r.audience, r.card}
		if _, ok := news[as]; !ok {
			news[as] = changes(from, to, as)
		}
		for _, e := range news[as] {
			if !h.give(r, e) {
				break
			}
		}
	}
}

// give puts e before r, with mu held. Who has not read what came before is
// dropped: its stream ends, and it can come back and look for itself.
func (h *hub) give(r *reader, e event) bool {
	if len(r.events) == cap(r.events) {
		delete(h.readers, r)
		close(r.events)
		return false
	}
	r.events <- e
	return true
}
