package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The groups of the help text.
const (
	groupDaily  = "daily"
	groupLook   = "look"
	groupTurns  = "turns"
	groupNight  = "night"
	groupFolder = "folder"
	groupDoors  = "doors"
	groupSelf   = "self"
)

type group struct {
	id, title string
	verbs     []verb
}

// verb is a command that is made when it is called. Most processes live for one
// verb, and making all of them takes longer than a search.
type verb struct {
	name    string
	command func(*app) *cobra.Command
}

// verbs is every verb there is, in the order of the help text.
func verbs() []group {
	return []group{
		{groupDaily, "Every day:", []verb{
			{"remember", (*app).rememberCmd}, {"recall", (*app).recallCmd}, {"prompt", (*app).promptCmd}, {"update", (*app).updateCmd},
			{"edit", (*app).editCmd}, {"forget", (*app).forgetCmd}, {"restore", (*app).restoreCmd},
		}},
		{groupLook, "To look at:", []verb{
			{"list", (*app).listCmd}, {"show", (*app).showCmd}, {"blame", (*app).blameCmd}, {"diff", (*app).diffCmd},
			{"archive", (*app).archiveCmd}, {"stats", (*app).statsCmd}, {"chart", (*app).chartCmd},
		}},
		{groupTurns, "Turns and models:", []verb{
			{"retain", (*app).retainCmd}, {"flush", (*app).flushCmd}, {"queue", (*app).queueCmd}, {"reindex", (*app).reindexCmd},
			{"network", (*app).networkCmd},
		}},
		{groupNight, "The night:", []verb{
			{"compress", (*app).compressCmd}, {"sleep", (*app).sleepCmd}, {"wake", (*app).wakeCmd}, {"night", (*app).nightCmd},
			{"nights", (*app).nightsCmd}, {"forecast", (*app).forecastCmd},
		}},
		{groupFolder, "The folder:", []verb{
			{"init", (*app).initCmd}, {"card", (*app).cardCmd}, {"config", (*app).configCmd}, {"import", (*app).importCmd},
			{"export", (*app).exportCmd}, {"doctor", (*app).doctorCmd}, {"checkpoint", (*app).checkpointCmd}, {"git-merge", (*app).gitMergeCmd},
		}},
		{groupDoors, "The doors:", []verb{
			{"serve", (*app).serveCmd}, {"mcp", (*app).mcpCmd}, {"setup", (*app).setupCmd}, {serviceVerb, (*app).serviceCmd},
			{"channel", (*app).channelCmd},
		}},
		{groupSelf, "The program:", []verb{
			{"demo", (*app).demoCmd}, {"eval", (*app).evalCmd}, {completionVerb, (*app).completionCmd}, {manVerb, (*app).manCmd},
			{"version", (*app).versionCmd},
		}},
	}
}

// Verbs that look at the others.
const (
	serviceVerb    = "service"
	completionVerb = "completion"
	manVerb        = "man"
)

// alone is the verb that args call, where no other has to be there; "" where all
// do: help, completion, a word that is no verb, a flag before the verb that not
// every verb takes.
func alone(args []string) string {
	for i := 0; i < len(args); i++ {
		flag, isFlag := strings.CutPrefix(args[i], "--")
		if !isFlag {
			return known(args[i])
		}
		switch name, _, valued := strings.Cut(flag, "="); name {
		case "json":
		case "dir", "now", "audience":
			if !valued {
				i++
			}
		default:
			return ""
		}
	}
	return ""
}

// known is word if it is a verb that does not look at the others, else "".
func known(word string) string {
	switch word {
	case serviceVerb, completionVerb, manVerb:
		return ""
	}
	for _, g := range verbs() {
		if slices.ContainsFunc(g.verbs, func(v verb) bool { return v.name == word }) {
			return word
		}
	}
	return ""
}

// brief reports whether a verb only answers: what it writes is a count, whole or
// not at all, so that it may end anywhere.
func brief(name string) bool { return name == "recall" || name == "prompt" || name == "version" }
