package same_test

import (
	"testing"
	"time"

	"plastic/internal/same"
	"plastic/memory"
)

func TestParaphraseKeepsApartWhatNearnessDoesNot(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"@ann told me she keeps two cats", "@ann said that two cats live with her", true},
		{"@ann told me she keeps two cats", "@ann told me she keeps three cats", false},
		{"@ann told me she keeps two cats", "@bob told me she keeps two cats", false},
		{"She likes strong coffee", "She does not like strong coffee", false},
		{"She moved to Lisbon in May", "In May she moved to Porto", false},
		{"She moved to Lisbon in May", "In May she moved over to Lisbon", true},
		{"Her sister plays the violin", "She plays the violin", false},
		{"Lisbon is her home", "Porto is her home", false},
		{"Москва её родной город", "Казань её родной город", false},
		{"Docker用于部署", "Podman用于部署", false},
		{"It rained. Anna stayed at home", "It rained. Olga stayed at home", false},
		{"Strong coffee is what she likes", "She likes strong coffee", true},
		{"Moved to Lisbon in May", "In May she moved over to Lisbon", true},
		{"Он работает в Сбере", "Он трудится в Сбере", true},
		{"Он работает в Сбере", "Он трудится в Яндексе", false},
		{"Он ест мясо", "Он не ест мяса", false},
		{"他喜欢喝茶", "他爱喝茶", true},
		{"他喜欢喝茶", "他不喜欢喝茶", false},
		{"房租是3000元", "每月房租3500元", false},
		{"房租是3000元", "每月房租3000元", true},
		{"@ann喜欢喝茶", "@ann爱喝茶", true},
		{"@ann喜欢喝茶", "@bob爱喝茶", false},
		{"他用Docker部署", "部署时他用Docker", true},
		{"他用Docker部署", "部署时他用Podman", false},
		{"the deploy key is on host db-2", "the deploy key is on host db-3", false},
		{"I pay $5 for it", "I pay €5 for it", false},
	} {
		a := &memory.Memory{Content: c.a, Kind: memory.Fact}
		b := &memory.Memory{Content: c.b, Kind: memory.Fact}
		if got := same.Paraphrase(a, b, same.Params{}); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
		if same.Paraphrase(a, b, same.Params{}) != same.Paraphrase(b, a, same.Params{}) {
			t.Errorf("%q and %q: it depends on which comes first", c.a, c.b)
		}
	}
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := &memory.Memory{Content: "she ran ten miles", Kind: memory.Event, CreatedAt: day}
	b := &memory.Memory{Content: "ten miles she ran", Kind: memory.Event, CreatedAt: day.AddDate(0, 0, 1)}
	if same.Paraphrase(a, b, same.Params{}) {
		t.Error("events of two days are one")
	}
}
