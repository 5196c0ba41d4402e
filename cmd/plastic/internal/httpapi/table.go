package httpapi

import "plastic"

// table is every route of the server.
func (s *Server) table() []*route {
	words := []param{
		{name: "q", kind: "string", says: "what is asked; a POST keeps it out of addresses and their logs"},
		{name: "limit", kind: "integer", says: "at most so many answers"},
		{name: "rehearse", kind: "boolean", says: "false: what is found is not strengthened"},
		{name: "explain", kind: "boolean", says: "tell what was dropped, and why"},
		{name: "history", kind: "boolean", says: "superseded memories too"},
		{name: "asOf", kind: "time", says: "what held then"},
	}
	turn := []param{
		{name: "q", kind: "string", says: "the message"},
		{name: "session", kind: "string", says: "the conversation, for channel.recall session"},
	}
	return []*route{
		{method: "GET", path: "/v1/memories", who: owner, says: "Every live memory, by createdAt. For trusted only.", all: true, do: list, answer: plastic.Listing{}, query: []param{
			{name: "layer", kind: "string", says: "only anchor, important, recent or fading"},
			{name: "kind", kind: "string", says: "only this kind"},
			{name: "all", kind: "boolean", says: "superseded ones too"},
		}},
		{method: "POST", path: "/v1/memories", who: writers, says: "Remember a text; 201 where it became a memory of its own.", do: remember, body: &draftBody{}, answer: plastic.Remembered{}},
		{method: "GET", path: "/v1/memories/{id}", says: "One memory, by its id or a unique beginning of it.", do: show, answer: plastic.Shown{}},
		{method: "PATCH", path: "/v1/memories/{id}", who: writers, says: "Change what is given.", do: update, body: &changeBody{}, answer: plastic.Updated{}},
		{method: "DELETE", path: "/v1/memories/{id}", who: writers, says: "Forget: move to the archive, or erase with purge.", do: forget, body: &forgetBody{}, answer: plastic.Forgotten{}, query: []param{
			{name: "why", kind: "string", says: "the reason, for the archive"},
			{name: "purge", kind: "boolean", says: "erase from every file"},
		}},
		{method: "GET", path: "/v1/memories/search", says: "The memories that answer a query.", do: searchByAddress, answer: plastic.Recalled{}, query: words},
		{method: "POST", path: "/v1/memories/search", says: "The memories that answer a query.", do: searchByBody, body: &searchBody{}, answer: plastic.Recalled{}},
		{method: "GET", path: "/v1/memories/prompt", says: "What goes into the system prompt of a turn; an event stream where Accept says so.", stream: prompt, answer: plastic.Section{}, query: turn},
		{method: "GET", path: "/v1/memories/archive", who: owner, says: "What left the memory, oldest first. For trusted only.", all: true, do: archive, answer: plastic.ArchiveListing{}},
		{method: "POST", path: "/v1/memories/archive/{id}/restore", who: writers, says: "Bring back from the archive.", do: restore, answer: plastic.Restored{}},
		{method: "POST", path: "/v1/turns", who: writers, says: "Keep a turn for distillation; it is on disk with the answer, and no model is asked.", do: retain, body: &exchangeBody{}, answer: plastic.Retained{}, status: 201},
		{method: "GET", path: "/v1/turns", who: owner, says: "The turns that wait for distillation, and those set aside. For trusted only.", all: true, do: queue, answer: plastic.Queue{}},
		{method: "POST", path: "/v1/turns/flush", who: owner, says: "Distil the turns that wait, by a model. For trusted only.", do: flush, body: &flushBody{}, answer: plastic.Flushed{}},
		{method: "POST", path: "/v1/reindex", who: owner, says: "Make the vectors that are missing, by a model. For trusted only.", do: reindex, body: &reindexBody{}, answer: plastic.Reindexed{}},
		{method: "GET", path: "/v1/network", who: owner, says: "Which verb calls which endpoint with what. For trusted only.", do: network, answer: plastic.Network{}},
		{method: "POST", path: "/v1/turns/active", who: writers, says: "A turn begins: sleep waits until it ends, or for 15 minutes.", do: beginTurn, body: &turnBody{}, answer: turnID{}, status: 201},
		{method: "DELETE", path: "/v1/turns/active/{id}", who: writers, says: "A turn ends.", do: endTurn, answer: turnID{}},
		{method: "GET", path: "/v1/sleep", says: "Whether the memory sleeps, and when it will.", do: sleepNow, answer: sleepState{}},
		{method: "POST", path: "/v1/sleep", who: owner, says: "The whole night now, by hand. For trusted only.", do: sleep, body: &compressBody{}, answer: plastic.Night{}},
		{method: "POST", path: "/v1/sleep/wake", who: owner, says: "End the sleep under way: what is not applied yet is not. For trusted only.", do: wake, body: &turnBody{}, answer: plastic.Woken{}},
		{method: "GET", path: "/v1/sleep/runs", who: owner, says: "The journal of the nights, oldest first. For trusted only.", all: true, do: sleepRuns, answer: runs{}},
		{method: "POST", path: "/v1/sleep/runs/{date}/undo", who: owner, says: "Bring back what the night of that date took. For trusted only.", do: undoNight, body: &undoBody{}, answer: plastic.Undone{}},
		{method: "POST", path: "/v1/compress", who: owner, says: "The night by hand. For trusted only.", do: compress, body: &compressBody{}, answer: plastic.Compressed{}},
		{method: "GET", path: "/v1/forecast", who: owner, says: "What the coming nights take. For trusted only.", all: true, do: forecast, answer: plastic.Forecast{}, query: []param{
			{name: "days", kind: "integer", says: "how many nights; 7"},
			{name: "set", kind: "string", says: "compare with this setting, as key=value; may be repeated", many: true},
		}},
		{method: "GET", path: "/v1/stats", says: "Counts over what the audience may see.", all: true, do: stats, answer: plastic.Stats{}},
		{method: "GET", path: "/v1/card", says: "The card, to whom card.audience shows it.", do: card, answer: plastic.CardText{}},
		{method: "PUT", path: "/v1/card", who: owner, says: "Replace the card that has the given hash. For trusted only.", do: writeCard, body: &cardBody{}, answer: plastic.CardText{}},
		{method: "GET", path: "/v1/config", who: owner, says: "Every setting. For trusted only.", do: readSettings, answer: settings{}},
		{method: "PATCH", path: "/v1/config", who: owner, says: "Set keys of config.yaml, or use a preset. For trusted only.", do: changeSettings, body: &settingsBody{}, answer: settings{}},
		{method: "GET", path: "/v1/channel", says: "What the automatic path does.", do: channel, answer: plastic.Channel{}},
		{method: "PUT", path: "/v1/channel", who: owner, says: "Change what the automatic path does. For trusted only.", do: setChannel, body: &channelBody{}, answer: plastic.Channel{}},
		{method: "GET", path: "/v1/events", says: "An event stream of what changes, by ids that the audience may see.", stream: events},
		{method: "GET", path: "/v1/openapi.json", says: "This description.", do: openapi},
		{method: "GET", path: "/healthz", says: "Whether the memory can be read.", do: health, answer: healthy{}},
		{method: "GET", path: "/metrics", says: "Counts for Prometheus.", stream: prometheusText},
		{method: "GET", path: "/{$}", says: "The page.", stream: page, free: true},
		{method: "GET", path: "/page/{file}", says: "What the page is made of.", stream: page, free: true},
	}
}
