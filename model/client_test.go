package model_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"plastic/config"
	"plastic/memory"
	"plastic/model"
)

const secretKey = "key-that-stays-here"

// stub is a server that answers by a function, and a client for it.
type stub struct {
	*model.Client
	url   string
	mu    sync.Mutex
	paths []string
	sent  []map[string]any
	keys  []string
}

func newStub(t *testing.T, answer http.HandlerFunc) *stub {
	s := &stub{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var fields map[string]any
		_ = json.Unmarshal(body, &fields)
		s.mu.Lock()
		s.paths, s.sent, s.keys = append(s.paths, r.URL.String()), append(s.sent, fields), append(s.keys, r.Header.Get("Authorization"))
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	s.Client = s.client(server.URL + "/v1")
	return s
}

func (s *stub) client(base string) *model.Client {
	e := config.Endpoint{Base: base, Model: "m", KeyEnv: "KEY"}
	return model.New(model.Settings{Chat: e, Embed: e, Rerank: e, Key: func(string) string { return secretKey }, Timeout: 5 * time.Second, Attempts: 1})
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, body) }
}

var question = memory.Ask{System: "be brief", User: "she keeps two very private cats", Effort: "high",
	Tool: memory.Tool{Name: "finish", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}}

func TestThePathComesAfterWhatTheUserWrote(t *testing.T) {
	for base, want := range map[string]string{
		"":                 "/chat/completions",
		"/v1":              "/v1/chat/completions",
		"/v1/":             "/v1/chat/completions",
		"/api/paas/v4":     "/api/paas/v4/chat/completions",
		"/api/v3":          "/api/v3/chat/completions",
		"/v1?tenant=a%20b": "/v1/chat/completions?tenant=a%20b",
	} {
		s := newStub(t, says(`{"choices":[{"message":{"content":"x"}}]}`))
		if _, err := s.client(s.url+base).Chat(context.Background(), question); err != nil {
			t.Fatal(err)
		}
		if s.paths[0] != want {
			t.Errorf("%q: asked %s, want %s", base, s.paths[0], want)
		}
	}
}

func TestA404NamesTheWholeAddress(t *testing.T) {
	s := newStub(t, http.NotFound)
	_, err := s.Chat(context.Background(), question)
	if !errors.Is(err, memory.ErrUnreached) || !strings.Contains(err.Error(), s.url+"/v1/chat/completions") {
		t.Errorf("error %v", err)
	}
}

func TestNothingIsCalledThatIsNotConfigured(t *testing.T) {
	c := model.New(model.Settings{Trace: func(model.Call) { t.Error("a call was made") }})
	if _, err := c.Chat(context.Background(), question); !errors.Is(err, memory.ErrNoModel) {
		t.Errorf("chat: %v", err)
	}
	if _, err := c.Embed(context.Background(), []string{"x"}); !errors.Is(err, memory.ErrNoModel) {
		t.Errorf("embed: %v", err)
	}
	if _, err := c.Rerank(context.Background(), "x", []string{"x"}); !errors.Is(err, memory.ErrNoModel) {
		t.Errorf("rerank: %v", err)
	}
}

func TestWithoutAKeyNoAuthorizationIsSent(t *testing.T) {
	s := newStub(t, says(`{"choices":[{"message":{"content":"x"}}]}`))
	e := config.Endpoint{Base: s.url, Model: "m"}
	if _, err := model.New(model.Settings{Chat: e, Key: func(string) string { return "" }}).Chat(context.Background(), question); err != nil || s.keys[0] != "" {
		t.Errorf("Authorization %q, error %v", s.keys[0], err)
	}
	if _, err := s.Chat(context.Background(), question); err != nil || s.keys[1] != "Bearer "+secretKey {
		t.Errorf("Authorization %q, error %v", s.keys[1], err)
	}
}

