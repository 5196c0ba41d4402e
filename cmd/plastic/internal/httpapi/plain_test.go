package httpapi_test

import (
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

func TestTextInAnswersStandsAsItIs(t *testing.T) {
	b := banktest.New(t)
	b.Remember(plastic.Draft{Content: "one\u2028two\u2029three <b>"})
	d := opened(t, b, httpapi.Options{})
	for _, path := range []string{"/v1/memories", "/v1/memories/search?q=three"} {
		if got := d.get(path).want(t, path, 200).body; !strings.Contains(got, "one\u2028two\u2029three <b>") {
			t.Errorf("%s answers %q", path, got)
		}
	}
	s := d.stream("/v1/memories/prompt?q=three")
	defer s.close()
	for e := range s.events {
		if e.name == "prompt" {
			if strings.Contains(e.data, `\u`) {
				t.Errorf("the stream says %q", e.data)
			}
			return
		}
	}
	t.Error("no prompt came")
}
