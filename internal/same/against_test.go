package same_test

import (
	"testing"

	"pgregory.net/rapid"

	"plastic/internal/same"
)

func against(a, b string) same.Clash { return same.Against(same.Read(fact(a)), same.Read(fact(b))) }

func TestWhatLikelyContradicts(t *testing.T) {
	for want, pairs := range map[same.Clash][][2]string{
		same.Number: {
			{"Ann has 2 cats", "Ann has 3 cats and a dog"},
			{"Ann has two cats", "Ann has three cats"},
			{"the rent is 900 euro", "the rent is 950 euro"},
			{"Bo's birthday is 5 May", "Bo's birthday is 6 May"},
			{"他养了两只猫", "他养了三只猫"},
			{"生日是三月五日", "生日是三月六日"},
			{"у Анны две кошки", "у Анны три кошки"},
			{"the lamp costs $5", "the lamp costs €5"},
		},
		same.Negation: {
			{"Ann eats meat", "Ann does not eat meat any more"},
			{"Ann is vegan", "Ann isn't vegan"},
			{"Ann can swim", "Ann can’t swim"},
			{"Анна ест мясо", "Анна не ест мясо"},
			{"他喜欢香菜", "他不喜欢香菜"},
			{"佢鍾意食榴槤", "佢唔鍾意食榴槤"},
			{"er isst gern Fleisch", "er isst nicht gern Fleisch"},
		},
		same.NoClash: {
			{"Ann has 2 cats", "Ann has 2 cats"},
			{"Ann has 2 cats", "Bo has 3 cats"},
			{"Ann has 2 cats", "Ann has 3 dogs"},
			{"room 1 is cold and damp", "room 2 is cold and damp"},
			{"2026-11-28 dentist at noon", "2026-12-05 dentist at noon"},
			{"Ann eats meat", "Ann does not eat fish"},
			{"Ann eats meat", "Ann eats meat often"},
			{"no sugar", "sugar"},
			{"Ann is a nurse", "Ann was a nurse"},
			{"", "no"},
		},
	} {
		for _, pair := range pairs {
			if got := against(pair[0], pair[1]); got != want {
				t.Errorf("%q against %q: %q, want %q", pair[0], pair[1], got, want)
			}
		}
	}
}

func TestContradictionGoesBothWaysAndNeverToOneself(t *testing.T) {
	text := rapid.StringMatching(`((Ann|not|no|2|3|two|doesn't|любит|не|不|喜|cats) ?){0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		if against(a, b) != against(b, a) {
			t.Fatalf("%q against %q: %q, and %q the other way", a, b, against(a, b), against(b, a))
		}
		if got := against(a, a); got != same.NoClash {
			t.Fatalf("%q against itself: %q", a, got)
		}
	})
}
