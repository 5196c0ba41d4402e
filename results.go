package plastic

import (
	"encoding/json"
	"time"

	"plastic/layers"
	"plastic/memory"
	"plastic/recall"
	"plastic/sleep"
)

// Time is a time as the doors write it: RFC 3339, UTC, seconds; null when unset.
type Time struct{ time.Time }

// MarshalJSON writes null for the zero time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.UTC().AppendFormat(nil, `"2006-01-02T15:04:05Z07:00"`), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		t.Time = time.Time{}
		return nil
	}
	return t.Time.UnmarshalJSON(b)
}

// Memory is a memory as every door answers with it: what is stored, and where
// it stands today.
type Memory struct {
	ID             string       `json:"id"`
	Content        string       `json:"content"`
	Kind           memory.Kind  `json:"kind"`
	Importance     float64      `json:"importance"`
	Pinned         bool         `json:"pinned"`
	Private        bool         `json:"private"`
	CreatedAt      Time         `json:"createdAt"`
	UpdatedAt      Time         `json:"updatedAt"`
	RecallCount    int          `json:"recallCount"`
	LastRecalledAt Time         `json:"lastRecalledAt"`
	ValidTo        Time         `json:"validTo"`
	SupersededBy   string       `json:"supersededBy"`
	Source         string       `json:"source"`
	Session        string       `json:"session"`
	Speaker        string       `json:"speaker"`
	Layer          layers.Layer `json:"layer"`
	Clarity        float64      `json:"clarity"` // 0…1
}

func answer(m *memory.Memory, s layers.Standing) Memory {
	return Memory{
		ID: m.ID, Content: m.Content, Kind: m.Kind, Importance: m.Importance, Pinned: m.Pinned, Private: m.Private,
		CreatedAt: Time{m.CreatedAt}, UpdatedAt: Time{m.UpdatedAt}, RecallCount: m.RecallCount, LastRecalledAt: Time{m.LastRecalledAt},
		ValidTo: Time{m.ValidTo}, SupersededBy: m.SupersededBy, Source: m.Source, Session: m.Session, Speaker: m.Speaker,
		Layer: s.Layer, Clarity: s.Clarity,
	}
}

// Parts are the addends and factors of a score, by name.
type Parts = recall.Parts

// Similar is a memory near a text that was just written.
type Similar struct {
	ID         string  `json:"id"`
	Content    string  `json:"content"`
	Similarity float64 `json:"similarity"` // Jaccard of the stems, 0…1
}

// Outcome says what became of a remembered text.
type Outcome string

// A text either became a memory of its own or strengthened one that says the same.
const (
	Created    Outcome = "created"
	Reinforced Outcome = "reinforced"
)

// Remembered answers Remember.
type Remembered struct {
	ID      string    `json:"id"`
	Outcome Outcome   `json:"outcome"`
	Memory  Memory    `json:"memory"`
	Similar []Similar `json:"similar"`
}

// Answer is one memory that answers a query.
type Answer struct {
	Memory
	Score     float64 `json:"score"`
	Relevance float64 `json:"relevance"` // 0…1, the best of a query is 1
	Parts     Parts   `json:"parts"`     // addends and factors of the score, by name
}

// Dropped is a candidate that was found and not returned.
type Dropped struct {
	ID        string  `json:"id"`
	Relevance float64 `json:"relevance"`
	Why       string  `json:"why"`
	Parts     Parts   `json:"parts"`
}

// Recalled answers Recall.
type Recalled struct {
	Query    string    `json:"query"`
	Now      Time      `json:"now"`
	Memories []Answer  `json:"memories"`
	Withheld int       `json:"withheld"` // 1 when private memories are kept back from this audience
	Degraded string    `json:"degraded"` // why a configured model was not used, or ""
	Dropped  []Dropped `json:"dropped,omitempty"`
}

// Left counts what the prompt section had no room for.
type Left struct {
	Core     int `json:"core"`
	Recalled int `json:"recalled"`
}

// Section answers Prompt: what goes into the system prompt.
type Section struct {
	Text     string   `json:"section"`
	IDs      []string `json:"ids"`
	Left     Left     `json:"left"`
	Withheld int      `json:"withheld"`
	Degraded string   `json:"degraded"`
	Sleeping bool     `json:"sleeping"`
}

// Updated answers Update.
type Updated struct {
	Memory  Memory    `json:"memory"`
	Similar []Similar `json:"similar"`
}

// Forgotten answers Forget.
type Forgotten struct {
	IDs      []string `json:"forgotten"`
	Warnings []string `json:"warnings,omitempty"`
}

// Restored answers Restore.
type Restored struct {
	IDs []string `json:"restored"`
}

// Listing answers List.
type Listing struct {
	Memories []Memory `json:"memories"`
}

// Shown answers Show.
type Shown struct {
	Memory Memory `json:"memory"`
}

// ArchiveEntry is one thing that left the memory.
type ArchiveEntry struct {
	Memory     Memory    `json:"memory"`
	ArchivedAt Time      `json:"archivedAt"`
	As         memory.As `json:"as"`
	By         string    `json:"by"`
	Why        string    `json:"why"`
}

// ArchiveListing answers Archive.
type ArchiveListing struct {
	Archive []ArchiveEntry `json:"archive"`
}

