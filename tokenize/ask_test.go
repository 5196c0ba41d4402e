package tokenize_test

import (
	"slices"
	"strings"
	"testing"

	"plastic/tokenize"
)

// expect checks a yes-or-no function on two lists.
func expect(t *testing.T, name string, f func(string) bool, yes, no []string) {
	t.Helper()
	for _, s := range yes {
		if !f(s) {
			t.Errorf("%s(%q) is false", name, s)
		}
	}
	for _, s := range no {
		if f(s) {
			t.Errorf("%s(%q) is true", name, s)
		}
	}
}

func TestAsksNumber(t *testing.T) {
	expect(t, "AsksNumber", tokenize.AsksNumber,
		[]string{"When did Ann move?", "when?", "how many cats", "And how  long was it?", "What year was that", "Когда Лена переехала?", "Сколько у неё кошек?", "в каком году",
			"你什么时候搬家", "你甚麼時候搬家的，幾點？", "有幾多隻貓", "多少钱", "何時ですか", "いつ来ましたか", "언제 와요", "몇 개"},
		[]string{"", "where does Ann live", "whenever she can", "where and how", "как дела", "некогда", "几乎没有", "茶几在哪", "何を食べましたか", "누구"})
}

func TestHasNumber(t *testing.T) {
	expect(t, "HasNumber", tokenize.HasNumber,
		[]string{"at 5", "she has two cats", "it was in May last year", "yesterday", "on Monday", "две кошки", "вчера", "в мае", "три раза", "三只猫", "上個月", "昨日", "٣", "어제", "半年"},
		[]string{"", "she has cats", "someone", "у неё кошки", "她有猫", "고양이"})
}

func TestQuestion(t *testing.T) {
	expect(t, "Question", tokenize.Question,
		[]string{"What is it?", "Really?! And then?", "Как дела?", "你好吗？", "你有猫吗", "お元気ですか。", "Do you use node.js v2.1?", "(why?)", "“Why?”", "잘 지내나요"},
		[]string{"", "???", "I like tea.", "Do you? I do.", "I do. Do you?", "我很好。你呢？", "Why? " + strings.Repeat("because ", 30) + "?", "tea"})
}

func TestNamesMeetTheSpeakerTheyMean(t *testing.T) {
	for _, c := range []struct {
		speaker, query string
		meet           bool
	}{
		{"Caroline", "What did Caroline's sister say?", true},
		{"Caroline", "what did caroline say", true},
		{"Ann Lee", "where is Lee", true},
		{"Лена", "что сказала Лене мама", true},
		{"小明", "小明去哪里了", true},
		{"王小明", "小明去哪里了", true},
		{"張曼婷", "张曼婷喜欢什么", true},
		{"민수", "민수가 말했다", true},
		{"Will", "What does Will like?", true},
		{"Zoë", "did zoe\u0308 call", true},
		{"Will", "what will she like?", false},
		{"Will", "Will she come?", false},
		{"Ann", "what did Anna say", false},
		{"user", "who is it", false},
		{"", "who is it", false},
	} {
		names := tokenize.Names(c.query)
		meet := slices.ContainsFunc(tokenize.Names(c.speaker), func(n string) bool { return slices.Contains(names, n) })
		if meet != c.meet {
			t.Errorf("%q in %q: %v, want %v (%q)", c.speaker, c.query, meet, c.meet, names)
		}
	}
}

func TestCountStaysNearWhatVocabulariesNeed(t *testing.T) {
	for _, c := range []struct {
		text string
		want int // tokens in cl100k_base
	}{
		{"", 0},
		{"Lena erzählte, dass sie im letzten Frühjahr in die Altstadt gezogen ist, zwei Katzen hält und keinen Kaffee mehr trinkt.", 38},
		{"リナは去年の春に旧市街へ引っ越して、猫を二匹飼っていると言っていた。もうコーヒーは飲まないそうだ。明日の会議は午後三時からです。資料を忘れないでください。", 82},
		{"리나는 작년 봄에 구시가지로 이사했고 고양이 두 마리를 키운다고 말했다. 이제 커피를 마시지 않는다. 내일 회의는 오후 세 시에 시작합니다. 자료를 잊지 마세요.", 80},
		{"call 555-0134 before 2023-05-07 14:30, pay 1,234.50 to account 998877665544", 33},
		{"{\"id\":\"k3v9x2\",\"createdAt\":\"2023-05-07T10:00:00Z\",\"importance\":0.5}", 33},
	} {
		got := tokenize.Count(c.text)
		if f := float64(got); f < 0.75*float64(c.want) || f > 1.35*float64(c.want) {
			t.Errorf("%d tokens, cl100k_base needs %d: %s", got, c.want, c.text)
		}
	}
	if n := tokenize.Count("a"); n != 1 {
		t.Errorf("one letter costs %d", n)
	}
}
