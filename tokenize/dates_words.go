package tokenize

import "strings"

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
		if n, ok := shift(word(w, i-1)); ok && n > 0 {
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
	_, ok := shift(w)
	return ok
}

// namedYear finds "last year", «прошлого года» and the like; n counts from now.
func namedYear(w []dateWord) (n int, ok bool) {
	for i := range w {
		if n, ok = shift(word(w, i-1)); ok && unitOf(w[i].text) == year {
			return n, true
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
		if n, ok := shift(before); ok && u != day {
			return c.span(u, n), true
		}
		if n, ok := shift(word(w, i-2)); !ok || n >= 0 {
			continue
		}
		switch n := number(w, i-1); { // the last three days
		case n > 0:
			return c.past(u, n), true
		case before == "few":
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
		n := number(w, i-1)
		switch {
		case strings.HasPrefix(before, "последн"):
			return c.past(u, 1), true
		case n > 0 && strings.HasPrefix(word(w, i-2), "последн"):
			return c.past(u, n), true
		}
		if n, ok := shift(before); ok && u != day {
			return c.span(u, n), true
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
		switch n, ok := shift(word(w, i-1)); {
		case ok && n > 0:
			return c.nextWeekday(d), true
		case ok && n == 0:
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
