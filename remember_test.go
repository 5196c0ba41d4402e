package plastic_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

func TestTheSameSaidAgainReinforces(t *testing.T) {
	for _, c := range []struct{ first, again, wins string }{
		{"has a grey cat", "has a grey cat", "has a grey cat"},
		{"has a grey cat", "Has a grey  cat.", "has a grey cat"},
		{"@ann likes tea with milk and honey", "@ann likes green tea with milk and honey", "@ann likes green tea with milk and honey"},
		{"@ann likes green tea with milk and honey", "@ann likes tea with milk and honey", "@ann likes green tea with milk and honey"},
		{"阿肥好鍾意飲凍檸茶少甜", "阿肥好鍾意飲凍檸茶少甜。", "阿肥好鍾意飲凍檸茶少甜"},
		{"Лёша любит гулять в парке по вечерам", "леша любит гулять в парке по вечерам", "Лёша любит гулять в парке по вечерам"},
	} {
		b := banktest.New(t)
		first := b.Remember(plastic.Draft{Content: c.first})
		b.Pass(time.Hour)
		again := b.Remember(plastic.Draft{Content: c.again, Pinned: true})
		if again.Outcome != plastic.Reinforced || again.ID != first.ID {
			t.Errorf("%q then %q: %s as %s", c.first, c.again, again.Outcome, again.ID)
			continue
		}
		m := b.Show(first.ID)
		if m.Content != c.wins || !m.Pinned || m.RecallCount != 1 || !m.CreatedAt.Equal(banktest.Start) {
			t.Errorf("%q then %q left %+v", c.first, c.again, m)
		}
		archive, err := b.Archive()
		if err != nil {
			t.Fatal(err)
		}
		if replaced := c.wins != c.first; replaced != (len(archive.Archive) == 1) {
			t.Errorf("%q then %q: archive %+v", c.first, c.again, archive.Archive)
		}
	}
}

func TestAContradictionIsNeverMerged(t *testing.T) {
	for _, c := range [][2]string{
		{"@ann eats meat", "@ann does not eat meat any more"},
		{"@bob eats meat on Sundays with the family", "@bob eats no meat on Sundays with the family"},
		{"@ann drinks coffee every morning before work", "@ann never drinks coffee every morning before work"},
		{"Мира любит оперу и балет в большом театре", "Мира не любит оперу и балет в большом театре"},
		{"любит оперу", "не любит оперу"},
		{"喜欢香菜", "不喜欢香菜"},
		{"阿肥成日都好鍾意食香菜同埋蔥花", "阿肥成日都唔係好鍾意食香菜同埋蔥花"},
		{"周一部署 Docker", "周五停用 Docker"},
		{"любит Python", "учит Python"},
		{"the rent is 900 euros a month from May", "the rent is 950 euros a month from May"},
		{"the flight to Oslo is on 3 May at noon", "the flight to Oslo is on 4 May at noon"},
		{"@ann said the red key is under the mat", "@bob said the red key is under the mat"},
		{"@ann works as a nurse in the old hospital", "@ann used to work as a nurse in the old hospital"},
	} {
		b := banktest.New(t)
		first := b.Say(c[0])
		second := b.Remember(plastic.Draft{Content: c[1]})
		if second.Outcome != plastic.Created {
			t.Errorf("%q was merged into %q", c[1], c[0])
			continue
		}
		if strings.Contains(c[0], "Docker") {
			continue // one name in common is no likeness
		}
		if len(second.Similar) != 1 || second.Similar[0].ID != first || second.Similar[0].Content != c[0] {
			t.Errorf("saving %q shows %+v as similar, not %q", c[1], second.Similar, c[0])
		}
	}
}

func TestAnotherSpeakerOrAnEventOfAnotherDayIsAnotherMemory(t *testing.T) {
	b := banktest.New(t)
	b.Remember(plastic.Draft{Content: "the soup was too salty", Speaker: "ann"})
	if got := b.Remember(plastic.Draft{Content: "the soup was too salty", Speaker: "bob"}); got.Outcome != plastic.Created {
		t.Errorf("bob's word was taken for ann's")
	}
	b.Remember(plastic.Draft{Content: "we went for a swim", Kind: memory.Event})
	b.Pass(24 * time.Hour)
	if got := b.Remember(plastic.Draft{Content: "we went for a swim", Kind: memory.Event}); got.Outcome != plastic.Created {
		t.Errorf("today's swim was taken for yesterday's")
	}
}

