package distill_test

import (
	"encoding/json"
	"testing"
	"time"

	"plastic/distill"
)

// given is what becomes of a fact that the user said in the same words.
func given(text string, at time.Time) string {
	raw, err := json.Marshal([]map[string]string{{"content": text}})
	if err != nil {
		return text
	}
	got, err := distill.Read(answers(string(raw)), distill.Turn{User: text, At: at}, nil, distill.Params{Location: tokyo})
	if err != nil || len(got.Facts) != 1 {
		return text
	}
	return got.Facts[0].Content
}

// The turn is of Tuesday, 1 December 2026, where it was said.
func TestDaysToldByWhenTheyWereSaidGetTheirDates(t *testing.T) {
	for in, want := range map[string]string{
		"The exam is tomorrow":                    "The exam is tomorrow (2026-12-02)",
		"Yesterday she met Bob, today she rests":  "Yesterday (2026-11-30) she met Bob, today (2026-12-01) she rests",
		"He leaves the day after tomorrow.":       "He leaves the day after tomorrow (2026-12-03).",
		"The move is next week":                   "The move is next week (2026-12-07…2026-12-13)",
		"The party is this weekend":               "The party is this weekend (2026-12-05…2026-12-06)",
		"She moved last month":                    "She moved last month (2026-11)",
		"She marries next year":                   "She marries next year (2027)",
		"She marries next year (2027)":            "She marries next year (2027)",
		"The review is next Friday":               "The review is next Friday (> 2026-12-01)",
		"She was ill last Monday":                 "She was ill last Monday (< 2026-12-01)",
		"Born in 1990, she has the exam tomorrow": "Born in 1990, she has the exam tomorrow (2026-12-02)",
		"The exam is on 2026-12-02":               "The exam is on 2026-12-02",
		"The exam is tomorrow, December 2":        "The exam is tomorrow, December 2",
		"The exam is tomorrow (2/12)":             "The exam is tomorrow (2/12)",
		"Uses Go 1.26 from tomorrow on":           "Uses Go 1.26 from tomorrow (2026-12-02) on",
		"She said todays are hard to tell":        "She said todays are hard to tell",
		"Экзамен завтра":                          "Экзамен завтра (2026-12-02)",
		"Послезавтра едет в Тулу":                 "Послезавтра (2026-12-03) едет в Тулу",
		"В прошлом году купил дом":                "В прошлом году (2025) купил дом",
		"На следующей неделе отпуск":              "На следующей неделе (2026-12-07…2026-12-13) отпуск",
		"В прошлую пятницу был у врача":           "В прошлую пятницу (< 2026-12-01) был у врача",
		"Экзамен завтра, 2 декабря":               "Экзамен завтра, 2 декабря",
		"Завтрак в восемь":                        "Завтрак в восемь",
		"考试在明天":                                   "考试在明天(2026-12-02)",
		"考试在2026年12月2日，明天":                        "考试在2026年12月2日，明天",
		"下周五去看牙医":                                 "下周五(2026-12-11)去看牙医",
		"下個星期搬家":                                  "下個星期(2026-12-07…2026-12-13)搬家",
		"上个月换了工作，明年结婚":                            "上个月(2026-11)换了工作，明年(2027)结婚",
		"聽日去飲茶":                                   "聽日(2026-12-02)去飲茶",
		"大后天出发":                                   "大后天(2026-12-04)出发",
		"他的免疫力是后天性的":                              "他的免疫力是后天性的",
		"来週京都へ行く":                                 "来週(2026-12-07…2026-12-13)京都へ行く",
		"내일 시험을 봐요":                               "내일(2026-12-02) 시험을 봐요",
	} {
		if got := given(in, at); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestSpansHoldOverTheEndsOfMonths(t *testing.T) {
	last := at.AddDate(0, 0, 30) // 31 December in the turn's zone
	for in, want := range map[string]string{
		"She moved last month":  "She moved last month (2026-11)",
		"She starts next month": "She starts next month (2027-01)",
		"She leaves tomorrow":   "She leaves tomorrow (2027-01-01)",
		"下个月搬家":                 "下个月(2027-01)搬家",
	} {
		if got := given(in, last); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// A fact that has its dates keeps them: reading it again changes nothing.
func FuzzDatesAreGivenOnce(f *testing.F) {
	for _, s := range []string{"The exam is tomorrow and next year", "завтра, в прошлом году", "下周五明年去年", "last friday 1990", "今年去年"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := given(text, at)
		if twice := given(once, at); once != twice {
			t.Fatalf("%q, then %q, then %q", text, once, twice)
		}
	})
}
