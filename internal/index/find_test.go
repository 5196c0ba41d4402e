package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic/internal/index"
	"plastic/memory"
	"plastic/recall"
)

// fillers are memories that no question of these tests is about.
var fillers = strings.Split(`the harbour lamp was repaired last spring
Nora paints fences in the evening
the bakery on Mill Street closes on Tuesdays
a parcel of seeds came from the garden club
Ivo plays the accordion badly and loudly
the attic smells of apples in October
there is a spare key under the blue pot
мост через реку закрыли на ремонт
Вадим собирает старые радиоприёмники
на даче расцвела сирень
в четверг привезут новый шкаф
бабушка печёт пироги с капустой
隔壁新開咗間麵包鋪
樓下個花園種咗好多玫瑰
星期三要交水費
他每天早上去公園跑步
圖書館下個月裝修
新买的雨伞落在了地铁上
the choir meets in the old school
the ferry was late because of fog`, "\n")

// storeOf is a store of the given memories among the fillers.
func storeOf(contents ...string) *index.Index {
	var ms []memory.Memory
	for i, c := range append(slices.Clone(contents), fillers...) {
		ms = append(ms, memory.Memory{ID: fmt.Sprintf("m%02d", i), Content: c, Kind: memory.Fact, Importance: 0.5,
			CreatedAt: day.Add(time.Duration(i-100) * time.Hour)})
	}
	return index.Build(ms, day)
}

// ask gives the ids that answer, best first.
func ask(ix *index.Index, q string) []string {
	var cs []recall.Candidate
	for _, h := range ix.Search(index.Ask(q, day)).Hits {
		s := ix.Signals(h.Ref)
		cs = append(cs, recall.Candidate{Ref: int(h.Ref), ID: s.ID, CreatedAt: s.CreatedAt, Raw: h.Raw,
			Evidence: recall.Evidence{Own: h.Own, Share: h.Share}, Importance: s.Importance})
	}
	var ids []string
	for _, k := range recall.Rank(cs, recall.Params{Floor: 0.15, Limit: 10}).Kept {
		ids = append(ids, k.ID)
	}
	return ids
}

func TestQuestionsFindTheirMemoryFirst(t *testing.T) {
	for _, c := range []struct{ memory, queries string }{
		{"我对花生过敏，出去吃饭要提醒我", "花生|过敏|提醒|花生過敏"},
		{"Лена весной переехала в Казань", "где Лена живёт|Казани|ЛЕНА|лена переезжала"},
		{"Соседка держит двух кошек", "кошка|у кого кошки?"},
		{"@vera сказала, что у неё аллергия на новокаин", "на что аллергия у Веры?|@vera"},
		{"养了一只猫，叫年糕", "猫|我的猫叫什么名字"},
		{"🦊 is my sign", "🦊"},
		{"ticket QX-77 is done", "QX-77|77|what about qx-77?"},
		{"40 MB/s link", "MB/s"},
		{"prefers C++ over node.js v2.1", "C++|node.js|v2.1"},
		{"host 10.0.0.7", "10.0.0.7"},
		{"Zoë lives in Malmö", "Zoë|Zoe\u0308|malmö"},
		{"they don't eat pork, 50% of them", "50%|who doesn't eat pork"},
	} {
		ix := storeOf(c.memory)
		for _, q := range strings.Split(c.queries, "|") {
			if got := ask(ix, q); len(got) == 0 || got[0] != "m00" {
				t.Errorf("%q among fillers: %q gives %v", c.memory, q, got)
			}
		}
	}
}

func TestNothingAnswersWhatWasNeverSaid(t *testing.T) {
	for _, c := range []struct{ memory, queries string }{
		{"works in AI", "it rains in Spain again|he said so"},
		{"cat is named Ada", "education"},
		{"部署流程：先构建再发布", "how do we deploy"},
		{"I told you what it was", "what was it?|who are you"},
		{"ты же знаешь, что он был там", "а что это было?"},
		{"我们说过的", "你是谁？|的"},
		{"likes tea", "|  |???|\"|!!"},
	} {
		ix := storeOf(c.memory)
		for _, q := range strings.Split(c.queries, "|") {
			if got := ask(ix, q); len(got) > 0 {
				t.Errorf("%q among fillers: %q is answered by %v", c.memory, q, got)
			}
		}
	}
}

