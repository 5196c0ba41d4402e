package recall

// Evidence says what a candidate's raw score rests on. The information of a query
// is the IDF mass of its words that carry any: function words and letter pieces
// carry none, a word that stands nowhere in the store carries the most.
type Evidence struct {
	Own   float64 // share of the query's information in the memory itself, 0…1
	Share float64 // … in it or in its neighbours of the same conversation, 0…1
}

// Bar is the least evidence an answer needs. The zero value asks for none.
type Bar struct {
	Share float64 // least share of the query's information
}

// passes reports whether e is enough.
func (b Bar) passes(e Evidence) bool {
	if b == (Bar{}) {
		return true
	}
	return e.Share > 0 && e.Share >= b.Share
}
