package plastic_test

import (
	"fmt"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

func TestWhatIsSimilarSharesWordsAndNoDate(t *testing.T) {
	b := banktest.New(t)
	b.Say("the parcel from the bookshop is here")
	b.Say("Лена купила 12 яблок")
	b.Say("bob repaired the heater")
	for _, text := range []string{"ann went swimming today", "Аня плавала сегодня", "安今天去游泳", "zoe ran 7 km on 30 November 2026", "how many boats were there today"} {
		for _, s := range b.Remember(plastic.Draft{Content: text}).Similar {
			if s.Similarity <= 0 {
				t.Errorf("%q: similar %+v", text, s)
			}
		}
	}
	if got := b.Remember(plastic.Draft{Content: "the heater that bob repaired broke today"}).Similar; len(got) == 0 || got[0].Content != "bob repaired the heater" {
		t.Errorf("similar by words: %+v", got)
	}
}

func TestAtMostFiveAreSimilar(t *testing.T) {
	b := banktest.New(t)
	for i := range 9 {
		b.Say(fmt.Sprintf("ann keeps cat number%c at her house in town", 'a'+i))
	}
	if got := b.Remember(plastic.Draft{Content: "ann keeps dogs at her house in town"}).Similar; len(got) != 5 {
		t.Errorf("%d similar: %+v", len(got), got)
	}
}
