package httpapi_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
	"plastic/memory"
)

func TestOnlyThisServersOwnNamesAreItsHost(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{})
	_, port, _ := strings.Cut(d.host, ":")
	for host, status := range map[string]int{
		d.host: 200, "localhost:" + port: 200, "LOCALHOST:" + port: 200, "[::1]:" + port: 200,
		"localhost": 403, "127.0.0.1": 403, "localhost:80": 403, "evil.example": 403, "evil.example:" + port: 403,
		"localhost.evil.example:" + port: 403, "127.0.0.1.evil.example:" + port: 403, d.host + ".evil.example": 403,
		"xlocalhost:" + port: 403, "localhost.:" + port: 403, "0.0.0.0:" + port: 403, "127.0.0.2:" + port: 403,
	} {
		for _, path := range []string{"/", "/healthz", "/metrics", "/v1/stats", "/page/app.js"} {
			d.get(path, "Host", host).want(t, host+path, status)
		}
	}
}

func TestAPageOfAnotherOriginIsRefused(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	_, port, _ := strings.Cut(d.host, ":")
	body := `{"content":"planted"}`
	for _, origin := range []string{
		"https://evil.example", "http://localhost.evil.example:" + port, "http://" + d.host + ".evil.example", "null", "file://",
		"http://localhost:1", "http://127.0.0.1", "chrome-extension://abc", "http://" + d.host + "/x", "", "x",
	} {
		if origin != "" {
			d.ask("POST", "/v1/memories", body, "Origin", origin).want(t, "POST from "+origin, 403)
			d.get("/v1/stats", "Origin", origin).want(t, "GET from "+origin, 403)
			if got := d.get("/v1/stats", "Origin", origin).header.Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("%s is allowed to read: %q", origin, got)
			}
		}
	}
	for _, site := range []string{"cross-site", "same-site"} {
		d.get("/v1/memories/search?q=planted", "Sec-Fetch-Site", site).want(t, site, 403)
		d.get("/", "Sec-Fetch-Site", site).want(t, "the page by a link, "+site, 200)
	}
	if n := len(b.All()); n != 0 {
		t.Errorf("%d memories were planted", n)
	}
	d.ask("POST", "/v1/memories", body, "Origin", "http://"+d.host, "Sec-Fetch-Site", "same-origin").want(t, "the page itself", 201)
	d.ask("POST", "/v1/memories", `{"content":"another thing"}`, "Origin", "http://localhost:"+port).want(t, "by its other name", 201)
}

func TestABodyThatIsNotSaidToBeJSONIsRefused(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	body := `{"content":"planted"}`
	for _, kind := range []string{"text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "json", ""} {
		for _, to := range []string{"POST /v1/memories", "POST /v1/memories/search", "PUT /v1/card", "PATCH /v1/config", "PUT /v1/channel", "POST /v1/compress"} {
			method, path, _ := strings.Cut(to, " ")
			d.ask(method, path, body, "Content-Type", kind).want(t, to+" as "+kind, 415)
		}
	}
	if n := len(b.All()); n != 0 {
		t.Errorf("%d memories were planted", n)
	}
	d.ask("POST", "/v1/memories", body, "Content-Type", "application/json; charset=utf-8").want(t, "JSON", 201)
	d.ask("POST", "/v1/compress", "").want(t, "an empty body", 200)
}

func TestBeyondLoopbackATokenIsNeeded(t *testing.T) {
	open := banktest.New(t)
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		ln, err := httpapi.Listen(addr, open.Bank, env{}.get)
		if err == nil {
			ln.Close()
			t.Fatalf("%s was opened without a token", addr)
		}
		if plastic.Code(err) != "usage" || plastic.NextStep(err) == "" {
			t.Errorf("%s: %v (%s, hint %q)", addr, err, plastic.Code(err), plastic.NextStep(err))
		}
	}
	guarded := banktest.New(t, "config.yaml", tokens)
	if ln, err := httpapi.Listen("0.0.0.0:0", guarded.Bank, env{}.get); err == nil {
		ln.Close()
		t.Fatal("tokens without a value let it open")
	}
	ln, err := httpapi.Listen("0.0.0.0:0", guarded.Bank, secrets.get)
	if err != nil {
		t.Fatal(err)
	}
	guessable := func(name string) string {
		if name == "HOME_OF_BOT" {
			return "/home/bot"
		}
		return secrets.get(name)
	}
	d := served(t, guarded, ln, httpapi.Options{Getenv: guessable})
	_, port, _ := strings.Cut(strings.ReplaceAll(d.host, "[::]", ""), ":")
	d.url = "http://127.0.0.1:" + port
	d.get("/v1/memories", "Host", "127.0.0.1:"+port).want(t, "no token", 403)
	d.get("/v1/memories", "Host", "192.0.2.7:"+port, "Authorization", tokenOf("trusted")).want(t, "by another address of this machine", 200)
	d.get("/v1/memories", "Host", "192.0.2.7:1", "Authorization", tokenOf("trusted")).want(t, "by another port", 403)
	d.get("/v1/memories", "Host", "evil.example:"+port, "Authorization", tokenOf("trusted")).want(t, "by another name", 403)

	// What comes in by git gives nobody a key to a server that runs.
	planted := tokens + "    - {name: planted, env: HOME_OF_BOT, audience: trusted}\n"
	banktest.Write(t, guarded.Dir(), "config.yaml", planted)
	d.get("/v1/memories", "Host", "127.0.0.1:"+port, "Authorization", "Bearer /home/bot").want(t, "a planted token", 403)
	d.get("/v1/memories", "Host", "127.0.0.1:"+port, "Authorization", tokenOf("trusted")).want(t, "the old one", 200)
}

