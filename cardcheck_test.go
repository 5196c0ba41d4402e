package plastic_test

import (
	"slices"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

func TestTheCardIsCheckedForTwinsAndContradictions(t *testing.T) {
	card := "# Ann\n" +
		"- Ann has 2 cats\n" +
		"1. Ann eats meat\n" +
		"- room 1 is cold and damp\n- room 2 is cold and damp\n" +
		"* Ann does not eat meat any more\n" +
		"Ann has 3 cats\n" +
		"- ann has 2 cats.\n" +
		"- the rent is 900 euro\n" +
		"<!--\n- Ann has 4 cats\n-->\n" +
		"```\nAnn has 5 cats\n```\n" +
		"| Ann has 6 cats |\n# Ann has 7 cats\n---\n\n"
	b := banktest.New(t, "memory.md", card)
	b.Remember(plastic.Draft{Content: "The rent is 950 euro", Kind: memory.Core})
	id := b.Remember(plastic.Draft{Content: "Ann eats meat", Kind: memory.Core}).ID
	list, err := b.CheckCard()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		got = append(got, p.Code+": "+strings.ReplaceAll(p.Message, id, "ID"))
	}
	for i, m := range got { // the other core memory has an id of chance
		if before, after, ok := strings.Cut(m, "line 9 may contradict the core memory "); ok {
			got[i] = before + "line 9 may contradict core" + after[strings.Index(after, " "):]
		}
	}
	want := []string{
		"card_repeats: line 3 says what the core memory ID says",
		"card_contradicts: line 6 may contradict the core memory ID (one denies it)",
		"card_contradicts: line 6 may contradict line 3 (one denies it)",
		"card_contradicts: line 7 may contradict line 2 (another number)",
		"card_twice: line 8 says what line 2 says",
		"card_contradicts: line 8 may contradict line 7 (another number)",
		"card_contradicts: line 9 may contradict core (another number)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatWasNotComparedIsSaid(t *testing.T) {
	b := banktest.New(t, "memory.md", strings.Repeat("- Ann has 2 cats\n", 20))
	list, err := b.CheckCard()
	if err != nil {
		t.Fatal(err)
	}
	if last := list[len(list)-1]; last.Code != "card_more" || last.Message != "from line 12 on nothing was compared any more" || len(list) != 56 {
		t.Errorf("%d problems, the last: %+v", len(list), last)
	}
}

func TestAConflictThatGitLeftInTheCardIsTold(t *testing.T) {
	for card, line := range map[string]string{
		"# Ann\r\n<<<<<<< HEAD\r\n- two cats\r\n=======\r\n- three cats\r\n>>>>>>> other\r\n":     "line 2",
		"<<<<<<< ours\n- two cats\n||||||| base\n- cats\n=======\n- three cats\n>>>>>>> theirs\n": "line 1",
		"Ann\n=======\n- two cats\n>>>>>>> quoted deep\n":                                         "",
		"<<<<<<< HEAD\n- never finished\n":                                                        "",
	} {
		b := banktest.New(t, "memory.md", card)
		checked, err := b.CheckCard()
		if err != nil {
			t.Fatal(err)
		}
		all, err := b.Doctor(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range [][]plastic.Problem{checked, all.Problems} {
			told := slices.ContainsFunc(got, func(p plastic.Problem) bool {
				return p.Code == "card_conflict" && strings.Contains(p.Message, line)
			})
			if told != (line != "") {
				t.Errorf("%q: %+v", card, got)
			}
		}
		banktest.Write(t, b.Dir(), "memory.md", "# Ann\n- three cats\n")
	}
}
