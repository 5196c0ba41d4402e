// Package foreign reads what other tools remember, and writes memories in their
// formats. It turns files into values and values into text: it never writes a
// file, opens no network, knows no bank, and decides nothing. What is taken,
// skipped or refused in the end, and the checks of privacy, secrets and size, are
// the hall's.
//
//	format, err := foreign.Detect("export.zip")
//	got, err := foreign.Read(format, "export.zip", foreign.Options{Now: time.Now()})
//	for _, it := range got.Items { … it.Memory, or it.Refused with it.Where … }
//
// What all formats have in common:
//
//   - One observation is one memory, and its subject stands in its text ("Ada:
//     likes tea"), for that is where recall looks.
//   - Dates of the original are kept. A date without a time is that day's midnight
//     in Options.Location; what has no date has the zero time.
//   - Source is "import:<format>:<key>", where key is the original id, or else the
//     file and a hash of the text. Reading the same file again gives the same keys.
//   - What another tool keeps as a standing word about its user (USER.md, the types
//     user and feedback of Claude Code, Letta's system folder) gets importance 0.75:
//     it must not fade because nobody asked for it.
//   - Conversations are only ever turns, never memories.
//   - What can not be read is listed with its place and is never fatal. A few bytes
//     that are not UTF-8, and NUL, become U+FFFD; a text in another encoding is
//     refused.
package foreign

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"time"

	"plastic/memory"
)

// Item is one thing that was read: a memory, or the reason why it is none.
type Item struct {
	Line    int           // line in its file, from 1; 0 where lines say nothing
	Where   string        // file and place, for messages
	Memory  memory.Memory // ID is set only where the format's ids are plastic's own
	Level   int           // 1…5 where the original said so (Importance is mapped already); else 0
	Refused string        // why it can not be taken; Memory is empty then
}

// Turn is one exchange of a conversation, meant for the queue.
type Turn struct {
	Source          string // as of a memory; the key is the message's id, or a hash of what was said, and when
	User, Assistant string
	At              time.Time // when the user spoke; zero if unknown
	Session         string    // the conversation's id
}

// Result is all that was read. Turns are in order of time.
type Result struct {
	Format string
	Items  []Item
	Turns  []Turn
	Card   []byte   // text meant for memory.md, if the format has one
	Notes  []string // what was left out and why, a sentence each
}

// Options bound and date what is read. Zero options work.
type Options struct {
	Now      time.Time      // when what is superseded without a date ended; zero: the clock's
	Location *time.Location // where a bare date begins; nil: time.Local
	MaxBytes int64          // most bytes read in all, unpacked; 0: 1 GiB
	MaxTurns int            // most turns kept, the newest; 0: 50,000
}

// Format is one form of memories.
type Format struct {
	Name   string // as in --from and --to
	Title  string // for people
	Reads  bool
	Writes bool
}

// JSONL is plastic's own form, one memory a line. Detect knows it; reading and
// writing it is the hall's work.
const JSONL = "jsonl"

// A form is a format with its code. Detect asks them in the table's order: those
// that can be told for sure come first.
type form struct {
	Format
	is    func(t *tree) bool
	read  func(r *reader)
	write func(w io.Writer, ms []memory.Memory) error
}

func forms() []form {
	return []form{
		{Format{"chatgpt-export", "ChatGPT data export: folder, zip or conversations.json", true, false}, isChatGPT, readChatGPT, nil},
		{Format{"claude-export", "Claude data export: folder, zip or one of its files", true, false}, isClaudeExport, readClaudeExport, nil},
		{Format{"server-memory", "MCP server-memory's knowledge graph", true, true}, isServerMemory, readServerMemory, writeServerMemory},
		{Format{"engram", "engram: export or .engram folder", true, false}, isEngram, readEngram, nil},
		{Format{"plastic", "a folder or memory.json of plastic or ig-life", true, false}, isPlastic, readPlastic, nil},
		{Format{"mem0", "mem0: get_all or a list of memories", true, true}, isMem0, readMem0, writeMem0},
		{Format{JSONL, "JSON lines, one memory a line", true, true}, isLines, nil, nil},
		{Format{"hermes", "Hermes: memories folder, or a file of it", true, false}, isHermes, readHermes, nil},
		{Format{"codex", "Codex: memories folder", true, false}, isCodex, readCodex, nil},
		{Format{"nanobot", "nanobot: workspace folder", true, false}, isNanobot, readNanobot, nil},
		{Format{"letta", "Letta: memory file system", true, false}, isLetta, readLetta, nil},
		{Format{"claude-code", "Claude Code: a project's memory folder", true, false}, isClaudeCode, readClaudeCode, nil},
		{Format{"openclaw", "OpenClaw: workspace folder, or a file of it", true, false}, isOpenClaw, readOpenClaw, nil},
		{Format{"basic-memory", "basic-memory: notes", true, false}, isBasicMemory, readBasicMemory, nil},
		{Format{"markdown", "Markdown lists, or plain text", true, true}, isMarkdown, readMarkdown, writeMarkdown},
	}
}

