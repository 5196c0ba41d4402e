package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plastic/internal/index"
	"plastic/recall"
)

// TestMeasureSilence prints both sides of saying nothing, by set, for three bars: of
// the questions whose answer is among the first ten without a bar, how many are
// answered; of those that were meant for another store of the same language (with
// the people of this one in place of theirs), how many are left without an answer.
// "chat" has each question in a message with small talk around it.
func TestMeasureSilence(t *testing.T) {
	sets := map[string][]store{}
	for lang, of := range map[string]func(string) bool{"en": isEnglish, "ru": isRussian, "zh": isChinese} {
		s := precision(t)
		s.questions = slices.DeleteFunc(s.questions, func(q question) bool { return !of(q.Query) })
		sets["precision "+lang] = []store{s}
	}
	for _, s := range data(t) {
		sets[s.set] = append(sets[s.set], s)
	}
	t.Logf("%-24s %-24s %s", "", "answered, of found", "silent, of foreign")
	for _, set := range sorted(sets) {
		for _, around := range []string{"", "chat"} {
			var found, foreign [3]tally
			for i := range sets[set] {
				measureSilence(sets[set], i, around != "", &found, &foreign)
			}
			t.Logf("%-24s %v %v", set+" "+around, found, foreign)
		}
	}
}

var bars = [3]recall.Bar{{Proof: 0.3}, {}, {Proof: 0.6}}

// tally counts yes among all.
type tally struct{ yes, all int }

func (t *tally) add(yes bool) {
	t.all++
	if yes {
		t.yes++
	}
}

func (t tally) String() string {
	return fmt.Sprintf("%5.1f", 100*float64(t.yes)/float64(max(t.all, 1)))
}

func measureSilence(stores []store, at int, around bool, found, foreign *[3]tally) {
	s := &stores[at]
	if len(s.questions) == 0 {
		return
	}
	ix := index.Build(s.memories, s.questions[0].Now)
	answer := func(q question, bar recall.Bar) []string {
		if around {
			q.Query = inChat(q.Query)
		}
		return engine{formula: recall.Bounded, limit: 10, bar: bar}.answer(ix, s.memories, &q)
	}
	for _, q := range s.questions {
		items := q.items()
		if len(items) > 0 && recallAt(answer(q, recall.Bar{Proof: 1e-9}), items, 10) == 0 {
			continue
		}
		for i, bar := range bars {
			if n := len(answer(q, bar)); len(items) > 0 {
				found[i].add(n > 0)
			} else {
				foreign[i].add(n == 0)
			}
		}
	}
	for k := range stores {
		if k == at {
			continue
		}
		for j := 0; j < len(stores[k].questions); j += 1 + len(stores[k].questions)/40 {
			q := question{Query: rename(stores[k].questions[j].Query, people(&stores[k]), people(s)), Now: s.questions[0].Now}
			for i, bar := range bars {
				foreign[i].add(len(answer(q, bar)) == 0)
			}
		}
	}
}

func inChat(q string) string {
	switch {
	case isRussian(q):
		return "Доброе утро! Автобус опять опоздал, и я промок до нитки. " + q + " Ладно, через пять минут совещание, потом поговорим!"
	case isChinese(q):
		return "早安！今日巴士又遲到，我成身濕晒。" + q + "唔講住啦，五分鐘後要開會，遲啲再傾！"
	}
	return "Good morning! The bus was late again and I got completely soaked. " + q + " Anyway, I have to run to a meeting in five minutes, talk later!"
}

func isRussian(q string) bool {
	return strings.ContainsFunc(q, func(r rune) bool { return r >= 0x400 && r < 0x530 })
}

func isChinese(q string) bool {
	return strings.ContainsFunc(q, func(r rune) bool { return r >= 0x3000 && r < 0xa000 })
}

func isEnglish(q string) bool { return !isRussian(q) && !isChinese(q) }

// people are the speakers of a store, by name.
func people(s *store) (names []string) {
	for _, m := range s.memories {
		if m.Speaker != "" && !slices.Contains(names, m.Speaker) {
			names = append(names, m.Speaker)
		}
	}
	slices.Sort(names)
	return names
}

// rename puts the names of to where text has those of from.
func rename(text string, from, to []string) string {
	var pairs []string
	for i := range min(len(from), len(to)) {
		pairs = append(pairs, from[i], to[i])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
