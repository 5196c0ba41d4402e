package main

import (
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/mapping"

	"plastic/memory"
)

// bleveIndex keeps each content in the field of its language, stored, with that
// language's own analyzer: stems and stop words for English and Russian,
// character bigrams for Chinese. A query asks one field.
type bleveIndex struct {
	index bleve.Index
}

// bleveFields are the fields by language, as in functionWords.
var bleveFields = [3]struct{ field, analyzer string }{{"zh", cjk.AnalyzerName}, {"en", en.AnalyzerName}, {"ru", ru.AnalyzerName}}

const bleveBatch = 2000

func bleveMapping() mapping.IndexMapping {
	doc := bleve.NewDocumentStaticMapping()
	for _, f := range bleveFields {
		text := bleve.NewTextFieldMapping()
		text.Analyzer = f.analyzer
		text.IncludeInAll, text.IncludeTermVectors, text.DocValues = false, false, false
		doc.AddFieldMappingsAt(f.field, text)
	}
	m := bleve.NewIndexMapping()
	m.DefaultMapping = doc
	return m
}

func buildBleve(path string, list []memory.Memory) error {
	index, err := bleve.New(path, bleveMapping())
	if err != nil {
		return err
	}
	b := &bleveIndex{index: index}
	for len(list) > 0 {
		n := min(len(list), bleveBatch)
		if err := b.insertAll(list[:n]); err != nil {
			b.close()
			return err
		}
		list = list[n:]
	}
	return b.close()
}

func openBleve(path string, readOnly bool) (*bleveIndex, error) {
	index, err := bleve.OpenUsing(path, map[string]any{"read_only": readOnly})
	if err != nil {
		return nil, err
	}
	return &bleveIndex{index: index}, nil
}

func (b *bleveIndex) name() string { return "bleve" }
func (b *bleveIndex) close() error { return b.index.Close() }

// contents answers a query with the texts of the best ten.
func (b *bleveIndex) contents(query string) ([]string, error) {
	field := bleveFields[language(query)].field
	match := bleve.NewMatchQuery(query)
	match.SetField(field)
	req := bleve.NewSearchRequestOptions(match, 10, 0, false)
	req.Fields = []string{field}
	res, err := b.index.Search(req)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, hit := range res.Hits {
		if text, ok := hit.Fields[field].(string); ok {
			out = append(out, text)
		}
	}
	return out, nil
}

func (b *bleveIndex) search(query string) (int, error) {
	list, err := b.contents(query)
	return len(list), err
}

func (b *bleveIndex) insert(m *memory.Memory) error { return b.index.Index(m.ID, bleveDoc(m)) }

func (b *bleveIndex) insertAll(list []memory.Memory) error {
	batch := b.index.NewBatch()
	for i := range list {
		if err := batch.Index(list[i].ID, bleveDoc(&list[i])); err != nil {
			return err
		}
	}
	return b.index.Batch(batch)
}

func bleveDoc(m *memory.Memory) map[string]any {
	return map[string]any{bleveFields[language(m.Content)].field: m.Content}
}
