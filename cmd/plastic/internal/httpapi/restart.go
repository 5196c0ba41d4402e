package httpapi

import (
	"slices"
	"strings"

	"plastic/config"
)

// config is the configuration in force. That an edit is not is said in the log, and
// once of keys that were changed and wait for the next start.
func (s *Server) config() *config.Config {
	c, err := s.bank.Config()
	if err != nil {
		s.log.Warn("config", "error", err.Error())
	}
	now := strings.Join(s.waiting(c), ", ")
	if was := s.pending.Swap(&now); was != nil && *was != now && now != "" {
		s.log.Warn("config", "keys", now, "note", "changed, and in force from the next start of the server on")
	}
	return c
}

// waiting are the keys of c that a running server has from its start: where it
// listens, and beyond this machine who may come in. (A token that was taken away is
// one no more at once.)
func (s *Server) waiting(c *config.Config) []string {
	if c == nil || s.start == nil {
		return nil
	}
	var out []string
	if c.Server.Listen != s.start.Server.Listen {
		out = append(out, "server.listen")
	}
	fresh := func(t config.Token) bool { return !slices.Contains(s.start.Server.Tokens, t) }
	if !s.gate.loopback && slices.ContainsFunc(c.Server.Tokens, fresh) {
		out = append(out, "server.tokens")
	}
	return out
}
