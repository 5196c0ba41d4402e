package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"plastic/memory"
)

const (
	coldRounds   = 15
	memoryRounds = 5
)

// A command is one run of a program, from its start to its end: a caller waits
// for both.
type command []string

// run gives what the program printed.
func (s *size) run(c command) ([]byte, error) {
	cmd := exec.Command(c[0], c[1:]...)
	cmd.Dir = s.dir
	cmd.Env = []string{"HOME=" + s.dir, "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", filepath.Base(c[0]), err, bytes.TrimSpace(errs.Bytes()))
	}
	return out, err
}

// recalls are the cold recalls of every tool: the command for a query.
func (s *size) recalls(dir string) map[string]func(query string) command {
	list := map[string]func(string) command{
		product:  func(q string) command { return command{s.bin, "--dir", dir, "recall", "--no-rehearse", "--", q} },
		"bleve":  func(q string) command { return command{s.self, coldPeer, "bleve", s.base("bleve"), q} },
		"linear": func(q string) command { return command{s.self, coldPeer, "linear", s.base("memory.json"), q} },
	}
	if s.sqlite3 != "" {
		list[cli] = func(q string) command { return s.sql(s.base("words.db"), cliFind(q, false)) }
		list[cliTrigram] = func(q string) command { return s.sql(s.base("trigram.db"), cliFind(q, true)) }
	}
	return list
}

func (s *size) sql(db, statement string) command {
	return command{s.sqlite3, "-batch", "-bail", db, statement}
}

func cliFind(query string, trigram bool) string {
	return strings.Replace(ftsFind, "?", quoted(matchAny(query, trigram)), 1)
}

func cliRehearse(query string) string {
	return fmt.Sprintf(`UPDATE memories SET recall_count = recall_count + 1, last_recalled_at = unixepoch()
 WHERE row IN (SELECT rowid FROM fts WHERE fts MATCH %s ORDER BY rank LIMIT 10) RETURNING id, kind, created_at, importance, content`,
		quoted(matchAny(query, false)))
}

func cliInsert(m *memory.Memory) string {
	f := &fts{}
	return fmt.Sprintf(`BEGIN IMMEDIATE; INSERT INTO memories(id, content, kind, importance, created_at, session, speaker) VALUES(%s,%s,%s,%g,%d,%s,%s);
 INSERT INTO fts(rowid, body) VALUES(last_insert_rowid(), %s); COMMIT; SELECT %s`, quoted(m.ID), quoted(m.Content), quoted(string(m.Kind)),
		m.Importance, m.CreatedAt.Unix(), quoted(m.Session), quoted(m.Speaker), quoted(f.body(m.Content)), quoted(m.ID))
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// cold measures what a caller without a daemon waits for.
func (s *size) cold() error {
	dir, err := s.folder("cold")
	if err != nil {
		return err
	}
	s.coldRecall(dir)
	if err := s.coldWrites(dir); err != nil {
		return err
	}
	s.coldMemory(dir)
	return s.changed()
}

func (s *size) coldRecall(dir string) {
	var probes []probe
	for tool, recall := range s.recalls(dir) {
		probes = append(probes, probe{tool: tool, do: func(i int) error {
			out, err := s.run(recall(s.queries[i]))
			s.figures.asked(tool, bytes.Count(out, []byte("\n")) > 0)
			return err
		}})
	}
	s.row("cold recall", coldRounds, probes)
}

// coldWrites measures the recall that counts itself, and remember.
func (s *size) coldWrites(dir string) error {
	rehearse := map[string]func(i int) command{
		product: func(i int) command { return command{s.bin, "--dir", dir, "recall", "--", s.queries[i]} },
	}
	remember := map[string]func(i int) command{
		product: func(i int) command { return command{s.bin, "--dir", dir, "remember", "--", s.fresh[i].Content} },
	}
	if s.sqlite3 != "" {
		db, err := s.copyOf("words.db", "cold.db")
		if err != nil {
			return err
		}
		rehearse[cli] = func(i int) command { return s.sql(db, cliRehearse(s.queries[i])) }
		remember[cli] = func(i int) command { return s.sql(db, cliInsert(&s.fresh[i])) }
	}
	s.coldRow("cold recall, rehearsed", rehearse)
	s.coldRow("cold remember", remember)
	for tool, c := range rehearse {
		s.syncs("syncs of a recall, rehearsed", tool, c(coldRounds))
	}
	for tool, c := range remember {
		s.syncs("syncs of a remember", tool, c(coldRounds))
	}
	return nil
}

func (s *size) coldRow(row string, commands map[string]func(i int) command) {
	var probes []probe
	for tool, c := range commands {
		probes = append(probes, probe{tool: tool, do: func(i int) error {
			_, err := s.run(c(i))
			return err
		}})
	}
	s.row(row, coldRounds, probes)
}

// syncs counts what a command asks of the disk, where strace is there to tell.
func (s *size) syncs(row, tool string, c command) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return
	}
	trace := filepath.Join(s.dir, "trace")
	if _, err := s.run(append(command{strace, "-f", "-o", trace, "-e", "trace=fsync,fdatasync,msync,sync_file_range"}, c...)); err != nil {
		s.failed(row)(tool, err)
		return
	}
	lines, err := os.ReadFile(trace)
	if err != nil {
		s.failed(row)(tool, err)
		return
	}
	s.figures.set(row, tool, float64(bytes.Count(lines, []byte("sync("))+bytes.Count(lines, []byte("sync_file_range("))))
}