func TestChatReadsEveryFormOfAnswer(t *testing.T) {
	stream := "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"finish\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]}}]}\n\n"
	for name, c := range map[string]struct {
		body string
		want memory.Reply
	}{
		"a call":                 {`{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[{"function":{"name":"finish","arguments":"{\"a\":1}"}}]}}]}`, memory.Reply{Arguments: []string{`{"a":1}`}, Finish: "tool_calls"}},
		"arguments as an object": {`{"choices":[{"message":{"tool_calls":[{"function":{"name":"finish","arguments":{"a":1}}}]}}]}`, memory.Reply{Arguments: []string{`{"a":1}`}}},
		"an old function call":   {`{"choices":[{"message":{"function_call":{"name":"finish","arguments":"{}"}}}]}`, memory.Reply{Arguments: []string{`{}`}}},
		"a name with a slip":     {`{"choices":[{"message":{"tool_calls":[{"function":{"name":"functions.finish","arguments":"{}"}}]}}]}`, memory.Reply{Arguments: []string{`{}`}}},
		"parts":                  {`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, memory.Reply{Text: "ab"}},
		"reasoning beside":       {`{"choices":[{"message":{"content":"a","reasoning":"hm"}}]}`, memory.Reply{Text: "a", Reasoning: "hm"}},
		"no usage, no finish":    {`{"choices":[{"message":{"content":"a"}}]}`, memory.Reply{Text: "a"}},
		"a stream":               {stream + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n", memory.Reply{Arguments: []string{`{"a":1}`}, Reasoning: "hm", Finish: "tool_calls"}},
		"a stream that is cut":   {stream, memory.Reply{Arguments: []string{`{"a":1}`}, Reasoning: "hm", Finish: "cut"}},
	} {
		got, err := newStub(t, says(c.body)).Chat(context.Background(), question)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %+v, error %v; want %+v", name, got, err, c.want)
		}
	}
}

func TestAnAnswerThatIsNoneIsAnErrorOfTheModel(t *testing.T) {
	for _, body := range []string{
		``, `null`, `{}`, `[]`, `{"choices":[]}`, `{"choices":null}`, `{"choices":[{}]}`, `{"choices":[{"message":null}]}`,
		`{"choices":[{"message":{"content":null}}]}`, `{"choices":[{"message":{"content":"  "}}]}`,
		`<html><body>504 Gateway Time-out</body></html>`, `{"error":{"message":"x"}}`, `{"error":"x"}`, `{"choices":[{"message":{"conte`,
	} {
		_, err := newStub(t, says(body)).Chat(context.Background(), question)
		if !errors.Is(err, memory.ErrModel) || errors.Is(err, memory.ErrUnreached) {
			t.Errorf("%q: %v", body, err)
		}
	}
	_, err := newStub(t, says(`{"error":{"message":"slow down","code":429}}`)).Chat(context.Background(), question)
	if !errors.Is(err, memory.ErrUnreached) {
		t.Errorf("a 429 in a 200: %v", err)
	}
}

func TestWhatSaysNothingAboutTheQuestionIsUnreached(t *testing.T) {
	for _, code := range []int{401, 403, 404, 408, 429, 500, 502, 503, 504, 529} {
		_, err := newStub(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }).Chat(context.Background(), question)
		if !errors.Is(err, memory.ErrUnreached) || errors.Is(err, memory.ErrModel) {
			t.Errorf("%d: %v", code, err)
		}
	}
	for _, code := range []int{400, 413, 422} {
		_, err := newStub(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }).Chat(context.Background(), question)
		if !errors.Is(err, memory.ErrModel) || errors.Is(err, memory.ErrUnreached) {
			t.Errorf("%d: %v", code, err)
		}
	}
	s := newStub(t, nil)
	closed := s.client("http://127.0.0.1:1/v1")
	if _, err := closed.Chat(context.Background(), question); !errors.Is(err, memory.ErrUnreached) {
		t.Errorf("a closed port: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	release := make(chan struct{})
	hang := newStub(t, func(http.ResponseWriter, *http.Request) { <-release })
	if _, err := hang.Chat(ctx, question); !errors.Is(err, memory.ErrUnreached) {
		t.Errorf("no answer in time: %v", err)
	}
	close(release)
}

func TestRefusedFieldsAreLeftOutOnceAndFromThenOn(t *testing.T) {
	for _, field := range []string{"tool_choice", "reasoning_effort"} {
		for _, said := range []string{"Unsupported parameter: " + field, "bad request"} {
			s := newStub(t, nil)
			var mu sync.Mutex
			calls := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				mu.Lock()
				calls++
				mu.Unlock()
				if strings.Contains(string(body), `"`+field+`"`) {
					w.WriteHeader(400)
					fmt.Fprintf(w, `{"error":{"message":%q}}`, said)
					return
				}
				fmt.Fprint(w, `{"choices":[{"message":{"content":"x"}}]}`)
			}))
			client := s.client(server.URL)
			if _, err := client.Chat(context.Background(), question); err != nil {
				t.Errorf("%s, %q: %v", field, said, err)
			}
			before := calls
			if _, err := client.Chat(context.Background(), question); err != nil || calls != before+1 {
				t.Errorf("%s, %q: the second question took %d calls, error %v", field, said, calls-before, err)
			}
			if before > 3 {
				t.Errorf("%s, %q: the first question took %d calls", field, said, before)
			}
			server.Close()
		}
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	var mu sync.Mutex
	n := 0
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"x"}}]}`)
	})
	e := config.Endpoint{Base: s.url, Model: "m"}
	start := time.Now()
	if _, err := model.New(model.Settings{Chat: e}).Chat(context.Background(), question); err != nil || time.Since(start) < time.Second {
		t.Errorf("it was asked again after %v, error %v", time.Since(start), err)
	}
	// A wait that would not end in time is not begun.
	s = newStub(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(503)
	})
	if _, err := s.Chat(context.Background(), question); !errors.Is(err, memory.ErrUnreached) {
		t.Errorf("error %v", err)
	}
}

func TestAfterThreeMissesNothingIsAskedForAWhile(t *testing.T) {
	up := false
	var mu sync.Mutex
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		calls++
		if !up {
			w.WriteHeader(503)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"x"}}]}`)
	}))
	defer server.Close()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	c := model.New(model.Settings{Chat: config.Endpoint{Base: server.URL, Model: "m"}, Attempts: 1, Now: func() time.Time { return now }})
	for range 10 {
		if _, err := c.Chat(context.Background(), question); !errors.Is(err, memory.ErrUnreached) {
			t.Fatal(err)
		}
	}
	if calls != 3 {
		t.Errorf("%d calls, want 3", calls)
	}
	up = true
	now = now.Add(time.Hour)
	if _, err := c.Chat(context.Background(), question); err != nil {
		t.Errorf("after the pause: %v", err)
	}
}