// Formats lists the formats by name.
func Formats() []Format {
	var all []Format
	for _, f := range forms() {
		all = append(all, f.Format)
	}
	slices.SortFunc(all, func(a, b Format) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func names(keep func(f Format) bool) string {
	var all []string
	for _, f := range Formats() {
		if keep(f) {
			all = append(all, f.Name)
		}
	}
	return strings.Join(all, ", ")
}

func find(name string) (form, bool) {
	for _, f := range forms() {
		if f.Name == name {
			return f, true
		}
	}
	return form{}, false
}

// Detect says in which format path (a file, folder or zip) is, by what is inside.
// It fails with memory.ErrInvalid for an archive that is not safe to open and for
// what is none of the formats; the error lists them.
func Detect(path string) (string, error) {
	t, err := open(path, Options{})
	if err != nil {
		return "", err
	}
	defer t.close()
	return detect(t)
}

// HeadSize is how much of a stream DetectHead looks at.
const HeadSize = maxHead

// DetectHead says in which format a stream is that begins with head: HeadSize
// bytes of it, or all. What shows itself to be nothing else is JSONL: prose has to
// be named. It fails with memory.ErrInvalid for an archive.
func DetectHead(head []byte) (string, error) {
	if isZip(head) {
		return "", memory.Errorf(memory.ErrInvalid, "an archive can not be read from a stream, only from its file")
	}
	t, err := openStream("stdin", bytes.NewReader(head), Options{})
	if err != nil {
		return "", err
	}
	format, err := detect(t)
	if err != nil || format == "markdown" && !isOwnMarkdown(t) {
		return JSONL, nil
	}
	return format, nil
}

func detect(t *tree) (string, error) {
	if isOwnMarkdown(t) {
		return "markdown", nil // whatever its memories speak of
	}
	for _, f := range forms() {
		if f.is(t) {
			return f.Name, nil
		}
	}
	readable := func(f Format) bool { return f.Reads }
	return "", memory.Errorf(memory.ErrInvalid, "%s is in none of the formats that can be imported (%s)", t.title, names(readable))
}

// Read reads path, a file, folder or zip, in the named format; "" detects it. It
// fails with memory.ErrUsage for a format that is not known or is the hall's own,
// with memory.ErrInvalid for what is too large or not safe to open, and as the
// operating system does. Anything smaller is an Item that says why.
func Read(format, path string, o Options) (Result, error) {
	t, err := open(path, o)
	if err != nil {
		return Result{}, err
	}
	defer t.close()
	return read(format, t, o)
}

// ReadFrom is Read for a stream, such as standard input; name stands for it in
// messages and keys. A zip can not be read so.
func ReadFrom(format, name string, src io.Reader, o Options) (Result, error) {
	t, err := openStream(name, src, o)
	if err != nil {
		return Result{}, err
	}
	return read(format, t, o)
}

func read(format string, t *tree, o Options) (Result, error) {
	if format == "" {
		var err error
		if format, err = detect(t); err != nil {
			return Result{}, err
		}
	}
	f, ok := find(format)
	if !ok || f.read == nil {
		return Result{}, memory.Errorf(memory.ErrUsage, "the format %q is none of those read here", clip(format, 40))
	}
	r := newReader(format, t, o)
	f.read(r)
	return r.result()
}

// Write writes ms in the named format, in the order given. Memories that ended
// and private ones are written as such where the format can say so; which ones to
// hand over is the caller's choice. It fails with memory.ErrUsage for a format
// that is not written here, and as w does.
//
// Reading it back gives the same contents, in markdown and mem0 the same memories.
func Write(w io.Writer, format string, ms []memory.Memory) error {
	f, ok := find(format)
	if !ok || f.write == nil {
		return memory.Errorf(memory.ErrUsage, "the format %q is none of those written here", clip(format, 40))
	}
	return f.write(w, ms)
}
