package plastic_test

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"plastic"
	"plastic/internal/banktest"
	"plastic/memory"
)

// A row is one verb of the package, asked in ways that would find what is private.
type row struct {
	do func(ctx context.Context, b *plastic.Bank) []any

	// same: the owner alone gets the same answer whether there are private memories
	// or not. For all other rows the matrix makes sure that he does not, so that a row
	// that looks for nothing is noticed.
	same bool
}

// verbRows has a row for every method of Bank.
func verbRows() map[string]row {
	ids := []string{"hid", "hid-core", "hid-next", "hid-gone", "hid-left", "tea", "tea-9", "cup-old", "bed-new", "box-gone", "hid-turn", ""}
	texts := []string{"zebrawood", "pension clinic tea", "piano", "Ann cats", "marrow", "tea"}
	past := banktest.Start.AddDate(0, 0, -40)
	yes, text := true, "the zebrawood is new"
	each := func(list []string, do func(s string) (any, error)) []any {
		var out []any
		for _, s := range list {
			v, err := do(s)
			out = append(out, v, said(err))
		}
		return out
	}
	one := func(v any, err error) []any { return []any{v, said(err)} }
	type ctx = context.Context
	return map[string]row{
		"Remember": {do: func(c ctx, b *plastic.Bank) []any {
			at := past // ids are given by chance: the order is to hang on times
			later := func() time.Time { at = at.Add(time.Hour); return at }
			out := each([]string{"her zebrawood pension is ten thousand", "Ann keeps two cats", "tea at five at the clinic, with Ann", "the piano was paid from the pension"}, func(s string) (any, error) {
				return b.Remember(c, plastic.Draft{Content: s, At: later(), Session: "quiet-room"})
			})
			return append(out, each(ids, func(s string) (any, error) {
				return b.Remember(c, plastic.Draft{Content: "the piano again " + s, At: later(), Supersedes: s})
			})...)
		}},
		"Recall": {do: func(c ctx, b *plastic.Bank) []any {
			return each(texts, func(s string) (any, error) {
				var all []plastic.Recalled
				for _, q := range []plastic.Query{{Explain: true}, {History: true, Explain: true}, {AsOf: past}, {AsOf: banktest.Start.AddDate(0, 0, -20)}, {Limit: 1}, {NoRehearse: true}} {
					q.Text = s
					got, err := b.Recall(c, q)
					if got.Withheld = 0; err != nil {
						return nil, err
					}
					all = append(all, got)
				}
				return all, nil
			})
		}},
		"Facts": {do: func(c ctx, b *plastic.Bank) []any {
			return each(texts, func(s string) (any, error) {
				return b.Facts(c, plastic.Turn{Text: s, Session: "quiet-room", Rehearse: true})
			})
		}},
		"Prompt": {do: func(c ctx, b *plastic.Bank) []any {
			return each(texts, func(s string) (any, error) {
				got, err := b.Prompt(c, plastic.Turn{Text: s, Session: "quiet-room", Rehearse: true})
				got.Withheld, got.Text = 0, withoutNote(got.Text)
				return got, err
			})
		}},
		"Update": {do: func(c ctx, b *plastic.Bank) []any {
			return each(ids, func(s string) (any, error) {
				return b.Update(c, s, plastic.Change{Content: &text, Pinned: &yes})
			})
		}},
		"Forget": {do: func(c ctx, b *plastic.Bank) []any {
			return append(each(ids, func(s string) (any, error) { return b.Forget(c, []string{s}, plastic.Forgetting{Why: "w"}) }),
				each(ids, func(s string) (any, error) { return b.Forget(c, []string{s}, plastic.Forgetting{Purge: true}) })...)
		}},
		"Restore": {do: func(c ctx, b *plastic.Bank) []any {
			return each(ids, func(s string) (any, error) { return b.Restore(c, []string{s}) })
		}},
		"Show": {do: func(_ ctx, b *plastic.Bank) []any { return each(ids, func(s string) (any, error) { return b.Show(s) }) }},
		"Blame": {do: func(c ctx, b *plastic.Bank) []any {
			return each(ids, func(s string) (any, error) { return b.Blame(c, s) })
		}},
		"List":    {do: func(_ ctx, b *plastic.Bank) []any { return one(b.List(plastic.Filter{All: true})) }},
		"Archive": {do: func(_ ctx, b *plastic.Bank) []any { return one(b.Archive()) }},
		"Diff":    {do: func(_ ctx, b *plastic.Bank) []any { return one(b.Diff(past, banktest.Start)) }},
		"Stats": {do: func(_ ctx, b *plastic.Bank) []any {
			got, err := b.Stats()
			got.Dir = ""
			return one(got, err)
		}},
		"Chart": {do: func(_ ctx, b *plastic.Bank) []any { return one(b.Chart(80, 10, false)) }},
		"ChartSVG": {do: func(_ ctx, b *plastic.Bank) []any {
			var out strings.Builder
			err := b.ChartSVG(&out)
			return one(out.String(), err)
		}},
		"Export": {do: func(_ ctx, b *plastic.Bank) []any {
			return each([]string{"", "markdown", "mem0", "server-memory", "nonsense"}, func(s string) (any, error) {
				var out strings.Builder
				err := b.Export(&out, s)
				return out.String(), err
			})
		}},
		"EditSheet": {do: func(_ ctx, b *plastic.Bank) []any {
			return each([]string{"", "piano", "hid-core"}, func(s string) (any, error) { return b.EditSheet(s) })
		}},
		"Edit": {do: func(c ctx, b *plastic.Bank) []any {
			return one(b.Edit(c, plastic.EditPlan{Forget: []plastic.Wanted{{ID: "hid-core", Content: "her zebrawood pension is ten thousand"}}}))
		}},
		"Import": {do: func(c ctx, b *plastic.Bank) []any {
			return one(b.Import(c, strings.NewReader(`{"id":"hid-core","content":"x"}`+"\n"+`{"content":"Ann keeps two cats"}`+"\n"+`{"id":"hid-gone","content":"the zebrawood box"}`), plastic.ImportOptions{DryRun: true}))
		}},
		"ImportPath": {do: func(c ctx, b *plastic.Bank) []any {
			return one(b.ImportPath(c, filepath.Join(b.Dir(), "memory.json"), plastic.ImportOptions{DryRun: true}))
		}},
		"UndoImport":    {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(b.UndoImport(c)) }},
		"Compress":      {do: func(c ctx, b *plastic.Bank) []any { return one(b.Compress(c, plastic.Nightly{Again: true})) }},
		"Forecast":      {do: func(_ ctx, b *plastic.Bank) []any { return one(b.Forecast(60, nil)) }},
		"Sleep":         {do: func(c ctx, b *plastic.Bank) []any { return one(b.Sleep(c, plastic.Nightly{DryRun: true})) }},
		"Night":         {do: func(c ctx, b *plastic.Bank) []any { v, ran, err := b.Night(c); return one([]any{v, ran}, err) }},
		"Nights":        {do: func(_ ctx, b *plastic.Bank) []any { return one(b.Nights()) }},
		"NightRecords":  {do: func(_ ctx, b *plastic.Bank) []any { return one(b.NightRecords()) }},
		"UndoNight":     {do: func(c ctx, b *plastic.Bank) []any { return one(b.UndoNight(c, "2026-11-28", true)) }},
		"UndoOperation": {do: func(c ctx, b *plastic.Bank) []any { return one(b.UndoOperation(c, "2026-11-28", 1, true)) }},
		"Card":          {do: func(_ ctx, b *plastic.Bank) []any { return one(b.Card()) }},
		"WriteCard":     {do: func(c ctx, b *plastic.Bank) []any { return one(b.WriteCard(c, []byte("x"), "")) }},
		"CheckCard":     {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(b.CheckCard()) }},
		"Retain": {same: true, do: func(c ctx, b *plastic.Bank) []any {
			return one(b.Retain(c, plastic.Exchange{User: "I was at the zebrawood clinic", Assistant: "I see", Session: "quiet-room"}))
		}},
		"Queue":       {do: func(_ ctx, b *plastic.Bank) []any { return one(b.Queue()) }},
		"Flush":       {do: func(c ctx, b *plastic.Bank) []any { return one(b.Flush(c, plastic.Flushing{})) }},
		"FlushBefore": {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(nil, b.FlushBefore(c)) }},
		"Reindex":     {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(b.Reindex(c, plastic.Reindexing{})) }},
		"Work":        {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(nil, b.Work(c)) }},
		"WorkDue":     {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(b.WorkDue(), nil) }},
		"Network":     {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(b.Network()) }},
		"Doctor":      {do: func(c ctx, b *plastic.Bank) []any { return one(b.Doctor(c, false)) }},
		"Checkpoint":  {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(b.Checkpoint(c)) }},
		"SetConfig":   {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(nil, b.SetConfig(c, "recall.limit", "9")) }},
		"UsePreset":   {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(nil, b.UsePreset(c, "human")) }},
		"AllowConfig": {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(nil, b.AllowConfig()) }},
		"Config":      {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(b.Config()) }},
		"Settings":    {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(b.Settings(), nil) }},
		"NightDue":    {same: true, do: func(_ ctx, b *plastic.Bank) []any { date, due := b.NightDue(); return []any{date, due} }},
		"WakeFolder":  {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(b.WakeFolder()) }},
		"Wake":        {same: true, do: func(_ ctx, b *plastic.Bank) []any { return []any{b.Wake()} }},
		"Sleeping":    {same: true, do: func(_ ctx, b *plastic.Bank) []any { return []any{b.Sleeping()} }},
		"Quiet":       {same: true, do: func(_ ctx, b *plastic.Bank) []any { return []any{b.Quiet()} }},
		"Awake":       {same: true, do: func(c ctx, b *plastic.Bank) []any { return one(nil, b.Awake(c)) }},
		"BeginTurn":   {same: true, do: func(_ ctx, b *plastic.Bank) []any { return []any{len(b.BeginTurn())} }},
		"EndTurn": {same: true, do: func(_ ctx, b *plastic.Bank) []any {
			return each(ids, func(s string) (any, error) { return nil, b.EndTurn(s) })
		}},
		"Watch": {same: true, do: func(c ctx, b *plastic.Bank) []any {
			c, stop := context.WithCancel(c)
			return one(nil, b.Watch(c, stop))
		}},
		"For": {do: func(_ ctx, b *plastic.Bank) []any {
			return each([]string{"trusted", "", "everybody", "Trusted"}, func(s string) (any, error) { return b.For(memory.Audience(s)).Stats() })
		}},
		"By":       {do: func(_ ctx, b *plastic.Bank) []any { return one(b.By("hid").List(plastic.Filter{})) }},
		"Audience": {same: true, do: func(_ ctx, b *plastic.Bank) []any { return []any{b.Audience()} }},
		"Dir":      {same: true, do: func(_ ctx, b *plastic.Bank) []any { return []any{b.Dir()} }},
		"Close":    {same: true, do: func(_ ctx, b *plastic.Bank) []any { return one(nil, b.Close()) }},
	}
}
