package main

import (
	"context"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/config"
	"plastic/memory"
)

func (a *app) mcpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Answer an MCP client on stdin and stdout",
		Long: "Serves the folder to an MCP client that starts this program: the tools\n" +
			"memory_remember, memory_recall, memory_update, memory_forget, memory_list,\n" +
			"memory_card and memory_consolidate, as far as the audience may use them. The\n" +
			"audience is mcp.audience; --audience only lowers it. Nothing but the protocol is\n" +
			"written to stdout. `plastic setup` tells a client about it.",
		Example: "  plastic mcp --dir ~/bot/memory\n" +
			"  plastic mcp --audience owner",
		Args: count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context()) },
	}
}

func (a *app) mcp(ctx context.Context) (err error) {
	audience, err := memory.ParseAudience(a.flags.audience)
	if err != nil {
		return err
	}
	m := &mcpMemory{app: a}
	defer func() {
		if e := m.close(); err == nil {
			err = e
		}
	}()
	c, err := m.settings()
	if err != nil {
		return err
	}
	m.audience = audience.Lower(c.MCP.Audience)
	server := mcpserver.New(m.open, mcpserver.Options{
		Audience: m.audience, Card: c.Card.Audience, Names: c.MCP.Names,
		Version: buildOf().Version, Now: a.running(), Notes: &m.notes, Log: a.errs,
	})
	return mcpserver.Serve(ctx, server, a.in, a.raw)
}

// mcpMemory is the folder behind an MCP server. A folder that can not be opened
// does not end the server: a client shows the answers of tools to somebody, and
// the exit of a server to nobody.
type mcpMemory struct {
	app      *app
	audience memory.Audience
	notes    mcpserver.Notes

	mu   sync.Mutex // guards bank
	bank *plastic.Bank
}

// settings are those of the folder as it stands at the start, the defaults where
// there is none: the first call says so. A config.yaml that is wrong ends this verb as
// it does every other.
func (m *mcpMemory) settings() (*config.Config, error) {
	p, err := m.app.place()
	if err != nil {
		return config.Default(), nil
	}
	c, err := config.Load(p.path)
	switch {
	case err == nil:
		return c, nil
	case slices.Contains([]string{"usage", "invalid"}, plastic.Code(err)):
		return nil, err
	}
	return config.Default(), nil
}

// open gives the Bank of one call. A folder that nobody named is made.
func (m *mcpMemory) open() (*plastic.Bank, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bank == nil {
		dir, _, err := m.app.ready(writes)
		if err != nil {
			return nil, err
		}
		if c, err := config.Load(dir); err == nil {
			if err := m.app.setClock(c.Memory.Location()); err != nil {
				return nil, err
			}
		}
		if m.bank, err = openBank(dir, plastic.Options{Now: m.app.running(), Notice: m.notice}); err != nil {
			return nil, err
		}
	}
	b := m.bank.For(m.audience)
	if c, _ := m.bank.Config(); c != nil {
		b = b.For(c.MCP.Audience)
	}
	return b, nil
}

// notice tells a problem once, here and with the next answer.
func (m *mcpMemory) notice(p plastic.Problem) {
	if m.notes.Add(p) {
		m.app.noticeTo(m.audience)(p)
	}
}

func (m *mcpMemory) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bank == nil {
		return nil
	}
	return m.bank.Close()
}