func TestTinyStoresFindWhatTheyHave(t *testing.T) {
	for _, contents := range [][]string{{"likes tea"}, {"likes tea", "tea at five"}, {"likes tea", "tea at five", "a cat", "a dog"}, nil} {
		var ms []memory.Memory
		want := 0
		for i, c := range contents {
			ms = append(ms, memory.Memory{ID: fmt.Sprint("m", i), Content: c, CreatedAt: day})
			want += strings.Count(c, "tea")
		}
		ix := index.Build(ms, day)
		if got := ask(ix, "tea"); len(got) != want {
			t.Errorf("%q: tea gives %v", contents, got)
		}
	}
}

func TestALongDiaryDoesNotPushTheRightOneOut(t *testing.T) {
	diary := strings.Repeat(strings.Join(fillers, ". ")+". ", 3)
	ix := storeOf(diary)
	for i, f := range fillers {
		if got := ask(ix, f); len(got) == 0 || got[0] != fmt.Sprintf("m%02d", i+1) {
			t.Errorf("%q gives %v", f, got)
		}
	}
}

func talk(turns ...string) *index.Index {
	var ms []memory.Memory
	for i, c := range append(slices.Clone(turns), fillers...) {
		m := memory.Memory{ID: fmt.Sprintf("m%02d", i), Content: c, Kind: memory.Fact, CreatedAt: day.Add(time.Duration(i) * time.Minute)}
		if i < len(turns) {
			speaker, text, _ := strings.Cut(c, ": ")
			m.Session, m.Speaker, m.Content = "walk", speaker, text
		}
		ms = append(ms, m)
	}
	return index.Build(ms, day)
}

func TestAnAnswerIsFoundByItsQuestion(t *testing.T) {
	ix := talk("ann: What is the name of your parrot?", "joe: Admiral Feathers.", "ann: How funny!")
	if got := ask(ix, "what is Joe's parrot called?"); !slices.Contains(got[:min(2, len(got))], "m01") {
		t.Errorf("the answer is not among the first two: %v", got)
	}
}

func TestATurnIsNoAnswerWhereItsConversationIsNot(t *testing.T) {
	ix := talk("ann: It rained all day.", "joe: I know, I know.")
	if got := ask(ix, "so what was it about then?"); len(got) > 0 {
		t.Errorf("answered by %v", got)
	}
}

func TestOfAMessageInPiecesTheBestAnswers(t *testing.T) {
	filler := strings.Repeat("some more words about the weather over there ", 5)
	ms := []memory.Memory{
		{ID: "a", Content: "Parrots need " + filler, Session: "s", Speaker: "assistant", CreatedAt: day},
		{ID: "b", Content: "Parrots of the grey kind eat walnuts. " + filler, Session: "s", Speaker: "assistant", CreatedAt: day},
		{ID: "c", Content: "Parrots.", Session: "s", Speaker: "assistant", CreatedAt: day},
		{ID: "d", Content: "Parrots eat walnuts and so do I", Session: "s", Speaker: "user", CreatedAt: day.Add(time.Hour)},
	}
	if got := ask(index.Build(ms, day), "what walnuts do parrots eat"); !slices.Equal(got, []string{"d", "b"}) {
		t.Errorf("got %v, want the other turn and the best piece", got)
	}
	// Facts drawn from one turn share moment and speaker too, and are all kept.
	for i := range ms {
		ms[i].Content = []string{"Parrots eat walnuts", "Parrots like walnuts", "The parrot got walnuts", "x"}[i]
	}
	if got := ask(index.Build(ms[:3], day), "walnuts for parrots"); len(got) != 3 {
		t.Errorf("got %v, want all three facts", got)
	}
}

