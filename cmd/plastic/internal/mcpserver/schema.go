package mcpserver

import "slices"

// object is JSON as it is built for a schema.
type object = map[string]any

// The words of the JSON schemas here. Schemas are plain: no references, no
// unions but "or null" in answers, as not every client reads more.

func typed(name, about string) object { return object{"type": name, "description": about} }

func text(about string) object    { return typed("string", about) }
func number(about string) object  { return typed("number", about) }
func integer(about string) object { return typed("integer", about) }
func boolean(about string) object { return typed("boolean", about) }

// when is a time that may be unset.
func when(about string) object {
	return object{"type": []string{"string", "null"}, "description": about + " (RFC 3339), or null"}
}

func list(of object, about string) object {
	return object{"type": "array", "items": of, "description": about}
}

// fields is an object all of whose properties are there in every answer, but
// those named in optional.
func fields(properties object, optional ...string) object {
	required := []string{}
	for name := range properties {
		if !slices.Contains(optional, name) {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	return object{"type": "object", "properties": properties, "required": required}
}

// The schemas of what the tools answer.

func memorySchema() object {
	return fields(memoryProperties())
}

func memoryProperties() object {
	return object{
		"id":             text("names the memory to the other tools"),
		"content":        text("what it says"),
		"kind":           text("fact, event, core or identity"),
		"importance":     number("0…1"),
		"pinned":         boolean("an anchor"),
		"private":        boolean("it exists for the owner alone"),
		"createdAt":      when("when it came about"),
		"updatedAt":      when("when it was last changed on purpose"),
		"recallCount":    integer("how often it was recalled"),
		"lastRecalledAt": when("when it was last recalled"),
		"validTo":        when("until when it was true"),
		"supersededBy":   text("id of the memory that took its place, or empty"),
		"source":         text("where it came from: what[:detail]"),
		"session":        text("the conversation it came from"),
		"speaker":        text("who said it"),
		"layer":          text("anchor, important, recent, fading, or empty for a superseded one"),
		"clarity":        number("how clear it is today, 0…1"),
	}
}

func similarSchema() object {
	return list(fields(object{
		"id":         text("id of the memory"),
		"content":    text("what it says; a long one is cut"),
		"similarity": number("share of common words, 0…1"),
	}), "memories near this text, the most alike first")
}

func notesSchema() object {
	return list(object{"type": "string"}, "what else should be known about this answer")
}

func rememberedSchema() object {
	return fields(object{
		"id":      text("id of the memory that holds the text now"),
		"outcome": object{"type": "string", "enum": []string{"created", "reinforced"}, "description": "created, or reinforced: a memory said the same already"},
		"memory":  memorySchema(),
		"similar": similarSchema(),
		"notes":   notesSchema(),
	})
}

func recalledSchema() object {
	one := memoryProperties()
	one["score"] = number("what the order is by")
	one["relevance"] = number("how well the words answer, 0…1; the best of a query is 1")
	one["parts"] = object{"type": "object", "additionalProperties": object{"type": "number"}, "description": "the terms of the score, by name"}
	return fields(object{
		"query":    text("what was asked"),
		"now":      when("the time of the answer"),
		"memories": list(fields(one), "what answers, best first; none is an answer too"),
		"withheld": integer("1 when private memories are kept back here"),
		"degraded": text("why a configured model was not used, or empty"),
		"left":     integer("how many more answer and are left out for their length"),
		"notes":    notesSchema(),
	})
}

func updatedSchema() object {
	return fields(object{"memory": memorySchema(), "similar": similarSchema(), "notes": notesSchema()})
}

func forgottenSchema() object {
	return fields(object{"forgotten": list(object{"type": "string"}, "ids that are in the archive now"), "notes": notesSchema()})
}

func listedSchema() object {
	return fields(object{
		"memories": list(memorySchema(), "by createdAt, the oldest first"),
		"total":    integer("how many there are in all"),
		"next":     integer("offset of the next part, 0 when this is the last"),
		"notes":    notesSchema(),
	})
}

func cardSchema() object {
	return fields(object{
		"text": text("the card, whole"),
		"hash": text("name it when you write"),
		"size": fields(object{
			"bytes":  integer("of the file"),
			"runes":  integer("characters"),
			"tokens": integer("what it costs in every prompt, about"),
		}),
		"notes": notesSchema(),
	})
}

func compressedSchema() object {
	ids := func(about string) object { return list(object{"type": "string"}, about) }
	return fields(object{
		"date":     text("local date the night belongs to"),
		"before":   integer("memories before the night"),
		"after":    integer("memories after it"),
		"pruned":   integer("how many went to the archive"),
		"promoted": integer("how many became important for good"),
		"archived": ids("ids that went to the archive"),
		"raised":   ids("ids that became important"),
		"operations": list(fields(object{
			"op":      text("merge, supersede, rewrite, split, derive, forget or set"),
			"ids":     ids("the memories"),
			"why":     text("the model's reason"),
			"applied": boolean("it was done"),
			"refused": text("why it was not, or empty"),
		}), "what a model proposed"),
		"dryRun": boolean("nothing was changed"),
		"done":   boolean("the night of this date is done"),
		"notes":  notesSchema(),
	})
}
