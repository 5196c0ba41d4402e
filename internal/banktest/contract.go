package banktest

import (
	"slices"
	"strings"
	"testing"
)

// Door is one way to the memory, reduced to what every door can do. Each call
// answers with the code of its failure ("" for none): the doors say the same
// thing in the same word.
type Door interface {
	Remember(audience, text string, private bool) (id, outcome, code string)
	Recall(audience, query string) (ids []string, code string)
	Update(audience, id, text string) (code string)
	Forget(audience, id string) (code string)
	List(audience string) (ids []string, code string)
	Prompt(audience, query string) (section, code string)
}

// Contract is what holds at every door. open gives a door to a folder of its own.
func Contract(t *testing.T, open func(t *testing.T) Door) {
	t.Run("what is remembered is recalled", func(t *testing.T) {
		d := open(t)
		id, outcome, code := d.Remember("trusted", "@ann keeps two grey cats at home", false)
		if id == "" || outcome != "created" || code != "" {
			t.Fatalf("remember: %q %q %q", id, outcome, code)
		}
		again, outcome, _ := d.Remember("trusted", "@Ann keeps two grey cats at home.", false)
		if again != id || outcome != "reinforced" {
			t.Errorf("said again: %q %q, not %q reinforced", again, outcome, id)
		}
		other, _, _ := d.Remember("trusted", "Лёша держит велосипед на балконе", false)
		finds(t, d, "trusted", "grey cats", id)
		finds(t, d, "trusted", "велосипеды", other)
		finds(t, d, "trusted", "what is the blood pressure of the moon")
		finds(t, d, "trusted", "???")
	})
	t.Run("an update is found by its new words", func(t *testing.T) {
		d := open(t)
		id, _, _ := d.Remember("trusted", "@ann keeps two grey cats at home", false)
		if code := d.Update("trusted", id[:5], "@ann keeps a parrot named Hugo"); code != "" {
			t.Fatalf("update: %q", code)
		}
		finds(t, d, "trusted", "parrot Hugo", id)
		finds(t, d, "trusted", "grey")
		if code := d.Update("trusted", "nosuch1", "x"); code != "not_found" {
			t.Errorf("update of nothing: %q", code)
		}
	})
	t.Run("what is forgotten is gone, once", func(t *testing.T) {
		d := open(t)
		id, _, _ := d.Remember("trusted", "@ann keeps two grey cats at home", false)
		if code := d.Forget("trusted", id); code != "" {
			t.Fatalf("forget: %q", code)
		}
		finds(t, d, "trusted", "grey cats")
		for range 2 {
			if code := d.Forget("trusted", id); code != "not_found" {
				t.Errorf("forget again: %q", code)
			}
		}
	})
	t.Run("what can not be kept is refused in the same word", func(t *testing.T) {
		d := open(t)
		for text, want := range map[string]string{
			" ": "invalid", strings.Repeat("я", 4001): "invalid", "my key is sk-test-1234567890abcdef": "invalid",
		} {
			if _, _, code := d.Remember("trusted", text, false); code != want && code != "usage" {
				t.Errorf("remember %.20q: %q, want %q", text, code, want)
			}
		}
		if _, code := d.Recall("everybody", "tea"); code != "usage" && code != "invalid" {
			t.Errorf("an unknown audience: %q", code)
		}
		if ids, _ := d.List("trusted"); len(ids) != 0 {
			t.Errorf("after refusals there are %v", ids)
		}
	})
	t.Run("private is for the owner alone", func(t *testing.T) {
		d := open(t)
		shared, _, _ := d.Remember("trusted", "@ann likes silver tea spoons", false)
		secret, _, _ := d.Remember("trusted", "@ann has the ring size 17 in silver", true)
		finds(t, d, "trusted", "ring size", secret)
		for _, who := range []string{"owner", "public"} {
			finds(t, d, who, "ring size")
			finds(t, d, who, "silver spoons", shared)
			if section, code := d.Prompt(who, "ring size"); code != "" || strings.Contains(section, "17") {
				t.Errorf("%s's section (%q):\n%s", who, code, section)
			}
			if code := d.Forget(who, secret); code != "not_found" && code != "denied" {
				t.Errorf("%s forgets a private one: %q", who, code)
			}
			if _, code := d.List(who); code != "denied" {
				t.Errorf("%s lists: %q", who, code)
			}
		}
		if _, _, code := d.Remember("public", "the public was here", false); code != "denied" {
			t.Errorf("the public remembers: %q", code)
		}
		if section, _ := d.Prompt("owner", "hi"); !strings.Contains(section, "kept back") {
			t.Errorf("the owner is not told that something is kept back:\n%s", section)
		}
		if ids, _ := d.List("trusted"); len(ids) != 2 {
			t.Errorf("in the end there are %v", ids)
		}
	})
}

func finds(t *testing.T, d Door, audience, query string, want ...string) {
	t.Helper()
	ids, code := d.Recall(audience, query)
	if code != "" || !slices.Equal(ids, want) && len(ids)+len(want) > 0 {
		t.Errorf("%s asking %q gets %v (%q), want %v", audience, query, ids, code, want)
	}
}