func TestTheTimeNamedIsAnAnswerOfItsOwn(t *testing.T) {
	ms := []memory.Memory{
		{ID: "before", Content: "We baked bread and talked", CreatedAt: day.AddDate(0, 0, -9)},
		{ID: "then", Content: "Long walk along the canal", CreatedAt: day.AddDate(0, 0, -1)},
		{ID: "after", Content: "We talked about boats", CreatedAt: day.Add(-time.Hour)},
	}
	for i, f := range fillers {
		ms = append(ms, memory.Memory{ID: fmt.Sprint("f", i), Content: f, CreatedAt: day.AddDate(0, 0, -20-i)})
	}
	ix := index.Build(ms, day)
	for _, q := range []string{"what did we do yesterday?", "что мы делали вчера?", "我們昨天做了什麼？"} {
		if got := ask(ix, q); len(got) == 0 || got[0] != "then" {
			t.Errorf("%q gives %v", q, got)
		}
	}
}

func TestCoreIsFoundByNoQuestion(t *testing.T) {
	ix := index.Build([]memory.Memory{{ID: "c", Content: "likes tea", Kind: memory.Core}, {ID: "f", Content: "tea at five"}}, day)
	if got := ask(ix, "tea"); !slices.Equal(got, []string{"f"}) {
		t.Errorf("got %v", got)
	}
}

func TestOverlapsAreExact(t *testing.T) {
	ix := storeOf("Lena keeps two cats in Kazan", "Lena keeps two dogs in Kazan", "周一部署 Docker", "周五停用 Docker")
	for _, c := range []struct {
		stems []string
		least float64
		want  string
	}{
		{[]string{"lena", "keep", "two", "cat", "in", "kazan"}, 0.7, "m00 1.00 m01 0.71"},
		{[]string{"lena", "keep", "two", "cat", "in", "kazan"}, 0.8, "m00 1.00"},
		{[]string{"docker", "周一"}, 0.3, "m02 0.50"}, // 周一 一部 部署 docker: both of them, of four
		{[]string{"zebra"}, 0.1, ""},
		{nil, 0.5, ""},
	} {
		var got []string
		for _, m := range ix.Overlaps(c.stems, c.least) {
			got = append(got, fmt.Sprintf("%s %.2f", ix.Signals(m.Ref).ID, m.Jaccard))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v at %v: %q, want %q", c.stems, c.least, s, c.want)
		}
	}
}

func TestATermThatAllMemoriesHaveFindsThemAll(t *testing.T) {
	for n := 1; n <= 50; n++ {
		var ms []memory.Memory
		for i := range n {
			ms = append(ms, memory.Memory{ID: fmt.Sprint("m", i), Content: fmt.Sprint("tea ", fillers[i%len(fillers)]), CreatedAt: day.Add(time.Duration(i) * time.Hour)})
		}
		if got := ask(index.Build(ms, day.AddDate(1, 0, 0)), "tea"); len(got) != min(n, 10) {
			t.Errorf("of %d memories with tea %d are found", n, len(got))
		}
	}
}

func TestInASmallStoreAPersonNamedIsInformation(t *testing.T) {
	said := "@ann told me she keeps two cats and is allergic to peanuts"
	for n := range 4 {
		ms := []memory.Memory{{ID: "ann", Content: said, CreatedAt: day}}
		for i := range n {
			ms = append(ms, memory.Memory{ID: fmt.Sprint("f", i), Content: fillers[i], CreatedAt: day})
		}
		ix := index.Build(ms, day)
		for _, q := range []string{"does Ann have pets?", "hi, what should I cook for Ann?", "shall we feed the cats?"} {
			if got := ask(ix, q); !slices.Equal(got, []string{"ann"}) {
				t.Errorf("%q beside %d others gives %v", q, n, got)
			}
		}
	}
}

func TestPartsOfWhatIsAskedForAreNoEvidence(t *testing.T) {
	for _, c := range []struct{ memory, query string }{
		{"filler text number 7 goes here", "10.0.0.7"},
		{"filler text number 1 goes here", "v2.1"},
		{"ticket QX-78 is done", "QX-77"},
		{"вопрос 77 закрыт", "QX-77"},
		{"ガラスの仮面を読んだ", "カラス"},
		{"vitamin C is on the shelf", "C++"},
		{"there are two types of people", "what is my blood type?"},
	} {
		if got := ask(storeOf(c.memory), c.query); len(got) > 0 {
			t.Errorf("%q gives %q", c.query, c.memory)
		}
	}
	for _, c := range []struct{ memory, query string }{
		{"ticket QX-77 is done", "qx77"},
		{"ticket qx77 is done", "QX-77"},
		{"ticket QX 77 is done", "QX-77"},
		{"ガラスの仮面を読んだ", "ガラス"},
		{"the 10.0.0.7 host is down", "10.0.0.7"},
	} {
		if got := ask(storeOf(c.memory), c.query); len(got) == 0 || got[0] != "m00" {
			t.Errorf("%q among fillers: %q gives %v", c.memory, c.query, got)
		}
	}
}

