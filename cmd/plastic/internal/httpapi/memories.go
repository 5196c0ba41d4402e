package httpapi

import (
	"fmt"
	"net/http"
	"slices"

	"plastic"
	"plastic/layers"
	"plastic/memory"
)

// draftBody is a new memory, by the names of its fields.
type draftBody struct {
	lowering
	Content     string      `json:"content"`
	Kind        memory.Kind `json:"kind"`
	Importance  *float64    `json:"importance"`
	Level       int         `json:"level"`
	Pinned      bool        `json:"pinned"`
	Private     bool        `json:"private"`
	At          string      `json:"at"`
	Supersedes  string      `json:"supersedes"`
	Source      string      `json:"source"`
	Session     string      `json:"session"`
	Speaker     string      `json:"speaker"`
	AllowSecret bool        `json:"allowSecret"`
}

type changeBody struct {
	lowering
	Content     *string      `json:"content"`
	Kind        *memory.Kind `json:"kind"`
	Importance  *float64     `json:"importance"`
	Level       *int         `json:"level"` // importance on the scale 1 to 5
	Pinned      *bool        `json:"pinned"`
	Private     *bool        `json:"private"`
	AllowSecret bool         `json:"allowSecret"`
}

type forgetBody struct {
	lowering
	Why   string `json:"why"`
	Purge bool   `json:"purge"`
}

type searchBody struct {
	lowering
	Query    string `json:"query"`
	Q        string `json:"q"` // the same, by the name it has in the address
	Limit    int    `json:"limit"`
	Rehearse *bool  `json:"rehearse"`
	Explain  bool   `json:"explain"`
	History  bool   `json:"history"`
	AsOf     string `json:"asOf"`
}

func list(c *call) (any, error) {
	all, err := c.flag("all")
	if err != nil {
		return nil, err
	}
	f := plastic.Filter{Layer: layers.Layer(c.query.Get("layer")), Kind: memory.Kind(c.query.Get("kind")), All: all}
	names := layers.All()
	if c.query.Has("layer") && !slices.Contains(names[:], f.Layer) {
		return nil, plastic.Hint(memory.ErrInvalid, "there is no such layer", fmt.Sprintf("the layers are %v", names))
	}
	return c.bank.List(f)
}

func remember(c *call) (any, error) {
	b := c.body.(*draftBody)
	at, err := c.moment("at", b.At)
	if err != nil {
		return nil, err
	}
	got, err := c.bank.Remember(c.r.Context(), plastic.Draft{
		Content: b.Content, Kind: b.Kind, Importance: b.Importance, Level: b.Level, Pinned: b.Pinned, Private: b.Private,
		At: at, Supersedes: b.Supersedes, Source: b.Source, Session: b.Session, Speaker: b.Speaker, AllowSecret: b.AllowSecret,
	})
	if err == nil && got.Outcome == plastic.Created {
		c.code = http.StatusCreated
	}
	return got, err
}

func show(c *call) (any, error) { return c.bank.Show(c.r.PathValue("id")) }

func update(c *call) (any, error) {
	b := c.body.(*changeBody)
	if b.Level != nil {
		if b.Importance != nil {
			return nil, plastic.Hint(memory.ErrUsage, "importance and level say the same thing on two scales", "give one of them")
		}
		x, err := memory.FromLevel(*b.Level)
		if err != nil {
			return nil, err
		}
		b.Importance = &x
	}
	return c.bank.Update(c.r.Context(), c.r.PathValue("id"), plastic.Change{
		Content: b.Content, Kind: b.Kind, Importance: b.Importance, Pinned: b.Pinned, Private: b.Private, AllowSecret: b.AllowSecret,
	})
}

func forget(c *call) (any, error) {
	b := c.body.(*forgetBody)
	purge, err := c.flag("purge")
	if err != nil {
		return nil, err
	}
	f := plastic.Forgetting{Why: or(b.Why, c.query.Get("why")), Purge: b.Purge || purge}
	return c.bank.Forget(c.r.Context(), []string{c.r.PathValue("id")}, f)
}

func archive(c *call) (any, error) { return c.bank.Archive() }

func restore(c *call) (any, error) {
	return c.bank.Restore(c.r.Context(), []string{c.r.PathValue("id")})
}

// searchByAddress is a search whose words stand in the address. A HEAD only asks
// whether there would be an answer, so it strengthens nothing.
func searchByAddress(c *call) (any, error) {
	limit, err := c.number("limit", 1, maxSearch, 0)
	if err != nil {
		return nil, err
	}
	q := plastic.Query{Text: c.query.Get("q"), Limit: limit}
	if q.AsOf, err = c.moment("asOf", c.query.Get("asOf")); err != nil {
		return nil, err
	}
	for name, to := range map[string]*bool{"explain": &q.Explain, "history": &q.History} {
		if *to, err = c.flag(name); err != nil {
			return nil, err
		}
	}
	rehearse := true
	if c.query.Has("rehearse") {
		if rehearse, err = c.flag("rehearse"); err != nil {
			return nil, err
		}
	}
	q.NoRehearse = !rehearse || c.r.Method == http.MethodHead
	return c.bank.Recall(c.r.Context(), q)
}

func searchByBody(c *call) (any, error) {
	b := c.body.(*searchBody)
	if b.Q != "" && b.Query != "" && b.Q != b.Query {
		return nil, plastic.Hint(memory.ErrUsage, "query and q are two names of one thing and say two", "give one of them")
	}
	if b.Limit != 0 {
		if err := within("limit", b.Limit, 1, maxSearch); err != nil {
			return nil, err
		}
	}
	at, err := c.moment("asOf", b.AsOf)
	if err != nil {
		return nil, err
	}
	return c.bank.Recall(c.r.Context(), plastic.Query{
		Text: or(b.Query, b.Q), Limit: b.Limit, AsOf: at, History: b.History, Explain: b.Explain, NoRehearse: b.Rehearse != nil && !*b.Rehearse,
	})
}
