package plastic_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
)

// fieldsOf is what v looks like to a program: its fields and, of compress, the fields
// and whether they are lists.
func fieldsOf(t *testing.T, v any) (outer, inner map[string]string) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var night map[string]any
	if err := json.Unmarshal(raw, &night); err != nil {
		t.Fatal(err)
	}
	kinds := func(m map[string]any) map[string]string {
		out := map[string]string{}
		for k, x := range m {
			out[k] = fmt.Sprintf("%T", x)
			if l, ok := x.([]any); ok && len(l) > 0 {
				out[k] += fmt.Sprintf(" of %T", l[0])
			}
		}
		return out
	}
	c, _ := night["compress"].(map[string]any)
	return kinds(night), kinds(c)
}

func TestANightHasOneShapeInEveryAnswer(t *testing.T) {
	b := banktest.New(t)
	days(t, b, 30, 6)
	for range 3 {
		b.Recall(plastic.Query{Text: "day 12 thing 0", Limit: 1})
	}
	slept, err := b.Sleep(t.Context(), plastic.Nightly{})
	if err != nil || slept.Compress.Pruned == 0 || slept.Compress.Promoted == 0 {
		t.Fatalf("%+v, %v", slept, err)
	}
	list, err := b.NightRecords()
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	told := list[0].Told()
	if fmt.Sprint(told.Night) != fmt.Sprint(slept) {
		t.Errorf("slept\n%+v\ntold\n%+v", slept, told.Night)
	}
	for i, why := range told.Compress.Reasons {
		if ids := slices.Concat(told.Compress.Archived, told.Compress.Raised); why.ID != ids[i] || why.Why == "" || (why.Was != nil) != (i >= told.Compress.Pruned) {
			t.Fatalf("reason %d: %+v of %s", i, why, ids[i])
		}
	}
	b.Pass(time.Hour)
	undone, err := b.UndoNight(t.Context(), slept.Date, false)
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.Sleep(t.Context(), plastic.Nightly{})
	if err != nil {
		t.Fatal(err)
	}
	woken, err := b.WakeFolder()
	if err != nil || woken.Woken || woken.Date != slept.Date {
		t.Errorf("%+v, %v", woken, err)
	}
	if list, err = b.NightRecords(); err != nil || len(list) != 2 {
		t.Fatalf("%d records, %v", len(list), err)
	}
	outer, inner := fieldsOf(t, slept)
	for name, v := range map[string]any{"a night told": told, "an undo told": list[1].Told(), "an undo": undone, "a second night": again, "wake": woken} {
		o, in := fieldsOf(t, v)
		for _, field := range slices.Sorted(maps.Keys(outer)) {
			if is, ok := o[field]; !ok || is != outer[field] && is != "<nil>" {
				t.Errorf("%s: %s is %q, want %q", name, field, is, outer[field])
			}
		}
		for _, field := range slices.Sorted(maps.Keys(inner)) {
			if is, ok := in[field]; !ok || !strings.HasPrefix(inner[field], is) {
				t.Errorf("%s: compress.%s is %q, want %q", name, field, is, inner[field])
			}
		}
	}
}
