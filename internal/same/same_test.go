package same_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"plastic/internal/same"
	"plastic/memory"
)

var params = same.Params{Jaccard: 0.7, Location: time.UTC}

func fact(text string) *memory.Memory { return &memory.Memory{Content: text, Kind: memory.Fact} }

func TestOtherWordsForTheSameThingAreOneMemory(t *testing.T) {
	for _, pair := range [][2]string{
		{"has a grey cat", "Has a GREY cat."},
		{"has a grey cat", " has  a grey   cat "},
		{"likes green tea in the morning", "likes green tea in the morning with honey"},
		{"likes \"tea\"", "likes “tea”"},
		{"有一隻灰貓", "有一只灰猫。"},
		{"у нее серая кошка", "У неё серая кошка"},
		{"paid 1000 for the lamp", "paid 1,000 for the lamp"},
		{"keeps bees behind the house", "keeps bees behind the houses"},
		{"Ann feeds the cats every morning at home", "Ann is feeding the cats every morning at home"},
		{"she lives in the old house by the river in Oslo", "she lives in the old house by the river in Oslo with her sister"},
		{"школа у реки", "школу у реки"},
		{"garden plan", "Garden-Plan"},
	} {
		if !same.Fact(fact(pair[0]), fact(pair[1]), params) {
			t.Errorf("%q and %q are taken for two", pair[0], pair[1])
		}
	}
}

// A contradiction that is taken for a duplicate is lost.
func TestWhatSaysSomethingElseIsAnotherMemory(t *testing.T) {
	for kind, pairs := range map[string][][2]string{
		"negation": {
			{"eats meat", "does not eat meat any more"},
			{"любит оперу", "не любит оперу"},
			{"喜欢香菜", "不喜欢香菜"},
			{"佢鍾意食榴槤同埋芒果", "佢唔鍾意食榴槤同埋芒果"},
			{"she can swim in the cold lake", "she can’t swim in the cold lake"},
			{"he smokes a pipe in the evening", "he gave up smoking a pipe in the evening"},
			{"her boss at the shop is kind", "her ex-boss at the shop is kind"},
			{"Борис больше пьёт кофе по утрам дома", "Борис больше не пьёт кофе по утрам дома"},
			{"er isst gern Fleisch und Fisch und Brot", "er isst nicht gern Fleisch und Fisch und Brot"},
			{"elle aime bien le fromage et le vin", "elle n’aime pas bien le fromage et le vin"},
			{"come carne y pescado y pan", "no come carne y pescado y pan"},
			{"고기를 먹어요", "고기를 안 먹어요"},
			{"彼は肉を食べます", "彼は肉を食べません"},
		},
		"tense": {
			{"Ann works at Acme", "Ann worked at Acme"},
			{"Ann is a nurse", "Ann was a nurse"},
			{"Ann has a cat", "Ann had a cat"},
			{"Ann goes to school in Bergen", "Ann went to school in Bergen"},
			{"Ann keeps bees", "Ann kept bees"},
			{"Ann will move to Oslo in May", "Ann moved to Oslo in May"},
			{"Анна работает в банке", "Анна работала в банке"},
			{"Анна любит чай", "Анна любила чай"},
			{"他在那家餐厅吃饭喝茶看书", "他在那家餐厅吃过饭喝茶看书"},
			{"田中さんは猫が好き", "田中さんは猫が好きだった"},
		},
		"condition": {
			{"Ann moved to Oslo with her cats", "Ann almost moved to Oslo with her cats"},
			{"Ann bought the house by the river", "Ann would have bought the house by the river"},
			{"Ann moves to Oslo with her cats", "Ann wants to move to Oslo with her cats"},
			{"Анна купила дом у реки", "Анна почти купила дом у реки"},
			{"Анна купила дом у реки", "Анна купила бы дом у реки"},
			{"她去上海的公司上班", "她想去上海的公司上班"},
		},
		"number": {
			{"the rent is 900 euro a month", "the rent is 950 euro a month"},
			{"it is 5 °C in the cellar", "it is -5 °C in the cellar"},
			{"it is 5 °C in the cellar", "it is −5 °C in the cellar"},
			{"paid $5 for it", "paid €5 for it"},
			{"the budget is < 500", "the budget is > 500"},
			{"养了两只猫", "养了三只猫"},
			{"v2.1 works well on the server", "v2.2 works well on the server"},
			{"生日是三月五日", "生日是三月六日"},
		},
		"person": {
			{"Ann is a nurse", "Ann's mother is a nurse"},
			{"Ann's birthday is in May", "Ann's mother's birthday is in May"},
			{"Анна живёт в Казани у реки", "мама Анны живёт в Казани у реки"},
			{"我每天早上都要喝一杯热咖啡", "我妈每天早上都要喝一杯热咖啡"},
			{"@ann likes the green tea", "@bob likes the green tea"},
			{"Ann lent Bob ten euro", "Bob lent Ann ten euro"},
		},
		"word": {
			{"周一部署 Docker", "周五停用 Docker"},
			{"любит Python", "учит Python"},
			{"uses C# at work", "uses C at work"},
			{"the universe is big", "the university is big"},
			{"loves Zoë", "loves Zoe"},
		},
	} {
		for _, pair := range pairs {
			if same.Fact(fact(pair[0]), fact(pair[1]), params) {
				t.Errorf("%s: %q and %q are taken for one", kind, pair[0], pair[1])
			}
		}
	}
}

func TestSpeakersAndDaysOfEventsTellApart(t *testing.T) {
	ann, bob := fact("likes tea"), fact("likes tea")
	ann.Speaker, bob.Speaker = "ann", "bob"
	if same.Fact(ann, bob, params) {
		t.Error("two speakers are taken for one")
	}
	if !same.Fact(ann, fact("likes tea"), params) {
		t.Error("a speaker beside none is taken for another")
	}
	first, second := fact("went to the lake"), fact("went to the lake")
	first.Kind, second.Kind = memory.Event, memory.Event
	first.CreatedAt = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	second.CreatedAt = first.CreatedAt.Add(24 * time.Hour)
	if same.Fact(first, second, params) {
		t.Error("two days are taken for one")
	}
}

func TestOnlyMoreWordsAreMoreDetail(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"likes tea", "likes green tea"}: true,
		{"likes green tea", "likes tea"}: false,
		{"Garden Plan", "garden-plan"}:   false,
		{"garden-plan", "Garden Plan"}:   false,
		{"喜欢茶", "喜欢绿茶"}:                  true,
	} {
		if got := same.More(pair[0], pair[1]); got != want {
			t.Errorf("%q after %q: %v", pair[1], pair[0], got)
		}
	}
}

// Who came first does not matter, and every text says what it says itself.
func TestJudgingIsSymmetric(t *testing.T) {
	word := rapid.SampledFrom([]string{"ann", "Ann's", "mother", "is", "was", "not", "a", "nurse", "nurses", "-5", "5", "$5", "with", "работает", "работала", "школа", "школу", "猫", "喜欢", "不", "好きだった", "…"})
	rapid.Check(t, func(rt *rapid.T) {
		text := func(name string) string {
			out := ""
			for _, w := range rapid.SliceOfN(word, 1, 8).Draw(rt, name) {
				out += w + " "
			}
			return out
		}
		a, b := fact(text("a")), fact(text("b"))
		if same.Fact(a, b, params) != same.Fact(b, a, params) {
			rt.Errorf("%q and %q: one way yes, the other no", a.Content, b.Content)
		}
		if !same.Fact(a, a, params) {
			rt.Errorf("%q is not itself", a.Content)
		}
	})
}
