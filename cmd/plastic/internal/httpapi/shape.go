package httpapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"plastic"
)

// fresh makes a new value of the type that p points to.
func fresh(p any) any { return reflect.New(reflect.TypeOf(p).Elem()).Interface() }

// fieldsOf are the names of the JSON fields of the struct that p points to.
func fieldsOf(p any) []string {
	props, _ := schemaOf(reflect.TypeOf(p).Elem())["properties"].(map[string]any)
	names := make([]string, 0, len(props))
	for name := range props {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// schemaOf is the JSON schema of what encoding/json makes of a t.
func schemaOf(t reflect.Type) map[string]any {
	switch t {
	case reflect.TypeFor[plastic.Time]():
		return map[string]any{"type": []string{"string", "null"}, "format": "date-time"}
	case reflect.TypeFor[named]():
		return map[string]any{"type": "string", "enum": []string{"trusted", "owner", "public"}}
	case reflect.TypeFor[json.RawMessage]():
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		return structSchema(t)
	}
	return map[string]any{}
}

// structSchema lists the fields of t. Embedded structs lie flat in it, as in
// JSON; a named one answers for itself by its reference.
func structSchema(t reflect.Type) map[string]any {
	props := map[string]any{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			if inner, ok := schemaOf(f.Type)["properties"].(map[string]any); ok {
				for k, v := range inner {
					props[k] = v
				}
			}
		case name != "" && name != "-":
			props[name] = schemaOf(f.Type)
		}
	}
	return map[string]any{"type": "object", "properties": props}
}
