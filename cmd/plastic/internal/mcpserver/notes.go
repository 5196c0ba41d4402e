package mcpserver

import (
	"strings"
	"sync"

	"plastic"
)

// Notes keeps what the owner should know about the folder until an answer can
// carry it. Each problem is told once.
type Notes struct {
	mu      sync.Mutex // guards all below
	told    map[plastic.Problem]bool
	waiting []string
}

// Add takes a problem to be told, and reports whether it is a new one.
func (n *Notes) Add(p plastic.Problem) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.told[p] {
		return false
	}
	if n.told == nil || len(n.told) >= mostTold {
		n.told = map[plastic.Problem]bool{}
	}
	n.told[p] = true
	text := p.Message
	if p.Path != "" && !strings.Contains(text, p.Path) {
		text = p.Path + ": " + text
	}
	if p.Hint != "" {
		text += " (" + p.Hint + ")"
	}
	if len(n.waiting) < mostWaiting {
		n.waiting = append(n.waiting, text)
	}
	return true
}

// What is kept of problems: those told, so that they are told once, and those
// that wait for an answer to the owner, which may never come.
const (
	mostTold    = 1000
	mostWaiting = 20
)

// take gives what waits, and forgets it.
func (n *Notes) take() []string {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.waiting
	n.waiting = nil
	return list
}