func TestALongMessageFindsTheOneThingItIsAbout(t *testing.T) {
	ix := storeOf("芝麻朝晚食腎藥 (kidney pills), 夾喺雞肉醬入面", "Кунжут ест только индейку")
	for _, q := range []string{
		"Good morning! The bus was late again and it rained. 芝麻 did not touch his food tonight, which pills does he get now?",
		"早安！巴士又遲到，落大雨。芝麻今晚唔肯食嘢，佢而家食緊咩藥？",
		"Доброе утро! Опять опоздал автобус, промок насквозь. Кунжут не притронулся к еде, что ему можно?",
	} {
		if got := ask(ix, q); len(got) == 0 || got[0] != "m00" && got[0] != "m01" {
			t.Errorf("%q gives %v", q, got)
		}
	}
}

func TestALongDiaryIsNoAnswerBesideTheRightNote(t *testing.T) {
	names := strings.Fields("lamp kettle carpet mirror violin drum clock spoon vase bench stool ladder hammer broom bucket kite globe radio camera tripod")
	diary := "It was a long day. "
	ms := []memory.Memory{{ID: "diary", CreatedAt: day.Add(time.Hour)}}
	for _, name := range names {
		diary += "I dusted the " + name + " and thought about where it came from, then moved on. "
		ms = append(ms, memory.Memory{ID: name, Content: "the " + name + " came from an aunt", CreatedAt: day})
	}
	ms[0].Content = diary
	slices.SortFunc(ms, func(a, b memory.Memory) int { return a.Compare(&b) })
	ix := index.Build(ms, day.AddDate(0, 1, 0))
	beside := 0
	for _, name := range names {
		got := ask(ix, "where did the "+name+" come from?")
		if len(got) == 0 || got[0] != name {
			t.Errorf("%s: %v", name, got)
		}
		if slices.Contains(got, "diary") {
			beside++
		}
	}
	if beside > len(names)/10 {
		t.Errorf("the diary stands beside %d of %d", beside, len(names))
	}
}

func TestNothingIsLentOverALongSilence(t *testing.T) {
	var ms []memory.Memory
	for i, f := range fillers {
		ms = append(ms, memory.Memory{ID: fmt.Sprint("f", i), Content: f, CreatedAt: day.Add(time.Duration(i-100) * time.Hour)})
	}
	for i, c := range []string{"The parrot came from Bristol", "It likes walnuts", "Rain all night"} {
		ms = append(ms, memory.Memory{ID: c, Content: c, Session: "s", CreatedAt: day.Add(time.Duration(i*i) * 25 * time.Minute)})
	}
	got := ask(index.Build(ms, day.AddDate(0, 0, 1)), "what about the parrot from Bristol?")
	if !slices.Contains(got, "It likes walnuts") || slices.Contains(got, "Rain all night") {
		t.Errorf("got %v: the next turn belongs to it, what was said an hour later does not", got)
	}
}

// Of a message however long a bounded part is read, where what is asked stands.
func TestAGiantMessageIsReadAtItsEnds(t *testing.T) {
	ix := storeOf("Lena lives in Kazan", "the kitchen was painted blue", "QX-77 is the model of the printer")
	var noise strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&noise, "w%d слово%d 字%d ", i, i, i)
	}
	for _, q := range []string{"where does Lena live? " + noise.String(), noise.String() + "where does Lena live?"} {
		if n := len(index.Ask(q, day).Terms); n > 20_000 {
			t.Errorf("%d terms of a message of %d bytes", n, len(q))
		}
		found := false
		for _, h := range ix.Search(index.Ask(q, day)).Hits {
			found = found || ix.Signals(h.Ref).ID == ix.Signals(0).ID
		}
		if !found {
			t.Errorf("what %.20s… asks at its end is not found", q)
		}
	}
}
