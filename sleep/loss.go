package sleep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"plastic/memory"
	"plastic/tokenize"
)

// What a new wording must keep of the words of the old one that carry meaning, as
// shares. Too high refuses sound plans, too low lets a lazy model hollow out a
// memory; what is refused stays as it was.
const (
	keptByRewrite = 0.6  // of the one text
	keptByMerge   = 0.34 // of each text
	keptOfShared  = 0.6  // of what all texts say
)

// loses says what the new wording lacks, or claims, against the old texts, "" when
// it may stand for them: the language, numbers and dates, names, negations and most
// of the words. Of several texts that counts which all of them hold or the newest,
// which is the last.
func loses(old []memory.Memory, text string) string {
	if strings.TrimSpace(text) == "" {
		return "there is no text"
	}
	result := readingOf(text)
	all := make([]reading, len(old))
	for i := range old {
		all[i] = readingOf(old[i].Content)
	}
	if !slices.ContainsFunc(all, func(r reading) bool { return r.script == result.script }) {
		return "it is written in another script than the memory"
	}
	newest := all[len(all)-1]
	for _, n := range newest.numbers {
		if !slices.Contains(result.numbers, n) {
			return "it drops the number " + n
		}
	}
	for _, n := range shared(all, func(r reading) []string { return append(slices.Clone(r.names), r.numbers...) }) {
		if !slices.Contains(result.stems, n) && !slices.Contains(result.numbers, n) {
			return "it drops " + strconv.Quote(n)
		}
	}
	for _, n := range newest.names {
		if !slices.Contains(result.stems, n) {
			return "it drops the name " + strconv.Quote(n)
		}
	}
	if why := denial(all, result); why != "" {
		return why
	}
	return covers(all, result)
}

func denial(all []reading, result reading) string {
	least, most := all[0].denials, all[0].denials
	for _, r := range all {
		least, most = min(least, r.denials), max(most, r.denials)
	}
	switch {
	case least == 0 && most > 0:
		return "one of them denies something and another does not: close the older one instead"
	case result.denials < most:
		return "it drops a negation"
	case most == 0 && result.denials > 0:
		return "it denies what was not denied"
	}
	return ""
}

func covers(all []reading, result reading) string {
	least := keptByRewrite
	if len(all) > 1 {
		least = keptByMerge
		if part, n := kept(shared(all, func(r reading) []string { return r.telling }), result.stems); n > 0 && part < keptOfShared {
			return "it leaves out most of what they have in common"
		}
	}
	for _, r := range all {
		if part, n := kept(r.telling, result.stems); n > 0 && part < least {
			return fmt.Sprintf("it keeps %d %% of the words of %q", int(part*100), clip(r.text, 60))
		}
	}
	return ""
}

func kept(words, in []string) (part float64, n int) {
	found := 0
	for _, w := range words {
		if slices.Contains(in, w) {
			found++
		}
	}
	return float64(found) / float64(max(len(words), 1)), len(words)
}

// shared are the elements that list gives for every one of all.
func shared(all []reading, list func(reading) []string) []string {
	out := slices.Clone(list(all[0]))
	for _, r := range all[1:] {
		has := list(r)
		out = slices.DeleteFunc(out, func(s string) bool { return !slices.Contains(has, s) })
	}
	return out
}

// invents gives a number of text that neither the sources nor their dates hold, or
// "". A count of the sources is known too.
func invents(sources []memory.Memory, text string) string {
	var known []string
	for i := range sources {
		m := &sources[i]
		known = append(known, readingOf(m.Content).numbers...)
		for _, t := range []time.Time{m.CreatedAt, m.UpdatedAt, m.ValidTo} {
			if t.IsZero() {
				continue
			}
			for d := -1; d <= 1; d++ { // whatever the time zone
				day := t.UTC().AddDate(0, 0, d)
				known = append(known, strconv.Itoa(day.Year()), strconv.Itoa(int(day.Month())), strconv.Itoa(day.Day()))
			}
		}
		known = append(known, strconv.Itoa(i+1))
	}
	for _, n := range readingOf(text).numbers {
		if !slices.Contains(known, n) {
			return n
		}
	}
	return ""
}

// reading is what the guards look at in a text.
type reading struct {
	text    string
	stems   []string // all
	telling []string // those that are no function words, each once
	numbers []string // without leading zeros; number words as figures
	names   []string // stems of what is written like a name
	denials int
	script  string // of most letters
}