func TestErrorsHoldNoKeyAndNothingThatWasSent(t *testing.T) {
	s := newStub(t, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(400)
		fmt.Fprintf(w, `{"error":{"message":%q}}`, "can not read "+string(body)+r.Header.Get("Authorization"))
	}))
	defer server.Close()
	_, err := s.client(server.URL).Chat(context.Background(), question)
	if err == nil || strings.Contains(err.Error(), secretKey) || strings.Contains(err.Error(), "private cats") {
		t.Errorf("error %v", err)
	}
}

func TestARedirectElsewhereDoesNotCarryTheKey(t *testing.T) {
	other := newStub(t, says(`{"choices":[{"message":{"content":"x"}}]}`))
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.url, http.StatusTemporaryRedirect)
	})
	if _, err := s.Chat(context.Background(), question); err == nil || len(other.keys) != 0 {
		t.Errorf("%d requests followed, error %v", len(other.keys), err)
	}
}

func vector(x float64) string { return fmt.Sprintf("[%g,1]", x) }

func coded(v ...float32) string {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return `"` + base64.StdEncoding.EncodeToString(b) + `"`
}

func TestEmbedReadsEveryFormOfAnswer(t *testing.T) {
	for name, body := range map[string]string{
		"in order":        `{"data":[{"index":0,"embedding":[1,1]},{"index":1,"embedding":[2,1]}]}`,
		"out of order":    `{"data":[{"index":1,"embedding":[2,1]},{"index":0,"embedding":[1,1]}]}`,
		"without index":   `{"data":[{"embedding":[1,1]},{"embedding":[2,1]}]}`,
		"base64":          `{"data":[{"index":0,"embedding":` + coded(1, 1) + `},{"index":1,"embedding":` + coded(2, 1) + `}]}`,
		"plain lists":     `{"embeddings":[[1,1],[2,1]]}`,
		"a bare list":     `[[1,1],[2,1]]`,
		"more than asked": `{"data":[{"index":0,"embedding":[1,1]},{"index":1,"embedding":[2,1]},{"index":2,"embedding":[3,1]}]}`,
	} {
		got, err := newStub(t, says(body)).Embed(context.Background(), []string{"a", "b"})
		if err != nil || fmt.Sprint(got) != "[[1 1] [2 1]]" {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
	s := newStub(t, says(`[[1,1]]`))
	if _, err := s.Embed(context.Background(), []string{"a"}); err != nil || s.sent[0]["encoding_format"] != "float" {
		t.Errorf("encoding_format %v, error %v", s.sent[0]["encoding_format"], err)
	}
}

func TestVectorsThatAreNoneAreErrors(t *testing.T) {
	for name, body := range map[string]string{
		"the same index":     `{"data":[{"index":0,"embedding":[1,1]},{"index":0,"embedding":[2,1]}]}`,
		"a wild index":       `{"data":[{"index":7,"embedding":[1,1]},{"index":1,"embedding":[2,1]}]}`,
		"two dimensions":     `{"data":[{"index":0,"embedding":[1,1]},{"index":1,"embedding":[2,1,3]}]}`,
		"half a float":       `{"data":[{"embedding":"AAAA"},{"embedding":"AAAA"}]}`,
		"not finite":         `{"data":[{"embedding":` + coded(float32(math.NaN()), 1) + `},{"embedding":[1,2]}]}`,
		"empty":              `{"data":[{"embedding":[]},{"embedding":[]}]}`,
		"words":              `{"data":[{"embedding":["a"]},{"embedding":["a"]}]}`,
		"HTML":               `<html>`,
		"fewer for one text": `{"data":[]}`,
	} {
		if got, err := newStub(t, says(body)).Embed(context.Background(), []string{"a", "b"}); !errors.Is(err, memory.ErrModel) {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
}

func TestABatchThatIsRefusedIsHalvedAndALongTextCut(t *testing.T) {
	for name, code := range map[string]int{"400": 400, "413": 413, "500": 500} {
		s := &stub{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in struct{ Input []string }
			_ = json.NewDecoder(r.Body).Decode(&in)
			if len(in.Input) > 8 || slices.ContainsFunc(in.Input, func(t string) bool { return len(t) > 5000 }) {
				w.WriteHeader(code)
				return
			}
			var data []string
			for _, t := range in.Input {
				data = append(data, vector(float64(len([]rune(t)))))
			}
			fmt.Fprintf(w, "[%s]", strings.Join(data, ","))
		}))
		texts := make([]string, 40)
		for i := range texts {
			texts[i] = strings.Repeat("x", i+1)
		}
		texts[17] = strings.Repeat("大", 20_000)
		got, err := s.client(server.URL).Embed(context.Background(), texts)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i, v := range got {
			if i != 17 && (len(v) != 2 || v[0] != float32(i+1)) {
				t.Errorf("%s: text %d has %v", name, i, v)
			}
			if i == 17 && (len(v) != 2 || v[0] < 200) {
				t.Errorf("%s: the long text has %v", name, v)
			}
		}
		server.Close()
	}
}

func TestATextThatIsRefusedAloneHasNoVector(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		if slices.Contains(in.Input, "poison") {
			w.WriteHeader(400)
			return
		}
		fmt.Fprintf(w, "[%s]", strings.TrimSuffix(strings.Repeat("[1,1],", len(in.Input)), ","))
	}))
	defer server.Close()
	got, err := (&stub{}).client(server.URL).Embed(context.Background(), []string{"a", "poison", "b"})
	if err != nil || fmt.Sprint(got) != "[[1 1] [] [1 1]]" {
		t.Errorf("%v, error %v", got, err)
	}
}

