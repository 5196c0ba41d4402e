package httpapi_test

import (
	"strings"
	"testing"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// A request that its audience may not make is denied before its body is looked at,
// whatever is wrong with it, and also where the body itself lowers the audience.
func TestWhoMayNotAskIsDeniedWhateverIsAsked(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	writing := []string{
		"POST /v1/memories", "PATCH /v1/memories/x", "DELETE /v1/memories/x", "POST /v1/memories/archive/x/restore",
		"POST /v1/turns/active", "DELETE /v1/turns/active/x",
	}
	owners := []string{
		"PUT /v1/card", "PATCH /v1/config", "PUT /v1/channel", "POST /v1/sleep", "POST /v1/sleep/wake", "POST /v1/sleep/runs/2026-11-01/undo",
		"POST /v1/compress", "POST /v1/turns/flush", "POST /v1/reindex",
	}
	for who, list := range map[string][]string{"public": append(writing, owners...), "owner": owners} {
		for _, route := range list {
			method, path, _ := strings.Cut(route, " ")
			for _, body := range []string{"", "{", `{"nonsense":1}`, `{"content":7}`, `{"level":9}`, "[]"} {
				got := d.ask(method, path+"?audience="+who, body).want(t, who+", "+route+" "+body, 403)
				if !strings.Contains(got.body, `"code":"denied"`) {
					t.Errorf("%s, %s %s: %s", who, route, body, got.body)
				}
			}
			d.ask(method, path+"?audience="+who, "{}", "Content-Type", "text/plain").want(t, who+", "+route+" as text", 403)
			d.ask(method, path, `{"audience":"`+who+`"}`).want(t, who+" by the body, "+route, 403)
		}
	}
}
