package plastic_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// TestYear lives a year of a scripted bot three times: without forgetting, with
// compression alone, and with sleep by a scripted model. Facts change, events repeat,
// there is much small talk, and nobody is there for two months. It prints what was
// asked for and found, kept and lost, and draws the size of the memory to the file
// named by PLASTIC_YEAR; without that variable it is left out.
func TestYear(t *testing.T) {
	picture := os.Getenv("PLASTIC_YEAR")
	if picture == "" {
		t.Skip("make year")
	}
	var lives []*yearLife
	for _, name := range []string{"no forgetting", "compression alone", "sleep"} {
		l := &yearLife{name: name, bank: yearBank(t, name), current: map[string]string{}, past: map[string][]string{}}
		l.live(t)
		lives = append(lives, l)
	}
	fmt.Printf("%-18s %8s %8s %9s %8s %7s %7s %7s %6s\n", "", "memories", "current", "outdated", "weighty", "gists", "talk", "twins", "calls")
	for _, l := range lives {
		fmt.Println(l.row())
	}
	if err := os.WriteFile(picture, []byte(yearPicture(lives)), 0o644); err != nil {
		t.Fatal(err)
	}
	none, pressed, slept := lives[0], lives[1], lives[2]
	if slept.size() >= none.size() || pressed.size() >= none.size() {
		t.Errorf("sizes: %d, %d, %d", none.size(), pressed.size(), slept.size())
	}
	if slept.wrongFirst >= none.wrongFirst || slept.weighty != none.weighty {
		t.Errorf("outdated answers %d of %d, weighty %d of %d", slept.wrongFirst, none.wrongFirst, slept.weighty, none.weighty)
	}
}

// The year begins here and has so many days; of them the holiday has no turns.
var yearStart = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

const (
	yearDays     = 365
	holidayFirst = 182
	holidayLast  = 243
)

func yearBank(t *testing.T, name string) *banktest.Bank {
	b := banktest.New(t, "config.yaml", "memory: {timezone: UTC}\nmodel: {chat: some}\nsleep: {minMemories: 20}\n")
	b.Clock().Set(yearStart)
	if name != "sleep" {
		return b
	}
	return withChat(t, b, &script{reply: yearModel})
}

// yearLife is one run of the year and what it came to.
type yearLife struct {
	name    string
	bank    *banktest.Bank
	current map[string]string   // by subject what holds
	past    map[string][]string // … and what held before
	sizes   []int               // by day

	asked, found, wrongFirst                                int
	weighty, weightyAll, gists, talk, talkAll, twins, calls int
}

var (
	yearPeople = strings.Fields("Ann Bob Zoe Max Ida Tom Eve Leo Mia Sam")
	yearThings = map[string][]string{
		"lives in the town of": strings.Fields("Berlin Paris Rome Oslo Riga Bern Graz Metz Lund York"),
		"works as a":           strings.Fields("baker pilot nurse tailor painter sailor teacher lawyer farmer potter"),
		"drinks every morning": strings.Fields("tea coffee cocoa milk juice water mate kefir cider broth"),
	}
	yearTalk = strings.Fields("tram rain bread lamp river door market cloud pigeon bridge violin shoe garden letter")
)

