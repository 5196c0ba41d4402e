package distill

import (
	"maps"
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

// Strip is t with both sides as Clean leaves them: nothing that the memory put into the
// conversation is sent, also where the assistant quotes it.
func Strip(t Turn, injected func(line string) bool) Turn {
	t.User, t.Assistant = Clean(t.User, injected), Clean(t.Assistant, injected)
	return t
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

// Limits of the test below. A fact may share nothing with what the user said and
// still be right ("I eat no meat" → vegetarian); it is refused only when nearly all
// of it stands in what somebody else said, and next to nothing in the user's words.
// Of a change to a known memory it is the new part that must not be another's alone.
// What comes back in words of its own, or in another language of the same script, is
// not recognised; the question asks the model not to hand it in.
const (
	mostOthers = 0.75
	leastOwn   = 0.25
	mostOfNew  = 0.6
)

// echoes reports whether a fact says what others than the user said.
func (in *reader) echoes(f *Fact) bool {
	said := unnamed(f.Content, f.Speaker)
	stems := informing(said)
	if share(stems, in.user) >= leastOwn {
		return false
	}
	if f.Supersedes == "" {
		return len(stems) > 1 && share(stems, in.others) >= mostOthers
	}
	old, others := map[string]bool{}, setOf(in.t.Assistant)
	for i := range in.known {
		if m := &in.known[i]; m.ID == f.Supersedes {
			old = setOf(m.Content)
		} else {
			maps.Copy(others, setOf(m.Content))
		}
	}
	if share(tokenize.Stems(said), old) == 1 {
		return true // it only says again what it is to replace
	}
	added := slices.DeleteFunc(stems, func(s string) bool { return old[s] })
	return len(added) > 0 && share(added, others) >= mostOfNew
}

// share is which part of stems stands in set, 0…1.
func share(stems []string, set map[string]bool) float64 {
	n := 0
	for _, s := range stems {
		if set[s] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(stems)))
}

// unnamed is a fact without articles and the words that only say whose it is.
func unnamed(fact, speaker string) string {
	if runes(speaker) > 1 {
		fact = strings.ReplaceAll(fact, speaker, " ")
	}
	return strings.Join(slices.DeleteFunc(tokenize.Words(userWords.Replace(fact)), func(w string) bool {
		return strings.HasPrefix(w, "@") || slices.Contains(mereWords, strings.ToLower(w))
	}), " ")
}

var (
	userWords = strings.NewReplacer("用户", " ", "用戶", " ", "使用者", " ", "ユーザー", " ", "사용자", " ")
	mereWords = strings.Fields("the a an user user's users told me that пользователь пользователя пользователю пользователем сказал сказала мне что")
)

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

// lazily compiles an expression when it is first needed: most verbs never do.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func runes(s string) int { return utf8.RuneCountInString(s) }
