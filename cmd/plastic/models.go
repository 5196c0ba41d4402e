package main

import (
	"context"
	"os"
	"sync"

	"plastic"
	"plastic/config"
	"plastic/memory"
	"plastic/model"
)

// models are the endpoints of a folder, by the configuration that is in force when
// they are called. Nothing is built before the first call.
type models struct {
	bank   *plastic.Bank
	notice func(plastic.Problem)

	mu     sync.Mutex // guards all below
	of     config.Model
	client *model.Client
	warned bool
}

// openBank opens the memory in dir with the endpoints of its configuration.
func openBank(dir string, o plastic.Options) (*plastic.Bank, error) {
	return new(models).open(dir, o)
}

// openServed is openBank for a server, which tells what is wrong with .env as it starts:
// its tokens stand there too, and no endpoint may ever be called.
func openServed(dir string, o plastic.Options) (*plastic.Bank, error) {
	m := new(models)
	b, err := m.open(dir, o)
	if err == nil {
		m.environ()
	}
	return b, err
}

func (m *models) open(dir string, o plastic.Options) (*plastic.Bank, error) {
	m.notice = o.Notice
	m.give(&o)
	b, err := plastic.Open(dir, &o)
	m.bank = b
	return b, err
}

// give puts the endpoints into the options of a Bank.
func (m *models) give(o *plastic.Options) {
	o.Chat = func(ctx context.Context, ask memory.Ask) (memory.Reply, error) { return m.now().Chat(ctx, ask) }
	o.Embed = func(ctx context.Context, texts []string) ([][]float32, error) { return m.now().Embed(ctx, texts) }
	o.Rerank = func(ctx context.Context, query string, texts []string) ([]float64, error) {
		return m.now().Rerank(ctx, query, texts)
	}
}

// now is the client for the configuration in force.
func (m *models) now() *model.Client {
	c := m.bank.Settings().Model
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.client == nil || m.of != c {
		chat, embed, rerank := c.Endpoints()
		m.client, m.of = model.New(model.Settings{Chat: chat, Embed: embed, Rerank: rerank, Key: m.key, Timeout: c.Timeout.Std()}), c
	}
	return m.client
}

// key is the value of a variable, of the environment or of the folder's .env, which
// is read at each call: a key may be changed while a server runs.
func (m *models) key(name string) string {
	if v := m.environ()[name]; v != "" {
		return v
	}
	return os.Getenv(name)
}

// environ reads .env, and tells the first time what is wrong with it.
func (m *models) environ() map[string]string {
	values, warnings := config.Env(m.bank.Dir())
	m.mu.Lock()
	warn := !m.warned
	m.warned = true
	m.mu.Unlock()
	if warn {
		for _, w := range warnings {
			m.notice(plastic.Problem{Code: "env", Path: ".env", Message: w})
		}
	}
	return values
}
