package plastic_test

import (
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

func TestATextOfWhichNothingCanBeSeenIsNoTextAtAnyDoor(t *testing.T) {
	b := banktest.New(t)
	id := b.Say("@ann likes tea")
	invalid := func(door, text string, err error) {
		t.Helper()
		if plastic.Code(err) != "invalid" {
			t.Errorf("%s of %+q: %v", door, text, err)
		}
	}
	for _, text := range []string{"", " \n", "\u200b", "\u200d\u2060 \ufeff", "\u00ad", "\u202e\u2066", "\ufe0f", "\U000e0101", "\u3164\u115f", "\u034f", "\u2800", "\x01\x7f", "\U000e0041"} {
		_, err := b.Bank.Remember(t.Context(), plastic.Draft{Content: text})
		invalid("remember", text, err)
		_, err = b.Update(t.Context(), id, plastic.Change{Content: &text})
		invalid("update", text, err)
		_, err = b.Retain(t.Context(), plastic.Exchange{User: text, Assistant: text})
		invalid("retain", text, err)
		out, err := b.Import(t.Context(), strings.NewReader(`{"content":"`+strings.NewReplacer("\n", `\n`, "\x01", `\u0001`).Replace(text)+`"}`+"\n"), plastic.ImportOptions{})
		if out.Imported != 0 {
			t.Errorf("import of %+q: %+v %v", text, out, err)
		}
	}
	for _, text := range []string{"👨\u200d👩\u200d👧", "❤\ufe0f", "\u200fשלום", "?", "क्\u200dष"} {
		if got := b.Remember(plastic.Draft{Content: text}); got.Memory.Content != text {
			t.Errorf("%+q became %+q", text, got.Memory.Content)
		}
	}
}
