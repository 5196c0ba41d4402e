package config

import (
	"path/filepath"
	"slices"
	"strings"
)

// The readers of paths and addresses, for the table of keys.

func readPath(text string) (string, *fault) {
	text = strings.TrimSpace(text)
	if text != "" && (strings.HasSuffix(text, "/") || filepath.Base(filepath.Clean(text)) == "." || filepath.Base(filepath.Clean(text)) == "..") {
		return "", &fault{hint: "name a file, not a folder"}
	}
	if ownFile(text) {
		return "", &fault{hint: "that file is the memory's own: name another"}
	}
	return text, nil
}

// ownFiles are the files of a folder that are no card: what they hold would stand in a
// prompt (.env has keys), and who writes the card would write over them.
var ownFiles = []string{".env", FileName, "memory.json", "archive.json", "nights.jsonl", "memory.journal", "queue.jsonl"}

// ownFile reports whether a path names one of them, a copy of one, or what is this
// machine's own.
func ownFile(path string) bool {
	path = strings.ToLower(filepath.ToSlash(filepath.Clean(path)))
	return strings.HasPrefix(path, ".plastic/") || slices.ContainsFunc(ownFiles, func(name string) bool {
		return path == name || strings.HasPrefix(path, name+".")
	})
}

// reachesOut reports whether a path leads out of the folder, or to what is hidden in it,
// like .git/config.
func reachesOut(path string) bool {
	return !filepath.IsLocal(path) || slices.ContainsFunc(strings.Split(filepath.ToSlash(filepath.Clean(path)), "/"), func(part string) bool {
		return strings.HasPrefix(part, ".")
	})
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
