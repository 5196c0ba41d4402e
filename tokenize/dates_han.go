package tokenize

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// inHan reads Chinese dates, and those Japanese ones that are written alike. The
// text is read without blanks and in simplified characters.
func (c calendar) inHan(s string) (Span, bool) {
	for i := range s {
		if i > 0 && isDigit(s[i]) && isDigit(s[i-1]) {
			continue // inside a number
		}
		for _, read := range [...]func(calendar, string) (Span, bool){calendar.hanDate, calendar.hanAgo, calendar.hanDay, calendar.hanWeek, calendar.hanMonth} {
			if span, ok := read(c, s[i:]); ok {
				return span, true
			}
		}
	}
	return Span{}, false
}

// hanOf is the question at hand with simplified characters and without blanks, nothing
// if it has no Han.
func (a *Asker) hanOf() string {
	b, any := a.runs[:0], false
	for i := 0; i < len(a.folded); {
		r, n := decode(a.folded[i:])
		i += n
		if !unicode.IsSpace(r) {
			any = any || classOf(r) == han
			b = utf8.AppendRune(b, simplified(r))
		}
	}
	a.runs = b
	if !any {
		return ""
	}
	return view(b)
}

// hanDate reads [2023年 | 去年][五月[七日]] and 2023年.
func (c calendar) hanDate(s string) (Span, bool) {
	y, rest := 0, s
	if n, r, ok := yearNamed(s); ok {
		y, rest = c.today.Year()+n, r
	} else if n, r, ok := hanNumber(s); ok && strings.HasPrefix(r, "年") && !strings.HasPrefix(r, "年前") && (n >= 1900 || n >= 10 && n < 100 && strings.Contains(r, "月")) {
		y, rest = n, r[len("年"):]
		if y < 100 {
			y += 2000
		}
	}
	rest = strings.TrimPrefix(rest, "的")
	m, r, ok := hanNumber(rest)
	if !ok || !strings.HasPrefix(r, "月") || m < 1 || m > 12 {
		if y >= 1900 && y < 2200 {
			return c.span(year, y-c.today.Year()), true
		}
		return Span{}, false
	}
	r = strings.TrimPrefix(strings.TrimPrefix(r, "月"), "份")
	d, after, ok := hanNumber(r)
	if !ok || !strings.HasPrefix(after, "日") && !strings.HasPrefix(after, "号") {
		d = 0
	}
	return c.date(y, m, d, begun)
}

// yearNamed reads a year by its word; n counts from now.
func yearNamed(s string) (n int, rest string, ok bool) {
	for _, y := range [...]struct {
		word string
		n    int
	}{{"大前年", -3}, {"前年", -2}, {"去年", -1}, {"旧年", -1}, {"昨年", -1}, {"今年", 0}, {"明年", 1}, {"来年", 1}, {"后年", 2}} {
		if strings.HasPrefix(s, y.word) {
			return y.n, s[len(y.word):], true
		}
	}
	return 0, s, false
}

// hanAgo reads 三天前, 两个月前, 半年前, 几周前, 最近三天, 过去两个月.
func (c calendar) hanAgo(s string) (Span, bool) {
	rest, recent := s, false
	for _, p := range [...]string{"最近", "过去", "近"} {
		if r, ok := strings.CutPrefix(s, p); ok {
			rest, recent = r, true
			break
		}
	}
	if !recent && (strings.HasPrefix(rest, "半年前") || strings.HasPrefix(rest, "半年之前") || strings.HasPrefix(rest, "半年以前")) {
		return c.span(month, -6), true
	}
	n, r, ok := hanNumber(rest)
	few := false
	if !ok {
		if r, few = strings.CutPrefix(rest, "几"); !few {
			return Span{}, false
		}
		n = 7
	}
	u, r := hanUnit(r)
	switch {
	case u == none:
		return Span{}, false
	case recent:
		return c.past(u, n), true
	case !strings.HasPrefix(r, "前") && !strings.HasPrefix(r, "之前") && !strings.HasPrefix(r, "以前"):
		return Span{}, false
	case few:
		return c.between(u, 6, 2), true
	}
	return c.span(u, -n), true
}

func hanUnit(s string) (unit, string) {
	for _, w := range [...]struct {
		word string
		u    unit
	}{{"天", day}, {"日", day}, {"个星期", week}, {"星期", week}, {"个礼拜", week}, {"礼拜", week}, {"周间", week}, {"週間", week}, {"个周", week}, {"周", week},
		{"个月", month}, {"ヶ月", month}, {"か月", month}, {"カ月", month}, {"个年", year}, {"年", year}} {
		if r, ok := strings.CutPrefix(s, w.word); ok {
			return w.u, r
		}
	}
	return none, s
}

