package httpapi_test

import (
	"testing"
	"time"

	"plastic/cmd/plastic/internal/httpapi"
	"plastic/internal/banktest"
)

// A server that had a token does not take everybody for the owner once it is gone from
// config.yaml: that file may be half written, or back in an older form by git.
func TestTrustDoesNotComeBackWhenTheTokensGo(t *testing.T) {
	for _, after := range []string{"", "memory: {timezone: UTC}\n", "server: {tokens: []}\n"} {
		b := banktest.New(t, "config.yaml", tokens, "memory.json", stocked)
		d := opened(t, b, httpapi.Options{Getenv: secrets.get})
		d.get("/v1/memories", "Authorization", tokenOf("trusted")).want(t, "with a token", 200)
		banktest.Write(t, b.Dir(), "config.yaml", after)
		d.get("/v1/memories").want(t, "without one, at once", 403)
		b.Pass(time.Hour) // an empty file is believed after a while
		d.get("/v1/memories").want(t, "without one, once they are gone", 403)
		d.get("/v1/memories/hid1").want(t, "a private one", 404)
		d.get("/v1/memories", "Authorization", tokenOf("trusted")).want(t, "with one that is gone", 403)
		d.stop()
		d = opened(t, b, httpapi.Options{Getenv: secrets.get})
		d.get("/v1/memories").want(t, "of a server that never had one", 200)
	}
}

// One token that is taken out opens nothing any more, in a running server too, nor does
// a configuration that is broken change who may come in.
func TestATokenThatIsTakenOutOpensNothing(t *testing.T) {
	b := banktest.New(t, "config.yaml", tokens)
	d := opened(t, b, httpapi.Options{Getenv: secrets.get})
	for _, broken := range []string{"server: {tokens: [{name: wall, env: T_WALL, audience: everybody}]}\n", "server: {tokens: [{name: wall, env: T_WALL}]\n", "server: {tokens: all}\n"} {
		banktest.Write(t, b.Dir(), "config.yaml", broken)
		b.Pass(time.Hour)
		d.get("/v1/memories").want(t, "without a token, by a broken configuration", 403)
		d.get("/v1/memories", "Authorization", tokenOf("public")).want(t, "of the public", 403)
		d.get("/v1/memories", "Authorization", tokenOf("trusted")).want(t, "of the owner", 200)
	}
	banktest.Write(t, b.Dir(), "config.yaml", "memory: {timezone: UTC}\nserver:\n  tokens:\n    - {name: room, env: T_ROOM, audience: owner}\n")
	b.Pass(time.Hour)
	d.get("/v1/memories", "Authorization", tokenOf("trusted")).want(t, "taken out", 403)
	d.get("/v1/stats", "Authorization", tokenOf("owner")).want(t, "left in", 200)
	banktest.Write(t, b.Dir(), "config.yaml", "memory: {timezone: UTC}\n")
}
