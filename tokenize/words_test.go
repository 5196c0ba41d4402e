package tokenize_test

import (
	"slices"
	"testing"

	"plastic/tokenize"
)

func TestAHandleIsAWordInAScriptWithoutBlanks(t *testing.T) {
	for text, want := range map[string][]string{
		"":                      nil,
		"Ann's cats, two":       {"Ann's", "cats,", "two"},
		"@ann对花生过敏":             {"@ann", "对花生过敏"},
		"我和@ann.b去吃饭":           {"我和", "@ann.b", "去吃饭"},
		"房租是3000元":              {"房租是", "3000", "元"},
		"他用Docker（和Go）部署":       {"他用", "Docker（", "和", "Go）", "部署"},
		"Лена любит C++":        {"Лена", "любит", "C++"},
		"@小明 来了":                {"@小明", "来了"},
		"@ann은 월요일에":            {"@ann", "은", "월요일에"},
		"QX-77 é 한국어 ใช้Python": {"QX-77", "é", "한국어", "ใช้", "Python"},
	} {
		if got := tokenize.Words(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
