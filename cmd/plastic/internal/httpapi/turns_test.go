package httpapi_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// held keeps the folder's lock as another process would, until the returned
// function is called.
func held(t *testing.T, dir string) (release func()) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, ".plastic", "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}

// waitFor waits until what is so, or the test's patience ends.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	look, end := time.NewTicker(time.Millisecond), time.After(20*time.Second)
	defer look.Stop()
	for !is() {
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func TestATurnThatComesWhileTheMemorySleepsWaits(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	b.Say("the first of today")
	d := opened(t, b, httpapi.Options{})
	release := held(t, b.Dir())
	defer release()
	night := make(chan answer, 1)
	go func() { night <- d.ask("POST", "/v1/sleep", `{}`) }()
	waitFor(t, "the memory sleeps", b.Sleeping)

	r := d.stream("/v1/memories/prompt?q=cats")
	if e := r.next(); e.name != "sleeping" {
		t.Fatalf("first came %+v", e)
	}
	var plain plastic.Section
	d.get("/v1/memories/prompt?q=cats").want(t, "a plain GET", 200).into(t, &plain)
	if !plain.Sleeping || plain.Text == "" {
		t.Errorf("a plain GET while asleep: %+v", plain)
	}
	var state struct{ Sleeping bool }
	d.get("/v1/sleep").into(t, &state)
	if !state.Sleeping {
		t.Error("GET /v1/sleep says that nobody sleeps")
	}
	var woken struct{ Woken bool }
	d.ask("POST", "/v1/sleep/wake", `{}`).want(t, "wake", 200).into(t, &woken)
	if !woken.Woken {
		t.Error("nobody was woken")
	}
	if e := r.next(); e.name != "awake" {
		t.Errorf("then came %+v", e)
	}
	if e := r.next(); e.name != "prompt" {
		t.Errorf("then came %+v", e)
	}
	if got := <-night; got.status == 200 {
		t.Errorf("the night that was woken from answered %d", got.status)
	}
	if b.Sleeping() {
		t.Error("it sleeps on")
	}
	if got, err := b.Nights(); err != nil || len(got) != 0 {
		t.Errorf("the night is done: %s %v", got, err)
	}
	release()
	d.ask("POST", "/v1/sleep", `{}`).want(t, "sleep once more", 200)
	var runs struct{ Runs []struct{ Date string } }
	d.get("/v1/sleep/runs").want(t, "runs", 200).into(t, &runs)
	if len(runs.Runs) != 1 || runs.Runs[0].Date != "2026-11-30" {
		t.Errorf("runs: %+v", runs)
	}
}

// Every reader of events hears that the memory falls asleep and wakes, a stream
// that begins meanwhile says so at once, and nobody hears of what was not done.
func TestAStreamTellsOfSleep(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	d := opened(t, b, httpapi.Options{})
	early, public := d.stream("/v1/events"), d.stream("/v1/events?public=true")
	early.until("hello")
	public.until("hello")
	release := held(t, b.Dir())
	defer release()
	night := make(chan answer, 1)
	go func() { night <- d.ask("POST", "/v1/sleep", `{}`) }()
	for name, r := range map[string]*reader{"the owner": early, "the public": public} {
		if e := r.next(); e != (event{"sleeping", "{}"}) {
			t.Errorf("%s first hears %+v", name, e)
		}
	}
	late := d.stream("/v1/events")
	if e := late.next(); e.data != `{"audience":"trusted","sleeping":true}` {
		t.Errorf("a stream that begins meanwhile opens with %+v", e)
	}
	d.ask("POST", "/v1/sleep/wake", `{}`).want(t, "wake", 200)
	for _, r := range []*reader{early, public, late} {
		if e := r.next(); e != (event{"awake", "{}"}) {
			t.Errorf("then came %+v", e)
		}
	}
	<-night
	release()
	d.ask("POST", "/v1/sleep", `{}`).want(t, "sleep once more", 200)
	if e := early.until("runs"); e.data != `{"runs":1}` {
		t.Errorf("after the night came %+v", e)
	}
	d.ask("POST", "/v1/sleep/runs/2026-11-30/undo", "").want(t, "undo", 200)
}

// Who asked for the night may go; the night goes on.
func TestANightOutlivesItsCaller(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	b.Say("the first of today")
	d := opened(t, b, httpapi.Options{})
	release := held(t, b.Dir())
	defer release()
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", d.url+"/v1/sleep", nil)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() {
		_, err := http.DefaultTransport.RoundTrip(r)
		gone <- err
	}()
	waitFor(t, "the memory sleeps", b.Sleeping)
	leave()
	if err := <-gone; err == nil {
		t.Fatal("the caller was answered")
	}
	release()
	waitFor(t, "the night is done", func() bool { got, err := b.Nights(); return err == nil && len(got) == 1 })
}

// A stop ends the sleep under way and the turns that wait for its end.
func TestAStopWaitsForNoSleeper(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked)
	b.Say("the first of today")
	d := opened(t, b, httpapi.Options{Grace: time.Hour})
	release := held(t, b.Dir())
	defer release()
	night := make(chan answer, 1)
	go func() { night <- d.ask("POST", "/v1/sleep", `{}`) }()
	waitFor(t, "the memory sleeps", b.Sleeping)
	turn := d.stream("/v1/memories/prompt?q=cats")
	turn.until("sleeping")
	d.stop()
	if got := <-night; got.status != http.StatusServiceUnavailable {
		t.Errorf("the night that was ended answered %d %s", got.status, got.body)
	}
	if e := turn.until("prompt"); !strings.Contains(e.data, "cats") {
		t.Errorf("the turn got %+v", e)
	}
}

func TestATurnKeepsTheNightWaiting(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	var turn struct{ ID string }
	d.ask("POST", "/v1/turns/active", `{}`).want(t, "begin", 201).into(t, &turn)
	b.Pass(12 * time.Minute)
	if b.Quiet() {
		t.Error("quiet while a turn is active")
	}
	d.ask("DELETE", "/v1/turns/active/"+turn.ID, "").want(t, "end", 200)
	d.ask("DELETE", "/v1/turns/active/"+turn.ID, "").want(t, "end again", 404)
	b.Pass(11 * time.Minute)
	if !b.Quiet() {
		t.Error("not quiet after the turn")
	}
	d.ask("POST", "/v1/turns/active", `{}`)
	b.Pass(plastic.TurnLease + time.Minute)
	if !b.Quiet() {
		t.Error("a turn that nobody ended counts for ever")
	}
	d.ask("POST", "/v1/turns/active", `{"audience":"public"}`).want(t, "a public turn", 403)
	d.ask("POST", "/v1/sleep/wake", `{"audience":"owner"}`).want(t, "the owner among others", 403)
	d.ask("POST", "/v1/sleep", `{"audience":"owner"}`).want(t, "sleep for the owner among others", 403)
	d.get("/v1/sleep/runs?audience=owner").want(t, "runs for the owner among others", 403)
}