// coldMemory measures the peak and the private memory of a cold recall.
// Pages of files that are not on disk yet would count as private.
func (s *size) coldMemory(dir string) {
	syscall.Sync()
	peak, private := map[string][]float64{}, map[string][]float64{}
	for i := range memoryRounds {
		for tool, recall := range s.recalls(dir) {
			out, err := s.run(append(command{s.launch}, recall(s.queries[i])...))
			var most, own float64
			if err == nil {
				_, err = fmt.Sscan(string(out), &most, &own)
			}
			if err != nil {
				s.failed("peak memory, cold")(tool, err)
				continue
			}
			peak[tool] = append(peak[tool], most/1024)
			private[tool] = append(private[tool], own/1024)
		}
	}
	s.figures.medians("peak memory, cold", peak)
	s.figures.medians("private memory, cold", private)
}

// changed measures the first recall after another hand wrote memory.json. The
// peers with an index read the file and fill theirs anew, in process.
func (s *size) changed() error {
	dir, err := s.folder("changed")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "memory.json")
	edit := func(i int) error { return s.edit(file, i) }
	probes := []probe{
		{tool: product, before: edit, do: func(i int) error {
			_, err := s.run(command{s.bin, "--dir", dir, "recall", "--no-rehearse", "--", s.queries[i]})
			return err
		}},
		{tool: "FTS5", before: s.without("anew.db"), do: func(i int) error { return s.anewFTS(file, s.queries[i]) }},
		{tool: "bleve", before: s.without("anew.bleve"), do: func(i int) error { return s.anewBleve(file, s.queries[i]) }},
		{tool: "linear", do: func(i int) error {
			_, err := s.run(command{s.self, coldPeer, "linear", file, s.queries[i]})
			return err
		}},
	}
	const row = "first recall after a foreign edit"
	s.row(row, coldRounds, probes)
	return nil
}

// edit changes one memory as an editor does: a new file in the old one's place.
func (s *size) edit(file string, i int) error {
	s.memories[len(s.memories)/coldRounds*i+1].Content += fmt.Sprintf(" %s%d", rareWord, i)
	if err := writeMemories(file+".tmp", s.memories); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}

func (s *size) without(name string) func(int) error {
	return func(int) error { return os.RemoveAll(filepath.Join(s.dir, name)) }
}

func (s *size) anewFTS(file, query string) error {
	l, err := openLinear(file)
	if err != nil {
		return err
	}
	db := filepath.Join(s.dir, "anew.db")
	if err := buildFTS(db, false, l.memories()); err != nil {
		return err
	}
	f, err := openFTS("FTS5", db, false, "DELETE")
	if err != nil {
		return err
	}
	_, err = f.search(query)
	return errors.Join(err, f.close())
}

func (s *size) anewBleve(file, query string) error {
	l, err := openLinear(file)
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, "anew.bleve")
	if err := buildBleve(path, l.memories()); err != nil {
		return err
	}
	b, err := openBleve(path, true)
	if err != nil {
		return err
	}
	_, err = b.search(query)
	return errors.Join(err, b.close())
}

// coldPeer, as the first argument, makes this program the cold recall of a peer
// that has no command line of its own. Its start carries the other peers'
// packages too, a few milliseconds; the strongest cold peer is the sqlite3
// command line, which does not.
const coldPeer = "cold-peer"

func coldPeerMain(tool, path, query string) error {
	var texts []string
	switch tool {
	case "bleve":
		b, err := openBleve(path, true)
		if err != nil {
			return err
		}
		if texts, err = b.contents(query); err != nil {
			return err
		}
	case "linear":
		l, err := openLinear(path)
		if err != nil {
			return err
		}
		texts = l.contents(query)
	default:
		return fmt.Errorf("%q is no cold peer", tool)
	}
	w := bufio.NewWriter(os.Stdout)
	for _, t := range texts {
		fmt.Fprintln(w, t)
	}
	return w.Flush()
}
