package config

import (
	"strings"

	"plastic/memory"
)

// Key describes one setting.
type Key struct {
	Name    string // section.key
	Default string // as written in config.yaml
	Meaning string // one sentence
	Range   string // what it takes: "a whole number from 0 to 23"
}

// Keys gives every key in the order of the file.
func Keys() []Key {
	keys := make([]Key, len(fields))
	for i := range fields {
		f := &fields[i]
		keys[i] = Key{Name: f.name, Default: f.def, Meaning: f.meaning, Range: f.want()}
	}
	return keys
}

// field is a row of the table that reading, checking, writing and explaining
// all go by.
type field struct {
	name, def, meaning string

	at     func(*Config) any             // pointer to the value
	lo, hi float64                       // of numbers; of durations in seconds
	words  []string                      // of strings that take one of a few
	plain  func(string) string           // turns another way to write it into the plain one
	read   func(string) (string, *fault) // of strings with a form of their own
	accept string                        // what a string with read, or a list, takes
}

// want is the range in words.
func (f *field) want() string {
	if f.accept != "" {
		return f.accept
	}
	switch f.at(new(Config)).(type) {
	case *int:
		return "a whole number from " + formatNumber(f.lo) + " to " + formatNumber(f.hi)
	case *float64:
		return "a number from " + formatNumber(f.lo) + " to " + formatNumber(f.hi)
	case *Duration:
		return "a duration from " + secondsText(f.lo) + " to " + secondsText(f.hi) + ", with its unit (30d, 12h, 90m, 10s)"
	case *bool:
		return "true or false"
	}
	if n := len(f.words) - 1; n > 0 {
		return strings.Join(f.words[:n], ", ") + " or " + f.words[n]
	}
	return "text"
}

func secondsText(s float64) string { return Duration(s * float64(Second)).String() }

func fieldOf(name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// isMap reports whether entries of the value have keys of their own.
func (f *field) isMap() bool {
	switch f.at(new(Config)).(type) {
	case *map[memory.Kind]KindRule, *map[string]string:
		return true
	}
	return false
}

// isList reports whether the value is a list.
func (f *field) isList() bool {
	switch f.at(new(Config)).(type) {
	case *[]string, *[]Token:
		return true
	}
	return false
}

const (
	century = 36500 * 86400.0 // seconds

	wantURL     = "an http or https address without credentials"
	wantEnvName = "the name of an environment variable in capitals (never the key itself)"
	wantModel   = "the name of a model"
	wantCommand = "a program and its arguments as a list, or one command line for the shell"
)

var (
	sectionNames = []string{"memory", "recall", "prompt", "card", "model", "channel", "sleep", "server", "mcp", "git"}

	formulas  = []string{"bounded", "mixture", "product"}
	audiences = []string{string(memory.Trusted), string(memory.Owner), string(memory.Public)}
	efforts   = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}
	toolVerbs = []string{"remember", "recall", "update", "forget", "list", "card", "consolidate"}
)

