package mcpserver_test

import (
	"context"
	"net/url"
	"testing"

	"plastic/internal/banktest"
	"plastic/memory"
)

func TestContractOfMCP(t *testing.T) {
	banktest.Contract(t, func(t *testing.T) banktest.Door {
		b := banktest.New(t)
		return mcpDoor{t, b, connect(t, b.Bank, options(b))}
	})
}

type mcpDoor struct {
	t *testing.T
	b *banktest.Bank
	c *client
}

func (d mcpDoor) Remember(audience, text string, private bool) (string, string, string) {
	r := d.c.call("memory_remember", object{"audience": audience, "content": text, "private": private})
	if r.wrong {
		return "", "", r.code
	}
	return r.data["id"].(string), r.data["outcome"].(string), ""
}

func (d mcpDoor) Recall(audience, query string) ([]string, string) {
	r := d.c.call("memory_recall", object{"audience": audience, "query": query})
	return r.ids(), r.code
}

func (d mcpDoor) Update(audience, id, text string) string {
	return d.c.call("memory_update", object{"audience": audience, "id": id, "content": text}).code
}

func (d mcpDoor) Forget(audience, id string) string {
	return d.c.call("memory_forget", object{"audience": audience, "ids": []string{id}}).code
}

func (d mcpDoor) List(audience string) ([]string, string) {
	r := d.c.call("memory_list", object{"audience": audience})
	return r.ids(), r.code
}

// Prompt reads the resource, whose audience is that of the server.
func (d mcpDoor) Prompt(audience, query string) (string, string) {
	c := connect(d.t, d.b.For(memory.Audience(audience)), options(d.b))
	got, err := c.ReadResource(context.Background(), readParams("memory://prompt?q="+url.PathEscape(query)))
	if err != nil {
		return "", err.Error()
	}
	return got.Contents[0].Text, ""
}
