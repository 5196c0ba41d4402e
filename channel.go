package plastic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// sessionMark holds the conversations that had their recalled memories, one
// line each, for channel.recall session. It is this machine's own.
const (
	sessionMark = "sessions"
	maxSessions = 64 << 10 // bytes; then the older half goes
)

// firstOf reports whether this is the first turn of session, and notes it.
func (b *Bank) firstOf(session string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := sha256.Sum256([]byte(session))
	line := []byte(hex.EncodeToString(sum[:8]) + "\n")
	path := b.store.Local(sessionMark)
	known, _ := os.ReadFile(path)
	if bytes.Contains(known, line) {
		return false
	}
	if len(known) > maxSessions {
		known = known[len(known)/2/len(line)*len(line):]
		_ = os.WriteFile(path, known, 0o600)
	}
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err == nil {
		_, _ = f.Write(line)
		_ = f.Close()
		b.store.Adopt(path)
	}
	return true
}
