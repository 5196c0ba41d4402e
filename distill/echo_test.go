package distill_test

import (
	"encoding/json"
	"testing"

	"plastic/distill"
	"plastic/memory"
)

func TestAChangeMustComeFromTheUser(t *testing.T) {
	for _, c := range []struct {
		user, assistant, old, fact string
		taken                      bool
	}{
		{"I live in Lisbon now", "Porto no more!", "@ann lives in Porto", "@ann lives in Lisbon", true},
		{"not any more!", "Noted.", "@ann eats meat", "@ann does not eat meat", true},
		{"what do you know about me?", "You have a grey cat called Mops", "@ann has a grey cat called Mops", "The user has a grey cat called Mops", false},
		{"what do you know about me?", "I think you moved to Lisbon", "@ann lives in Porto", "@ann moved to Lisbon", false},
		{"расскажи обо мне", "Ты переехала в Казань и завела попугая", "Ольга живёт в Туле", "Ольга переехала в Казань и завела попугая", false},
		{"я теперь в Казани", "Здорово!", "Ольга живёт в Туле", "Ольга живёт в Казани", true},
		{"说说我的情况", "你养了一只灰色的猫", "用户养了一只灰色的猫", "用户养了一只灰色的猫", false},
		{"我搬到上海了", "恭喜", "用户住在北京", "用户搬到上海", true},
	} {
		raw, _ := json.Marshal([]map[string]string{{"content": c.fact, "supersedes": "k"}})
		got := read(t, c.user, c.assistant, string(raw), memory.Memory{ID: "k", Content: c.old})
		if (len(got.Facts) == 1) != c.taken {
			t.Errorf("user %q, assistant %q: %q in place of %q: taken %v", c.user, c.assistant, c.fact, c.old, len(got.Facts) == 1)
		}
	}
}

func TestShortProposalsOfTheAssistantAreNotStored(t *testing.T) {
	for _, c := range []struct {
		user, assistant, fact string
		taken                 bool
	}{
		{"thanks", "You would like jazz", "The user likes jazz", false},
		{"I love jazz", "You would like bebop jazz", "The user likes jazz", true},
		{"thanks, Bob", "Try green tea at night", "@bob told me that he drinks green tea at night", false},
		{"спасибо", "Попробуй зелёный чай", "Пользователь любит зелёный чай", true}, // a limit: a third of it is in nobody's words
		{"好的", "你可以试试游泳和瑜伽", "用户游泳和瑜伽", false},
	} {
		raw, _ := json.Marshal([]map[string]string{{"content": c.fact, "speaker": "@bob"}})
		if got := read(t, c.user, c.assistant, string(raw)); (len(got.Facts) == 1) != c.taken {
			t.Errorf("user %q, assistant %q: %q taken %v", c.user, c.assistant, c.fact, len(got.Facts) == 1)
		}
	}
}

func TestALongPasteDoesNotHideTheUsersLanguage(t *testing.T) {
	log := "\nlevel=error msg=connection refused by the upstream server, retrying in thirty seconds with back-off\n"
	for _, c := range []struct {
		user, fact string
		bad        bool
	}{
		{"我的服务器总是连不上：" + log + log, "用户的服务器连不上", false},
		{"У меня падает сервер:" + log + log, "У пользователя падает сервер", false},
		{"translate to Russian: Меня зовут Ольга, я живу в Туле и работаю в школе", "The user wants a translation into Russian", false},
		{"Меня зовут Ольга. Я пользуюсь PostgreSQL.", "Olga uses a database called PostgreSQL", true},
	} {
		raw, _ := json.Marshal([]map[string]string{{"content": c.fact}})
		_, err := distill.Read(answers(string(raw)), distill.Turn{User: c.user, At: at}, nil, params)
		if (err != nil) != c.bad {
			t.Errorf("%q for %q: error %v", c.fact, c.user, err)
		}
	}
}

func TestStripLeavesNothingOfTheMemoryOnEitherSide(t *testing.T) {
	card := func(line string) bool { return line == "Deploy only on Mondays" }
	line := "k3v9x2 | fact | 3d | 0.50 | @ann keeps two cats"
	got := distill.Strip(distill.Turn{User: line + "\nwhat is new?\n", Assistant: "From my notes:\n> " + line + "\nDeploy only on Mondays\nNothing else.", At: at, Private: true}, card)
	if got.User != "what is new?" || got.Assistant != "From my notes:\nNothing else." || !got.Private || !got.At.Equal(at) {
		t.Errorf("%+v", got)
	}
}

func TestOneScaleOfImportanceAnAnswer(t *testing.T) {
	for _, c := range []struct {
		facts string
		want  [3]float64
	}{
		{`[{"content":"tea one","importance":1},{"content":"tea two","importance":3},{"content":"tea three","importance":5}]`, [3]float64{0, 0.5, 1}},
		{`[{"content":"tea one","importance":1},{"content":"tea two","importance":0.4},{"content":"tea three","importance":"0.8"}]`, [3]float64{1, 0.4, 0.8}},
		{`[{"content":"tea one","importance":0.4},{"content":"tea two","importance":"4"},{"content":"tea three","importance":9}]`, [3]float64{0.4, 0.75, 0.5}},
		{`[{"content":"tea one","importance":-1},{"content":"tea two","importance":null},{"content":"tea three","importance":"NaN"}]`, [3]float64{0.5, 0.5, 0.5}},
	} {
		got := read(t, "tea", "", c.facts)
		if len(got.Facts) != 3 {
			t.Fatalf("%d facts of %s", len(got.Facts), c.facts)
		}
		for i, f := range got.Facts {
			if f.Importance != c.want[i] {
				t.Errorf("%s: number %d has %v, want %v", c.facts, i, f.Importance, c.want[i])
			}
		}
	}
}
