package tokenize_test

import (
	"testing"
	"time"

	"plastic/tokenize"
)

// monday is 15 May 2023, the day the questions are asked on.
var monday = time.Date(2023, 5, 15, 14, 30, 0, 0, time.FixedZone("HKT", 8*3600))

func TestDatesNamedInAQuestion(t *testing.T) {
	for _, c := range []struct{ query, from, to string }{
		// absolute
		{"what happened on 2023-05-07?", "2023-05-07", "2023-05-08"},
		{"notes of 2023/5/7", "2023-05-07", "2023-05-08"},
		{"log 2023-05-07T10:00:00Z", "2023-05-07", "2023-05-08"},
		{"since 2023-04", "2023-04-01", "2023-05-01"},
		{"that was 5/7/2023", "2023-05-07", "2023-05-08"},
		{"that was 25/12/2022", "2022-12-25", "2022-12-26"},
		{"что было 07.05.2023?", "2023-05-07", "2023-05-08"},
		{"What did Ann do on May 7?", "2023-05-07", "2023-05-08"},
		{"What did Ann do on 7 May 2022?", "2022-05-07", "2022-05-08"},
		{"What did Ann do on May 7th, 2022?", "2022-05-07", "2022-05-08"},
		{"on the 7th of May", "2023-05-07", "2023-05-08"},
		{"Where was Ann in June?", "2022-06-01", "2022-07-01"},
		{"Where was Ann in July 2021?", "2021-07-01", "2021-08-01"},
		{"What did Ann plan for September?", "2022-09-01", "2022-10-01"},
		{"Where was Ann in March of last year?", "2022-03-01", "2022-04-01"},
		{"what is planned for next June", "2023-06-01", "2023-07-01"},
		{"Where did Ann live in 2019?", "2019-01-01", "2020-01-01"},
		{"что было 7 мая?", "2023-05-07", "2023-05-08"},
		{"что было 7-го мая 2022 года?", "2022-05-07", "2022-05-08"},
		{"куда мы ездили в июне?", "2022-06-01", "2022-07-01"},
		{"куда мы ездили в мае прошлого года?", "2022-05-01", "2022-06-01"},
		{"где жила Лена в 2019 году?", "2019-01-01", "2020-01-01"},
		{"在5月7号我做了什么？", "2023-05-07", "2023-05-08"},
		{"5 月 7 日", "2023-05-07", "2023-05-08"},
		{"五月七號去咗邊", "2023-05-07", "2023-05-08"},
		{"十二月二十五日", "2022-12-25", "2022-12-26"},
		{"2022年12月25日", "2022-12-25", "2022-12-26"},
		{"二〇二二年五月", "2022-05-01", "2022-06-01"},
		{"2022年我在哪里？", "2022-01-01", "2023-01-01"},
		{"去年三月", "2022-03-01", "2022-04-01"},
		{"四月份聊了什么", "2023-04-01", "2023-05-01"},
		// days
		{"what did I say today", "2023-05-15", "2023-05-16"},
		{"what did I eat yesterday?", "2023-05-14", "2023-05-15"},
		{"the day before yesterday", "2023-05-13", "2023-05-14"},
		{"what was on last night?", "2023-05-14", "2023-05-15"},
		{"what did we say three days ago", "2023-05-12", "2023-05-13"},
		{"10 days ago", "2023-05-05", "2023-05-06"},
		{"what is on tomorrow", "2023-05-16", "2023-05-17"},
		{"что я ел вчера?", "2023-05-14", "2023-05-15"},
		{"позавчера", "2023-05-13", "2023-05-14"},
		{"три дня назад", "2023-05-12", "2023-05-13"},
		{"昨天我吃了什么", "2023-05-14", "2023-05-15"},
		{"前天", "2023-05-13", "2023-05-14"},
		{"大前天", "2023-05-12", "2023-05-13"},
		{"三天前", "2023-05-12", "2023-05-13"},
		{"十天之前", "2023-05-05", "2023-05-06"},
		{"尋日食咗乜", "2023-05-14", "2023-05-15"},
		{"聽日", "2023-05-16", "2023-05-17"},
		// weeks
		{"where was Ann last week?", "2023-05-08", "2023-05-15"},
		{"this week", "2023-05-15", "2023-05-22"},
		{"two weeks ago", "2023-05-01", "2023-05-08"},
		{"a week ago", "2023-05-08", "2023-05-15"},
		{"last weekend", "2023-05-13", "2023-05-15"},
		{"на прошлой неделе", "2023-05-08", "2023-05-15"},
		{"неделю назад", "2023-05-08", "2023-05-15"},
		{"в прошлые выходные", "2023-05-13", "2023-05-15"},
		{"上周", "2023-05-08", "2023-05-15"},
		{"上個禮拜", "2023-05-08", "2023-05-15"},
		{"上上周", "2023-05-01", "2023-05-08"},
		{"两个星期前", "2023-05-01", "2023-05-08"},
		{"上周末", "2023-05-13", "2023-05-15"},
		// weekdays
		{"what happened on Friday?", "2023-05-12", "2023-05-13"},
		{"what happened last Monday?", "2023-05-08", "2023-05-09"},
		{"what is on next Friday", "2023-05-19", "2023-05-20"},
		{"в пятницу", "2023-05-12", "2023-05-13"},
		{"上周三", "2023-05-10", "2023-05-11"},
		{"星期五", "2023-05-12", "2023-05-13"},
		{"下禮拜一", "2023-05-22", "2023-05-23"},
		// months and years
		{"last month", "2023-04-01", "2023-05-01"},
		{"three months ago", "2023-02-01", "2023-03-01"},
		{"last year", "2022-01-01", "2023-01-01"},
		{"в прошлом месяце", "2023-04-01", "2023-05-01"},
		{"два месяца назад", "2023-03-01", "2023-04-01"},
		{"год назад", "2022-01-01", "2023-01-01"},
		{"полгода назад", "2022-11-01", "2022-12-01"},
		{"half a year ago", "2022-11-01", "2022-12-01"},
		{"上個月", "2023-04-01", "2023-05-01"},
		{"上个月5号", "2023-04-05", "2023-04-06"},
		{"半年前", "2022-11-01", "2022-12-01"},
		{"三个月前", "2023-02-01", "2023-03-01"},
		{"去年", "2022-01-01", "2023-01-01"},
		// stretches
		{"the last three days", "2023-05-12", "2023-05-16"},
		{"за последние три дня", "2023-05-12", "2023-05-16"},
		{"最近三天", "2023-05-12", "2023-05-16"},
		{"a few days ago", "2023-05-09", "2023-05-14"},
		{"пару дней назад", "2023-05-12", "2023-05-14"},
		{"несколько дней назад", "2023-05-09", "2023-05-14"},
		{"几天前", "2023-05-09", "2023-05-14"},
	} {
		span, ok := tokenize.Dates(c.query, monday)
		got := span.From.Format(time.DateOnly) + " " + span.To.Format(time.DateOnly)
		if !ok || got != c.from+" "+c.to {
			t.Errorf("Dates(%q) = %s %v, want %s %s", c.query, got, ok, c.from, c.to)
		}
		if ok && (span.From.Location() != monday.Location() || span.From.Hour() != 0) {
			t.Errorf("Dates(%q) begins at %v, not at midnight where it was asked", c.query, span.From)
		}
	}
}

