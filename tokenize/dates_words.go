package tokenize

import (
	"strings"
	"time"
)

// inMonth reads a month by its English or Russian name, with its day and year if
// they stand beside it: May 7th, 2023; the 7th of May; 7 мая 2023 года; in May
// last year.
func (c calendar) inMonth(w []dateWord) (Span, bool) {
	for i := range w {
		m, ok := englishMonth(w[i].text)
		if !ok {
			m, ok = russianMonth(w[i].text)
		}
		d, y := besideMonth(w, i)
		if !ok || doubtfulMonth(w[i]) && d == 0 && y == 0 && !introducesMonth(word(w, i-1)) {
			continue
		}
		t := begun
		if before := word(w, i-1); isShift(before) && shift(before) > 0 {
			t = coming
		}
		if n, ok := namedYear(w); ok && y == 0 {
			y = c.today.Year() + n
		}
		if s, ok := c.date(y, m, d, t); ok {
			return s, true
		}
	}
	return Span{}, false
}

// besideMonth finds the day and the year around the month at i; 0 is none.
func besideMonth(w []dateWord, i int) (d, y int) {
	near := []int{i - 1, i + 1, i + 2}
	if word(w, i-1) == "of" {
		near[0] = i - 2
	}
	for _, j := range near {
		n := number(w, j)
		if j == i+2 && number(w, i+1) < 0 && word(w, i+1) != "of" && word(w, i+1) != "the" {
			break // May with two dogs
		}
		switch {
		case n >= 1900 && n < 2200 && y == 0:
			y = n
		case n >= 1 && n <= 31 && d == 0 && (j != i+2 || word(w, i+1) == "the"):
			d = n
		}
	}
	return d, y
}

// doubtfulMonth reports names of months that are also names of people or other
// words, and short forms.
func doubtfulMonth(w dateWord) bool {
	switch w.text {
	case "may", "march", "april", "june", "august", "марта", "марте", "мая":
		return true
	}
	return len(w.text) <= 4 && w.text[0] < 0x80 && w.text != "july"
}

func introducesMonth(w string) bool {
	switch w {
	case "in", "of", "during", "since", "by", "until", "till", "before", "after", "early", "late", "mid", "around", "from",
		"в", "с", "до", "после", "около", "начале", "середине", "конце", "начала", "конца":
		return true
	}
	return isShift(w)
}

// namedYear finds "last year", «прошлого года» and the like; n counts from now.
func namedYear(w []dateWord) (n int, ok bool) {
	for i := range w {
		if u := unitOf(w[i].text); u == year && isShift(word(w, i-1)) {
			return shift(word(w, i-1)), true
		}
	}
	return 0, false
}

// inEnglish reads times relative to now.
func (c calendar) inEnglish(w []dateWord) (Span, bool) {
	for i := range w {
		before := word(w, i-1)
		switch w[i].text {
		case "today", "tonight":
			return c.span(day, 0), true
		case "yesterday":
			if before == "before" && word(w, i-2) == "day" {
				return c.span(day, -2), true
			}
			return c.span(day, -1), true
		case "tomorrow":
			if before == "after" && word(w, i-2) == "day" {
				return c.span(day, 2), true
			}
			return c.span(day, 1), true
		case "night":
			if before == "last" {
				return c.span(day, -1), true
			}
		case "morning", "afternoon", "evening":
			if before == "this" {
				return c.span(day, 0), true
			}
		case "ago":
			if s, ok := c.ago(w[:i]); ok {
				return s, true
			}
		}
		u := unitOf(w[i].text)
		if u == none || w[i].text[0] >= 0x80 {
			continue
		}
		if isShift(before) && u != day {
			return c.span(u, shift(before)), true
		}
		if n := number(w, i-1); n > 0 && (isShift(word(w, i-2)) && shift(word(w, i-2)) < 0) {
			return c.past(u, n), true
		}
		if (before == "few" || before == "couple") && isShift(word(w, i-2)) && shift(word(w, i-2)) < 0 {
			return c.past(u, 7), true
		}
	}
	return Span{}, false
}

// ago reads what stands before "ago" or «назад»: a week, two months, a couple of
// days, несколько дней, полгода.
func (c calendar) ago(w []dateWord) (Span, bool) {
	last := len(w) - 1
	u := unitOf(word(w, last))
	before := word(w, last-1)
	if before == "of" {
		before = word(w, last-2)
	}
	switch {
	case word(w, last) == "полгода" || u == year && (before == "half" || before == "a" && word(w, last-2) == "half"):
		return c.span(month, -6), true
	case u == none:
		return Span{}, false
	case before == "few" || before == "several" || before == "несколько":
		return c.between(u, 6, 2), true
	case before == "couple" || before == "пару":
		return c.between(u, 3, 2), true
	}
	n := number(w, last-1)
	if n < 0 { // a week ago, неделю назад
		n = 1
	}
	return c.span(u, -n), true
}

// inRussian reads times relative to now.
func (c calendar) inRussian(w []dateWord) (Span, bool) {
	for i := range w {
		before := word(w, i-1)
		switch w[i].text {
		case "сегодня":
			return c.span(day, 0), true
		case "вчера":
			return c.span(day, -1), true
		case "позавчера":
			return c.span(day, -2), true
		case "завтра":
			return c.span(day, 1), true
		case "послезавтра":
			return c.span(day, 2), true
		case "назад":
			if s, ok := c.ago(w[:i]); ok {
				return s, true
			}
		}
		u := unitOf(w[i].text)
		if u == none || w[i].text[0] < 0x80 {
			continue
		}
		switch n := number(w, i-1); {
		case strings.HasPrefix(before, "последн"):
			return c.past(u, 1), true
		case n > 0 && strings.HasPrefix(word(w, i-2), "последн"):
			return c.past(u, n), true
		case isShift(before) && u != day:
			return c.span(u, shift(before)), true
		}
	}
	return Span{}, false
}

