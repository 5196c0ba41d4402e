package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"plastic"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/internal/banktest"
)

// FuzzLines holds that whatever comes over stdio, each line that goes out is a message,
// and a request that comes after it has one answer.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"x\n", "{}\n[]\n[{},1]\n", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_remember","arguments":"{\"content\":\"tea\"}"}}` + "\n",
		`{"jsonrpc":"2.0","id":"last","method":"nothing"}` + "\n", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":7,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":1e400,"method":"resources/read","params":{"uri":"memory://x/\u0000"}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"last"}}`, "\x00\xff\r\n{\"id\":{}}",
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":3,"result":{}}`, `{"jsonrpc":"2.0","id":4,"method":"resources/subscribe","params":{"uri":""}}`,
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	b := banktest.New(f)
	open := func() (*plastic.Bank, error) { return b.Bank, nil }
	f.Fuzz(func(t *testing.T, in string, greeted bool) {
		if strings.Contains(in, "last") || strings.Contains(in, `\u`) {
			return
		}
		first := ""
		if greeted {
			first = hello
		}
		in = first + in + "\n" + `{"jsonrpc":"2.0","id":"last","method":"ping"}` + "\n"
		var out bytes.Buffer
		if err := mcpserver.Serve(context.Background(), mcpserver.New(open, options(b)), strings.NewReader(in), &out); err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		answers := 0
		for line := range strings.Lines(out.String()) {
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
				t.Fatalf("%q gives the line %q", in, line)
			}
			if m["id"] == "last" {
				answers++
			}
		}
		if answers != 1 {
			t.Fatalf("%d answers to the last of %q:\n%s", answers, in, out.String())
		}
	})
}
