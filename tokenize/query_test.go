package tokenize_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plastic/tokenize"
)

// asked gives the terms of one field that can be evidence.
func asked(field tokenize.Field, query string) string {
	var out []string
	for _, q := range tokenize.Query(query) {
		if q.Field == field && !q.Function {
			out = append(out, q.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestFunctionWordsAreAskedForButAreNoEvidence(t *testing.T) {
	for _, c := range []struct{ query, content string }{
		{"Where does Lena live?", "lena live"},
		{"What's your name?", "name"},
		{"do you remember what I told you about tea", "rememb tell tea"},
		{"Какая у меня фамилия и где живёт Лена?", "фамил жит лен"},
		{"Кого зовут Май?", "зват ма"},
		{"나는 언제 서울에 갔나요", "서울에 갔나요"},
		{"who are you", ""},
	} {
		if got := asked(tokenize.Word, c.query); got != c.content {
			t.Errorf("%q asks for %q, want %q", c.query, got, c.content)
		}
	}
	for _, q := range tokenize.Query("where is it") {
		if q.Field == tokenize.Word && (!q.Function || q.Weight != 0.3) {
			t.Errorf("a function word is asked for as %+v", q)
		}
	}
}

func TestParticlesAreCutOutOfHanButNotOutOfWords(t *testing.T) {
	for _, c := range []struct{ query, content string }{
		{"你喜欢什么颜色？", "喜欢 颜色"},
		{"我對什麼過敏", "过敏"},
		{"过敏", "过敏"},
		{"现在住在哪里", "现在 在住"},
		{"他弹吉他吗", "弹吉 吉他"},
		{"你叫乜嘢名", ""},
		{"猫が好きですか", "好き"},
		{"はなは何色", "はな 何色"},
		{"我的目的是什么", "目的"},
		{"我们在酒吧聊了什么", "酒吧 吧聊"},
		{"你是谁", ""},
	} {
		if got := asked(tokenize.Bigram, c.query); got != c.content {
			t.Errorf("%q asks for %q, want %q", c.query, got, c.content)
		}
	}
}

func TestEveryTermOfAQueryStandsOnceWithItsWeight(t *testing.T) {
	weight := map[string]float64{}
	for _, q := range tokenize.Query("Tea, tea and the tea of Zoë; кошек") {
		if q.Field == tokenize.Word {
			if weight[q.Text] != 0 {
				t.Errorf("%q twice", q.Text)
			}
			weight[q.Text] = q.Weight
		}
	}
	for term, want := range map[string]float64{"tea": 3, "and": 0.3, "zoë": 1, "zoe": 0.5, "кошек": 1, "кошк": 0.5} {
		if math.Abs(weight[term]-want) > 1e-9 {
			t.Errorf("%q weighs %v, want %v", term, weight[term], want)
		}
	}
}

func TestAQueryWithoutTermsAsksForNothing(t *testing.T) {
	for _, q := range []string{"", "  ", "???", `"`, "( [ --", "\u200b", "…"} {
		if got := tokenize.Query(q); len(got) != 0 {
			t.Errorf("%q asks for %v", q, got)
		}
	}
}

func TestFunctionalKnowsStemsOfFunctionWords(t *testing.T) {
	text := "because before very why any whether themselves is was were doing the of когда никогда меня моего тебе которых сколько будто такая"
	for _, s := range tokenize.Stems(text) {
		if !tokenize.Functional(s) {
			t.Errorf("%q is not known as a function word", s)
		}
	}
	for _, s := range []string{"什么", "你的", "是", "吗", "그리고"} {
		if !tokenize.Functional(s) {
			t.Errorf("%q is not known as functional", s)
		}
	}
	for _, s := range append(tokenize.Stems("tea почта друг еда пустой Lena 77 C++ 🦊 서울에"), "过敏", "的猫", "猫", "") {
		if tokenize.Functional(s) {
			t.Errorf("%q is taken for a function word", s)
		}
	}
}

func TestFieldsWeighAsMeasured(t *testing.T) {
	want := map[tokenize.Field]float64{tokenize.Word: 1, tokenize.Bigram: 1, tokenize.Single: 0.4, tokenize.Letters: 0.2}
	for f := tokenize.Field(0); f < tokenize.Fields; f++ {
		if f.Weight() != want[f] {
			t.Errorf("field %d weighs %v, want %v", f, f.Weight(), want[f])
		}
	}
}

func TestFormsAndPartsOfOneThingAreNumberedTogether(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"QX-77", "qx-77 1 0, qx77 1 0, qx 1 2, 77 1 2"},
		{"10.0.0.7", "10.0.0.7 1 0, 10 1 3, 0 1 3, 7 1 3"},
		{"well-known tea", "well-known 0 0, well 2 0, know 3 0, tea 4 0"},
		{"C++", "c++ 1 0, c 0 0"},
		{"@ann lives", "@ann 1 0, ann 1 0, live 2 0, life 2 0"},
		{"the кошек", "the 0 0, кошек 2 0, кошк 2 0"},
	} {
		var got []string
		for _, q := range tokenize.Query(c.query) {
			if q.Field == tokenize.Word {
				got = append(got, fmt.Sprintf("%s %d %d", q.Text, q.Thing, q.Parts))
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%q asks for %s, want %s", c.query, s, c.want)
		}
	}
}

func TestAFormThatIsNounAndVerbIsFoundByBoth(t *testing.T) {
	for _, c := range []struct{ stored, queries string }{
		{"@lena lives in Oslo", "where does Lena live|living in Oslo|the lives of others"},
		{"two lives", "her life"},
		{"maple leaves", "a leaf|leaving"},
		{"she left on Monday", "did she leave|the left one"},
		{"a knee wound", "the wound"},
		{"the saw is in the shed", "what did she see|two saws"},
		{"found a key", "find the key"},
		{"red roses", "the rose|rose"},
		{"wolves howl", "a wolf"},
	} {
		for q := range strings.SplitSeq(c.queries, "|") {
			if !meets(c.stored, q) {
				t.Errorf("%q is not found by %q", c.stored, q)
			}
		}
	}
}

func TestWordsThatFrameAQuestionAreLight(t *testing.T) {
	for query, want := range map[string]string{
		"what kind of blood type do I like":       "kind type like",
		"Привет, напомни, что я говорил про дачу": "привет напомн говор говр",
		"good night": "good night",
	} {
		var got []string
		for _, q := range tokenize.Query(query) {
			if q.Field == tokenize.Word && q.Light && !q.Function {
				got = append(got, q.Text)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: light are %q, want %q", query, s, want)
		}
	}
}

// Russian forms that endings do not explain meet the word itself.
func TestRussianFormsMeetTheirWord(t *testing.T) {
	for _, pair := range [][2]string{
		{"сколько лет", "год"}, {"42 года", "лет"}, {"детей", "ребёнок"}, {"друзьям", "друг"}, {"дней", "день"}, {"псы", "пёс"},
		{"живёт", "жить"}, {"пришёл", "прийти"}, {"напишет", "написать"}, {"переедем", "переезд переехать"}, {"зовут", "звать"},
		{"люблю", "любить"}, {"расскажу", "рассказать"},
	} {
		stems := map[string]bool{}
		for _, s := range tokenize.Stems(pair[1]) {
			stems[s] = true
		}
		met := false
		for _, s := range tokenize.Stems(pair[0]) {
			met = met || stems[s]
		}
		if !met {
			t.Errorf("%q %v does not meet %q %v", pair[0], tokenize.Stems(pair[0]), pair[1], tokenize.Stems(pair[1]))
		}
	}
	if a, b := tokenize.Stems("съели"), tokenize.Stems("сели"); a[0] == b[0] {
		t.Errorf("съели and сели are one: %v", a)
	}
}
