package httpapi

import (
	"fmt"
	"net"

	"plastic"
	"plastic/memory"
)

// Listen opens addr (host:port) for a server of bank. An address beyond this
// machine needs a token that has a value: without one it fails with
// memory.ErrUsage before the port is open.
func Listen(addr string, bank *plastic.Bank, getenv func(string) string) (net.Listener, error) {
	at, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, plastic.Hint(memory.ErrUsage, fmt.Sprintf("%q is no address to listen on", addr), "give host:port, such as 127.0.0.1:7433")
	}
	if !at.IP.IsLoopback() && len(tokensOf(bank, getenv)) == 0 {
		return nil, plastic.Hint(memory.ErrUsage, addr+" can be reached from other machines, and no token guards it",
			"listen on 127.0.0.1, or set server.tokens in config.yaml and the token's value in .env (`openssl rand -hex 24` makes one)")
	}
	ln, err := net.Listen("tcp", at.String())
	if err != nil {
		return nil, plastic.Hint(fmt.Errorf("listen: %w", err), addr+" can not be listened on: "+reason(err), "is another server there? --listen takes another address")
	}
	return ln, nil
}

// reason is what the system said, without the address.
func reason(err error) string {
	if op, ok := err.(*net.OpError); ok {
		return op.Err.Error()
	}
	return err.Error()
}

func isLoopback(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && t.IP.IsLoopback()
}
