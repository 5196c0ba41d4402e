package plastic_test

import (
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

func TestContractOfThePackage(t *testing.T) {
	banktest.Contract(t, func(t *testing.T) banktest.Door { return goDoor{t, banktest.New(t)} })
}

type goDoor struct {
	t *testing.T
	b *banktest.Bank
}

// as is the Bank for an audience by name, or the code of what is wrong with it.
func (d goDoor) as(audience string) (*plastic.Bank, string) {
	who, err := memory.ParseAudience(audience)
	if err != nil {
		return nil, plastic.Code(err)
	}
	return d.b.For(who), ""
}

func code(err error) string {
	if err == nil {
		return ""
	}
	return plastic.Code(err)
}

func (d goDoor) Remember(audience, text string, private bool) (string, string, string) {
	b, bad := d.as(audience)
	if bad != "" {
		return "", "", bad
	}
	out, err := b.Remember(d.t.Context(), plastic.Draft{Content: text, Private: private})
	return out.ID, string(out.Outcome), code(err)
}

func (d goDoor) Recall(audience, query string) ([]string, string) {
	b, bad := d.as(audience)
	if bad != "" {
		return nil, bad
	}
	out, err := b.Recall(d.t.Context(), plastic.Query{Text: query})
	var ids []string
	for _, m := range out.Memories {
		ids = append(ids, m.ID)
	}
	return ids, code(err)
}

func (d goDoor) Update(audience, id, text string) string {
	b, bad := d.as(audience)
	if bad != "" {
		return bad
	}
	_, err := b.Update(d.t.Context(), id, plastic.Change{Content: &text})
	return code(err)
}

func (d goDoor) Forget(audience, id string) string {
	b, bad := d.as(audience)
	if bad != "" {
		return bad
	}
	_, err := b.Forget(d.t.Context(), []string{id}, plastic.Forgetting{})
	return code(err)
}

func (d goDoor) List(audience string) ([]string, string) {
	b, bad := d.as(audience)
	if bad != "" {
		return nil, bad
	}
	out, err := b.List(plastic.Filter{})
	var ids []string
	for _, m := range out.Memories {
		ids = append(ids, m.ID)
	}
	return ids, code(err)
}

func (d goDoor) Prompt(audience, query string) (string, string) {
	b, bad := d.as(audience)
	if bad != "" {
		return "", bad
	}
	out, err := b.Prompt(d.t.Context(), plastic.Turn{Text: query})
	return out.Text, code(err)
}
