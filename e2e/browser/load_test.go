package browser_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// load is what the clients have seen.
type load struct {
	mu   sync.Mutex // guards all below
	took map[string][]time.Duration
	kept map[string]string // contents by id that must be there at the end
	gone []string
	bad  []string
}

// call asks once and notes how long the answer took.
func (l *load) call(client *http.Client, kind, method, url, body string) []byte {
	began := time.Now()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	var text []byte
	res, err := client.Do(r)
	if err == nil {
		text, err = io.ReadAll(res.Body)
		res.Body.Close()
	}
	took := time.Since(began)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.took[kind] = append(l.took[kind], took)
	if err != nil || res.StatusCode/100 != 2 {
		l.bad = append(l.bad, fmt.Sprintf("%s %s: %v %s", method, url, err, text))
	}
	return text
}

// run makes n mixed calls as client c: it remembers, searches, counts recalls,
// looks at prompts and statistics, changes and forgets what it remembered.
func (l *load) run(client *http.Client, url string, c, n int) {
	var mine []string
	for i := range n {
		thing := fmt.Sprintf("box number q%dz%d, 第%d箱", c, i, i)
		switch i % 10 {
		case 0, 5:
			var made struct{ ID string }
			json.Unmarshal(l.call(client, "remember", "POST", url+"/v1/memories", `{"content":`+quote(thing)+`}`), &made)
			mine = append(mine, made.ID)
			l.mu.Lock()
			l.kept[made.ID] = thing
			l.mu.Unlock()
		case 1, 6:
			l.call(client, "search", "POST", url+"/v1/memories/search", fmt.Sprintf(`{"query":"q%dz%d","rehearse":false}`, c, i-1))
		case 2:
			l.call(client, "recall", "GET", url+fmt.Sprintf("/v1/memories/search?q=q%dz%d", c, i-2), "")
		case 3, 7:
			l.call(client, "prompt", "GET", url+"/v1/memories/prompt?q=box+number", "")
		case 4:
			l.call(client, "stats", "GET", url+"/v1/stats", "")
		case 8:
			l.call(client, "update", "PATCH", url+"/v1/memories/"+mine[len(mine)-1], `{"importance":0.6}`)
		case 9:
			if i%20 == 9 {
				id := mine[len(mine)-2]
				l.call(client, "forget", "DELETE", url+"/v1/memories/"+id, "")
				l.mu.Lock()
				delete(l.kept, id)
				l.gone = append(l.gone, id)
				l.mu.Unlock()
				continue
			}
			l.call(client, "show", "GET", url+"/v1/memories/"+mine[len(mine)-1], "")
		}
	}
}

// TestTheProgramUnderLoad is 50 clients with 20,000 mixed calls together, while
// somebody reads the stream of events: none fails, and after the stop the files
// hold what was acknowledged. It runs where PLASTIC_LOAD is set, a twentieth of
// it elsewhere; -v prints how long the calls took.
func TestTheProgramUnderLoad(t *testing.T) {
	clients, each := 10, 100
	if os.Getenv("PLASTIC_LOAD") != "" {
		clients, each = 50, 400
	}
	dir := folder(t, "memory.json", few)
	var server *exec.Cmd
	url := serveAs(t, dir, func(cmd *exec.Cmd) { server = cmd })
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	stream, err := http.Get(url + "/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, stream.Body)
	defer stream.Body.Close()

	l := &load{took: map[string][]time.Duration{}, kept: map[string]string{}}
	began := time.Now()
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() { l.run(client, url, c, each) })
	}
	all.Wait()
	span := time.Since(began)
	server.Process.Signal(os.Interrupt)
	if err := server.Wait(); err != nil {
		t.Errorf("serve ended with %v", err)
	}
	for _, bad := range l.bad[:min(len(l.bad), 5)] {
		t.Error(bad)
	}
	l.report(t, clients, span)
	p := &page{t: t, dir: dir}
	have, away := p.memories(), p.away()
	for id, content := range l.kept {
		if have[id].Content != content {
			t.Errorf("lost: %s %s", id, content)
		}
	}
	for _, id := range l.gone {
		if _, there := have[id]; there || away[id] != "forgotten" {
			t.Errorf("%s was forgotten and is there: %v, %q", id, there, away[id])
		}
	}
}

func (l *load) report(t *testing.T, clients int, span time.Duration) {
	line := func(name string, took []time.Duration) {
		slices.Sort(took)
		t.Logf("%-9s %6d calls: median %7.1f ms, p99 %7.1f ms, most %7.1f ms", name, len(took),
			took[len(took)/2].Seconds()*1000, took[len(took)*99/100].Seconds()*1000, took[len(took)-1].Seconds()*1000)
	}
	var all []time.Duration
	for _, took := range l.took {
		all = append(all, took...)
	}
	for kind, took := range l.took {
		line(kind, took)
	}
	line("all", all)
	t.Logf("%d clients, %.0f calls a second", clients, float64(len(all))/span.Seconds())
}
