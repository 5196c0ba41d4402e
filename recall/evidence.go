package recall

// Evidence says what a candidate's raw score rests on. The information of a query
// is the IDF mass of what it asks for: function words and letter pieces carry none,
// words that only frame a question little, a word that stands nowhere in the store
// as much as the rarest.
type Evidence struct {
	Own float64 // share of the query's information in the memory itself, 0…1
	// Share is what the memory and its neighbours in the conversation have of it, of
	// what a message of this length must have covered, 0…1; less where others are
	// named than those the query names.
	Share float64
}

// Bar is the least that is needed to answer at all. The zero value is the measured
// one; NoBar asks for nothing.
type Bar struct {
	// Proof is what the strongest candidate must reach: raw score × share. The raw
	// score alone is high for a long question of common words, the share alone for
	// a short one; of what was tried their product told questions that a store answers
	// from those it does not best, in three languages (index's TestMeasureSilence).
	// 0: 0.45.
	Proof float64
}

// NoBar lets everything answer, also what shares nothing informative.
var NoBar = Bar{Proof: -1}

// borrowed is the least relevance of a candidate that has nothing of the question
// itself and owes all to its neighbours. Below it no answer was lost on the handed
// conversations.
const borrowed = 0.3

// measured is the Proof below which more false answers go than right ones: it keeps
// 97 to 100 of 100 answers that are found on the conversations it was measured on.
const measured = 0.45

func (b Bar) proof() float64 {
	if b.Proof == 0 {
		return measured
	}
	return b.Proof
}

// proof is how much speaks for c being an answer: about 1 for a rare word that is
// all of the question.
func proof(c *Candidate) float64 { return c.Raw * c.Evidence.Share }

// proves reports whether c alone shows that the store has an answer: it is strong
// enough, or has by itself all that is asked for, however common the words are.
func (b Bar) proves(c *Candidate) bool { return proof(c) >= b.proof() || c.Evidence.Own >= 1 }
