package config

import (
	"path/filepath"
	"strings"
)

// The readers of paths and addresses, for the table of keys.

func readPath(text string) (string, *fault) {
	text = strings.TrimSpace(text)
	if text != "" && (strings.HasSuffix(text, "/") || filepath.Base(filepath.Clean(text)) == "." || filepath.Base(filepath.Clean(text)) == "..") {
		return "", &fault{hint: "name a file, not a folder"}
	}
	return text, nil
}

func readCardPath(text string) (string, *fault) {
	if strings.TrimSpace(text) == "" {
		return "", &fault{hint: "an empty card is an empty file, not an empty name"}
	}
	return readPath(text)
}

// readListen takes host:port, and a port alone as one on loopback.
func readListen(text string) (string, *fault) {
	text = strings.TrimSpace(text)
	if isPort(text) {
		return "127.0.0.1:" + text, nil
	}
	host, port, ok := hostPort(text)
	if !ok || !isPort(port) || strings.ContainsAny(host, " /@[]") {
		return "", &fault{}
	}
	return text, nil
}

// hostPort cuts an address at its last colon; an IPv6 host stands in brackets.
func hostPort(addr string) (host, port string, ok bool) {
	i := strings.LastIndexByte(addr, ':')
	if i < 0 {
		return "", "", false
	}
	host, port = addr[:i], addr[i+1:]
	if inner, found := strings.CutPrefix(host, "["); found {
		inner, found = strings.CutSuffix(inner, "]")
		return inner, port, found && strings.Contains(inner, ":")
	}
	return host, port, !strings.Contains(host, ":")
}

func isPort(s string) bool {
	n, ok := number(s)
	return ok && n <= 65535 && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// loopback reports whether an address can be reached from this machine only.
// What it does not know for sure is not loopback.
func loopback(addr string) bool {
	host, _, ok := hostPort(addr)
	if !ok {
		return false
	}
	if host == "localhost" || host == "::1" {
		return true
	}
	parts := strings.Split(host, ".")
	if len(parts) != 4 || parts[0] != "127" {
		return false
	}
	for _, p := range parts {
		n, ok := number(p)
		if !ok || n > 255 || len(p) > 3 || len(p) > 1 && p[0] == '0' || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return true
}
