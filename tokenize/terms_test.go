package tokenize_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"plastic/tokenize"
)

// terms lists the terms of one field.
func terms(field tokenize.Field, text string) []string {
	var out []string
	tokenize.Terms(text, func(f tokenize.Field, term []byte) {
		if f == field {
			out = append(out, string(term))
		}
	})
	return out
}

// meets reports whether a query has a term that is evidence for a stored text.
func meets(stored, query string) bool {
	have := map[string]bool{}
	tokenize.Terms(stored, func(f tokenize.Field, term []byte) { have[fmt.Sprint(f, string(term))] = true })
	for _, q := range tokenize.Query(query) {
		if !q.Function && (q.Field == tokenize.Word || q.Field == tokenize.Bigram) && have[fmt.Sprint(q.Field, q.Text)] {
			return true
		}
	}
	return false
}

func TestWordsGiveStemsAndIdentifiersStayWholeAndInParts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\n", ""},
		{"???", ""},
		{`"`, ""},
		{"NOT (a OR", "not a or"},
		{"Ann's cats weren't running", "ann cat werent run"},
		{"She bought two mice", "she buy two mous"},
		{"ticket QX-77 is done", "ticket qx-77 qx77 qx 77 be do"},
		{"40 MB/s link", "40 mb/s mb s link"},
		{"C++ and c++17, C# F#", "c++ c and c++ c 17 c# c f# f"},
		{"C++/Rust", "c++/rust c++ c rust"},
		{"node.js v2.1", "node.js node js v2.1 2.1 v2 1"},
		{"host 10.0.0.7.", "host 10.0.0.7 10 0 0 7"},
		{"@name #tag .env", "@name name #tag tag .env env"},
		{"50% of 1,234,567", "50% 50 of 1234567"},
		{"don't l'amour O'Brien o’clock", "dont lamour amour obrien brien oclock clock"},
		{"U.S.A. e.g. this", "usa eg this"},
		{"snake_case at 12:30", "snake_case snake case at 12:30 12 30"},
		{"mail ann@example.com", "mail ann@example.com example.com ann exampl com"},
		{"https://example.com/a1/b2", "https example.com/a1/b2 example.com exampl com a1 b2"},
		{"one,two;three", "one two three"},
		{"ＦＵＬＬ　ｗｉｄｔｈ", "full width"},
		{"держит двух кошек", "держ двух кошек кошк"},
		{"кошка КОШКИ", "кошк кошк"},
		{"Ёж и ежи", "еж и еж"},
		{"за́мок", "замок замк"},
		{"straße STRASSE", "strass strass"},
		{"Zoë", "zoë zoe"},
		{"Łódź", "łódź lodz"},
		{"Αθήνας ΑΘΗΝΑ", "αθήνασ αθηνασ αθηνα"},
		{"🦊 is my sign", "🦊 be my sign"},
		{"👨‍👩‍👧👍🏽👍 ❤️ 🇩🇪🇫🇷", "👨‍👩‍👧 👍 👍 ❤ 🇩🇪 🇫🇷"},
		{"hard\u00adhyphen zero\u200bwidth", "hardhyphen zerowidth"},
		{"हिन्दी में", "हिन्दी में"},
		{"كِتَابٌ كتـاب", "كتاب كتاب"},
		{"Python版のdocker", "python docker"},
		{"한국어 수업은", "한국어 수업은"},
		{"→ € ★", "★"},
		{"a\xff\xfeb", "a b"},
	} {
		if got := strings.Join(terms(tokenize.Word, c.text), " "); got != c.want {
			t.Errorf("words of %q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestScriptsWithoutBordersGivePairsAndSingles(t *testing.T) {
	for _, c := range []struct{ text, pairs, singles string }{
		{"大肥魚", "大肥 肥鱼", "大 肥 鱼"},
		{"貓", "猫", "猫"},
		{"用Docker部署", "用 部署", "用 部 署"},
		{"猫が好き。はい", "猫が が好 好き はい", "猫 が 好 き は い"},
		{"ﾌﾟﾘﾝ", "プリ リン", "プ リ ン"},
		{"か゛ が が", "か が が", "か が が"},
		{"サッカー・ボール", "サッ ッカ カー ボー ール", "サ ッ カ ー ボ ー ル"},
		{"한국어", "한국 국어", "한 국 어"},
		{"กินข้าว", "กิน นข้ ข้า าว", "กิ น ข้ า ว"},
		{"ຂ້ອຍ", "ຂ້ອ ອຍ", "ຂ້ ອ ຍ"},
		{"嘅嘢喺度", "嘅嘢 嘢喺 喺度", "嘅 嘢 喺 度"},
		{"plain words", "", ""},
	} {
		if got := strings.Join(terms(tokenize.Bigram, c.text), " "); got != c.pairs {
			t.Errorf("pairs of %q: got %s, want %s", c.text, got, c.pairs)
		}
		if got := strings.Join(terms(tokenize.Single, c.text), " "); got != c.singles {
			t.Errorf("singles of %q: got %s, want %s", c.text, got, c.singles)
		}
	}
}

func TestLettersAreFourWithTheEdgesOfWordsAndNeverOfCharacters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"cats", "^cat cats ats$"},
		{"a", "^a$"},
		{"ai", "^ai$"},
		{"кот", "^кот кот$"},
		{"x1 77 大肥魚 한국어", ""},
	} {
		if got := strings.Join(terms(tokenize.Letters, c.text), " "); got != c.want {
			t.Errorf("letters of %q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestWhatIsStoredOneWayIsFoundAnother(t *testing.T) {
	for _, c := range []struct{ stored, query string }{
		{"我对花生过敏，出去吃饭要提醒我", "花生"},
		{"我对花生过敏，出去吃饭要提醒我", "过敏"},
		{"我对花生过敏，出去吃饭要提醒我", "提醒"},
		{"我對花生過敏", "过敏"},
		{"我对花生过敏", "過敏"},
		{"Лена весной переехала в Казань", "где Лена живёт"},
		{"Лена весной переехала в Казань", "Казани"},
		{"Лена весной переехала в Казань", "ЛЕНА"},
		{"держит двух кошек", "кошка"},
		{"держит кошку", "сколько кошек"},
		{"окно разбито", "окон"},
		{"Zoë lives in Malmö", "Zoë"},
		{"Zoë lives in Malmö", "malmo"},
		{"Zoe lives here", "Zoë"},
		{"한국어 수업은 목요일", "한국어"},
		{"한국어를 배운다", "한국어"},
		{"고양이가 있다", "고양이를"},
		{"мой район", "район"},
		{"🦊 is my sign", "🦊"},
		{"50% of the tea", "50%"},
		{"see #tag", "#tag"},
		{"see #tag", "tag"},
		{"ask @name", "@name"},
		{"ticket QX-77 is done", "QX-77"},
		{"ticket QX-77 is done", "77"},
		{"40 MB/s link", "MB/s"},
		{"prefers C++ over node.js v2.1", "C++"},
		{"prefers C++ over node.js v2.1", "node.js"},
		{"prefers C++ over node.js v2.1", "v2.1"},
		{"prefers C++ over node.js v2.1", "2.1"},
		{"host 10.0.0.7", "10.0.0.7"},
		{"she went to buy tea", "where did she buy it? go"},
		{"likes tea", "tea"},
		{"ออกไปกินข้าว", "กินข้าว"},
		{"パソコンを買った", "ﾊﾟｿｺﾝ"},
		{"嘅士多啤梨", "士多啤梨"},
		{"my number is 1,234", "1234"},
		{"他彈吉他", "吉他"},
		{"我现在住在酒吧楼上", "酒吧"},
	} {
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if !meets(form.String(c.stored), c.query) || !meets(c.stored, form.String(c.query)) {
				t.Errorf("%q is not found by %q", c.stored, c.query)
			}
		}
	}
}

func TestOtherWordsAreNoEvidence(t *testing.T) {
	for _, c := range []struct{ stored, query string }{
		{"works in AI", "it rains in Spain again"},
		{"works in AI", "he said so"},
		{"cat is named Ada", "education"},
		{"мой район", "раион"},
		{"かき", "がき"},
		{"what is it that you do", "what do you know about it"},
		{"что это было", "что это такое"},
		{"你是谁", "你喜欢什么"},
		{"部署流程：先构建再发布", "how do we deploy"},
		{"пишет на почту", "почти всё"},
	} {
		if meets(c.stored, c.query) {
			t.Errorf("%q is found by %q", c.stored, c.query)
		}
	}
}

func TestTheWholeIdentifierOutweighsItsParts(t *testing.T) {
	have := terms(tokenize.Word, "ticket QX-77")
	part := terms(tokenize.Word, "ticket 77")
	n, m := 0, 0
	for _, q := range tokenize.Query("QX-77") {
		if slices.Contains(have, q.Text) {
			n++
		}
		if slices.Contains(part, q.Text) {
			m++
		}
	}
	if n <= m {
		t.Errorf("the exact memory shares %d terms, another number %d", n, m)
	}
}

func TestStemsTellFactsApart(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"周一部署 Docker", "周一 一部 部署 docker"},
		{"周五停用 Docker", "周五 五停 停用 docker"},
		{"любит Python", "люб python"},
		{"учит Python", "уч python"},
		{"prefers C++ over node.js v2.1", "prefer c++ over node.js v2.1"},
		{"a well-known host 10.0.0.7", "a well know host 10.0.0.7"},
		{"две кошки и пять кошек", "две кошк и пят кошк"},
		{"the cat and the cat", "the cat and the cat"},
		{"猫", "猫"},
	} {
		if got := strings.Join(tokenize.Stems(c.text), " "); got != c.want {
			t.Errorf("Stems(%q) = %s, want %s", c.text, got, c.want)
		}
	}
}

