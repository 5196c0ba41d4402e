package distill

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"plastic/tokenize"
)

// memoryLine is a memory as the prompt section shows it: id | kind | age | importance |
// content.
var memoryLine = lazily(`^\s*[>*\-•]*\s*[A-Za-z0-9][A-Za-z0-9._:-]{0,63} \| [^|]{1,40} \| [^|]{1,16} \| [01]\.\d\d \| `)

// Clean takes out of a text what the memory itself has put into the conversation, so
// that it is never learnt again: lines of the prompt section (its headings, the rule,
// memories), and every line that injected knows, like those of the card or the text of
// a memory.
func Clean(text string, injected func(line string) bool) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), ">*-•"))
		if memoryLine().MatchString(line) || bare == "# Memory" || bare != "" && injected != nil && injected(bare) {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// Idle reports whether a text by itself holds nothing to learn: it is empty, a command
// of a chat program, or a greeting or thanks and nothing else. It errs to the side of
// asking: "yes" may answer a question.
func Idle(text string) bool {
	text = strings.TrimSpace(text)
	if first, _, _ := strings.Cut(text, " "); text == first && strings.HasPrefix(first, "/") {
		return true
	}
	for _, w := range strings.FieldsFunc(tokenize.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !slices.Contains(pleasantries, w) {
			return false
		}
	}
	return true
}

var pleasantries = strings.Fields("hi hello hey good morning evening afternoon night thanks thank you thx ok okay bye goodbye please lol haha hmm " +
	"привет здравствуй здравствуйте доброе добрый утро день вечер спасибо ок окей пока ага угу пожалуйста " +
	"你好 您好 早 早上好 早安 晚安 晚上好 谢谢 謝謝 多謝 唔該 好的 好 嗯 哦 再见 再見 拜拜 哈哈 こんにちは おはよう ありがとう 안녕 안녕하세요 감사합니다")

// Limits of the tests below. A fact may share nothing with what the user said and
// still be right ("I eat no meat" → vegetarian); it is refused only when nearly all
// of it stands in what somebody else said, and next to nothing in the user's words.
const (
	mostOthers = 0.8
	leastOwn   = 0.25
)

// echoes reports whether a fact says what others than the user said.
func echoes(fact string, user, others map[string]bool) bool {
	stems := informing(fact)
	if len(stems) < 2 {
		return false
	}
	own, other := 0, 0
	for _, s := range stems {
		if user[s] {
			own++
		}
		if others[s] {
			other++
		}
	}
	n := float64(len(stems))
	return float64(other) >= mostOthers*n && float64(own) < leastOwn*n
}

func informing(text string) []string {
	return slices.DeleteFunc(tokenize.Stems(text), tokenize.Functional)
}

func setOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, s := range tokenize.Stems(text) {
		out[s] = true
	}
	return out
}

// script is a family of letters.
type script string

// scriptOf is what most letters of a text are, "" for a text of too few.
func scriptOf(text string) script {
	counts := map[script]int{}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r), unicode.Is(unicode.Hiragana, r), unicode.Is(unicode.Katakana, r):
			counts["Han"] += 3 // a character is about half a word
		case unicode.Is(unicode.Hangul, r):
			counts["Hangul"] += 2
		case unicode.Is(unicode.Cyrillic, r):
			counts["Cyrillic"]++
		case unicode.Is(unicode.Latin, r):
			counts["Latin"]++
		case unicode.IsLetter(r):
			counts["other"]++
		}
	}
	best, all := script(""), 0
	for _, s := range []script{"Han", "Hangul", "Cyrillic", "Latin", "other"} {
		all += counts[s]
		if counts[s] > counts[best] {
			best = s
		}
	}
	if counts[best] < leastLetters || 10*counts[best] < 6*all {
		return ""
	}
	return best
}

// leastLetters is how many letters tell a script.
const leastLetters = 6

// otherScript reports whether a fact is written in another script than the user writes.
func otherScript(fact, user string) bool {
	a, b := scriptOf(fact), scriptOf(user)
	return a != "" && b != "" && a != b
}

// Words that mean a day only on the day they are said.
var relativeDay = lazily(`(?i)(?:^|[^\p{L}])(?:today|tonight|tomorrow|yesterday|(?:next|last|this) (?:week|month|year|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|` +
	`сегодня|завтра|вчера|послезавтра|позавчера|(?:на )?(?:следующей|прошлой|этой) неделе|(?:в )?(?:следующем|прошлом|этом) (?:месяце|году))(?:[^\p{L}]|$)|` +
	`今天|明天|昨天|后天|後天|前天|今日|聽日|琴日|尋日|昨日|下周|下週|上周|上週|下个月|下個月|上个月|上個月|去年|明年|今年`)

// hasRelativeDay reports whether a fact names a day by when it was said, and no date.
func hasRelativeDay(fact string) bool {
	return relativeDay().MatchString(fact) && !absoluteDay().MatchString(fact)
}

var absoluteDay = lazily(`(?:19|20)\d\d|\d{1,2}[./]\d{1,2}|\d{1,2}\s*月`)

// lazily compiles an expression when it is first needed: most verbs never do.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func runes(s string) int { return utf8.RuneCountInString(s) }
