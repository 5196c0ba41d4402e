package banktest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Model is a scripted OpenAI-compatible server on loopback. What it answers is set by
// its functions, each of which may be nil; what it was asked is kept.
//
//	m := banktest.NewModel(t)
//	m.Chat = func(q banktest.Asked) banktest.Said { return banktest.Said{Arguments: `{"facts":[]}`} }
//	b := banktest.New(t, "config.yaml", "model: {apiBase: "+m.URL+", chat: some, embed: some}\n")
type Model struct {
	URL string

	Chat   func(Asked) Said                                                      // nil: 404
	Embed  func(text string) []float32                                           // nil: words as directions: see Words
	Rerank func(query string, texts []string) []float64                          // nil: 404
	Before func(w http.ResponseWriter, r *http.Request, body []byte) (done bool) // a fault in place of an answer

	mu    sync.Mutex // guards all below
	asked []Request
}

// Request is what was asked.
type Request struct {
	Path, Key string
	Body      json.RawMessage
}

// Asked is a question to the chat model.
type Asked struct {
	Model, System, User, Tool, Effort string
	N                                 int // the how manieth chat question, from 1
}

// Said is the chat model's answer.
type Said struct {
	Arguments string // of one call of the tool; "": no call
	Text      string
	Reasoning string
	Finish    string // "": stop
	Status    int    // in place of an answer
}

// NewModel starts a server that ends with the test.
func NewModel(t testing.TB) *Model {
	m := &Model{}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.URL = server.URL + "/v1"
	return m
}

// Requests are all requests so far, oldest first, of those paths that end in suffix.
func (m *Model) Requests(suffix string) []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Request
	for _, r := range m.asked {
		if strings.HasSuffix(r.Path, suffix) {
			out = append(out, r)
		}
	}
	return out
}

// Chats is how many chat questions were asked.
func (m *Model) Chats() int { return len(m.Requests("/chat/completions")) }

// ServeHTTP answers one request.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	m.asked = append(m.asked, Request{Path: r.URL.Path, Key: r.Header.Get("Authorization"), Body: body})
	m.mu.Unlock()
	if m.Before != nil && m.Before(w, r, body) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions") && m.Chat != nil:
		m.chat(w, body)
	case strings.HasSuffix(r.URL.Path, "/embeddings"):
		m.embed(w, body)
	case strings.HasSuffix(r.URL.Path, "/rerank") && m.Rerank != nil:
		m.rerank(w, body)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":{"message":"no such route"}}`)
	}
}

func (m *Model) chat(w http.ResponseWriter, body []byte) {
	var in struct {
		Model    string
		Messages []struct{ Role, Content string }
		Tools    []struct{ Function struct{ Name string } }
		Effort   string `json:"reasoning_effort"`
	}
	_ = json.Unmarshal(body, &in)
	q := Asked{Model: in.Model, Effort: in.Effort, N: m.Chats()}
	for _, msg := range in.Messages {
		if msg.Role == "system" {
			q.System = msg.Content
		} else {
			q.User = msg.Content
		}
	}
	if len(in.Tools) > 0 {
		q.Tool = in.Tools[0].Function.Name
	}
	said := m.Chat(q)
	if said.Status != 0 {
		w.WriteHeader(said.Status)
		fmt.Fprint(w, `{"error":{"message":"scripted"}}`)
		return
	}
	message := map[string]any{"role": "assistant", "content": said.Text, "reasoning_content": said.Reasoning}
	if said.Arguments != "" {
		message["tool_calls"] = []any{map[string]any{"id": "1", "type": "function", "function": map[string]string{"name": q.Tool, "arguments": said.Arguments}}}
	}
	if said.Finish == "" {
		said.Finish = "stop"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": said.Finish}}})
}

func (m *Model) embed(w http.ResponseWriter, body []byte) {
	var in struct{ Input json.RawMessage }
	_ = json.Unmarshal(body, &in)
	var texts []string
	if json.Unmarshal(in.Input, &texts) != nil {
		var one string
		_ = json.Unmarshal(in.Input, &one)
		texts = []string{one}
	}
	embed := m.Embed
	if embed == nil {
		embed = Words
	}
	var data []any
	for i, t := range texts {
		data = append(data, map[string]any{"index": i, "embedding": embed(t)})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func (m *Model) rerank(w http.ResponseWriter, body []byte) {
	var in struct {
		Query     string
		Documents []string
	}
	_ = json.Unmarshal(body, &in)
	var results []any
	for i, x := range m.Rerank(in.Query, in.Documents) {
		results = append(results, map[string]any{"index": i, "relevance_score": x})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
}

// Words is a vector of a text of which each word is a direction of its own: texts are
// as near as they have words in common.
func Words(text string) []float32 {
	v := make([]float32, 64)
	v[0] = 0.01
	for _, word := range strings.Fields(strings.ToLower(text)) {
		sum := sha256.Sum256([]byte(strings.Trim(word, ".,!?")))
		rng := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), 1))
		for i := range v {
			v[i] += float32(rng.NormFloat64())
		}
	}
	return v
}