func TestSupersedingClosesTheOldOneAndKeepsTheTimeline(t *testing.T) {
	b := banktest.New(t)
	kazan := b.Say("@lena lives in Kazan")
	b.Pass(30 * 24 * time.Hour)
	oslo := b.Remember(plastic.Draft{Content: "@lena lives in Oslo", Supersedes: kazan[:5]})
	if oslo.Outcome != plastic.Created {
		t.Fatalf("outcome %s", oslo.Outcome)
	}
	if got := b.Find("where does Lena live"); len(got) != 1 || got[0] != oslo.ID {
		t.Errorf("recall finds %v, want %s alone", got, oslo.ID)
	}
	then := b.Recall(plastic.Query{Text: "where does Lena live", AsOf: banktest.Start.Add(time.Hour)})
	if len(then.Memories) != 1 || then.Memories[0].ID != kazan {
		t.Errorf("as of the first day: %+v", then.Memories)
	}
	story := b.Recall(plastic.Query{Text: "where does Lena live", History: true})
	if len(story.Memories) != 2 || story.Memories[0].ID != oslo.ID || story.Memories[1].ID != kazan {
		t.Errorf("history: %+v", story.Memories)
	}
	old := b.Show(kazan)
	if old.SupersededBy != oslo.ID || !old.ValidTo.Equal(b.Clock().Now()) || old.Layer != "" || old.Clarity != 0 {
		t.Errorf("the closed one: %+v", old)
	}
	if old.RecallCount != 0 {
		t.Errorf("asking the past counted as a recall")
	}
	if _, err := b.Restore(context.Background(), []string{kazan}); err != nil {
		t.Fatal(err)
	}
	if old := b.Show(kazan); old.SupersededBy != "" || old.Layer == "" {
		t.Errorf("restoring did not reopen it: %+v", old)
	}
}

func TestTheDoorRefuses(t *testing.T) {
	ctx := context.Background()
	b := banktest.New(t)
	two, most := 2.0, strings.Repeat("я", 4000)
	for name, c := range map[string]struct {
		d    plastic.Draft
		want error
	}{
		"nothing":              {plastic.Draft{Content: " \n\t"}, memory.ErrInvalid},
		"too much":             {plastic.Draft{Content: most + "я"}, memory.ErrInvalid},
		"importance of 2":      {plastic.Draft{Content: "x", Importance: &two}, memory.ErrInvalid},
		"level of 6":           {plastic.Draft{Content: "x", Level: 6}, memory.ErrInvalid},
		"both scales":          {plastic.Draft{Content: "x", Importance: new(float64), Level: 1}, memory.ErrUsage},
		"a key":                {plastic.Draft{Content: "my key is sk-test-1234567890abcdef"}, memory.ErrInvalid},
		"a speaker of 2 lines": {plastic.Draft{Content: "x", Speaker: "a\nb"}, memory.ErrInvalid},
		"an unknown old one":   {plastic.Draft{Content: "x", Supersedes: "nosuch"}, memory.ErrNotFound},
	} {
		if _, err := b.Bank.Remember(ctx, c.d); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.For(memory.Public).Remember(ctx, plastic.Draft{Content: "x"}); !errors.Is(err, memory.ErrDenied) {
		t.Errorf("the public wrote: %v", err)
	}
	if n := len(b.All()); n != 0 {
		t.Errorf("%d memories after refusals", n)
	}
	b.Say(most)
	b.Remember(plastic.Draft{Content: "my key is sk-test-1234567890abcdef", AllowSecret: true})
	level := b.Remember(plastic.Draft{Content: "levels map to fifths", Level: 4})
	if level.Memory.Importance != 0.75 {
		t.Errorf("level 4 is importance %v", level.Memory.Importance)
	}
}

func TestTextIsKeptExactly(t *testing.T) {
	b := banktest.New(t)
	text := "a `b` $c \"d\"\nline two\t<&> «да» 日本 \U0001f98a\u2028end"
	id := b.Say(text)
	if got := b.Show(id).Content; got != text {
		t.Errorf("kept %q", got)
	}
	broken := b.Say("half \xff\xfe bytes")
	if got := b.Show(broken).Content; got != "half \uFFFD bytes" && got != "half \uFFFD\uFFFD bytes" {
		t.Errorf("invalid bytes became %q", got)
	}
}
