package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"plastic"
	"plastic/config"
	"plastic/memory"
)

// gate finds out whether a request may come in and who reads its answer.
//
// A browser lets any web page send requests to this machine, and a name that an
// attacker owns can be made to lead here. So the Host must be one of this
// server's own names, compared as a whole, and a request that a page of another
// origin caused is refused; its answer could not be read by that page, but it
// could have written.
type gate struct {
	bank     *plastic.Bank
	config   func() *config.Config
	getenv   func(string) string
	loopback bool
	port     string
	hosts    []string       // host:port, lower case
	anyIP    bool           // listens on all addresses: an IP address with the port is a name too
	start    []config.Token // those that a server beyond loopback started with
	shut     *atomic.Bool   // there was a token since the start
}

func newGate(bank *plastic.Bank, config func() *config.Config, at net.Addr, getenv func(string) string) gate {
	g := gate{bank: bank, config: config, getenv: getenv, loopback: isLoopback(at), shut: new(atomic.Bool)}
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		host, port = at.String(), ""
	}
	g.port = port
	names := []string{host, "localhost", "127.0.0.1", "::1"}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		g.anyIP = true
		if name, err := os.Hostname(); err == nil {
			names = append(names, name)
		}
	}
	for _, name := range names {
		g.hosts = append(g.hosts, strings.ToLower(net.JoinHostPort(name, port)))
		if port == "80" {
			g.hosts = append(g.hosts, strings.ToLower(name))
		}
	}
	g.start = config().Server.Tokens
	g.shut.Store(len(g.start) > 0)
	return g
}

// ours reports whether host, as in a Host header, is a name of this server.
func (g *gate) ours(host string) bool {
	if slices.Contains(g.hosts, strings.ToLower(host)) {
		return true
	}
	at, err := netip.ParseAddrPort(host)
	return g.anyIP && err == nil && strconv.Itoa(int(at.Port())) == g.port
}

// check refuses a request for another host, or caused by a page of another
// origin. The page itself may be opened by a link from anywhere.
func (g *gate) check(r *http.Request, page bool) error {
	if !g.ours(r.Host) {
		return plastic.Hint(memory.ErrDenied, "this server does not answer for that host", "call it by the address it listens on, with the port")
	}
	for _, origin := range r.Header.Values("Origin") {
		scheme, host, ok := strings.Cut(origin, "://")
		if !ok || scheme != "http" && scheme != "https" || !g.ours(host) {
			return plastic.Hint(memory.ErrDenied, "a page of another origin may not use this server", "")
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		if !page {
			return plastic.Hint(memory.ErrDenied, "a page of another origin may not use this server", "")
		}
	}
	return nil
}

// secret is a token with its value.
type secret struct {
	audience memory.Audience
	sum      [sha256.Size]byte
}

// tokensOf are the configured tokens that have a value, by config.yaml, .env and
// the environment as they are now.
func tokensOf(bank *plastic.Bank, getenv func(string) string) []secret {
	c, _ := bank.Config()
	if c == nil {
		return nil
	}
	return valued(bank, c.Server.Tokens, getenv)
}

// Unset are the tokens of the configuration that have no value, by config.yaml, .env
// and the environment as they are now: nobody can come in by them, and who has no
// other token is public.
func Unset(bank *plastic.Bank, getenv func(string) string) []config.Token {
	c, _ := bank.Config()
	if c == nil {
		return nil
	}
	var out []config.Token
	for _, t := range c.Server.Tokens {
		if len(valued(bank, []config.Token{t}, getenv)) == 0 {
			out = append(out, t)
		}
	}
	return out
}

func valued(bank *plastic.Bank, tokens []config.Token, getenv func(string) string) []secret {
	if len(tokens) == 0 {
		return nil
	}
	file, _ := config.Env(bank.Dir())
	var out []secret
	for _, t := range tokens {
		value := ""
		if getenv != nil {
			value = strings.TrimSpace(getenv(t.Env))
		}
		if value == "" {
			value = strings.TrimSpace(file[t.Env])
		}
		if value != "" {
			out = append(out, secret{t.Audience, sha256.Sum256([]byte(value))})
		}
	}
	return out
}

// audience is who reads the answer to r, before anything lowers it. Without
// configured tokens a request on loopback is the owner's own; once there are any
// a request without one is public, until the server ends: a config.yaml that lost its
// tokens may be half written, or an older one that git brought. Beyond loopback only tokens count that were
// there when the server was started: what comes in by git gives nobody a key.
func (g *gate) audience(r *http.Request) (memory.Audience, error) {
	tokens := g.config().Server.Tokens
	if len(tokens) > 0 {
		g.shut.Store(true)
	}
	open := g.loopback && !g.shut.Load()
	if !g.loopback {
		known := func(t config.Token) bool { return slices.Contains(g.start, t) }
		tokens = slices.DeleteFunc(slices.Clone(tokens), func(t config.Token) bool { return !known(t) })
	}
	given := r.Header.Values("Authorization")
	if len(given) == 0 {
		if open {
			return memory.Trusted, nil
		}
		return memory.Public, nil
	}
	scheme, value, _ := strings.Cut(strings.TrimSpace(given[0]), " ")
	if len(given) != 1 || !strings.EqualFold(scheme, "bearer") {
		return "", plastic.Hint(memory.ErrDenied, "this server takes one token, as Authorization: Bearer TOKEN", "")
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(value)))
	found := memory.Audience("")
	for _, t := range valued(g.bank, tokens, g.getenv) {
		if subtle.ConstantTimeCompare(t.sum[:], sum[:]) == 1 {
			found = t.audience
		}
	}
	if found == "" {
		return "", plastic.Hint(memory.ErrDenied, "no such token", "server.tokens in config.yaml names the variables that hold the tokens")
	}
	return found, nil
}
