package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	_ "modernc.org/sqlite"

	"plastic/compress"
	"plastic/memory"
)

// fts is a memory in SQLite: one table with every field, and an FTS5 index over
// the contents, which the table already holds (contentless, so that no text is
// stored twice). Words and character bigrams are cut before they go in, since
// unicode61 takes a run of Chinese for one word; or the trigram tokenizer does it.
type fts struct {
	label   string
	trigram bool
	db      *sql.DB
	find    *sql.Stmt
}

const ftsSchema = `
CREATE TABLE memories(row INTEGER PRIMARY KEY, id TEXT UNIQUE, content TEXT, kind TEXT, importance REAL, created_at INTEGER,
  recall_count INTEGER, last_recalled_at INTEGER, session TEXT, speaker TEXT);
CREATE TABLE archive(row INTEGER PRIMARY KEY, id TEXT, content TEXT, kind TEXT, importance REAL, created_at INTEGER,
  recall_count INTEGER, last_recalled_at INTEGER, session TEXT, speaker TEXT);
CREATE VIRTUAL TABLE fts USING fts5(body, content='', tokenize='%s');`

const (
	ftsFind = `SELECT row, id, kind, created_at, importance, content FROM memories JOIN
 (SELECT rowid AS hit, rank AS score FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 10) ON row = hit ORDER BY score`
	ftsInsert = `INSERT INTO memories(id, content, kind, importance, created_at, recall_count, last_recalled_at, session, speaker) VALUES(?,?,?,?,?,?,?,?,?)`
	ftsIndex  = `INSERT INTO fts(rowid, body) VALUES(?,?)`
	ftsTouch  = `UPDATE memories SET recall_count = recall_count + 1, last_recalled_at = ? WHERE row IN (?,?,?,?,?,?,?,?,?,?)`
	ftsAll    = `SELECT row, id, content, kind, importance, created_at, recall_count, last_recalled_at FROM memories`
)