// onWeekday reads the name of a weekday, with last, this or next before it.
func (c calendar) onWeekday(w []dateWord) (Span, bool) {
	for i := range w {
		d, ok := weekdayName(w[i].text)
		if !ok {
			continue
		}
		switch before := word(w, i-1); {
		case isShift(before) && shift(before) > 0:
			s := c.lastWeekday(d)
			for !s.From.After(c.today) {
				s = Span{s.From.AddDate(0, 0, 7), s.To.AddDate(0, 0, 7)}
			}
			return s, true
		case isShift(before) && shift(before) == 0:
			return c.weekday(d, 0), true
		}
		return c.lastWeekday(d), true
	}
	return Span{}, false
}

// inYear reads a year where the words beside it say that it is one.
func (c calendar) inYear(w []dateWord) (Span, bool) {
	for i := range w {
		if n := w[i].n; n < 1900 || n >= 2200 {
			continue
		}
		switch word(w, i-1) {
		case "in", "of", "during", "since", "year", "year's", "summer", "winter", "spring", "autumn", "летом", "зимой", "весной", "осенью":
			return c.span(year, w[i].n-c.today.Year()), true
		}
		if unitOf(word(w, i+1)) == year {
			return c.span(year, w[i].n-c.today.Year()), true
		}
	}
	return Span{}, false
}

// isShift reports words that move a week, month or year from the current one.
func isShift(w string) bool { return shift(w) != 9 }

// shift counts how far, in units; 9 means that w is no such word.
func shift(w string) int {
	switch w {
	case "last", "past", "previous":
		return -1
	case "this", "current":
		return 0
	case "next", "coming", "upcoming", "following":
		return 1
	case "эта", "эту", "этой", "этот", "этом", "этого", "эти", "этих":
		return 0
	}
	for _, s := range [...]struct {
		stem string
		n    int
	}{{"позапрошл", -2}, {"прошл", -1}, {"прошедш", -1}, {"минувш", -1}, {"текущ", 0}, {"нынешн", 0}, {"следующ", 1}, {"будущ", 1}, {"ближайш", 1}} {
		if strings.HasPrefix(w, s.stem) {
			return s.n
		}
	}
	return 9
}

func unitOf(w string) unit {
	switch w {
	case "day", "days", "день", "дня", "дней", "дни":
		return day
	case "week", "weeks", "неделя", "неделю", "неделе", "недели", "недель":
		return week
	case "weekend", "weekends", "выходные", "выходных":
		return weekend
	case "month", "months", "месяц", "месяца", "месяце", "месяцев", "месяцы":
		return month
	case "year", "years", "год", "года", "году", "лет", "годы":
		return year
	}
	return none
}

func englishMonth(w string) (int, bool) {
	switch w {
	case "january", "jan":
		return 1, true
	case "february", "feb":
		return 2, true
	case "march", "mar":
		return 3, true
	case "april", "apr":
		return 4, true
	case "may":
		return 5, true
	case "june", "jun":
		return 6, true
	case "july", "jul":
		return 7, true
	case "august", "aug":
		return 8, true
	case "september", "sept", "sep":
		return 9, true
	case "october", "oct":
		return 10, true
	case "november", "nov":
		return 11, true
	case "december", "dec":
		return 12, true
	}
	return 0, false
}

func russianMonth(w string) (int, bool) {
	switch w {
	case "январь", "января", "январе", "янв":
		return 1, true
	case "февраль", "февраля", "феврале", "фев":
		return 2, true
	case "март", "марта", "марте":
		return 3, true
	case "апрель", "апреля", "апреле", "апр":
		return 4, true
	case "май", "мая", "мае":
		return 5, true
	case "июнь", "июня", "июне":
		return 6, true
	case "июль", "июля", "июле":
		return 7, true
	case "август", "августа", "августе", "авг":
		return 8, true
	case "сентябрь", "сентября", "сентябре", "сен", "сент":
		return 9, true
	case "октябрь", "октября", "октябре", "окт":
		return 10, true
	case "ноябрь", "ноября", "ноябре", "ноя":
		return 11, true
	case "декабрь", "декабря", "декабре", "дек":
		return 12, true
	}
	return 0, false
}

// weekdayName knows the full names in the forms that tell a time (в среду is a
// day, среда may be surroundings).
func weekdayName(w string) (time.Weekday, bool) {
	switch w {
	case "monday", "понедельник", "понедельника":
		return time.Monday, true
	case "tuesday", "вторник", "вторника":
		return time.Tuesday, true
	case "wednesday", "среду":
		return time.Wednesday, true
	case "thursday", "четверг", "четверга":
		return time.Thursday, true
	case "friday", "пятницу", "пятница", "пятницы":
		return time.Friday, true
	case "saturday", "субботу", "суббота", "субботы":
		return time.Saturday, true
	case "sunday", "воскресенье", "воскресенья":
		return time.Sunday, true
	}
	return 0, false
}
