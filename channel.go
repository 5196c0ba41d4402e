package plastic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"

	"plastic/memory"
)

// sessionMark holds the conversations that had their recalled memories, one
// line each, for channel.recall session. It is this machine's own.
const (
	sessionMark = "sessions"
	maxSessions = 64 << 10 // bytes; then the older half goes
)

// firstOf reports whether this is the first turn of session for this audience, and
// notes it: what another one was shown is not in this one's prompt yet, and that it
// was there is not for others to find out.
func (b *Bank) firstOf(session string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := session
	if b.audience != memory.Trusted {
		name += "\x00" + string(b.audience)
	}
	sum := sha256.Sum256([]byte(name))
	line := []byte(hex.EncodeToString(sum[:8]) + "\n")
	path := b.store.Local(sessionMark)
	known, err := b.store.ReadLocal(sessionMark)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true // nothing can be noted there
	}
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