var fields = []field{
	{name: "memory.anchorCount", def: "8", meaning: "how many of the earliest memories never fade",
		at: func(c *Config) any { return &c.Memory.AnchorCount }, hi: 100000},
	{name: "memory.recentCount", def: "12", meaning: "how many of the newest memories stay clear",
		at: func(c *Config) any { return &c.Memory.RecentCount }, hi: 100000},
	{name: "memory.importanceThreshold", def: "0.75", meaning: "from this importance on a memory is important and never fades",
		at: func(c *Config) any { return &c.Memory.ImportanceThreshold }, hi: 1, plain: percentPlain},
	{name: "memory.recallPromotionCount", def: "3", meaning: "recalled this often, a memory becomes important for good",
		at: func(c *Config) any { return &c.Memory.RecallPromotionCount }, lo: 1, hi: 1000000},
	{name: "memory.decayHalfLifeDays", def: "21", meaning: "how slowly the others fade, in days from the last touch",
		at: func(c *Config) any { return &c.Memory.DecayHalfLifeDays }, lo: 0.01, hi: 36500, plain: daysPlain},
	{name: "memory.keepFraction", def: "0.35", meaning: "the share of each day's fading memories that a night keeps",
		at: func(c *Config) any { return &c.Memory.KeepFraction }, hi: 1, plain: percentPlain},
	{name: "memory.consolidateHour", def: "3", meaning: "the hour of the night, in timezone",
		at: func(c *Config) any { return &c.Memory.ConsolidateHour }, hi: 23, plain: hourPlain},
	{name: "memory.injectLimit", def: "10", meaning: "how many memories besides the core come into one prompt",
		at: func(c *Config) any { return &c.Memory.InjectLimit }, hi: 1000},
	{name: "memory.publicTopK", def: "3", meaning: "how many memories the audience public gets",
		at: func(c *Config) any { return &c.Memory.PublicTopK }, hi: 1000},
	{name: "memory.promptBudget", def: "8000", meaning: "characters for memories in a prompt, the card not counted",
		at: func(c *Config) any { return &c.Memory.PromptBudget }, hi: 1000000},
	{name: "memory.coreShare", def: "0.6", meaning: "the share of promptBudget that core memories may take",
		at: func(c *Config) any { return &c.Memory.CoreShare }, hi: 1, plain: percentPlain},
	{name: "memory.dedupeJaccard", def: "0.7", meaning: "from this likeness on a new wording reinforces the old memory",
		at: func(c *Config) any { return &c.Memory.DedupeJaccard }, lo: 0.1, hi: 1, plain: percentPlain},
	{name: "memory.ageFrom", def: "touch", meaning: "age counts from the last touch, or strictly from creation",
		at: func(c *Config) any { return &c.Memory.AgeFrom }, words: []string{"touch", "created"}},
	{name: "memory.rehearse", def: "recall", meaning: "what strengthens a memory: explicit recalls, always prompts too, or never",
		at: func(c *Config) any { return &c.Memory.Rehearse }, words: []string{"recall", "always", "never"}, plain: neverPlain},
	{name: "memory.archiveTTL", def: "90d", meaning: "how long what was forgotten can be restored (0: for ever)",
		at: func(c *Config) any { return &c.Memory.ArchiveTTL }, hi: century},
	{name: "memory.maxContent", def: "4000", meaning: "the longest memory, in characters",
		at: func(c *Config) any { return &c.Memory.MaxContent }, lo: 1, hi: 1000000},
	{name: "memory.timezone", def: "Local", meaning: "the zone of nights and dates",
		at: func(c *Config) any { return &c.Memory.Timezone }, read: readZone,
		accept: "Local, the name of a time zone (Europe/Berlin) or an offset (+03:00)"},
	{name: "memory.kinds", def: "{event: {fade: 4}}", meaning: "how many times faster than a fact each kind fades",
		at: func(c *Config) any { return &c.Memory.Kinds }, lo: 0.01, hi: 1000,
		accept: "a map of kinds, each with fade from 0.01 to 1000: {event: {fade: 4}}"},

	{name: "recall.formula", def: "bounded", meaning: "what orders explicit recalls",
		at: func(c *Config) any { return &c.Recall.Formula }, words: formulas},
	{name: "recall.floor", def: "0.15", meaning: "what is under this share of the best relevance is no answer",
		at: func(c *Config) any { return &c.Recall.Floor }, hi: 1, plain: percentPlain},
	{name: "recall.limit", def: "10", meaning: "how many memories a recall returns at most",
		at: func(c *Config) any { return &c.Recall.Limit }, lo: 1, hi: 1000},
	{name: "recall.maxFacts", def: "6", meaning: "lines of a turn's injection, under the name memory",
		at: func(c *Config) any { return &c.Recall.MaxFacts }, lo: 1, hi: 1000},
	{name: "recall.maxTokens", def: "400", meaning: "tokens of a turn's injection, about",
		at: func(c *Config) any { return &c.Recall.MaxTokens }, lo: 1, hi: 1000000},
	{name: "recall.fusion", def: "blend", meaning: "how words and vectors are joined, half and half or by rank",
		at: func(c *Config) any { return &c.Recall.Fusion }, words: []string{"blend", "rrf"}},
	{name: "recall.cosineZero", def: "0.4", meaning: "the cosine of unrelated texts with this embedding model (reindex --measure)",
		at: func(c *Config) any { return &c.Recall.CosineZero }, lo: -1, hi: 1},
	{name: "recall.cosineOne", def: "1", meaning: "the cosine that counts as the same, above cosineZero",
		at: func(c *Config) any { return &c.Recall.CosineOne }, lo: -1, hi: 1},

	{name: "prompt.formula", def: "mixture", meaning: "what orders the memories of a prompt",
		at: func(c *Config) any { return &c.Prompt.Formula }, words: formulas},
	{name: "prompt.fill", def: "true", meaning: "fill up to injectLimit with pinned, important and recent memories",
		at: func(c *Config) any { return &c.Prompt.Fill }},

	{name: "card.path", def: "memory.md", meaning: "the card, relative to the folder (outside of it only once allowed)",
		at: func(c *Config) any { return &c.Card.Path }, read: readCardPath, accept: "the path of a file"},
	{name: "card.audience", def: "trusted", meaning: "the widest audience that sees the card",
		at: func(c *Config) any { return &c.Card.Audience }, words: audiences},
	{name: "card.softLimit", def: "4096", meaning: "bytes from which stats and card check call the card long",
		at: func(c *Config) any { return &c.Card.SoftLimit }, lo: 1, hi: 65536},

	{name: "model.apiBase", def: `""`, meaning: "an OpenAI-compatible endpoint, https://…/v1 (only once allowed)",
		at: func(c *Config) any { return &c.Model.APIBase }, read: readURL, accept: wantURL},
	{name: "model.apiKeyEnv", def: defaultKeyEnv, meaning: "the variable with the key, in the environment or in .env",
		at: func(c *Config) any { return &c.Model.APIKeyEnv }, read: readEnvName, accept: wantEnvName},
	{name: "model.chat", def: `""`, meaning: "the model that distils turns and consolidates",
		at: func(c *Config) any { return &c.Model.Chat }, read: readModelName, accept: wantModel},
	{name: "model.embed", def: `""`, meaning: "the embedding model for recall by meaning",
		at: func(c *Config) any { return &c.Model.Embed }, read: readModelName, accept: wantModel},
	{name: "model.embedBase", def: `""`, meaning: "the endpoint of embed, if it is not apiBase (only once allowed)",
		at: func(c *Config) any { return &c.Model.EmbedBase }, read: readURL, accept: wantURL},
	{name: "model.embedKeyEnv", def: `""`, meaning: "its key's variable; an embedBase never gets the key of apiBase",
		at: func(c *Config) any { return &c.Model.EmbedKeyEnv }, read: readEnvName, accept: wantEnvName},
	{name: "model.rerank", def: "off", meaning: "the model that re-orders the head of a recall, or off",
		at: func(c *Config) any { return &c.Model.Rerank }, read: readReranker, accept: wantModel + ", or off"},
	{name: "model.rerankBase", def: `""`, meaning: "the endpoint of rerank, if it is not apiBase (only once allowed)",
		at: func(c *Config) any { return &c.Model.RerankBase }, read: readURL, accept: wantURL},
	{name: "model.rerankKeyEnv", def: `""`, meaning: "its key's variable; a rerankBase never gets the key of apiBase",
		at: func(c *Config) any { return &c.Model.RerankKeyEnv }, read: readEnvName, accept: wantEnvName},
	{name: "model.timeout", def: "60s", meaning: "how long a call may take",
		at: func(c *Config) any { return &c.Model.Timeout }, lo: 0.01, hi: 86400},
	{name: "model.readTimeout", def: "3s", meaning: "how long a recall waits for a model before it goes by words alone",
		at: func(c *Config) any { return &c.Model.ReadTimeout }, lo: 0.01, hi: 3600},
	{name: "model.sendPrivate", def: "true", meaning: "whether private memories may go to an endpoint",
		at: func(c *Config) any { return &c.Model.SendPrivate }},

	{name: "channel.enabled", def: "true", meaning: "the channel as a whole; false: recall is empty and retain queues nothing",
		at: func(c *Config) any { return &c.Channel.Enabled }},
	{name: "channel.recall", def: "always", meaning: "the recalled part of the prompt: each turn, once a session, or off",
		at: func(c *Config) any { return &c.Channel.Recall }, words: []string{"always", "session", "off"}, plain: channelPlain},
	{name: "channel.retain", def: "true", meaning: "whether turns are queued for distillation",
		at: func(c *Config) any { return &c.Channel.Retain }},

	{name: "sleep.enabled", def: "true", meaning: "consolidate before the nightly compression, if model.chat is set",
		at: func(c *Config) any { return &c.Sleep.Enabled }},
	{name: "sleep.model", def: `""`, meaning: "the model of the night, if it is not model.chat",
		at: func(c *Config) any { return &c.Sleep.Model }, read: readModelName, accept: wantModel},
	{name: "sleep.effort", def: "high", meaning: "how hard it reasons",
		at: func(c *Config) any { return &c.Sleep.Effort }, words: efforts},
	{name: "sleep.idleFor", def: "10m", meaning: "the quiet that a night waits for",
		at: func(c *Config) any { return &c.Sleep.IdleFor }, hi: 7 * 86400},
	{name: "sleep.minMemories", def: "20", meaning: "with fewer memories the memory stage is left out",
		at: func(c *Config) any { return &c.Sleep.MinMemories }, hi: 1000000},
	{name: "sleep.clusterJaccard", def: "0.5", meaning: "from this likeness of words on two memories belong together",
		at: func(c *Config) any { return &c.Sleep.ClusterJaccard }, lo: 0.05, hi: 1, plain: percentPlain},
	{name: "sleep.clusterCosine", def: "0.82", meaning: "from this cosine on two memories belong together",
		at: func(c *Config) any { return &c.Sleep.ClusterCosine }, lo: 0.05, hi: 1, plain: percentPlain},
	{name: "sleep.maxCluster", def: "12", meaning: "larger clusters are cut at their weakest edges",
		at: func(c *Config) any { return &c.Sleep.MaxCluster }, lo: 2, hi: 1000},
	{name: "sleep.maxOps", def: "40", meaning: "how many operations of the model one night applies",
		at: func(c *Config) any { return &c.Sleep.MaxOps }, hi: 100000},
	{name: "sleep.maxForget", def: "10", meaning: "how many memories the model may forget in one night",
		at: func(c *Config) any { return &c.Sleep.MaxForget }, hi: 100000},
	{name: "sleep.keepRecent", def: "2d", meaning: "the model forgets and rewrites nothing younger",
		at: func(c *Config) any { return &c.Sleep.KeepRecent }, hi: century},
	{name: "sleep.dryRun", def: "false", meaning: "plan and log only, for the first weeks",
		at: func(c *Config) any { return &c.Sleep.DryRun }},
	{name: "sleep.persona", def: `""`, meaning: "a file with the bot's character, for the model of the night",
		at: func(c *Config) any { return &c.Sleep.Persona }, read: readPath, accept: "the path of a file"},
	{name: "sleep.notify", def: "[]", meaning: "a command that gets the report of a notable night on stdin (only once allowed)",
		at: func(c *Config) any { return &c.Sleep.Notify }, accept: wantCommand},
	{name: "sleep.after", def: "[]", meaning: "a command that runs as the night's own stage, report on stdin (only once allowed)",
		at: func(c *Config) any { return &c.Sleep.After }, accept: wantCommand},

	{name: "server.listen", def: `"127.0.0.1:7433"`, meaning: "where serve listens (beyond this machine only once allowed, and with a token)",
		at: func(c *Config) any { return &c.Server.Listen }, read: readListen, accept: "host:port, such as 127.0.0.1:7433"},
	{name: "server.tokens", def: "[]", meaning: "bearer tokens: [{name: tui, env: PLASTIC_TOKEN_TUI, audience: trusted}]",
		at:     func(c *Config) any { return &c.Server.Tokens },
		accept: "a list of tokens, each {name: tui, env: PLASTIC_TOKEN_TUI, audience: trusted}"},

	{name: "mcp.audience", def: "trusted", meaning: "who reads what the stdio server answers",
		at: func(c *Config) any { return &c.MCP.Audience }, words: audiences},
	{name: "mcp.names", def: "{}", meaning: "other names for its tools: {remember: memory_save, recall: memory_search}",
		at:     func(c *Config) any { return &c.MCP.Names },
		accept: "a map of tool names, such as {remember: memory_save}"},

	{name: "git.commitNights", def: "false", meaning: "commit the folder after each night",
		at: func(c *Config) any { return &c.Git.CommitNights }},
}