func (l *yearLife) say(t *testing.T, text string, kind memory.Kind, weight float64) {
	if _, err := l.bank.Bank.Remember(context.Background(), plastic.Draft{Content: text, Kind: kind, Importance: &weight}); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func (l *yearLife) live(t *testing.T) {
	for day := range yearDays {
		l.bank.Clock().Set(yearStart.AddDate(0, 0, day))
		if day < holidayFirst || day > holidayLast {
			l.day(t, day)
		}
		l.bank.Clock().Set(yearStart.AddDate(0, 0, day+1).Add(-6 * time.Hour)) // 03:00
		if l.name != "no forgetting" {
			night, _, err := l.bank.Night(t.Context())
			if err != nil {
				t.Fatalf("night %d: %v", day, err)
			}
			for _, ph := range night.Phases {
				l.calls += ph.Calls
			}
		}
		l.sizes = append(l.sizes, len(l.bank.All()))
	}
	l.judge()
}

// day is what is said on one day. All is drawn from the number of the day, so that
// the three lives are the same.
func (l *yearLife) day(t *testing.T, day int) {
	for i := range 4 {
		n := day*7 + i*5
		l.say(t, fmt.Sprintf("on day %d a %s stood by the %s, said %s", day, yearTalk[n%len(yearTalk)], yearTalk[(n*3+day)%len(yearTalk)], yearPeople[n%len(yearPeople)]), memory.Event, float64(n%4)*0.08)
		l.talkAll++
	}
	if day%2 == 0 { // a fact is told, new or changed
		p := yearPeople[day/2%len(yearPeople)]
		verbs := []string{"lives in the town of", "works as a", "drinks every morning"}
		verb := verbs[day/20%len(verbs)]
		key := p + " " + verb
		value := yearThings[verb][(day/60+day/2)%10]
		if old := l.current[key]; old != "" && old != value {
			l.past[key] = append(l.past[key], old)
		}
		l.current[key] = value
		l.say(t, key+" "+value, memory.Fact, 0.5)
	}
	if day%7 == 0 {
		l.say(t, fmt.Sprintf("Ann was at the opera with Leo in week %d", day/7+1), memory.Event, 0.4)
	}
	if day%30 == 10 {
		l.say(t, fmt.Sprintf("%s trusted me with the secret number %d about a sister", yearPeople[day/30%len(yearPeople)], day), memory.Fact, 0.9)
		l.weightyAll++
	}
	if day%3 == 0 { // the bot is asked
		keys := make([]string, 0, len(l.current))
		for k := range l.current {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if len(keys) > 0 {
			_, _ = l.bank.Bank.Recall(t.Context(), plastic.Query{Text: keys[day/3%len(keys)], Limit: 1})
		}
	}
}

// judge asks for everything at the end of the year.
func (l *yearLife) judge() {
	texts := map[string]int{}
	for _, m := range l.bank.All() {
		if m.SupersededBy != "" {
			continue
		}
		texts[m.Content]++
		switch {
		case strings.Contains(m.Content, "secret number"):
			l.weighty++
		case strings.Contains(m.Content, "often at the opera"):
			l.gists++
		case strings.Contains(m.Content, " stood by "):
			l.talk++
		}
	}
	for key, value := range l.current {
		l.asked++
		got := l.bank.Recall(plastic.Query{Text: key, Limit: 3, NoRehearse: true}).Memories
		about := slices.DeleteFunc(slices.Clone(got), func(a plastic.Answer) bool { return !strings.HasPrefix(a.Content, key) })
		if slices.ContainsFunc(about, func(a plastic.Answer) bool { return a.Content == key+" "+value }) {
			l.found++
		}
		if len(about) > 0 && about[0].Content != key+" "+value {
			l.wrongFirst++
		}
		for _, old := range l.past[key] {
			l.twins += texts[key+" "+old]
		}
	}
}

func (l *yearLife) size() int { return l.sizes[len(l.sizes)-1] }

func (l *yearLife) row() string {
	return fmt.Sprintf("%-18s %8d %4d/%-3d %5d/%-3d %4d/%-3d %7d %3d/%-4d %6d %5d", l.name, l.size(), l.found, l.asked, l.wrongFirst, l.asked, l.weighty, l.weightyAll, l.gists, l.talk, l.talkAll, l.twins, l.calls)
}

var yearLine = regexp.MustCompile(`(?m)^\{"id":"([^"]+)","content":"([^"]+)".*?"created":"([^"]+)"`)

// yearModel does by rule what a sound model does: of two values of one subject the
// newer holds, a series of evenings is a habit, small talk may go.
func yearModel(phase string, _ []string, ask memory.Ask) (memory.Reply, error) {
	type told struct{ id, content, created string }
	newest, evenings := map[string]told{}, []told{}
	var ops []string
	habit := false
	for _, f := range yearLine.FindAllStringSubmatch(ask.User, -1) {
		m := told{f[1], f[2], f[3]}
		habit = habit || strings.Contains(m.content, "often at the opera")
		switch {
		case phase == "forget":
			ops = append(ops, fmt.Sprintf(`{"op":"forget","ids":[%q],"why":"small talk"}`, m.id))
		case phase != "clusters":
		case strings.Contains(m.content, "at the opera with Leo in"):
			evenings = append(evenings, m)
		default:
			key := m.content[:strings.LastIndex(m.content, " ")]
			if old, ok := newest[key]; ok && old.created < m.created && old.content != m.content && !strings.Contains(key, "on day") && !strings.Contains(key, "about a") {
				ops = append(ops, fmt.Sprintf(`{"op":"supersede","ids":[%q,%q],"why":"it has changed"}`, old.id, m.id))
			}
			newest[key] = m
		}
	}
	if len(evenings) >= 3 && !habit {
		ops = append(ops, fmt.Sprintf(`{"op":"derive","ids":[%q,%q],"content":"Ann is often at the opera with Leo","importance":0.4,"why":"a habit"}`, evenings[0].id, evenings[1].id))
	}
	return plan(ops...)
}

// yearPicture is the size of the memory over the year, a line a life.
func yearPicture(lives []*yearLife) string {
	const w, h, left, top = 940, 420, 60, 40
	most := 1
	for _, l := range lives {
		most = max(most, slices.Max(l.sizes))
	}
	x := func(day int) float64 { return left + float64(day)*(w-left-190)/yearDays }
	y := func(n int) float64 { return h - 40 - float64(n)*(h-40-top)/float64(most) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13"><rect width="%d" height="%d" fill="#fff"/>`, w, h, w, h)
	fmt.Fprintf(&b, `<rect x="%.0f" y="%d" width="%.0f" height="%d" fill="#eee"/><text x="%.0f" y="%d" fill="#777">holiday</text>`, x(holidayFirst), top, x(holidayLast)-x(holidayFirst), h-40-top, x(holidayFirst)+4, top+16)
	fmt.Fprintf(&b, `<text x="%d" y="22" font-size="15">Memories over a year of a scripted bot</text>`, left)
	for i := 0; i <= 4; i++ {
		n := most * i / 4
		fmt.Fprintf(&b, `<line x1="%d" x2="%.0f" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end" fill="#555">%d</text>`, left, x(yearDays), y(n), y(n), left-6, y(n)+4, n)
	}
	for m := 0; m < 12; m += 2 {
		at := yearStart.AddDate(0, m, 0)
		fmt.Fprintf(&b, `<text x="%.0f" y="%d" fill="#555">%s</text>`, x(int(at.Sub(yearStart).Hours()/24)), h-20, at.Format("Jan"))
	}
	for i, l := range lives {
		colour := []string{"#888", "#c60", "#06a"}[i]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
		for day, n := range l.sizes {
			fmt.Fprintf(&b, "%.1f,%.1f ", x(day), y(n))
		}
		fmt.Fprintf(&b, `"/><text x="%.0f" y="%.1f" fill="%s">%s: %d</text>`, x(yearDays)+6, y(l.size())+float64(4+14*(i-1)), colour, l.name, l.size())
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func TestThePictureOfAYearIsAnSVG(t *testing.T) {
	l := &yearLife{name: "x", sizes: []int{1, 2, 3}}
	if p := yearPicture([]*yearLife{l}); !strings.HasPrefix(p, "<svg ") || !strings.Contains(p, "x: 3</text>") {
		t.Errorf("%s in %s", p, filepath.Base("year.svg"))
	}
}