// hanDay reads today and its neighbours.
func (c calendar) hanDay(s string) (Span, bool) {
	for _, d := range [...]struct {
		word string
		n    int
	}{{"大前天", -3}, {"大前日", -3}, {"前天", -2}, {"前日", -2}, {"一昨日", -2}, {"おととい", -2}, {"前晚", -2},
		{"昨天", -1}, {"昨日", -1}, {"昨晚", -1}, {"昨夜", -1}, {"寻日", -1}, {"寻晚", -1}, {"琴日", -1}, {"琴晚", -1}, {"噚日", -1}, {"噚晚", -1},
		{"今天", 0}, {"今日", 0}, {"今晚", 0}, {"今早", 0}, {"今晨", 0}, {"今朝", 0},
		{"大后天", 3}, {"明天", 1}, {"明日", 1}, {"明晚", 1}, {"听日", 1}, {"听晚", 1}, {"后天", 2}, {"后日", 2}} {
		if strings.HasPrefix(s, d.word) {
			return c.span(day, d.n), true
		}
	}
	return Span{}, false
}

// hanShift reads 上上, 上, 这, 本, 今, 下 with 个 or 一个; n counts from now.
func hanShift(s string) (n int, rest string, ok bool) {
	for _, p := range [...]struct {
		word string
		n    int
	}{{"上上", -2}, {"上", -1}, {"前", -1}, {"先", -1}, {"这", 0}, {"本", 0}, {"今", 0}, {"呢", 0}, {"下下", 2}, {"下", 1}, {"来", 1}} {
		if r, ok := strings.CutPrefix(s, p.word); ok {
			r = strings.TrimPrefix(strings.TrimPrefix(r, "一"), "个")
			return p.n, r, true
		}
	}
	return 0, s, false
}

// hanWeek reads 上周, 下個禮拜三, 这周末 and 星期五 alone.
func (c calendar) hanWeek(s string) (Span, bool) {
	n, rest, shifted := hanShift(s)
	for _, w := range [...]string{"星期", "礼拜", "周", "週"} {
		r, ok := strings.CutPrefix(rest, w)
		if !ok {
			continue
		}
		if strings.HasPrefix(r, "末") && (shifted || w == "周") {
			if !shifted && c.today.Weekday() != time.Saturday && c.today.Weekday() != time.Sunday {
				n = -1
			}
			return c.span(weekend, n), true
		}
		d, ok := hanWeekday(r)
		switch {
		case ok && shifted:
			return c.weekday(d, n), true
		case ok:
			return c.lastWeekday(d), true
		case shifted:
			return c.span(week, n), true
		}
	}
	return Span{}, false
}

func hanWeekday(s string) (time.Weekday, bool) {
	for i, r := range "日一二三四五六" {
		if strings.HasPrefix(s, string(r)) {
			return time.Weekday(i / len("日")), true
		}
	}
	return time.Sunday, strings.HasPrefix(s, "天")
}

// hanMonth reads 上個月, 本月 and 上個月5號.
func (c calendar) hanMonth(s string) (Span, bool) {
	n, rest, ok := hanShift(s)
	rest, month1 := strings.CutPrefix(rest, "月")
	if !ok || !month1 {
		return Span{}, false
	}
	span := c.span(month, n)
	if d, r, ok := hanNumber(rest); ok && (strings.HasPrefix(r, "日") || strings.HasPrefix(r, "号")) && d > 0 {
		return c.date(span.From.Year(), int(span.From.Month()), d, begun)
	}
	return span, true
}

// hanNumber reads a number in digits or Chinese numerals below 100, or a year
// digit by digit (二〇二三).
func hanNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i > 0 {
		n, ok = figure(s[:i])
		return n, s[i:], ok
	}
	var v []int
	end := 0
	for j, r := range s {
		d := hanDigit(r)
		if d < 0 || len(v) > 4 { // no number we know is longer
			break
		}
		v = append(v, d)
		end = j + utf8.RuneLen(r)
	}
	n, ok = hanValue(v)
	return n, s[end:], ok
}

func hanDigit(r rune) int {
	switch r {
	case '两':
		return 2
	case '零':
		return 0
	case '十':
		return 10
	}
	i := strings.IndexRune("〇一二三四五六七八九", r)
	if i < 0 {
		return -1
	}
	return i / len("〇")
}

// hanValue: 三, 十, 十五, 三十一, 二〇二三; of 两三 the larger.
func hanValue(v []int) (int, bool) {
	switch {
	case len(v) == 1:
		return v[0], true
	case len(v) == 2 && v[0] == 10:
		return 10 + v[1], v[1] < 10
	case len(v) == 2:
		if v[1] == 10 {
			return 10 * v[0], true
		}
		return v[1], true
	case len(v) == 3 && v[1] == 10:
		return 10*v[0] + v[2], v[0] < 10 && v[2] < 10
	case len(v) == 4:
		n := 0
		for _, d := range v {
			n = 10*n + d
		}
		return n, max(v[0], v[1], v[2], v[3]) < 10
	}
	return 0, false
}
