package httpapi_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

func TestContractOfHTTP(t *testing.T) {
	banktest.Contract(t, func(t *testing.T) banktest.Door {
		return httpDoor{t, opened(t, banktest.New(t), httpapi.Options{})}
	})
}

type httpDoor struct {
	t *testing.T
	d *door
}

// ask sends a request; out takes the answer of a success, code that of a failure.
func (h httpDoor) ask(out any, method, path string, body map[string]any) (code string) {
	h.t.Helper()
	text := ""
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			h.t.Fatal(err)
		}
		text = string(b)
	}
	a := h.d.ask(method, path, text)
	if a.status < 300 {
		if out != nil {
			a.into(h.t, out)
		}
		return ""
	}
	var f struct{ Code string }
	a.into(h.t, &f)
	want := map[string]int{"usage": 400, "invalid": 400, "not_found": 404, "ambiguous": 409, "busy": 503, "denied": 403}[f.Code]
	if a.status != want {
		h.t.Errorf("%s %s: code %s with status %d", method, path, f.Code, a.status)
	}
	return f.Code
}

func (h httpDoor) Remember(audience, text string, private bool) (string, string, string) {
	var out struct{ ID, Outcome string }
	code := h.ask(&out, "POST", "/v1/memories", map[string]any{"audience": audience, "content": text, "private": private})
	return out.ID, out.Outcome, code
}

type listed struct{ Memories []struct{ ID string } }

func (l listed) ids() (ids []string) {
	for _, m := range l.Memories {
		ids = append(ids, m.ID)
	}
	return ids
}

func (h httpDoor) Recall(audience, query string) ([]string, string) {
	var out listed
	code := h.ask(&out, "POST", "/v1/memories/search", map[string]any{"audience": audience, "query": query})
	return out.ids(), code
}

func (h httpDoor) Update(audience, id, text string) string {
	return h.ask(nil, "PATCH", "/v1/memories/"+id, map[string]any{"audience": audience, "content": text})
}

func (h httpDoor) Forget(audience, id string) string {
	return h.ask(nil, "DELETE", "/v1/memories/"+id+"?audience="+audience, nil)
}

func (h httpDoor) List(audience string) ([]string, string) {
	var out listed
	code := h.ask(&out, "GET", "/v1/memories?audience="+audience, nil)
	return out.ids(), code
}

func (h httpDoor) Prompt(audience, query string) (string, string) {
	var out struct{ Section string }
	code := h.ask(&out, "GET", "/v1/memories/prompt?audience="+audience+"&q="+url.QueryEscape(query), nil)
	return out.Section, code
}
