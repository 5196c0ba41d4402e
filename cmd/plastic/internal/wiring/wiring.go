// Package wiring knows the configuration files of programs that use MCP
// servers: where they are, and how the one entry of plastic is put into them or
// taken out. It works on texts and touches no file. All else in a text stays as
// it is, byte for byte: other servers, comments, order, line ends.
//
//	c, err := wiring.Find("cursor")
//	path := c.File(places, false)
//	text, err := c.Add(old, wiring.Entry{Command: "/usr/local/bin/plastic", Args: []string{"mcp"}})
package wiring

import (
	"fmt"
	"path/filepath"
	"strings"

	"plastic/memory"
)

// name is what the server is called in every client.
const name = "plastic"

// Entry is how a client starts the server.
type Entry struct {
	Command string   // absolute path of the program
	Args    []string // its arguments
}

// Places is where files may be.
type Places struct {
	Home   string              // the user's
	Work   string              // the project: the working directory
	OS     string              // as runtime.GOOS
	Getenv func(string) string // the environment
	Exists func(string) bool   // whether there is such a file
}

// Client is a program that can be told of the server.
type Client struct {
	Name  string // as it is named to setup
	Title string // as its makers write it
	Next  string // what the user does next

	keys   []string                    // where the servers stand in its JSON; nil: TOML
	strict bool                        // it reads JSON without comments and trailing commas
	fields func(Entry) []field         // its words for an entry
	file   func(Places, string) string // path of the file, by scope
}

// The scopes of a configuration.
const (
	project = "project"
	user    = "user"
)

var clients = []Client{
	{
		Name: "claude-code", Title: "Claude Code", Next: "start `claude` in this folder and approve the server; /mcp shows it",
		keys: []string{"mcpServers"}, strict: true, fields: stdio,
		file: func(p Places, scope string) string {
			if scope == project {
				return filepath.Join(p.Work, ".mcp.json")
			}
			return filepath.Join(or(p.Getenv("CLAUDE_CONFIG_DIR"), p.Home), ".claude.json")
		},
	},
	{
		Name: "codex", Title: "Codex", Next: "start `codex`; /mcp shows the server",
		file: func(p Places, _ string) string {
			return filepath.Join(or(p.Getenv("CODEX_HOME"), filepath.Join(p.Home, ".codex")), "config.toml")
		},
	},
	{
		Name: "cursor", Title: "Cursor", Next: "switch the server on in Cursor's settings under MCP",
		keys: []string{"mcpServers"}, fields: plain,
		file: func(p Places, scope string) string {
			return filepath.Join(p.root(scope), ".cursor", "mcp.json")
		},
	},
	{
		Name: "vscode", Title: "VS Code", Next: "run `MCP: List Servers` in VS Code and start it",
		keys: []string{"servers"}, fields: stdio,
		file: func(p Places, scope string) string {
			if scope == project {
				return filepath.Join(p.Work, ".vscode", "mcp.json")
			}
			return filepath.Join(p.settings(), "Code", "User", "mcp.json")
		},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Next: "start `gemini`; /mcp shows the server",
		keys: []string{"mcpServers"}, fields: plain,
		file: func(p Places, _ string) string { return filepath.Join(p.Home, ".gemini", "settings.json") },
	},
	{
		Name: "opencode", Title: "opencode", Next: "start `opencode` again",
		keys: []string{"mcp"}, fields: func(e Entry) []field {
			return []field{{"type", "local"}, {"command", append([]string{e.Command}, e.Args...)}, {"enabled", true}}
		},
		file: func(p Places, scope string) string {
			dir := p.Work
			if scope == user {
				dir = filepath.Join(or(p.Getenv("XDG_CONFIG_HOME"), filepath.Join(p.Home, ".config")), "opencode")
			}
			if commented := filepath.Join(dir, "opencode.jsonc"); p.Exists(commented) {
				return commented
			}
			return filepath.Join(dir, "opencode.json")
		},
	},
}

// Names are the clients there are.
func Names() []string {
	list := make([]string, len(clients))
	for i, c := range clients {
		list[i] = c.Name
	}
	return list
}

// Find is the client of that name. It fails with memory.ErrUsage.
func Find(name string) (Client, error) {
	for _, c := range clients {
		if c.Name == name {
			return c, nil
		}
	}
	return Client{}, memory.Errorf(memory.ErrUsage, "there is no client %q (%s)", name, strings.Join(Names(), ", "))
}

// File is the path of the client's file: of the project, or of the user. Codex
// and Gemini CLI are always told for the user.
func (c Client) File(p Places, global bool) string {
	scope := project
	if global {
		scope = user
	}
	return c.file(p, scope)
}

// Add puts e into the text of the client's file, nil for one that is not there.
// What else an entry of that name holds stays. It fails with a *Fault.
func (c Client) Add(text []byte, e Entry) ([]byte, error) {
	if c.keys == nil {
		return addTable(text, e)
	}
	doc, err := c.read(text)
	if err != nil {
		return nil, err
	}
	return doc.add(c.keys, c.fields(e))
}

// Remove takes the entry out of the text. A text without it stays as it is; one
// that held nothing else becomes empty. It fails with a *Fault.
func (c Client) Remove(text []byte) ([]byte, error) {
	if c.keys == nil {
		return removeTable(text)
	}
	doc, err := c.read(text)
	if err != nil {
		return nil, err
	}
	return doc.remove(append(c.keys[:len(c.keys):len(c.keys)], name))
}

// Snippet is what Add makes of an empty file.
func (c Client) Snippet(e Entry) string {
	text, err := c.Add(nil, e)
	if err != nil {
		return "" // an empty file has no faults
	}
	return string(text)
}

// read reads a JSON file and holds it against what the client can read.
func (c Client) read(text []byte) (*document, error) {
	doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	if c.strict && doc.extra != nil {
		return nil, &Fault{doc.extra.Line, doc.extra.What + ", which " + c.Title + " can not read"}
	}
	return doc, nil
}

// Fault says why a text can not be changed in place.
type Fault struct {
	Line int // from 1
	What string
}

func (f *Fault) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.What) }

// Unwrap makes a fault memory.ErrInvalid.
func (f *Fault) Unwrap() error { return memory.ErrInvalid }

// field is one member of an entry; its value is a string, a bool or a []string.
type field struct {
	name  string
	value any
}

func stdio(e Entry) []field { return append([]field{{"type", "stdio"}}, plain(e)...) }

func plain(e Entry) []field { return []field{{"command", e.Command}, {"args", e.Args}} }

// settings is where programs of the desktop keep the user's settings.
func (p Places) settings() string {
	switch p.OS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		return or(p.Getenv("APPDATA"), filepath.Join(p.Home, "AppData", "Roaming"))
	}
	return or(p.Getenv("XDG_CONFIG_HOME"), filepath.Join(p.Home, ".config"))
}

func (p Places) root(scope string) string {
	if scope == user {
		return p.Home
	}
	return p.Work
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
