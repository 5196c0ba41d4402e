// Package config reads config.yaml: what a memory folder may be told about
// itself, typed and checked. Every key has a default, so a folder without the
// file, or with an empty or wholly commented one, works. Nothing odd slips
// through: a value is read in its obvious sense or refused with its key, its
// line and what would do, all faults of a file in one pass. The package never
// reads or writes a memory, opens no connection and runs no command; it changes
// no file but config.yaml and this machine's own list of what was allowed.
//
//	c, err := config.Load(dir)
//	if err != nil { … }            // errors.Is(err, memory.ErrInvalid); config.Problems(err) for the parts
//	c = c.Restrict(config.Held(dir, c)...)
//	night := time.Date(y, m, d, c.Memory.ConsolidateHour, 0, 0, 0, c.Memory.Location())
package config

import (
	"maps"
	"slices"
	"time"

	"plastic/memory"
)

// FileName is the name of the settings file in a memory folder.
const FileName = "config.yaml"

// Config holds every setting, checked. Treat one that Load, Parse or Live gave
// as read-only: other readers share it. With makes a changed copy.
type Config struct {
	Memory  Memory
	Recall  Recall
	Prompt  Prompt
	Card    Card
	Model   Model
	Channel Channel
	Sleep   Sleep
	Server  Server
	MCP     MCP
	Git     Git

	// Where the environment overrode the file, file is what stood there before
	// and env names the variable for each key. Both are nil without overrides.
	file *Config
	env  map[string]string
}

// Memory is the section memory: layers, fading, the night, the size of things.
type Memory struct {
	AnchorCount          int
	RecentCount          int
	ImportanceThreshold  float64 // 0…1
	RecallPromotionCount int
	DecayHalfLifeDays    float64 // days
	KeepFraction         float64 // 0…1
	ConsolidateHour      int     // 0…23, in Location
	InjectLimit          int
	PublicTopK           int
	PromptBudget         int     // characters
	CoreShare            float64 // 0…1 of PromptBudget
	DedupeJaccard        float64 // 0…1
	AgeFrom              string  // touch or created
	Rehearse             string  // recall, always or never
	ArchiveTTL           Duration
	MaxContent           int // characters
	Timezone             string
	Kinds                map[memory.Kind]KindRule

	loc *time.Location // of Timezone, when it was checked
}

// KindRule says how memories of one kind differ from a fact.
type KindRule struct {
	Fade float64 // how many times faster they fade; 1 is a fact
}

// Recall is the section recall: the explicit query.
type Recall struct {
	Formula    string  // bounded, mixture or product
	Floor      float64 // 0…1 of the best relevance
	Limit      int
	MaxFacts   int
	MaxTokens  int
	Fusion     string  // blend or rrf
	CosineZero float64 // the cosine of unrelated texts, below CosineOne
	CosineOne  float64
}

// Prompt is the section prompt: what comes to mind in a turn.
type Prompt struct {
	Formula string // mixture, bounded or product
	Fill    bool
}

// Card is the section card.
type Card struct {
	Path      string // relative to the folder
	Audience  memory.Audience
	SoftLimit int // bytes
}

// Channel is the section channel: what the automatic path does.
type Channel struct {
	Enabled bool
	Recall  string // always, session or off
	Retain  bool
}

// Sleep is the section sleep: consolidation with a model.
type Sleep struct {
	Enabled        bool
	Model          string // "" is Model.Chat
	Effort         string
	IdleFor        Duration
	MinMemories    int
	ClusterJaccard float64
	ClusterCosine  float64
	MaxCluster     int
	MaxOps         int
	MaxForget      int
	KeepRecent     Duration
	DryRun         bool
	Persona        string   // a file, relative to the folder
	Notify         []string // a program and its arguments, nil for none
	After          []string // a program and its arguments, nil for none
}

// Server is the section server.
type Server struct {
	Listen string // host:port
	Tokens []Token
}

// Token is a bearer token of the server. The secret itself is in the variable
// Env of the environment or of .env, never in config.yaml.
type Token struct {
	Name     string
	Env      string
	Audience memory.Audience
}

// MCP is the section mcp. Names gives other tool names by verb (remember,
// recall, update, forget, list, card, consolidate); nil for none.
type MCP struct {
	Audience memory.Audience
	Names    map[string]string
}

