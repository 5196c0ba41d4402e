package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// TestManyClientsLoseNothing is the load on loopback: many clients, mixed calls,
// no failure, and every acknowledged memory is there at the end. -short does a
// tenth of it.
func TestManyClientsLoseNothing(t *testing.T) {
	clients, calls := 50, 2000
	if testing.Short() {
		clients, calls = 10, 200
	}
	b := banktest.New(t)
	late, err := plastic.Open(b.Dir(), &plastic.Options{Now: b.Clock().Now, Delay: 500 * time.Millisecond}) // as serve does
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := late.Close(); err != nil {
			t.Error(err)
		}
	}()
	ln, err := httpapi.Listen("127.0.0.1:0", late, nil)
	if err != nil {
		t.Fatal(err)
	}
	lagging := *b
	lagging.Bank = late
	d := served(t, &lagging, ln, httpapi.Options{Watch: 300 * time.Millisecond})
	defer d.stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	r := d.stream("/v1/events")

	var mu sync.Mutex // guards kept, took
	var kept []string
	var took []time.Duration
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := range calls / clients {
				name := fmt.Sprintf("client %d keeps thing number %d in drawer q%dz%d", c, i, c, i)
				method, path, body := "GET", "/v1/memories/search?q=drawer+q"+fmt.Sprint(c)+"z"+fmt.Sprint(i-1), ""
				switch i % 4 {
				case 0:
					method, path, body = "POST", "/v1/memories", `{"content":"`+name+`"}`
				case 2:
					path = "/v1/memories/prompt?q=thing"
				case 3:
					path = "/v1/stats"
				}
				began := time.Now()
				req, err := http.NewRequest(method, d.url+path, strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Content-Type", "application/json")
				res, err := client.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				text, _ := io.ReadAll(res.Body)
				res.Body.Close()
				if res.StatusCode/100 != 2 {
					t.Errorf("%s %s: %d %s", method, path, res.StatusCode, text)
				}
				mu.Lock()
				took = append(took, time.Since(began))
				if method == "POST" {
					kept = append(kept, name)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	r.close()
	slices.Sort(took)
	t.Logf("%d calls by %d clients: median %v, p99 %v", len(took), clients, took[len(took)/2], took[len(took)*99/100])
	have := map[string]bool{}
	for _, m := range b.All() {
		have[m.Content] = true
	}
	for _, name := range kept {
		if !have[name] {
			t.Errorf("lost: %s", name)
		}
	}
}