func TestATokenSaysWhoReads(t *testing.T) {
	d := opened(t, banktest.New(t, "config.yaml", tokens), httpapi.Options{Getenv: secrets.get})
	who := func(headers ...string) string { return d.get("/v1/stats", headers...).header.Get("Plastic-Audience") }
	for _, a := range []string{"trusted", "owner", "public"} {
		if got := who("Authorization", tokenOf(a)); got != a {
			t.Errorf("the token of %s reads as %s", a, got)
		}
	}
	if got := who(); got != "public" {
		t.Errorf("a request without a token reads as %s", got)
	}
	if got := who("Authorization", "bearer  all-5c2f "); got != "trusted" {
		t.Errorf("a lower-case scheme reads as %s", got)
	}
	for _, bad := range []string{"Bearer wrong", "Bearer ", "Bearer", "Basic all-5c2f", "all-5c2f", "Bearer all-5c2", "Bearer all-5c2f0", "Bearer T_ALL"} {
		d.get("/v1/stats", "Authorization", bad).want(t, bad, 403)
	}
}

func TestATokenWithoutAValueOpensNothing(t *testing.T) {
	d := opened(t, banktest.New(t, "config.yaml", tokens), httpapi.Options{Getenv: env{"T_ALL": "  "}.get})
	for _, given := range []string{"Bearer ", "Bearer x", "Bearer  "} {
		d.get("/v1/memories", "Authorization", given).want(t, given, 403)
	}
	d.get("/v1/memories").want(t, "none", 403)
}