func TestNoDateWhereNoneIsNamed(t *testing.T) {
	for _, q := range []string{
		"", "what may Ann like?", "May I ask what Ann likes?", "what did April say?", "does June like tea", "the march of the penguins",
		"upgrade to v2.1", "host 10.0.0.7", "port 8080", "ticket 2023-XX", "flat 7/12", "what was the last word", "is this the day",
		"как дела в среде разработки", "что нравится Марте?", "сколько лет Лене",
		"我住在日月路", "几乎", "三个朋友", "那个月饼", "周杰伦", "30 февраля", "2023-02-30", "February 30", "99999999999999999999-01-01",
	} {
		if span, ok := tokenize.Dates(q, monday); ok {
			t.Errorf("Dates(%q) = %v", q, span)
		}
	}
}

func TestADayThatIsRareIsFoundInTheYearThatHadIt(t *testing.T) {
	span, ok := tokenize.Dates("29 February", monday)
	if want := "2020-02-29"; !ok || span.From.Format(time.DateOnly) != want {
		t.Errorf("got %v %v, want %s", span.From, ok, want)
	}
}

func TestDatesCountDaysWhereTheClockIsSet(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no zone data:", err)
	}
	span, _ := tokenize.Dates("yesterday", time.Date(2023, 3, 27, 1, 0, 0, 0, berlin)) // the day before had 23 hours
	if d := span.To.Sub(span.From); d != 23*time.Hour {
		t.Errorf("the day the clocks went forward is %v long", d)
	}
}
