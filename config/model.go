package config

import (
	"net/url"
	"strings"
)

// defaultKeyEnv is the variable that holds the key unless the file names another.
const defaultKeyEnv = "PLASTIC_API_KEY"

// Model is the section model: OpenAI-compatible endpoints, all optional.
// Endpoints says which of them is where.
type Model struct {
	APIBase      string // http(s) URL without credentials, "" for none
	APIKeyEnv    string // name of a variable, never a key
	Chat         string
	Embed        string
	EmbedBase    string
	EmbedKeyEnv  string
	Rerank       string // a model's name, or off
	RerankBase   string
	RerankKeyEnv string
	Timeout      Duration
	ReadTimeout  Duration // on the read path: embedding of a query, reranking
	SendPrivate  bool
}

// Endpoint is where one kind of call goes.
type Endpoint struct {
	Base   string // URL without a slash at the end
	KeyEnv string // name of the variable with the key, "" for no key
	Model  string
}

// On reports whether there is such an endpoint at all.
func (e Endpoint) On() bool { return e.Base != "" && e.Model != "" }

// Endpoints gives the three endpoints. Embed and rerank without a base of their
// own use apiBase and, unless they name one, its key; with a base of their own
// they never use that key: it belongs to another provider.
func (m Model) Endpoints() (chat, embed, rerank Endpoint) {
	chat = Endpoint{Base: m.APIBase, KeyEnv: m.APIKeyEnv, Model: m.Chat}
	embed = m.endpoint(m.EmbedBase, m.EmbedKeyEnv, m.Embed)
	rerank = m.endpoint(m.RerankBase, m.RerankKeyEnv, m.Rerank)
	if m.Rerank == "off" {
		rerank.Model = ""
	}
	return chat, embed, rerank
}

func (m Model) endpoint(base, keyEnv, name string) Endpoint {
	if base != "" {
		return Endpoint{Base: base, KeyEnv: keyEnv, Model: name}
	}
	if keyEnv == "" {
		keyEnv = m.APIKeyEnv
	}
	return Endpoint{Base: m.APIBase, KeyEnv: keyEnv, Model: name}
}

// The readers of the section's strings, for the table of keys.

func readURL(text string) (string, *fault) {
	text = strings.TrimRight(strings.TrimSpace(text), "/")
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", &fault{}
	case u.User != nil:
		return "", &fault{secret: true, hint: "take the credentials out: the key comes from the environment or .env"}
	case u.RawQuery != "" || u.Fragment != "":
		return "", &fault{secret: true, hint: "only the address up to /v1, nothing after ? or #"}
	}
	return text, nil
}

// readEnvName takes upper-case names only: a key pasted here by mistake nearly
// always has a small letter or a dash, and must not be echoed.
func readEnvName(text string) (string, *fault) {
	for i, c := range []byte(text) {
		if c >= 'A' && c <= 'Z' || c == '_' || i > 0 && c >= '0' && c <= '9' {
			continue
		}
		return "", &fault{secret: true, hint: "put the key itself into .env as PLASTIC_API_KEY=… and name the variable here"}
	}
	if len(text) > 64 {
		return "", &fault{secret: true}
	}
	return text, nil
}

func readModelName(text string) (string, *fault) {
	switch strings.ToLower(text) {
	case "off", "none", "false", "no":
		return "", nil
	case "on", "true", "yes":
		return "", &fault{}
	}
	return text, nil
}

func readReranker(text string) (string, *fault) {
	name, bad := readModelName(text)
	if bad == nil && name == "" {
		name = "off"
	}
	return name, bad
}
