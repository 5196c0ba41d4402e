package distill

import (
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A relative is a kind of words that mean a day, week, month or year only on the day
// they are said, and what a match means then.
type relative struct {
	expr func() *regexp.Regexp
	span func(at time.Time, match []string) string
}

const (
	enWeekdays = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
	ruWeekdays = `(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)\p{Cyrillic}{0,2}`
	zhWeek     = `(?:个|個)?(?:周|週|星期|礼拜|禮拜)`
)

var relatives = []relative{
	{lazily(`(?i)day after tomorrow|day before yesterday|today|tonight|tomorrow|yesterday|` +
		`сегодня|послезавтра|завтра|позавчера|вчера|` +
		`今天|今日|今晚|大后天|大後天|后天|後天|後日|明天|明日|明晚|聽日|听日|大前天|前天|前日|昨天|昨日|昨晚|琴日|尋日|寻日|` +
		`あさって|あした|きのう|おととい|오늘|모레|내일|어제`), aDay},
	{lazily(`(?i)(next|last|this) (weekend|week|month|year|` + enWeekdays + `)|` +
		`(следующ|прошл|эт)\p{Cyrillic}{1,3} (недел|месяц|год|` + ruWeekdays + `)\p{Cyrillic}{0,2}`), aSpan},
	{lazily(`(下下|上上|下|上|这|這|本|来|來|先|今)` + zhWeek + `(末|[一二三四五六日天])?`), aChineseWeek},
	{lazily(`(下|上|这|這|本|来|先|今)(?:个|個)?月|(明|去|今|后|後|前|来|昨|出|舊|旧)年|(내년|작년|올해)`), aChineseSpan},
}

var dayWords = map[string]int{
	"day after tomorrow": 2, "day before yesterday": -2, "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1,
	"сегодня": 0, "послезавтра": 2, "завтра": 1, "позавчера": -2, "вчера": -1,
	"今天": 0, "今日": 0, "今晚": 0, "大后天": 3, "大後天": 3, "后天": 2, "後天": 2, "後日": 2, "明天": 1, "明日": 1, "明晚": 1, "聽日": 1, "听日": 1,
	"大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "琴日": -1, "尋日": -1, "寻日": -1,
	"あさって": 2, "あした": 1, "きのう": -1, "おととい": -2, "오늘": 0, "모레": 2, "내일": 1, "어제": -1,
}

func aDay(at time.Time, m []string) string {
	return date(at.AddDate(0, 0, dayWords[strings.ToLower(m[0])]))
}

// aSpan is a week, a month or a year of European languages. Which Friday is the next
// one people do not agree on: it is after the day of the turn.
func aSpan(at time.Time, m []string) string {
	n := map[string]int{"next": 1, "last": -1, "следующ": 1, "прошл": -1}[strings.ToLower(m[1]+m[3])]
	switch strings.ToLower(m[2] + m[4]) {
	case "week", "недел":
		return week(at, n)
	case "weekend":
		return days(monday(at).AddDate(0, 0, 7*n+5), 2)
	case "month", "месяц":
		return month(at, n)
	case "year", "год":
		return year(at, n)
	}
	switch n {
	case 1:
		return "> " + date(at)
	case -1:
		return "< " + date(at)
	}
	return week(at, 0)
}

func aChineseWeek(at time.Time, m []string) string {
	n := map[string]int{"下下": 2, "上上": -2, "下": 1, "上": -1, "来": 1, "來": 1, "先": -1}[m[1]]
	first := monday(at).AddDate(0, 0, 7*n)
	switch m[2] {
	case "":
		return days(first, 7)
	case "末":
		return days(first.AddDate(0, 0, 5), 2)
	}
	return date(first.AddDate(0, 0, min(strings.Index("一二三四五六日天", m[2])/len("一"), 6)))
}

func aChineseSpan(at time.Time, m []string) string {
	if m[1] != "" {
		return month(at, map[string]int{"下": 1, "上": -1, "来": 1, "先": -1}[m[1]])
	}
	return year(at, map[string]int{"明": 1, "去": -1, "后": 2, "後": 2, "前": -2, "来": 1, "昨": -1, "出": 1, "舊": -1, "旧": -1, "내년": 1, "작년": -1}[m[2]+m[3]])
}

func date(t time.Time) string            { return t.Format(time.DateOnly) }
func days(first time.Time, n int) string { return date(first) + "…" + date(first.AddDate(0, 0, n-1)) }
func monday(t time.Time) time.Time       { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }
func week(t time.Time, n int) string     { return days(monday(t).AddDate(0, 0, 7*n), 7) }
func year(t time.Time, n int) string     { return t.AddDate(n, 0, 1-t.Day()).Format("2006") }
func month(t time.Time, n int) string    { return t.AddDate(0, n, 1-t.Day()).Format("2006-01") }

// A day or a year that a fact says outright.
var (
	absoluteDay = lazily(`(?i)(?:19|20)\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d\d|\b\d{1,2}/\d{1,2}\b|\d\s*月\s*\d|\d\s*월\s*\d|` +
		`\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d|` +
		`\d{1,2} (?:январ|феврал|март|апрел|мая|июн|июл|август|сентябр|октябр|ноябр|декабр)`)
	absoluteYear = lazily(`(?:19|20)\d\d`)
)

// dated is a fact whose days, weeks, months and years told by when it was said have
// their dates behind them: "tomorrow (2026-12-02)". at is when, in the zone whose days
// are meant. Weeks begin on Monday. A fact that tells a date itself stays as it is, one
// that tells a year gets no other.
func dated(fact string, at time.Time) string {
	if at.IsZero() || absoluteDay().MatchString(fact) {
		return fact
	}
	hasYear := absoluteYear().MatchString(fact)
	for _, r := range relatives {
		var out strings.Builder
		end := 0
		for _, where := range r.expr().FindAllStringSubmatchIndex(fact, -1) {
			m := groups(fact, where)
			span := r.span(at, m)
			if !alone(fact, where[0], where[1]) || hasYear && len(span) < len(time.DateOnly) {
				continue
			}
			out.WriteString(fact[end:where[1]])
			end = where[1]
			if lastRune(m[0]) < firstUnspaced {
				out.WriteByte(' ')
			}
			out.WriteString("(" + span + ")")
		}
		fact = out.String() + fact[end:]
	}
	return fact
}

// groups are what stands at the places of a match and its groups.
func groups(text string, where []int) (m []string) {
	for i := 0; i < len(where); i += 2 {
		if where[i] < 0 {
			m = append(m, "")
		} else {
			m = append(m, text[where[i]:where[i+1]])
		}
	}
	return m
}

// firstUnspaced is where the scripts begin that write words without blanks.
const firstUnspaced = '\u2E80'

// alone reports whether text[from:to] is a word of its own, as far as its script tells.
func alone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	last := lastRune(text[from:to])
	if last < firstUnspaced {
		return !unicode.IsLetter(before) && !unicode.IsLetter(after)
	}
	if strings.ContainsRune("性努养養免缺失形头頭级級份龄齡纪紀", after) {
		return false // 后天性 is "acquired", 今日头条 a newspaper
	}
	return last != '年' && last != '月' || !strings.ContainsRune("一二三四五六七八九十百千万目以之", before) // 三年前年…
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
