package httpapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

func TestAKeyThatWaitsForTheNextStartIsSaidOnce(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(b.Dir(), "config.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said := func(want int) {
		t.Helper()
		for range 3 {
			d.get("/v1/config").want(t, "config", 200)
		}
		if n := strings.Count(d.log.String(), "server.listen"); n != want {
			t.Errorf("said %d times, want %d:\n%s", n, want, d.log)
		}
	}
	said(0)
	write("memory: {timezone: UTC, recentCount: 3}\n")
	said(0)
	write("server: {listen: \"127.0.0.1:7999\"}\nmemory: {timezone: UTC, recentCount: 3}\n")
	said(1)
	write("memory: {timezone: UTC}\n") // as it was
	said(1)
	write("server: {listen: \"127.0.0.1:7998\"}\nmemory: {timezone: UTC}\n")
	said(2)
}