// Compressed answers Compress: one night's compression.
type Compressed struct {
	Date     string      `json:"date"`   // local date the night belongs to
	Before   int         `json:"before"` // entries of memory.json; Before − After = Pruned
	After    int         `json:"after"`
	Pruned   int         `json:"pruned"`
	Promoted int         `json:"promoted"`
	Archived []string    `json:"archived"` // ids that went to the archive
	Raised   []string    `json:"raised"`   // ids whose importance rose to the threshold
	Reasons  []NightItem `json:"reasons"`  // why, of each of Archived and then of Raised
	DryRun   bool        `json:"dryRun"`
	Done     bool        `json:"done"` // the night of Date is done, by this call or before it
}

// Night is one whole night: what a model did in its phases, if one is
// configured, and the compression.
type Night struct {
	Date     string     `json:"date"` // local date
	Started  Time       `json:"started"`
	Ended    Time       `json:"ended"`
	DryRun   bool       `json:"dryRun"`
	Phases   []Phase    `json:"phases"`
	First    int        `json:"first,omitempty"` // the number of its first operation among those of the date, as UndoOperation counts them; 0: it is the first night of the date
	Compress Compressed `json:"compress"`
}

// Phase is one phase of a night that asked a model.
type Phase struct {
	Name   string `json:"name"` // clusters, forget or overview; after: the command of sleep.after
	Calls  int    `json:"calls"`
	Ops    []Op   `json:"ops"`
	Failed string `json:"failed,omitempty"` // what went wrong; other calls may have gone well

	Settled []sleep.Mark      `json:"settled,omitempty"` // looked at and left as they were
	Early   []string          `json:"early,omitempty"`   // looked at, where something was too young to be changed
	Judged  map[string]string `json:"judged,omitempty"`  // candidates that stay, and the sums of their texts
}

// Op is one operation that a model proposed, and what became of it.
type Op struct {
	Op         string            `json:"op"`
	IDs        []string          `json:"ids"`
	Content    string            `json:"content,omitempty"`
	Contents   []string          `json:"contents,omitempty"`
	Kind       memory.Kind       `json:"kind,omitempty"`
	Importance *float64          `json:"importance,omitempty"`
	Why        string            `json:"why"`
	Applied    bool              `json:"applied"`
	Refused    string            `json:"refused"`          // why it was not applied, or ""
	Reject     bool              `json:"reject,omitempty"` // in a plan: a person does not want it, now or later
	Before     []json.RawMessage `json:"before,omitempty"` // the memories it named, as memory.json had them
	After      []json.RawMessage `json:"after,omitempty"`  // … and as it leaves them; what is missing went to the archive
}

// ForecastDay is one coming night.
type ForecastDay struct {
	Date     string `json:"date"`
	Before   int    `json:"before"`
	After    int    `json:"after"`
	Pruned   int    `json:"pruned"`
	Promoted int    `json:"promoted"`
}

// Forecast answers Forecast: what the coming nights take, and what other
// parameters would change.
type Forecast struct {
	Days     []ForecastDay `json:"days"`
	Gone     []Memory      `json:"gone"`
	Compared *Compared     `json:"compared,omitempty"`
}

// Compared is the same forecast under other parameters.
type Compared struct {
	Set  map[string]string `json:"set"`
	Days []ForecastDay     `json:"days"`
	Gone []Memory          `json:"gone"`
}

// Vectors counts the embeddings at hand.
type Vectors struct {
	Model   string `json:"model"`
	Have    int    `json:"have"`
	Missing int    `json:"missing"`
}

// CardSize is the size of the card in three units.
type CardSize struct {
	Bytes  int `json:"bytes"`
	Runes  int `json:"runes"`
	Tokens int `json:"tokens"` // an estimate
}

// Channel says what the automatic path does.
type Channel struct {
	Enabled bool   `json:"enabled"`
	Recall  string `json:"recall"` // always, session or off
	Retain  bool   `json:"retain"`
}

// Problem is something wrong with the folder, and what to do about it.
type Problem struct {
	Code    string `json:"code"`
	Path    string `json:"path"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Fixed   bool   `json:"fixed"`
}

// Stats answers Stats, over what the audience may see.
type Stats struct {
	Dir        string         `json:"dir"`
	Memories   int            `json:"memories"`
	Live       int            `json:"live"`
	Superseded int            `json:"superseded"`
	Layers     map[string]int `json:"layers"`
	Kinds      map[string]int `json:"kinds"`
	Archive    int            `json:"archive"`
	Queue      int            `json:"queue"`
	SetAside   int            `json:"setAside"`
	Vectors    Vectors        `json:"vectors"`
	Card       CardSize       `json:"card"`
	LastNight  string         `json:"lastNight"` // local date, or ""
	NextNight  Time           `json:"nextNight"`
	Timezone   string         `json:"timezone"`
	Channel    Channel        `json:"channel"`
	Problems   []Problem      `json:"problems"`
}

// Refusal is an item of an import that was not taken.
type Refusal struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// Imported answers Import.
type Imported struct {
	Imported int        `json:"imported"`
	Skipped  int        `json:"skipped"`
	Refused  []Refusal  `json:"refused"`
	Notes    []string   `json:"notes"`   // what was left out and why, a sentence each
	Tonight  Compressed `json:"tonight"` // the night to come, as it stands now
	DryRun   bool       `json:"dryRun"`
}

// Checked answers Doctor.
type Checked struct {
	OK       bool      `json:"ok"`
	Problems []Problem `json:"problems"`
}

// CardText is the card as it stands.
type CardText struct {
	Text string   `json:"text"`
	Hash string   `json:"hash"` // of the bytes; a write names the hash it read
	Size CardSize `json:"size"`
}
