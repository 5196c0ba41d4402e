package tokenize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// AsksNumber reports a question that a date, a time or an amount answers: when,
// how many, how long (English, Russian, Chinese, Cantonese, Japanese, Korean).
func AsksNumber(query string) bool { return new(Asker).Number(query) }

// Number is AsksNumber.
func (a *Asker) Number(query string) bool {
	a.read(query)
	words, han := a.plainly()
	if containsAny(words, " when ", " how many ", " how long ", " how much ", " how old ", " how often ", " how far ", " how tall ",
		" what date ", " what day ", " what time ", " what year ", " what month ", " which date ", " which day ", " which year ", " which month ",
		" since when ", " what number ",
		" когда ", " сколько ", " скольким ", " какого числа ", " какой день ", " какой год ", " какого года ", " в каком году ", " в каком месяце ",
		" какая дата ", " какой номер ", " как давно ", " как долго ", " как часто ") {
		return true
	}
	for _, w := range [...]string{"几乎", "茶几", "几何"} {
		if strings.Contains(han, w) {
			han = strings.ReplaceAll(han, w, "")
		}
	}
	return containsAny(han, "什么时候", "什么时间", "何时", "几", "多少", "哪天", "哪一天", "哪年", "哪一年", "哪月", "哪个月", "多久", "多长", "多大", "多高", "多远", "日期", "号码",
		"いつ", "何日", "何年", "何月", "何时", "何人", "何回", "何个", "何歳", "何岁", "何曜", "何枚", "何本", "何匹", "いくつ", "いくら", "どのくらい", "どれくらい",
		"언제", "몇", "얼마")
}

// HasNumber reports a text that holds a digit, a number word or a word of time:
// what can answer a question for a number (the same languages).
func HasNumber(text string) bool {
	for i, r := range text {
		if r < utf8.RuneSelf && isDigit(text[i]) || r >= utf8.RuneSelf && foreignDigit(r) {
			return true
		}
	}
	var foldedSpace, runsSpace, wordSpace [1 << 9]byte
	folded, runs, word := appendFolded(foldedSpace[:0], text), runsSpace[:0], wordSpace[:0]
	for i := 0; i < len(folded); {
		r, n := decode(folded[i:])
		switch classOf(r) {
		case nothing:
		case letter, mark:
			word, runs = append(word, folded[i:i+n]...), append(runs, ' ')
		case han, hangul, sea:
			if numeral(r) || amount(string(word)) {
				return true
			}
			word, runs = word[:0], utf8.AppendRune(runs, simplified(r))
		default:
			if amount(string(word)) {
				return true
			}
			word, runs = word[:0], append(runs, ' ')
		}
		i += n
	}
	return amount(string(word)) || saysWhen(runs)
}

// foreignDigit is unicode.IsDigit with the blocks that have none first: the table
// costs more than all else here.
func foreignDigit(r rune) bool {
	if r < 0x660 || r >= 0x2000 && r < 0xA620 || r >= 0xAC00 && r < 0xFF10 {
		return false
	}
	return unicode.IsDigit(r)
}

// amount reports a word that is a number or says when.
func amount(w string) bool { return w != "" && len(w) < 64 && (numberWord(w) || timeWord(w)) }

func numeral(r rune) bool {
	switch simplified(r) {
	case '一', '二', '两', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千', '万', '半':
		return true
	}
	return false
}

// saysWhen reports runs of simplified characters that say when. Few characters
// begin such a word, so that most places are passed over at a glance.
func saysWhen(runs []byte) bool {
	for i := 0; i < len(runs); {
		r, n := decode(runs[i:])
		at := string(runs[i:min(len(runs), i+12)])
		switch r {
		case '今':
			if beginsWith(at, "今天", "今年", "今日") {
				return true
			}
		case '昨', '前', '明', '后', '去', '听', '寻', '琴', '毎', '每':
			if beginsWith(at, "昨天", "昨日", "前天", "明天", "明年", "后天", "去年", "听日", "寻日", "琴日", "毎日", "每天", "每年") {
				return true
			}
		case '上', '下', '先', '来':
			if beginsWith(at, "上周", "上个月", "下周", "下个月", "先週", "先周", "先月", "来週", "来周", "来月") {
				return true
			}
		case '星', '周', '礼', '小', '分':
			if beginsWith(at, "星期", "周末", "礼拜", "小时", "分钟") {
				return true
			}
		case '오', '어', '내', '작', '지', '하', '둘', '셋':
			if beginsWith(at, "오늘", "어제", "내일", "작년", "지난주", "지난달", "하나", "둘", "셋") {
				return true
			}
		}
		i += n
	}
	return false
}

