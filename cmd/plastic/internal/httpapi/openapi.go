package httpapi

import (
	"reflect"
	"strconv"
	"strings"
)

// openapi describes the server in OpenAPI 3.1, from the table of routes and the
// types of bodies and answers.
func openapi(c *call) (any, error) {
	paths := map[string]map[string]any{}
	for _, r := range c.s.table() {
		if r.free {
			continue
		}
		if paths[r.path] == nil {
			paths[r.path] = map[string]any{}
		}
		paths[r.path][strings.ToLower(r.method)] = operation(r)
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "plastic", "version": "1",
			"description": "The long-term memory of a bot. Who reads an answer decides what is in it: the token says who that is, audience and public only lower it.",
		},
		"paths": paths,
		"components": map[string]any{
			"schemas":         map[string]any{"Error": schemaOf(reflect.TypeFor[failure]())},
			"securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}},
		},
		"security": []any{map[string]any{}, map[string]any{"token": []string{}}},
	}, nil
}

func operation(r *route) map[string]any {
	params := []any{}
	if _, rest, ok := strings.Cut(r.path, "{"); ok {
		name, _, _ := strings.Cut(rest, "}")
		params = append(params, map[string]any{"name": name, "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
	}
	lower := []param{
		{name: "audience", kind: "string", says: "who reads the answer: trusted, owner or public; only ever lowers"},
		{name: "public", kind: "boolean", says: "true: the audience is public"},
	}
	for _, p := range append(append([]param{}, r.query...), lower...) {
		params = append(params, map[string]any{"name": p.name, "in": "query", "description": p.says, "schema": p.schema()})
	}
	op := map[string]any{"summary": r.says, "parameters": params, "responses": responses(r)}
	if r.body != nil {
		op["requestBody"] = map[string]any{"content": jsonOf(schemaOf(reflect.TypeOf(r.body).Elem()))}
	}
	return op
}

func (p param) schema() map[string]any {
	one := map[string]any{"type": p.kind}
	if p.kind == "time" {
		one = map[string]any{"type": "string", "description": "RFC 3339, or a date"}
	}
	if p.many {
		return map[string]any{"type": "array", "items": one}
	}
	return one
}

func responses(r *route) map[string]any {
	good := map[string]any{"description": "as asked"}
	content := map[string]any{}
	if r.answer != nil {
		content = jsonOf(schemaOf(reflect.TypeOf(r.answer)))
	}
	if r.stream != nil && r.path != "/metrics" {
		content["text/event-stream"] = map[string]any{"schema": map[string]any{"type": "string"}}
	}
	if len(content) > 0 {
		good["content"] = content
	}
	out := map[string]any{
		"200":     good,
		"default": map[string]any{"description": "a failure", "content": jsonOf(map[string]any{"$ref": "#/components/schemas/Error"})},
	}
	if r.status != 0 {
		delete(out, "200")
		out[strconv.Itoa(r.status)] = good
	}
	if r.path == "/v1/memories" && r.method == "POST" {
		out["201"] = good
	}
	return out
}

func jsonOf(schema map[string]any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}