func TestATokenizerIsTheSameAsTheFunction(t *testing.T) {
	tok := tokenize.New()
	for range 2 { // the second time from its cache
		for _, text := range []string{"Lena keeps two cats", "держит двух кошек", "大肥魚 Zoë", "QX-77 and internationalizations"} {
			var a, b []string
			tok.Terms(text, func(f tokenize.Field, term []byte) { a = append(a, fmt.Sprint(f, string(term))) })
			tokenize.Terms(text, func(f tokenize.Field, term []byte) { b = append(b, fmt.Sprint(f, string(term))) })
			if !slices.Equal(a, b) {
				t.Errorf("%q: %v with a cache, %v without", text, a, b)
			}
		}
	}
}

// A key or a picture that was pasted may be one word of a quarter of a million letters. It would
// take minutes if its stem were looked for; its terms are cut long before its end.
func TestALongWordIsReadAtOnce(t *testing.T) {
	for _, word := range []string{"eyj", "y", "ies", "вающийся", "ий", "g7", "a'b"} {
		text := strings.Repeat(word, 1<<18/len(word))
		if terms := all(text + " cats"); !slices.Contains(terms, fmt.Sprint(tokenize.Word, " cat")) {
			t.Errorf("the word behind %q… is not found", text[:12])
		}
		if q := tokenize.Query(text); len(q) == 0 {
			t.Errorf("%q… asks for nothing", text[:12])
		}
	}
	for _, end := range []string{"", "s", "ations", "fulness", "ий"} {
		word := strings.Repeat("ka", 100) + end
		if got := all(word)[0]; got != fmt.Sprint(tokenize.Word, " ", word[:64]) {
			t.Errorf("…%s is found by %q", end, got)
		}
	}
}