// openFTS opens the database at path. journal is SQLite's journal mode; every
// commit is synced.
func openFTS(label, path string, trigram bool, journal string) (*fts, error) {
	f, err := connect(path, journal)
	if err != nil {
		return nil, err
	}
	f.label, f.trigram = label, trigram
	if f.find, err = f.db.Prepare(ftsFind); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func connect(path, journal string) (*fts, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode("+journal+")&_pragma=synchronous(FULL)")
	return &fts{db: db}, err
}

// buildFTS makes the database at path and fills it.
func buildFTS(path string, trigram bool, list []memory.Memory) error {
	f, err := connect(path, "DELETE")
	if err != nil {
		return err
	}
	defer f.close()
	f.trigram = trigram
	if err := f.create(); err != nil {
		return err
	}
	return f.insertAll(list)
}

// optimizeFTS merges the index at path into one segment, its fastest form.
func optimizeFTS(path string) error {
	f, err := connect(path, "DELETE")
	if err != nil {
		return err
	}
	defer f.close()
	_, err = f.db.Exec(`INSERT INTO fts(fts) VALUES('optimize')`)
	return err
}

func (f *fts) create() error {
	tokenizer := "unicode61 remove_diacritics 0"
	if f.trigram {
		tokenizer = "trigram"
	}
	_, err := f.db.Exec(fmt.Sprintf(ftsSchema, tokenizer))
	return err
}

func (f *fts) name() string { return f.label }
func (f *fts) close() error { return f.db.Close() }

// body is what of a content goes into the index.
func (f *fts) body(content string) string {
	if f.trigram {
		return content
	}
	return strings.Join(grams(words(content), 2), " ")
}

// match is the expression that asks for any of a query's terms.
func (f *fts) match(query string) string { return matchAny(query, f.trigram) }

// matchAny is the expression for both tokenizers; trigrams can not ask for less
// than three characters.
func matchAny(query string, trigram bool) string {
	n := 2
	if trigram {
		n = 3
	}
	list := meaning(grams(words(query), n))
	if trigram {
		long := list[:0]
		for _, w := range list {
			if len([]rune(w)) >= 3 {
				long = append(long, w)
			}
		}
		list = long
	}
	return `"` + strings.Join(list, `" OR "`) + `"`
}

func (f *fts) search(query string) (int, error) {
	hits, err := f.answer(query)
	return len(hits), err
}

// answer is the rows of the best ten.
func (f *fts) answer(query string) ([]int64, error) {
	rows, err := f.find.Query(f.match(query))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hits []int64
	for rows.Next() {
		var row, created int64
		var importance float64
		var id, kind, content string
		if err := rows.Scan(&row, &id, &kind, &created, &importance, &content); err != nil {
			return nil, err
		}
		hits = append(hits, row)
	}
	return hits, rows.Err()
}

func (f *fts) insert(m *memory.Memory) error { return f.insertAll([]memory.Memory{*m}) }

func (f *fts) insertAll(list []memory.Memory) error {
	return f.update(func(tx *sql.Tx) error {
		insert, err := tx.Prepare(ftsInsert)
		if err != nil {
			return err
		}
		index, err := tx.Prepare(ftsIndex)
		if err != nil {
			return err
		}
		for i := range list {
			m := &list[i]
			res, err := insert.Exec(m.ID, m.Content, string(m.Kind), m.Importance, m.CreatedAt.Unix(), m.RecallCount, seconds(m.LastRecalledAt), m.Session, m.Speaker)
			if err != nil {
				return err
			}
			row, err := res.LastInsertId()
			if err != nil {
				return err
			}
			if _, err := index.Exec(row, f.body(m.Content)); err != nil {
				return err
			}
		}
		return nil
	})
}

// rehearse counts the rows of an answer as recalled once more.
func (f *fts) rehearse(hits []int64, now time.Time) error {
	args := make([]any, 11)
	args[0] = now.Unix()
	for i := range 10 {
		args[i+1] = int64(-1)
		if i < len(hits) {
			args[i+1] = hits[i]
		}
	}
	_, err := f.db.Exec(ftsTouch, args...)
	return err
}

// night plans over all rows and applies the plan in one transaction. Where more
// than half goes the index is filled anew, which is faster than deletions.
func (f *fts) night(now time.Time) error {
	list, rows, err := f.all()
	if err != nil {
		return err
	}
	plan := compress.Night(list, compress.Default(), now)
	return f.update(func(tx *sql.Tx) error {
		raise, err := tx.Prepare(`UPDATE memories SET importance = 0.75 WHERE row = ?`)
		if err != nil {
			return err
		}
		for _, it := range plan.Promote {
			if _, err := raise.Exec(rows[it.ID]); err != nil {
				return err
			}
		}
		gone := make(map[string]bool, len(plan.Prune))
		for _, it := range plan.Prune {
			gone[it.ID] = true
		}
		return f.prune(tx, list, rows, gone)
	})
}

func (f *fts) prune(tx *sql.Tx, list []memory.Memory, rows map[string]int64, gone map[string]bool) error {
	anew := len(gone) > len(list)/2
	index := `INSERT INTO fts(fts, rowid, body) VALUES('delete',?,?)`
	if anew {
		index = ftsIndex
		if _, err := tx.Exec(`INSERT INTO fts(fts) VALUES('delete-all')`); err != nil {
			return err
		}
	}
	reindex, err := tx.Prepare(index)
	if err != nil {
		return err
	}
	keep, err := tx.Prepare(`INSERT INTO archive SELECT * FROM memories WHERE row = ?`)
	if err != nil {
		return err
	}
	drop, err := tx.Prepare(`DELETE FROM memories WHERE row = ?`)
	if err != nil {
		return err
	}
	for i := range list {
		row, goes := rows[list[i].ID], gone[list[i].ID]
		if goes != anew {
			if _, err := reindex.Exec(row, f.body(list[i].Content)); err != nil {
				return err
			}
		}
		if !goes {
			continue
		}
		if _, err := keep.Exec(row); err != nil {
			return err
		}
		if _, err := drop.Exec(row); err != nil {
			return err
		}
	}
	return nil
}

func (f *fts) all() ([]memory.Memory, map[string]int64, error) {
	q, err := f.db.Query(ftsAll)
	if err != nil {
		return nil, nil, err
	}
	defer q.Close()
	var list []memory.Memory
	rows := map[string]int64{}
	for q.Next() {
		var m memory.Memory
		var row, created, recalled int64
		if err := q.Scan(&row, &m.ID, &m.Content, &m.Kind, &m.Importance, &created, &m.RecallCount, &recalled); err != nil {
			return nil, nil, err
		}
		m.CreatedAt = time.Unix(created, 0).UTC()
		if recalled != 0 {
			m.LastRecalledAt = time.Unix(recalled, 0).UTC()
		}
		list, rows[m.ID] = append(list, m), row
	}
	return list, rows, q.Err()
}

func (f *fts) update(do func(tx *sql.Tx) error) error {
	tx, err := f.db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