func readingOf(text string) reading {
	folded := tokenize.Fold(text)
	r := reading{text: text, stems: tokenize.Stems(text), numbers: numbersIn(folded), denials: denialsIn(folded), script: scriptOf(text), names: namesIn(text)}
	for _, s := range r.stems {
		if !tokenize.Functional(s) && !slices.Contains(r.telling, s) {
			r.telling = append(r.telling, s)
		}
	}
	return r
}

// Words for small numbers, each followed by its figure; "one" is left out, as it is
// more often no number.
const figures = " two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12" +
	" два 2 две 2 двух 2 три 3 трёх 3 трех 3 четыре 4 пять 5 шесть 6 семь 7 восемь 8 девять 9 десять 10 "

const hanFigures = "二2两2兩2三3四4五5六6七7八8九9"

func numbersIn(folded string) []string {
	var out []string
	add := func(n string) {
		if n = strings.TrimLeft(n, "0"); n == "" {
			n = "0"
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for _, w := range words(folded) {
		if _, after, ok := strings.Cut(figures, " "+w+" "); ok {
			figure, _, _ := strings.Cut(after, " ")
			add(figure)
		}
	}
	for _, run := range strings.FieldsFunc(folded, func(r rune) bool { return r < '0' || r > '9' }) {
		add(run)
	}
	for _, r := range folded {
		if r >= '0' && r <= '9' {
			continue
		}
		if _, after, ok := strings.Cut(hanFigures, string(r)); ok && after != "" {
			add(after[:1])
		}
	}
	return out
}

// Words that deny, folded; single characters for Chinese and Cantonese.
const (
	denying = " not no never neither nor none nobody nothing cannot without" +
		" не нет ни без никогда никто ничего нельзя перестал перестала перестали бросил бросила" +
		" nicht kein keine keinen nie niemals ohne pas jamais aucun nunca jamás non mai senza não nem geen niet nooit inte aldrig ні ніколи "
	denyingHan = "不沒没無无未非冇唔别別莫勿"
)

func denialsIn(folded string) int {
	n := -numbered(folded)
	for _, w := range words(folded) {
		w = strings.ReplaceAll(w, "’", "'")
		if strings.Contains(denying, " "+w+" ") || strings.HasSuffix(w, "n't") {
			n++
		}
	}
	for _, r := range folded {
		if strings.ContainsRune(denyingHan, r) {
			n++
		}
	}
	return n
}

// numbered counts where "no" stands for number: no 6, No. 6, no6.
func numbered(folded string) int {
	n := 0
	list := strings.Fields(folded)
	for i, w := range list {
		after, ok := strings.CutPrefix(strings.TrimLeft(w, "(['\""), "no")
		if after = strings.TrimPrefix(after, "."); after == "" && i+1 < len(list) {
			after = list[i+1]
		}
		if ok && (after != "" && after[0] >= '0' && after[0] <= '9' || strings.Contains(figures, " "+strings.TrimRight(after, ".,;:!?)")+" ")) {
			n++
		}
	}
	return n
}

func words(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' })
}

// Words that begin a sentence with a capital and tell a time that a date replaces.
const timeWords = " yesterday today tomorrow now recently currently last next this since вчера сегодня завтра сейчас недавно теперь gestern heute morgen "

// namesIn gives the stems of words that are written like names: with a capital (of
// scripts that have them), or behind @ or #.
func namesIn(text string) []string {
	var out []string
	for _, raw := range tokenize.Words(text) {
		w := strings.TrimFunc(raw, func(r rune) bool { return unicode.IsPunct(r) && r != '@' && r != '#' })
		w, _ = strings.CutSuffix(strings.ReplaceAll(w, "’", "'"), "'s")
		first := []rune(w + " ")[0]
		if first != '@' && first != '#' && !unicode.IsUpper(first) || strings.Contains(timeWords, " "+tokenize.Fold(w)+" ") {
			continue
		}
		for _, s := range tokenize.Stems(w) {
			if !tokenize.Functional(s) && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func scriptOf(text string) string {
	counts := map[string]int{}
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		for _, s := range scripts {
			if unicode.Is(unicode.Scripts[s], r) {
				if s == "Hiragana" || s == "Katakana" {
					s = "Kana"
				}
				counts[s]++
				break
			}
		}
	}
	best := ""
	for _, s := range append([]string{"Kana"}, scripts...) {
		if counts[s] > counts[best] {
			best = s
		}
	}
	if best == "Han" && counts["Kana"] > 0 {
		return "Kana" // Japanese, however many characters are Han
	}
	return best
}

var scripts = []string{"Latin", "Cyrillic", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Hebrew", "Greek", "Thai", "Devanagari", "Georgian", "Armenian", "Bengali", "Tamil", "Khmer", "Lao", "Myanmar", "Ethiopic"}

// clip shortens s to at most n characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