func TestATokenMayLieInTheFoldersEnvFile(t *testing.T) {
	b := banktest.New(t, "config.yaml", tokens)
	if err := os.WriteFile(filepath.Join(b.Dir(), ".env"), []byte("T_ALL=from-the-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := opened(t, b, httpapi.Options{})
	d.get("/v1/memories", "Authorization", "Bearer from-the-file").want(t, "from .env", 200)
}

func TestOnLoopbackTrustEndsWithTheFirstToken(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	d.get("/v1/memories").want(t, "no token is configured", 200)
	d.get("/v1/memories", "Authorization", "Bearer x").want(t, "an unknown token", 403)
	banktest.Write(t, b.Dir(), "config.yaml", tokens)
	d.get("/v1/memories").want(t, "a token is configured", 403)
	d.get("/v1/memories", "Authorization", tokenOf("trusted")).want(t, "with it", 200)
}

func TestAnAudienceIsOnlyLowered(t *testing.T) {
	d := opened(t, banktest.New(t, "config.yaml", tokens), httpapi.Options{Getenv: secrets.get})
	order := []string{"public", "owner", "trusted"}
	for _, token := range order {
		for _, asked := range order {
			want := order[min(slices.Index(order, token), slices.Index(order, asked))]
			if got := d.get("/v1/stats?audience="+asked, "Authorization", tokenOf(token)).header.Get("Plastic-Audience"); got != want {
				t.Errorf("%s asks as %s: reads as %s", token, asked, got)
			}
			body := `{"query":"x","audience":"` + asked + `"}`
			if got := d.ask("POST", "/v1/memories/search", body, "Authorization", tokenOf(token)).header.Get("Plastic-Audience"); got != want {
				t.Errorf("%s asks in the body as %s: reads as %s", token, asked, got)
			}
		}
		for _, q := range []string{"?public=true", "?audience=trusted&public=true", "?audience=public&audience=trusted"} {
			if got := d.get("/v1/stats"+q, "Authorization", tokenOf(token)).header.Get("Plastic-Audience"); got != "public" {
				t.Errorf("%s with %s: reads as %s", token, q, got)
			}
		}
	}
	d.get("/v1/stats?public=false", "Authorization", tokenOf("trusted")).want(t, "public=false", 200)
}

func TestAnUnknownAudienceIsRefused(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	for _, bad := range []string{"", "%20", "*", "Trusted", "all", "trusted,owner", "trusted%20", "null"} {
		d.get("/v1/stats?audience="+bad).want(t, "audience="+bad, 400)
		d.get("/v1/events?audience="+bad).want(t, "events, audience="+bad, 400)
	}
	for _, bad := range []string{`""`, `" "`, `"*"`, `null`, `5`, `[]`, `["trusted"]`, `"everyone"`, `{}`, `true`} {
		d.ask("POST", "/v1/memories", `{"content":"the attic","audience":`+bad+`}`).want(t, "audience "+bad, 400)
		d.ask("POST", "/v1/memories/search", `{"query":"the attic","audience":`+bad+`}`).want(t, "search, audience "+bad, 400)
	}
	for _, bad := range []string{"", "1", "yes", "TRUE"} {
		d.get("/v1/stats?public="+bad).want(t, "public="+bad, 400)
	}
	d.get("/v1/stats?audiense=public").want(t, "a misspelt parameter", 400)
	d.ask("POST", "/v1/memories", `{"content":"the attic","audiense":"public"}`).want(t, "a misspelt field", 400)
	if n := len(b.All()); n != 0 {
		t.Errorf("%d memories were written", n)
	}
}

func TestAServerForTheOwnerAmongOthersIsNothingMore(t *testing.T) {
	d := opened(t, banktest.New(t), httpapi.Options{Audience: memory.Owner})
	d.get("/v1/memories").want(t, "a list", 403)
	if got := d.get("/v1/stats?audience=trusted").header.Get("Plastic-Audience"); got != "owner" {
		t.Errorf("it reads as %s", got)
	}
}

func TestMCPIsAnsweredForWhoeverAsks(t *testing.T) {
	who := func(get func(*http.Request) *plastic.Bank) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				http.Error(w, "too large", http.StatusRequestEntityTooLarge)
				return
			}
			io.WriteString(w, string(get(r).Audience()))
		})
	}
	d := opened(t, banktest.New(t, "config.yaml", tokens), httpapi.Options{Getenv: secrets.get, MCP: who})
	for _, audience := range []string{"trusted", "owner", "public"} {
		if got := d.ask("POST", "/mcp", "{}", "Authorization", tokenOf(audience)); got.body != audience {
			t.Errorf("%s is answered as %q", audience, got.body)
		}
	}
	if got := d.ask("POST", "/mcp?audience=owner", "{}", "Authorization", tokenOf("trusted")); got.body != "owner" {
		t.Errorf("lowered to owner it is answered as %q", got.body)
	}
	if got := d.ask("POST", "/mcp", "{}"); got.body != "public" {
		t.Errorf("without a token it is answered as %q", got.body)
	}
	d.ask("POST", "/mcp", "{}", "Origin", "https://evil.example").want(t, "another origin", 403)
	d.ask("POST", "/mcp", "{}", "Host", "evil.example").want(t, "another host", 403)
	d.ask("POST", "/mcp", "{}", "Authorization", "Bearer x").want(t, "a wrong token", 403)
	d.ask("POST", "/mcp?audience=everyone", "{}").want(t, "an unknown audience", 400)
	d.ask("POST", "/mcp", strings.Repeat("x", 2<<20)).wantStatus(t, 413)
	if !strings.Contains(d.log.String(), "route=/mcp status=200 audience=owner") {
		t.Errorf("the log:\n%s", d.log)
	}
}

func TestAPortInUseIsSaidSo(t *testing.T) {
	b := banktest.New(t)
	d := opened(t, b, httpapi.Options{})
	_, err := httpapi.Listen(d.host, b.Bank, nil)
	if err == nil || !strings.Contains(err.Error(), "in use") || plastic.NextStep(err) == "" {
		t.Errorf("a port in use: %v", err)
	}
	if _, err := httpapi.Listen("nowhere", b.Bank, nil); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("no address: %v", err)
	}
}

// FuzzHost holds that no host but the server's own names is answered.
func FuzzHost(f *testing.F) {
	b := banktest.New(f)
	ln, err := httpapi.Listen("127.0.0.1:0", b.Bank, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { ln.Close() })
	s := httpapi.New(b.Bank, ln, httpapi.Options{})
	_, port, _ := strings.Cut(ln.Addr().String(), ":")
	ours := []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port}
	for _, host := range append(ours, "evil.example", "localhost", "localhost:"+port+".evil.example", "", ":"+port, "LocalHost:"+port) {
		f.Add(host, host)
	}
	f.Fuzz(func(t *testing.T, host, origin string) {
		r := httptest.NewRequest("GET", "/healthz", nil)
		r.Host = host
		if origin != "" {
			r.Header.Set("Origin", "http://"+origin)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		own := func(h string) bool { return slices.Contains(ours, strings.ToLower(h)) }
		if may := own(host) && (origin == "" || own(origin)); may != (w.Code == http.StatusOK) {
			t.Errorf("host %q, origin %q: status %d", host, origin, w.Code)
		}
	})
}