// Git is the section git.
type Git struct {
	CommitNights bool
}

// Default gives the settings of a folder that says nothing.
func Default() *Config {
	return &Config{
		Memory: Memory{
			AnchorCount: 8, RecentCount: 12, ImportanceThreshold: 0.75, RecallPromotionCount: 3,
			DecayHalfLifeDays: 21, KeepFraction: 0.35, ConsolidateHour: 3, InjectLimit: 10, PublicTopK: 3,
			PromptBudget: 8000, CoreShare: 0.6, DedupeJaccard: 0.7, AgeFrom: "touch", Rehearse: "recall",
			ArchiveTTL: 90 * Day, MaxContent: 4000, Timezone: "Local",
			Kinds: map[memory.Kind]KindRule{memory.Event: {Fade: 4}},
		},
		Recall: Recall{
			Formula: "bounded", Floor: 0.15, Limit: 10, MaxFacts: 6, MaxTokens: 400,
			Fusion: "blend", CosineZero: 0.4, CosineOne: 1,
		},
		Prompt: Prompt{Formula: "mixture", Fill: true},
		Card:   Card{Path: "memory.md", Audience: memory.Trusted, SoftLimit: 4096},
		Model: Model{
			APIKeyEnv: defaultKeyEnv, Rerank: "off",
			Timeout: 60 * Second, ReadTimeout: 3 * Second, SendPrivate: true,
		},
		Channel: Channel{Enabled: true, Recall: "always", Retain: true},
		Sleep: Sleep{
			Enabled: true, Effort: "high", IdleFor: 10 * Minute, MinMemories: 20, ClusterJaccard: 0.5,
			ClusterCosine: 0.82, MaxCluster: 12, MaxOps: 40, MaxForget: 10, KeepRecent: 2 * Day,
		},
		Server: Server{Listen: "127.0.0.1:7433"},
		MCP:    MCP{Audience: memory.Trusted},
	}
}

// With gives a copy in which key (as in Keys; also one entry of a map, such as
// memory.kinds.event.fade) has the value that text says. Lists and maps are
// written as in YAML: [a, b]. It fails as Parse does, with the same checks.
func (c *Config) With(key, text string) (*Config, error) {
	return c.WithAll([]Change{{Key: key, Value: text}})
}

// Change is one key and the text of its value.
type Change struct{ Key, Value string }

// WithAll is With for several keys, checked together at the end.
func (c *Config) WithAll(changes []Change) (*Config, error) {
	out := c.clone()
	errs := out.change(changes)
	if len(errs) == 0 {
		errs = out.crossCheck()
	}
	if len(errs) > 0 {
		return nil, joined(errs)
	}
	return out, nil
}

func (c *Config) change(changes []Change) []*Error {
	var errs []*Error
	for _, ch := range changes {
		errs = append(errs, c.setText(ch.Key, ch.Value)...)
		if c.file != nil {
			c.file.setText(ch.Key, ch.Value)
		}
	}
	return errs
}

// Check reports, as Parse would, every value of a Config built in code that is
// out of its range. What Load, Parse and With give has passed it.
func (c *Config) Check() error {
	scratch := Default()
	var errs []*Error
	for i := range fields {
		f := &fields[i]
		errs = append(errs, scratch.setText(f.name, f.text(c))...)
	}
	if len(errs) == 0 {
		errs = c.crossCheck()
	}
	return joined(errs)
}

// crossCheck holds what one key can not say alone.
func (c *Config) crossCheck() []*Error {
	if c.Recall.CosineZero < c.Recall.CosineOne {
		return nil
	}
	return []*Error{{
		Key: "recall.cosineZero", Value: formatNumber(c.Recall.CosineZero),
		Want: "a number below recall.cosineOne (" + formatNumber(c.Recall.CosineOne) + ")",
	}}
}

func (c *Config) clone() *Config {
	out := *c
	out.Memory.Kinds = maps.Clone(c.Memory.Kinds)
	out.Sleep.Notify = slices.Clone(c.Sleep.Notify)
	out.Sleep.After = slices.Clone(c.Sleep.After)
	out.Server.Tokens = slices.Clone(c.Server.Tokens)
	out.MCP.Names = maps.Clone(c.MCP.Names)
	if c.file != nil {
		out.file = c.file.clone()
	}
	return &out
}
