package tokenize_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"plastic/tokenize"
)

// answers is all that an Asker makes of a question.
func answers(a *tokenize.Asker, text string, now time.Time) []string {
	var out []string
	for _, q := range a.Query(text) {
		out = append(out, fmt.Sprint(q.Field, q.Text, q.Weight))
	}
	span, ok := a.Dates(text, now)
	out = append(out, fmt.Sprint(span, ok, a.Number(text)))
	return append(out, a.Names(text)...)
}

// An Asker that has read other questions makes of the next what a fresh one makes of
// it, in whatever order it is asked.
func FuzzAnAskerForgets(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i+7)%len(seeds)], seeds[(i+11)%len(seeds)])
	}
	f.Add("", "", "a")
	f.Add("how many cats does Ann keep", "how many", "cats 3 days ago")
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	kept := new(tokenize.Asker)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		one := new(tokenize.Asker)
		for _, text := range []string{a, b, a, c, b, b, c} {
			want := answers(new(tokenize.Asker), text, now)
			for name, asker := range map[string]*tokenize.Asker{"one of these questions": one, "one of very many": kept} {
				if got := answers(asker, text, now); !slices.Equal(got, want) {
					t.Fatalf("%q is %q, to %s %q", text, want, name, got)
				}
			}
		}
		for _, text := range []string{b, a, c} {
			want := answers(new(tokenize.Asker), text, now)
			names := one.Names(text)
			span, ok := one.Dates(text, now)
			var got []string
			for _, q := range one.Query(text) {
				got = append(got, fmt.Sprint(q.Field, q.Text, q.Weight))
			}
			got = append(append(got, fmt.Sprint(span, ok, one.Number(text))), names...)
			if !slices.Equal(got, want) {
				t.Fatalf("%q is %q, in another order %q", text, want, got)
			}
		}
	})
}

// A span of time ends after it begins, whenever and wherever it is asked for, and it is
// of years that can be told.
func FuzzDatesAtAnyTime(f *testing.F) {
	for i, s := range []string{"three days ago", "10月5日 三天前", "7-го мая 2022", "last february 29", "99999999999 years ago", "in the year 0", "9999-12-31", "去年二月三十日", "2 weeks ago on monday", "вчера в прошлом веке", "последние 300000000 лет", "from 2020 to 2019"} {
		f.Add(s, int64(i)*1e10-2e10, i*3600-18000)
	}
	f.Fuzz(func(t *testing.T, text string, unix int64, offset int) {
		now := time.Unix(unix%2e11, 0).In(time.FixedZone("", offset%86400))
		span, ok := tokenize.Dates(text, now)
		if ok != span.From.Before(span.To) {
			t.Fatalf("%q at %v is from %v to %v, %v", text, now, span.From, span.To, ok)
		}
		if again, _ := new(tokenize.Asker).Dates(text, now); again != span {
			t.Fatalf("%q at %v is %v, then %v", text, now, span, again)
		}
	})
}