func beginsWith(s string, words ...string) bool {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// Question reports a short turn that is nothing but a question: every sentence
// ends in a question mark or in a question particle (吗, ですか, 습니까). Longer
// turns (over 160 characters) say something besides.
func Question(text string) bool {
	if utf8.RuneCountInString(text) > 160 {
		return false
	}
	asked, start := false, 0
	for i := 0; i <= len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if i < len(text) && !endsSentence(r, text[i+n:]) {
			i += n
			continue
		}
		sentence := text[start:i]
		rest := strings.TrimLeft(text[i:], "?？!！.。…;；\"'”’」』)） \n\r\t")
		marks := text[i : len(text)-len(rest)]
		if strings.ContainsFunc(sentence, speaks) {
			if !strings.ContainsAny(marks, "?？") && !questionParticle(sentence) {
				return false
			}
			asked = true
		}
		if rest == "" {
			break
		}
		i = len(text) - len(rest)
		start = i
	}
	return asked
}

// endsSentence: a full stop inside a word (node.js, v2.1) ends nothing.
func endsSentence(r rune, rest string) bool {
	switch r {
	case '?', '？', '!', '！', '。', '…', ';', '；', '\n':
		return true
	case '.':
		return rest == "" || strings.ContainsAny(rest[:1], " \n\t.?!\"')")
	}
	return false
}

func speaks(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func questionParticle(sentence string) bool {
	s := strings.TrimSpace(sentence)
	for _, p := range [...]string{"吗", "嗎", "咩", "ですか", "ますか", "でしょうか", "ましたか", "습니까", "나요", "인가요"} {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}

// plainly gives the words of alphabetic scripts of the question at hand, each between
// blanks, and apart from them its runs of other scripts with simplified characters.
func (a *Asker) plainly() (words, runs string) {
	w, h := append(a.words[:0], ' '), a.runs[:0]
	blank := func() {
		if w[len(w)-1] != ' ' {
			w = append(w, ' ')
		}
	}
	for i := 0; i < len(a.folded); {
		r, n := decode(a.folded[i:])
		switch classOf(r) {
		case nothing:
		case han, hangul, sea:
			h = utf8.AppendRune(h, simplified(r))
			blank()
		case letter, mark:
			w = append(w, a.folded[i:i+n]...)
			h = append(h, ' ')
		default:
			blank()
			h = append(h, ' ')
		}
		i += n
	}
	blank()
	a.words, a.runs = w, h
	return view(w), view(h)
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

func numberWord(w string) bool {
	switch w {
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
		"sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
		"hundred", "thousand", "million", "dozen", "half", "once", "twice", "couple", "first", "second", "third":
		return true
	case "один", "одна", "одну", "два", "две", "двух", "двое", "три", "трех", "трое", "четыре", "четырех", "пять", "пяти", "шесть", "шести", "семь", "восемь",
		"девять", "десять", "десяти", "одиннадцать", "двенадцать", "пятнадцать", "двадцать", "тридцать", "сорок", "пятьдесят", "сто", "тысяча", "тысячи", "тысяч",
		"миллион", "пара", "пару", "полтора", "дважды", "половина", "первый", "второй", "третий":
		return true
	}
	return false
}

func timeWord(w string) bool {
	if _, ok := englishMonth(w); ok {
		return true
	}
	if _, ok := russianMonth(w); ok {
		return true
	}
	if _, ok := weekdayName(w); ok {
		return true
	}
	switch w {
	case "yesterday", "today", "tomorrow", "tonight", "last", "next", "ago", "hour", "hours", "minutes", "day", "days", "week", "weeks", "weekend",
		"month", "months", "year", "years", "since", "recently", "morning", "evening", "noon", "midnight", "daily", "weekly":
		return true
	case "вчера", "позавчера", "сегодня", "завтра", "послезавтра", "недавно", "прошлом", "прошлой", "прошлый", "прошлую", "назад", "неделя", "неделю", "неделе", "недели", "недель",
		"месяц", "месяца", "месяцев", "месяце", "год", "года", "году", "лет", "час", "часа", "часов", "минут", "день", "дня", "дней",
		"утром", "вечером", "днем", "ночью", "летом", "зимой", "весной", "осенью", "ежедневно":
		return true
	}
	return false
}
