package plastic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// edit opens the memories that query finds, changes their text by pairs of old
// and new pieces, and applies what that asks for.
func edit(t *testing.T, b *banktest.Bank, query string, pieces ...string) plastic.Edited {
	t.Helper()
	out, err := b.Edit(context.Background(), planned(t, b, query, pieces...))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func planned(t *testing.T, b *banktest.Bank, query string, pieces ...string) plastic.EditPlan {
	t.Helper()
	sheet, err := b.EditSheet(query)
	if err != nil {
		t.Fatal(err)
	}
	text := sheet.Text
	for i := 0; i < len(pieces); i += 2 {
		if !strings.Contains(text, pieces[i]) {
			t.Fatalf("%q is not in\n%s", pieces[i], text)
		}
		text = strings.Replace(text, pieces[i], pieces[i+1], 1)
	}
	plan, err := plastic.ReadEdit(sheet, text)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestAnEditChangesForgetsAndRemembers(t *testing.T) {
	b := banktest.New(t)
	cats, tea := b.Say("Ann keeps two cats"), b.Say("Bo drinks green tea")
	gone := b.Say("the meeting is on Monday")
	b.Pass(time.Hour)
	got := edit(t, b, "", "two cats", "three cats {0.8 private}", "- ["+gone+"] the meeting is on Monday\n", "- Cleo sings\n  in a choir {event}\n- Bo drinks green tea.\n- Cleo sings in a choir {event 0.9}\n")
	if len(got.Updated) != 1 || got.Updated[0] != cats || len(got.Forgotten) != 1 || got.Forgotten[0] != gone || len(got.Left) != 0 {
		t.Fatalf("%+v", got)
	}
	m := b.Show(cats)
	if m.Content != "Ann keeps three cats" || m.Importance != 0.8 || !m.Private || m.UpdatedAt.IsZero() {
		t.Errorf("the changed one is %+v", m)
	}
	if len(got.Remembered) != 3 || got.Remembered[2] != (plastic.Noted{ID: got.Remembered[0].ID, Outcome: plastic.Reinforced}) || got.Remembered[0].Outcome != plastic.Created || got.Remembered[1] != (plastic.Noted{ID: tea, Outcome: plastic.Reinforced}) {
		t.Fatalf("remembered %+v", got.Remembered)
	}
	if m := b.Show(got.Remembered[0].ID); m.Content != "Cleo sings\nin a choir" || m.Importance != 0.9 || m.Kind != memory.Event || m.Source != "edit" {
		t.Errorf("the new one is %+v", m)
	}
	if m := b.Show(tea); m.RecallCount != 1 {
		t.Errorf("the one that was said again counts %d", m.RecallCount)
	}
	left, err := b.Archive()
	if err != nil || len(left.Archive) != 2 {
		t.Fatalf("archive: %+v, %v", left, err)
	}
	for _, a := range left.Archive {
		if a.Memory.ID == cats && (a.As != memory.Version || a.Memory.Content != "Ann keeps two cats") || a.Memory.ID == gone && a.As != memory.Forgotten {
			t.Errorf("archived: %+v", a)
		}
	}
}

func TestWhatChangedMeanwhileIsLeftAndListed(t *testing.T) {
	b := banktest.New(t)
	var ids [4]string
	for i, text := range []string{"Ann keeps two cats", "Bo drinks green tea", "Cleo has a dog", "Dan sails a boat"} {
		ids[i] = b.Say(text)
		b.Pass(time.Second)
	}
	cats, tea, dog, boat := ids[0], ids[1], ids[2], ids[3]
	plan := planned(t, b, "", "two cats", "three cats", "green tea", "black tea", "- ["+dog+"] Cleo has a dog\n", "", "sails", "rows")
	four := "Ann keeps four cats"
	if _, err := b.Update(context.Background(), cats, plastic.Change{Content: &four}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Forget(context.Background(), []string{tea}, plastic.Forgetting{}); err != nil {
		t.Fatal(err)
	}
	b.Recall(plastic.Query{Text: "who has a dog?"}) // a rehearsal is no change
	b.Remember(plastic.Draft{Content: "Dan sold the boat", Supersedes: boat})
	got, err := b.Edit(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint([]plastic.Kept{{ID: cats, Why: "it was changed meanwhile"}, {ID: tea, Why: "it left the memory meanwhile"}, {ID: boat, Why: "it was superseded meanwhile"}})
	if fmt.Sprint(got.Left) != want || len(got.Updated) != 0 || len(got.Forgotten) != 1 || got.Forgotten[0] != dog {
		t.Errorf("%+v, want left %s", got, want)
	}
	if m := b.Show(cats); m.Content != four {
		t.Errorf("the other change is lost: %q", m.Content)
	}
}

func TestAnEditThatMayNotBeIsNotDoneAtAll(t *testing.T) {
	b := banktest.New(t)
	cats, tea := b.Say("Ann keeps two cats"), b.Say("Bo drinks green tea")
	for piece, want := range map[string]string{
		"black tea, and the key is sk-ant-api03-" + strings.Repeat("Ab1", 30): "the text looks like it holds",
		strings.Repeat("long ", 1000):                                         "the text has",
	} {
		plan := planned(t, b, "", "two cats", "three cats", "green tea", piece)
		_, err := b.Edit(context.Background(), plan)
		if !errors.Is(err, memory.ErrInvalid) || !strings.HasPrefix(err.Error(), "line ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if m := b.Show(cats); m.Content != "Ann keeps two cats" {
		t.Errorf("half of the edit was done: %q", m.Content)
	}
	plan := planned(t, b, "", "green tea", "sk-ant-api03-"+strings.Repeat("Ab1", 30))
	plan.AllowSecret = true
	if got, err := b.Edit(context.Background(), plan); err != nil || len(got.Updated) != 1 || got.Updated[0] != tea {
		t.Errorf("allowed: %+v, %v", got, err)
	}
	for _, a := range []memory.Audience{memory.Owner, memory.Public} {
		if _, err := b.As(a).EditSheet(""); !errors.Is(err, memory.ErrDenied) {
			t.Errorf("a sheet for %s: %v", a, err)
		}
		if _, err := b.As(a).Bank.Edit(context.Background(), plan); !errors.Is(err, memory.ErrDenied) {
			t.Errorf("an edit for %s: %v", a, err)
		}
	}
}

func TestAnEmptyTextForgetsNothing(t *testing.T) {
	b := banktest.New(t)
	b.Say("Ann keeps two cats")
	sheet, err := b.EditSheet("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plastic.ReadEdit(sheet, " \n"); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an empty text: %v", err)
	}
	plan, err := plastic.ReadEdit(sheet, sheet.Text[:strings.Index(sheet.Text, "- [")])
	if err != nil || len(plan.Forget) != 1 {
		t.Errorf("without its items: %+v, %v", plan, err)
	}
}

func TestAQueryBringsCoreAndTwinsOntoTheSheetAndCountsAsNoRecall(t *testing.T) {
	b := banktest.New(t, "memory.json", `{"version":1,"memories":[
{"id":"t1","content":"Ann likes green tea in the morning","kind":"fact","importance":0.5,"createdAt":"2026-11-01T00:00:00Z"},
{"id":"t2","content":"Ann likes green tea in the morning","kind":"fact","importance":0.5,"createdAt":"2026-11-02T00:00:00Z"},
{"id":"c1","content":"Ann is my owner","kind":"core","importance":0.5,"createdAt":"2026-11-03T00:00:00Z"},
{"id":"o1","content":"the train leaves at seven","kind":"fact","importance":0.5,"createdAt":"2026-11-04T00:00:00Z"}]}`)
	sheet, err := b.EditSheet("does Ann like green tea?")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"t1": true, "t2": true, "o1": false} {
		if strings.Contains(sheet.Text, "["+id+"]") != want {
			t.Errorf("%s on the sheet: %v\n%s", id, !want, sheet.Text)
		}
	}
	if sheet, err = b.EditSheet("owner"); err != nil || !strings.Contains(sheet.Text, "[c1]") {
		t.Errorf("core: %s, %v", sheet.Text, err)
	}
	if sheet, err = b.EditSheet("o1"); err != nil || sheet.Memories != 1 || !strings.Contains(sheet.Text, "the train") {
		t.Errorf("by id: %s, %v", sheet.Text, err)
	}
	if _, err = b.EditSheet("submarine"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a query that finds nothing: %v", err)
	}
	for _, m := range b.All() {
		if m.RecallCount != 0 {
			t.Errorf("%s was rehearsed", m.ID)
		}
	}
}

func TestAWordingThatAListCanNotHoldStaysWhenOnlyTheRestChanges(t *testing.T) {
	b := banktest.New(t)
	id := b.Say("first \r\n  second\t\n\nthird  ")
	old := b.Show(id).Content
	edit(t, b, "", "third\n", "third {pinned}\n")
	if m := b.Show(id); m.Content != old || !m.Pinned {
		t.Errorf("%q became %q", old, m.Content)
	}
}
