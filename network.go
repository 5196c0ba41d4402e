package plastic

import (
	"plastic/config"
	"plastic/memory"
)

// Call is one kind of request that a verb makes to an endpoint.
type Call struct {
	Verb     string `json:"verb"`
	Endpoint string `json:"endpoint"` // the whole URL
	Model    string `json:"model"`
	Sends    string `json:"sends"` // what leaves this machine
	When     string `json:"when"`
}

// Network answers Network.
type Network struct {
	Calls []Call `json:"calls"`
	// Held are the keys of config.yaml that name an endpoint and are not in force
	// here, because they were not allowed on this machine.
	Held []string `json:"held,omitempty"`
}

// Paths of the three endpoints below their base.
const (
	chatPath   = "/chat/completions"
	embedPath  = "/embeddings"
	rerankPath = "/rerank"
)

// Network says which verb calls which endpoint with what, by the configuration in
// force. What it does not name opens no connection; without a model it is empty.
func (b *Bank) Network() (Network, error) {
	if err := b.mayDump("network"); err != nil {
		return Network{}, err
	}
	c := b.settings()
	all, err := b.Config()
	if err != nil {
		all = c
	}
	out := Network{Calls: []Call{}, Held: config.Held(b.Dir(), all)}
	chat, embed, rerank := c.Model.Endpoints()
	text := "memories"
	if !c.Model.SendPrivate {
		text = "memories that are not private"
	}
	add := func(e config.Endpoint, path, model, sends, when string, verbs ...string) {
		if !e.On() {
			return
		}
		if model == "" {
			model = e.Model
		}
		for _, verb := range verbs {
			out.Calls = append(out.Calls, Call{Verb: verb, Endpoint: e.Base + path, Model: model, Sends: sends, When: when})
		}
	}
	add(embed, embedPath, "", "the text of the question", "once a call", "recall", "prompt")
	add(rerank, rerankPath, "", "the text of the question, and up to 30 "+text+" that may answer it", "once a call with two candidates or more", "recall", "prompt")
	add(chat, chatPath, "", "what the user and the assistant said in one turn, and up to 12 "+text+" near it", "once a turn of the queue", "flush", "night")
	add(embed, embedPath, "", "the facts of a turn", "once a turn that gave facts", "flush", "night")
	add(embed, embedPath, "", text+" that have no vector yet", "in batches", "sleep", "night")
	add(embed, embedPath, "", text+" that have no vector yet, or one of them where all have", "in batches", "reindex")
	sleeper := chat
	if c.Sleep.Model != "" {
		sleeper.Model = c.Sleep.Model
	}
	if c.Sleep.Enabled {
		add(sleeper, chatPath, sleeper.Model, "groups of "+text+", a list of those that may be forgotten, all in short form", "once a group that changed, twice for the whole", "sleep", "night")
	}
	add(embed, embedPath, "", text+" that have no vector yet", "in the background", "serve")
	add(chat, chatPath, "", "as flush and night", "when it is quiet, and before a night", "serve")
	add(embed, embedPath, "", "the texts and questions of the two files", "with --embed", "eval")
	return out, nil
}

// sendable reports whether m may leave this machine.
func sendable(c *config.Config, m *memory.Memory) bool { return c.Model.SendPrivate || !m.Private }
