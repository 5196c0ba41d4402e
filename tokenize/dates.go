package tokenize

import (
	"strings"
	"time"
	"unicode"
)

// Span is a stretch of time, From inclusive, To exclusive.
type Span struct{ From, To time.Time }

// Dates finds the day, week, month or year that a question names, in English,
// Chinese (traditional, simplified and Cantonese words) or Russian, absolute
// (2023-05-07, May 7, 7 мая, 五月七號) or relative to now (last week, три дня
// назад, 上個月), in now's location. Weeks begin on Monday. A day or month without
// a year is the last one that has begun; a weekday is the last one before today.
// "n weeks (months, years) ago" is that whole calendar week (month, year). With
// slashes the month comes first unless that is no month: 5/7/2023 is in May.
// ok is false if no time is named. The span is what the words say; that things
// are often told a little later is for the caller to allow for.
func Dates(query string, now time.Time) (span Span, ok bool) { return new(Asker).Dates(query, now) }

// Dates is Dates.
func (a *Asker) Dates(query string, now time.Time) (span Span, ok bool) {
	a.read(query)
	y, m, d := now.Date()
	c := calendar{time.Date(y, m, d, 0, 0, 0, 0, now.Location())}
	if span, ok = c.numeric(view(a.folded)); ok {
		return span, true
	}
	if span, ok = c.inHan(a.hanOf()); ok {
		return span, true
	}
	w := a.dateWords()
	for _, read := range [...]func(calendar, []dateWord) (Span, bool){calendar.inMonth, calendar.inEnglish, calendar.inRussian, calendar.onWeekday, calendar.inYear} {
		if span, ok = read(c, w); ok {
			return span, true
		}
	}
	return Span{}, false
}

// unit is a length of time the calendar knows.
type unit uint8

const (
	none unit = iota
	day
	week
	weekend
	month
	year
)

// calendar counts from today's midnight.
type calendar struct{ today time.Time }

// span is the calendar unit n units from the current one: span(week, -1) is last
// week from Monday to Monday.
func (c calendar) span(u unit, n int) Span {
	y, m, d := c.today.Date()
	at := func(y int, m time.Month, d int) time.Time {
		return time.Date(y, m, d, 0, 0, 0, 0, c.today.Location())
	}
	monday := d - (int(c.today.Weekday())+6)%7 + 7*n
	switch u {
	case week:
		return Span{at(y, m, monday), at(y, m, monday+7)}
	case weekend:
		return Span{at(y, m, monday+5), at(y, m, monday+7)}
	case month:
		return Span{at(y, m+time.Month(n), 1), at(y, m+time.Month(n)+1, 1)}
	case year:
		return Span{at(y+n, 1, 1), at(y+n+1, 1, 1)}
	}
	return Span{at(y, m, d+n), at(y, m, d+n+1)}
}

// past is the last n units up to and with today.
func (c calendar) past(u unit, n int) Span {
	from := c.today
	switch u {
	case week, weekend:
		from = from.AddDate(0, 0, -7*n)
	case month:
		from = from.AddDate(0, -n, 0)
	case year:
		from = from.AddDate(-n, 0, 0)
	default:
		from = from.AddDate(0, 0, -n)
	}
	return Span{from, c.span(day, 1).From}
}

// between is from the unit most units ago to the one least units ago.
func (c calendar) between(u unit, most, least int) Span {
	return Span{c.span(u, -most).From, c.span(u, -least).To}
}

// weekday is that day of the week, weeks from the current one.
func (c calendar) weekday(d time.Weekday, weeks int) Span {
	return c.span(day, int(d+6)%7-int(c.today.Weekday()+6)%7+7*weeks)
}

// lastWeekday is the last such day before today.
func (c calendar) lastWeekday(d time.Weekday) Span {
	n := int(c.today.Weekday()) - int(d)
	if n <= 0 {
		n += 7
	}
	return c.span(day, -n)
}

// nextWeekday is the first such day after today.
func (c calendar) nextWeekday(d time.Weekday) Span {
	n := int(d) - int(c.today.Weekday())
	if n <= 0 {
		n += 7
	}
	return c.span(day, n)
}

// tense says which year a date without one is in.
type tense uint8

const (
	begun  tense = iota // the last that has begun
	coming              // the next that has not
)