func TestInvalidTextIsSentAsValid(t *testing.T) {
	s := newStub(t, says(`[[1,1]]`))
	if _, err := s.Embed(context.Background(), []string{"a\xff\xfeb"}); err != nil || fmt.Sprint(s.sent[0]["input"]) != "[a\uFFFDb]" {
		t.Errorf("sent %q, error %v", s.sent[0]["input"], err)
	}
}

func TestRerankReadsEveryFormOfAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want string
	}{
		"relevance_score": {`{"results":[{"index":0,"relevance_score":0.1},{"index":1,"relevance_score":0.9},{"index":2,"relevance_score":0.5}]}`, "[0.1 0.9 0.5]"},
		"score":           {`{"results":[{"index":0,"score":0.1},{"index":1,"score":0.9},{"index":2,"score":0.5}]}`, "[0.1 0.9 0.5]"},
		"by rank":         {`{"data":[{"index":1,"score":0.9},{"index":2,"score":0.5},{"index":0,"score":0.1}]}`, "[0.1 0.9 0.5]"},
		"logits":          {`[{"index":0,"score":-4},{"index":1,"score":3},{"index":2,"score":-1}]`, "[-4 3 -1]"},
		"one missing":     {`{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":0.3}]}`, "[0.3 0.9 0.3]"},
		"plain numbers":   {`{"scores":[0.1,0.9,0.5]}`, "[0.1 0.9 0.5]"},
	} {
		got, err := newStub(t, says(c.body)).Rerank(context.Background(), "q", []string{"a", "b", "c"})
		for i := range got {
			got[i] = math.Round(1e4*got[i]) / 1e4
		}
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, error %v; want %s", name, got, err, c.want)
		}
	}
	left, err := newStub(t, says(`{"results":[{"index":1,"score":-9},{"index":2,"score":-4}]}`)).Rerank(context.Background(), "q", []string{"a", "b", "c"})
	if err != nil || !(left[0] < left[1]) {
		t.Errorf("what was left out has %v of %v, error %v", left[0], left, err)
	}
	for _, body := range []string{`{}`, `{"results":[]}`, `{"results":[{"index":9,"score":1}]}`, `{"results":[{"index":0}]}`, `x`, `{"results":[{"index":0,"score":1},{"index":0,"score":1}]}`} {
		if got, err := newStub(t, says(body)).Rerank(context.Background(), "q", []string{"a", "b"}); !errors.Is(err, memory.ErrModel) {
			t.Errorf("%s: %v, error %v", body, got, err)
		}
	}
}

func FuzzAnswersNeverPanic(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"x"}}]}`))
	f.Add([]byte(`{"data":[{"index":0,"embedding":[1,2]}]}`))
	f.Add([]byte(`{"results":[{"index":0,"score":1}]}`))
	f.Add([]byte("data: {}\n\ndata: [DONE]\n"))
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(body) }))
	defer server.Close()
	c := (&stub{}).client(server.URL)
	f.Fuzz(func(t *testing.T, b []byte) {
		body = b
		if r, err := c.Chat(context.Background(), question); err == nil && len(r.Arguments) == 0 && r.Text == "" && r.Reasoning == "" {
			t.Fatal("an empty reply is no error")
		}
		if v, err := c.Embed(context.Background(), []string{"a", "b"}); err == nil && len(v) != 2 {
			t.Fatalf("%d vectors for two texts", len(v))
		}
		if x, err := c.Rerank(context.Background(), "q", []string{"a", "b"}); err == nil && len(x) != 2 {
			t.Fatalf("%d scores for two texts", len(x))
		}
	})
}
