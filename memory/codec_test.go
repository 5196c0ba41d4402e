package memory_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"plastic/memory"
)

var born = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)

func full() memory.Memory {
	return memory.Memory{
		ID: "k3v9x2", Content: "a<b & c>d «да» 日本 \"q\" \\ \n\t\x01\u2028😀", Kind: "event", Importance: 0.3, Pinned: true, Private: true,
		CreatedAt: born, UpdatedAt: born.Add(time.Hour), RecallCount: 4, LastRecalledAt: born.Add(2 * time.Hour),
		ConsolidatedAt: born.Add(3 * time.Hour), ValidTo: born.Add(4 * time.Hour), SupersededBy: "z", Source: "import:x", Session: "s1", Speaker: "@ann",
		Extra: map[string]json.RawMessage{"mood": json.RawMessage(`"calm"`), "aa": json.RawMessage(`[1,{"b":null}]`)},
	}
}

func TestALineSaysAllFieldsInOrder(t *testing.T) {
	m := full()
	got := string(memory.AppendJSON(nil, &m))
	want := `{"id":"k3v9x2","content":"a<b & c>d «да» 日本 \"q\" \\ \n\t\u0001` + "\u2028" + `😀","kind":"event","importance":0.3,"pinned":true,"private":true,` +
		`"createdAt":"2026-03-01T08:00:00Z","updatedAt":"2026-03-01T09:00:00Z","recallCount":4,"lastRecalledAt":"2026-03-01T10:00:00Z",` +
		`"consolidatedAt":"2026-03-01T11:00:00Z","validTo":"2026-03-01T12:00:00Z","supersededBy":"z","source":"import:x","session":"s1","speaker":"@ann",` +
		`"aa":[1,{"b":null}],"mood":"calm"}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	back, err := memory.ParseJSON([]byte(got))
	if err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("read back as %#v, %v", back, err)
	}
}

func TestEmptyFieldsAreLeftOut(t *testing.T) {
	m := memory.Memory{ID: "a", Content: "tea", Importance: 0.5, CreatedAt: born}
	got := string(memory.AppendJSON(nil, &m))
	if got != `{"id":"a","content":"tea","kind":"fact","importance":0.5,"createdAt":"2026-03-01T08:00:00Z"}` {
		t.Error(got)
	}
}

// Each row: what a hand or another tool wrote, and the canonical line of it.
func TestLenientReading(t *testing.T) {
	const head, tail = `{"id":"a","content":"tea","kind":"fact","importance":0.5,`, `}`
	at := func(s string) string { return head + `"createdAt":"` + s + `"` + tail }
	none := head + `"createdAt":""` + tail
	rows := []struct{ name, in, want string }{
		{"text for content", `{"id":"a","text":"tea"}`, none},
		{"any layout", "{ \"text\" :\n \"tea\" ,\n\t\"id\":\"a\" }\r\n", none},
		{"comments and commas", "{,\"id\":\"a\", // mine\n\"text\":\"tea\",/* x */}", none},
		{"epoch ms", `{"id":"a","text":"tea","createdAt":1772352000000}`, at("2026-03-01T08:00:00Z")},
		{"epoch s", `{"id":"a","text":"tea","createdAt":1772352000}`, at("2026-03-01T08:00:00Z")},
		{"epoch s with fraction", `{"id":"a","text":"tea","createdAt":1772352000.75}`, at("2026-03-01T08:00:00Z")},
		{"digit string", `{"id":"a","text":"tea","createdAt":"1772352000000"}`, at("2026-03-01T08:00:00Z")},
		{"zone", `{"id":"a","text":"tea","createdAt":"2026-03-01T11:00:00.9+03:00"}`, at("2026-03-01T08:00:00Z")},
		{"date", `{"id":"a","text":"tea","createdAt":"2026-03-01"}`, at("2026-03-01T00:00:00Z")},
		{"leap day", `{"id":"a","text":"tea","createdAt":"2024-02-29T00:00:00Z"}`, at("2024-02-29T00:00:00Z")},
		{"no such day is kept as said", `{"id":"a","text":"tea","createdAt":"2026-02-30T00:00:00Z"}`, at("2026-02-30T00:00:00Z")},
		{"year 60000 is kept as said", `{"id":"a","text":"tea","createdAt":1830000000000000}`, head + `"createdAt":1830000000000000}`},
		{"Go's zero time is not set", `{"id":"a","text":"tea","createdAt":"0001-01-01T00:00:00Z"}`, none},
		{"odd importance", `{"id":"a","text":"tea","importance":"high"}`, strings.Replace(none, "0.5", `"high"`, 1)},
		{"importance over 1", `{"id":"a","text":"tea","importance":7}`, strings.Replace(none, "0.5", `7`, 1)},
		{"importance as text", `{"id":"a","text":"tea","importance":"0.7"}`, strings.Replace(none, "0.5", `0.7`, 1)},
		{"importance NaN", `{"id":"a","text":"tea","importance":NaN}`, strings.Replace(none, "0.5", `"NaN"`, 1)},
		{"private null", `{"id":"a","text":"tea","private":null}`, strings.Replace(none, `"createdAt"`, `"private":null,"createdAt"`, 1)},
		{"private 0", `{"id":"a","text":"tea","private":0}`, strings.Replace(none, `"createdAt"`, `"private":0,"createdAt"`, 1)},
		{"private false in quotes", `{"id":"a","text":"tea","private":"false"}`, strings.Replace(none, `"createdAt"`, `"private":"false","createdAt"`, 1)},
		{"private false", `{"id":"a","text":"tea","private":false}`, none},
		{"id is a number", `{"id":5,"text":"tea"}`, strings.Replace(none, `"a"`, `"5"`, 1)},
		{"id with a line break", `{"id":"a\nb","text":"tea"}`, strings.Replace(none, `"a"`, `"a\nb"`, 1)},
		{"count as text", `{"id":"a","text":"tea","recallCount":"3"}`, none[:len(none)-1] + `,"recallCount":3}`},
		{"odd count", `{"id":"a","text":"tea","recallCount":-2}`, none[:len(none)-1] + `,"recallCount":-2}`},
		{"null says nothing", `{"id":"a","text":"tea","speaker":null,"kind":null,"importance":null}`, none},
		{"half surrogate", `{"id":"a","text":"fox \ud83e tail"}`, strings.Replace(none, "tea", "fox \uFFFD tail", 1)},
		{"whole surrogate pair", `{"id":"a","text":"\ud83e\udd8a"}`, strings.Replace(none, "tea", "🦊", 1)},
		{"bytes that are not UTF-8", "{\"id\":\"a\",\"text\":\"x\xff\"}", strings.Replace(none, "tea", "x\uFFFD", 1)},
		{"a stray backslash", `{"id":"a","text":"C:\dir"}`, strings.Replace(none, "tea", `C:\\dir`, 1)},
		{"unknown fields, sorted", `{"z": [1, 2],"id":"a","text":"tea","b":{"x" : tru,}}`, none[:len(none)-1] + `,"b":"{\"x\" : tru,}","z":[1,2]}`},
		{"both text and content", `{"id":"a","text":"t","content":"tea"}`, none[:len(none)-1] + `,"text":"t"}`},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			m, err := memory.ParseJSON([]byte(r.in))
			if err != nil {
				t.Fatal(err)
			}
			got := string(memory.AppendJSON(nil, &m))
			if got != r.want {
				t.Errorf("\n got %s\nwant %s", got, r.want)
			}
		})
	}
}

func TestAnOddValueYieldsToAChangeOnPurpose(t *testing.T) {
	m, err := memory.ParseJSON([]byte(`{"id":"a","text":"tea","importance":7,"private":"yes"}`))
	if err != nil || m.Importance != 1 || !m.Private {
		t.Fatalf("%+v %v", m, err)
	}
	m.Importance, m.Private = 0.2, false
	if got := string(memory.AppendJSON(nil, &m)); got != `{"id":"a","content":"tea","kind":"fact","importance":0.2,"createdAt":""}` {
		t.Error(got)
	}
}

func TestWhatIsNoMemoryFails(t *testing.T) {
	for _, in := range []string{``, `null`, `42`, `"note"`, `[]`, `{}`, `{"id":"a"}`, `{"content":5}`, `{"content":null,"text":"x"}`, `{"content":"x"`,
		`{"content":"x"}{`, `{"content":"x` + "\n" + `y"}`, `{"content"}`, `{"a":[}`, `{"content":"x","a":}`} {
		if m, err := memory.ParseJSON([]byte(in)); err == nil {
			t.Errorf("%s read as %+v", in, m)
		}
	}
}

func TestArchiveEntriesComeBack(t *testing.T) {
	m := full()
	for _, a := range []memory.Archived{
		{Memory: m, ArchivedAt: born, As: memory.Forgotten, By: "cli", Why: "no longer \"true\""},
		{Memory: memory.Memory{ID: "x"}, ArchivedAt: born, As: memory.Pruned},
		{Memory: m, ArchivedAt: born, As: memory.Version, Extra: map[string]json.RawMessage{"mood": json.RawMessage(`"calm"`), "<a>": json.RawMessage(`[1,{"b":null}]`)}},
		{Memory: memory.Memory{ID: "x"}, RestoredAt: born},
	} {
		line := memory.AppendArchived(nil, &a)
		back, err := memory.ParseArchived(line)
		if err != nil || !reflect.DeepEqual(back, a) {
			t.Errorf("%s\nread as %+v, %v", line, back, err)
		}
	}
	if _, err := memory.ParseArchived([]byte(`{"as":"forgotten"}`)); err == nil {
		t.Error("an entry that names nothing was read")
	}
	// What is whole and no entry is stepped over as one, what is cut off is not.
	for in, want := range map[string]int{`{"memory":null,"as":"forgotten"}`: 32, `{"memory":5}`: 12, `{"memory":["x"]}`: 16, `{"memory":{"id":"a"},"as":"version"}`: 36, `{"memory":null,"as":`: 0, `{"memory":{"id":"a","content":"te`: 0} {
		if _, n, err := memory.ParseArchivedPrefix(in + ",{}"); err == nil || n != want {
			t.Errorf("%s: %d bytes, error %v; want %d and an error", in, n, err, want)
		}
	}
	deep := strings.Repeat(`{"memory":`, 100000) + `1` + strings.Repeat(`}`, 100000)
	if _, err := memory.ParseArchived([]byte(deep)); err == nil {
		t.Error("a nest was read")
	}
}

// The law: what was read is written so that it is read the same, and writing
// what was read twice gives the same line; a line has no line break.
func FuzzLine(f *testing.F) {
	m := full()
	f.Add(memory.AppendJSON(nil, &m))
	f.Add([]byte(`{"id":"a","text":"tea","importance":1e400,"private":{},"x":[1,],"createdAt":-62135596800}`))
	f.Add([]byte("{\"text\":\"\xff\\ud83e\",\"y\":\"\\ud83e\", \"\xfe\":1//c\n}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := memory.ParseJSON(in)
		if err != nil {
			return
		}
		line := memory.AppendJSON(nil, &m)
		if strings.ContainsAny(string(line), "\n\r") || !json.Valid(line) {
			t.Fatalf("not one line of JSON: %q", line)
		}
		back, err := memory.ParseJSON(line)
		if err != nil || !reflect.DeepEqual(m, back) {
			t.Fatalf("%q\nread as %#v\nthen as %#v, %v", in, m, back, err)
		}
		if again := memory.AppendJSON(nil, &back); string(again) != string(line) {
			t.Fatalf("%q then %q", line, again)
		}
	})
}

func FuzzArchivedLine(f *testing.F) {
	f.Add([]byte(`{"memory":{"id":"a","content":"x"},"archivedAt":"2026-01-01T00:00:00Z","as":"version"}`))
	f.Add([]byte(`{"id":"a","restoredAt":5}`))
	f.Add([]byte(`{"memory":{"id":"a","content":"x"},"as":"version","mood": [ 1, "\ud800" ]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		a, err := memory.ParseArchived(in)
		if err != nil {
			return
		}
		line := memory.AppendArchived(nil, &a)
		back, err := memory.ParseArchived(line)
		if err != nil || a.Textless() != back.Textless() || !a.Textless() && !reflect.DeepEqual(a, back) {
			t.Fatalf("%q\nread as %#v\nthen as %#v, %v", in, a, back, err)
		}
	})
}

func lines(n int) (string, int) {
	var b []byte
	for i := range n {
		m := memory.Memory{ID: fmt.Sprintf("m%06d", i), Content: strings.Repeat("大肥魚 likes tea кошка ", 1+i%12), Kind: "fact", Importance: 0.5, CreatedAt: born.Add(time.Duration(i) * time.Minute), RecallCount: i % 4}
		b = append(memory.AppendJSON(b, &m), '\n')
	}
	return string(b), len(b)
}

func BenchmarkParse(b *testing.B) {
	s, size := lines(10000)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for i := 0; i < len(s); {
			_, n, err := memory.ParsePrefix(s[i:])
			if err != nil {
				b.Fatal(err)
			}
			i += n + 1
		}
	}
}

func BenchmarkParseEncodingJSON(b *testing.B) {
	s, size := lines(10000)
	b.SetBytes(int64(size))
	type plain struct {
		ID, Content, Kind string
		Importance        float64
		CreatedAt         time.Time
		RecallCount       int
	}
	for b.Loop() {
		for l := range strings.Lines(s) {
			var m plain
			if err := json.Unmarshal([]byte(l), &m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	m := full()
	m.Extra = nil
	var buf []byte
	for b.Loop() {
		buf = memory.AppendJSON(buf[:0], &m)
	}
	b.SetBytes(int64(len(buf)))
}