// date is the day, or with d = 0 the month; y = 0 leaves the year to t. It fails
// for days that do not exist.
func (c calendar) date(y, m, d int, t tense) (Span, bool) {
	if y > 0 && y < 100 {
		y += 2000
	}
	if m < 1 || m > 12 || d < 0 || d > 31 || y < 0 || y > 9999 {
		return Span{}, false
	}
	at := func(y int) Span {
		if d == 0 {
			return Span{time.Date(y, time.Month(m), 1, 0, 0, 0, 0, c.today.Location()), time.Date(y, time.Month(m)+1, 1, 0, 0, 0, 0, c.today.Location())}
		}
		return Span{time.Date(y, time.Month(m), d, 0, 0, 0, 0, c.today.Location()), time.Date(y, time.Month(m), d+1, 0, 0, 0, 0, c.today.Location())}
	}
	s := at(y)
	if y == 0 {
		y = c.today.Year()
		s = at(y)
		switch {
		case t == begun && s.From.After(c.today):
			y--
		case t == coming && !s.From.After(c.today):
			y++
		}
		for n := 0; n < 8 && at(y).From.Month() != time.Month(m); n++ { // 29 February
			y += 2*int(t) - 1
		}
		s = at(y)
	}
	return s, s.From.Month() == time.Month(m)
}

// numeric reads 2023-05-07, 2023/5/7, 2023-05, 07.05.2023 and 5/7/2023.
func (c calendar) numeric(s string) (Span, bool) {
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		j := i
		for j < len(s) && (isDigit(s[j]) || strings.IndexByte("-/.", s[j]) >= 0) {
			j++
		}
		alone := (i == 0 || !wordByte(s[i-1])) && (j == len(s) || !letterByte(s[j]) || s[j] == 't')
		if span, ok := c.figures(strings.TrimRight(s[i:j], "-/.")); ok && alone {
			return span, true
		}
		i = j
	}
	return Span{}, false
}

func wordByte(b byte) bool   { return letterByte(b) || strings.IndexByte("-/.@#", b) >= 0 }
func letterByte(b byte) bool { return 'a' <= b && b <= 'z' }

func (c calendar) figures(s string) (Span, bool) {
	sep := strings.IndexAny(s, "-/.")
	if sep < 0 {
		return Span{}, false
	}
	f := strings.Split(s, s[sep:sep+1])
	n := make([]int, len(f))
	for i := range f {
		var ok bool
		if n[i], ok = figure(f[i]); !ok {
			return Span{}, false
		}
	}
	switch {
	case len(f) == 3 && len(f[0]) == 4 && n[0] >= 1900 && n[2] > 0:
		return c.date(n[0], n[1], n[2], begun)
	case len(f) == 2 && len(f[0]) == 4 && len(f[1]) == 2 && s[sep] == '-' && n[0] >= 1900:
		return c.date(n[0], n[1], 0, begun)
	case len(f) != 3 || len(f[2]) != 4 || n[2] < 1900 || n[0] == 0 || n[1] == 0:
		return Span{}, false
	case s[sep] == '/' && n[0] <= 12 || n[1] > 12:
		return c.date(n[2], n[0], n[1], begun)
	}
	return c.date(n[2], n[1], n[0], begun)
}

// figure reads a number of one to four digits.
func figure(s string) (n int, ok bool) {
	if len(s) == 0 || len(s) > 4 {
		return 0, false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

// dateWord is a word of a question as the readers of dates see it.
type dateWord struct {
	text    string // folded
	n       int    // its number: 3, 3rd, three, три; -1 if it is none
	capital bool
}

// dateWords are the words of the question at hand.
func (a *Asker) dateWords() []dateWord {
	a.dates, a.spelled = a.dates[:0], a.spelled[:0]
	rest := a.text
	for {
		from := strings.IndexFunc(rest, inWord)
		if from < 0 {
			return a.dates
		}
		rest = rest[from:]
		end := strings.IndexFunc(rest, notInWord)
		if end < 0 {
			end = len(rest)
		}
		a.dateWord(rest[:end])
		rest = rest[end:]
	}
}

func inWord(r rune) bool    { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
func notInWord(r rune) bool { return !inWord(r) }

func (a *Asker) dateWord(f string) {
	from := len(a.spelled)
	a.spelled = appendFolded(a.spelled, f)
	w := dateWord{text: view(a.spelled[from:]), n: -1, capital: strings.IndexFunc(f, unicode.IsUpper) == 0}
	if n := len(a.dates); n > 0 && a.dates[n-1].n >= 0 && (w.text == "го" || w.text == "е" || w.text == "м") {
		return // 7-го, 2022-м
	}
	end := strings.TrimLeft(w.text, "0123456789")
	switch end {
	case "", "st", "nd", "rd", "th", "го", "е", "м":
		if n, ok := figure(strings.TrimSuffix(w.text, end)); ok {
			w.n = n
		}
	}
	if w.n < 0 {
		w.n = spelled(w.text)
	}
	a.dates = append(a.dates, w)
}

// word is the text of w[i], "" beyond the ends.
func word(w []dateWord, i int) string {
	if i < 0 || i >= len(w) {
		return ""
	}
	return w[i].text
}

// number is the number of w[i], -1 if it is none.
func number(w []dateWord, i int) int {
	if i < 0 || i >= len(w) {
		return -1
	}
	return w[i].n
}
