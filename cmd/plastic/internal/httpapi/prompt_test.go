package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

const sse = "text/event-stream"

func TestAPromptIsTheSectionOfATurn(t *testing.T) {
	b := banktest.New(t, "memory.json", stocked, "memory.md", "# Card\nshort sentences\n")
	d := opened(t, b, httpapi.Options{})
	var plain plastic.Section
	d.get("/v1/memories/prompt?q=cats").want(t, "plain", 200).into(t, &plain)
	want := b.Prompt(plastic.Turn{Text: "cats"})
	if plain.Text != want.Text || plain.Sleeping {
		t.Errorf("plain:\n%s\nwant:\n%s", plain.Text, want.Text)
	}
	r := d.stream("/v1/memories/prompt?q=cats")
	var streamed plastic.Section
	e := r.next()
	if err := json.Unmarshal([]byte(e.data), &streamed); e.name != "prompt" || err != nil || streamed.Text != want.Text {
		t.Errorf("as a stream: %+v (%v)", e, err)
	}
	if e, more := <-r.events; more {
		t.Errorf("then %+v", e)
	}
	var public plastic.Section
	d.get("/v1/memories/prompt?q=cats&public=true").into(t, &public)
	if strings.Contains(public.Text, "short sentences") || strings.Contains(public.Text, "Keep, at once") {
		t.Errorf("the public's section:\n%s", public.Text)
	}
}

func TestTheStreamOfAPromptFollowsTheSettingOfRehearsal(t *testing.T) {
	for setting, want := range map[string]int{"recall": 0, "always": 1, "never": 0} {
		b := banktest.New(t, "memory.json", stocked, "config.yaml", "memory: {timezone: UTC, rehearse: "+setting+"}\n")
		d := opened(t, b, httpapi.Options{})
		d.stream("/v1/memories/prompt?q=cats").until("prompt")
		if got := b.Show("cat1").RecallCount; got != want {
			t.Errorf("rehearse %s: counted %d, want %d", setting, got, want)
		}
	}
}

// A plain GET is for looking: it counts nothing, whatever the setting.
func TestAPlainGetOfAPromptCountsNothing(t *testing.T) {
	for _, setting := range []string{"recall", "always", "never"} {
		b := banktest.New(t, "memory.json", stocked, "config.yaml", "memory: {timezone: UTC, rehearse: "+setting+"}\n")
		d := opened(t, b, httpapi.Options{})
		for _, path := range []string{"/v1/memories/prompt?q=cats", "/v1/memories/prompt?q=cats&public=true", "/v1/memories/prompt?q=cats&session=s1"} {
			var got plastic.Section
			d.get(path).want(t, path, 200).into(t, &got)
			if !strings.Contains(got.Text, "cats") {
				t.Errorf("%s: nothing came to mind:\n%s", path, got.Text)
			}
		}
		if m := b.Show("cat1"); m.RecallCount != 0 || !m.LastRecalledAt.IsZero() {
			t.Errorf("rehearse %s: counted %d, at %v", setting, m.RecallCount, m.LastRecalledAt)
		}
	}
}

func TestOnlyAnAcceptHeaderMakesItAStream(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "application/json": "application/json", "text/event-stream;q=0": "application/json",
		sse: sse, "application/json, text/event-stream": sse, "Text/Event-Stream; charset=utf-8": sse, "text/event-stream;q=0.5": sse,
	} {
		if got := d.get("/v1/memories/prompt", "Accept", accept).header.Get("Content-Type"); !strings.HasPrefix(got, want) {
			t.Errorf("Accept %q gives %s", accept, got)
		}
	}
}

// Case 126: no text can end an event or forge one.
func TestNoTextTearsAnEvent(t *testing.T) {
	texts := []string{"one\ntwo", "one\r\ntwo", "one\rtwo", "one\u2028two\u2029three\u0085four", "x\n\nevent: forged\ndata: {}\n\n", "data: x\nevent: y\nid: 5\nretry: 1\n:", "\n\n\n"}
	for _, text := range texts {
		b := banktest.New(t, "memory.md", text)
		d := opened(t, b, httpapi.Options{})
		r := d.stream("/v1/memories/prompt?q=x")
		e := r.next()
		var got plastic.Section
		if err := json.Unmarshal([]byte(e.data), &got); e.name != "prompt" || err != nil {
			t.Fatalf("%q: %+v (%v)", text, e, err)
		}
		if !strings.Contains(got.Text, strings.TrimRight(text, "\r\n")) {
			t.Errorf("%q does not arrive whole: %q", text, got.Text)
		}
		if e, more := <-r.events; more {
			t.Errorf("%q: a second event %+v", text, e)
		}
		d.stop()
	}
}

// FuzzStream holds that whatever the card says, a prompt is one event with that
// text in it.
func FuzzStream(f *testing.F) {
	b := banktest.New(f)
	ln, err := httpapi.Listen("127.0.0.1:0", b.Bank, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		ln.Close()
		if card, err := b.Card(); err == nil { // the last one may be no text, of which the doctor would tell
			_, err = b.WriteCard(context.Background(), nil, card.Hash)
			if err != nil {
				f.Error(err)
			}
		}
	})
	s := httpapi.New(b.Bank, ln, httpapi.Options{})
	for _, text := range []string{"a\nb", "a\r\rb", "event: x\ndata: y\n\n", "\u2028", "\x00", "大肥魚"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return // longer than a card should be
		}
		card, err := b.Card()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.WriteCard(t.Context(), []byte(text), card.Hash); err != nil {
			return // not a card at all
		}
		r := httptest.NewRequest("GET", "/v1/memories/prompt", nil)
		r.Host = ln.Addr().String()
		r.Header.Set("Accept", sse)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		var events []event
		readEvents(w.Body, func(e event) { events = append(events, e) })
		var got plastic.Section
		if len(events) != 1 || events[0].name != "prompt" || json.Unmarshal([]byte(events[0].data), &got) != nil {
			t.Fatalf("%q: %+v", text, events)
		}
	})
}
