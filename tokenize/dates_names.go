package tokenize

import (
	"strings"
	"time"
)

// shift reads a word that moves a week, month or year from the current one, and
// tells how far, in units.
func shift(w string) (n int, ok bool) {
	switch w {
	case "last", "past", "previous":
		return -1, true
	case "this", "current":
		return 0, true
	case "next", "coming", "upcoming", "following":
		return 1, true
	case "эта", "эту", "этой", "этот", "этом", "этого", "эти", "этих":
		return 0, true
	}
	for _, s := range [...]struct {
		stem string
		n    int
	}{{"позапрошл", -2}, {"прошл", -1}, {"прошедш", -1}, {"минувш", -1}, {"текущ", 0}, {"нынешн", 0}, {"следующ", 1}, {"будущ", 1}, {"ближайш", 1}} {
		if strings.HasPrefix(w, s.stem) {
			return s.n, true
		}
	}
	return 0, false
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

// spelled is the value of a number word as it stands before days, weeks and
// years; -1 if it is none.
func spelled(w string) int {
	switch w {
	case "one", "один", "одну", "одна":
		return 1
	case "two", "два", "две":
		return 2
	case "three", "три":
		return 3
	case "four", "четыре":
		return 4
	case "five", "пять":
		return 5
	case "six", "шесть":
		return 6
	case "seven", "семь":
		return 7
	case "eight", "восемь":
		return 8
	case "nine", "девять":
		return 9
	case "ten", "десять":
		return 10
	case "eleven", "одиннадцать":
		return 11
	case "twelve", "двенадцать":
		return 12
	case "fourteen", "четырнадцать":
		return 14
	case "twenty", "двадцать":
		return 20
	case "thirty", "тридцать":
		return 30
	}
	return -1
}
