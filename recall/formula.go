package recall

import "math"

// Formula names one of the three ways to weigh relevance against what the memory
// is worth in itself.
type Formula string

const (
	// Bounded is relevance × (1 + 0.2·(2p − 1)) with p = 0.44 clarity + 0.32
	// importance + 0.14 recalled + 0.10 anchor, the mixture's own proportions:
	// what is forgotten sinks, but never below what does not answer.
	Bounded Formula = "bounded"
	// Mixture (second seed) is 0.50 lexical + 0.22 clarity + 0.16 importance +
	// 0.07 recalled + 0.05 anchor with lexical = 1/(1 + rank/10), where the most
	// relevant has rank 0.
	Mixture Formula = "mixture"
	// Product (first seed) is relevance × (0.35 + 0.65·0.5^(age/halfLife)) ×
	// (level/3) × (1 + 0.1·ln(1 + n)) with level = 1 + 4·importance and n recalls.
	Product Formula = "product"
)

// reach is how far Bounded can lift one candidate over another: (1 − 0.2)/(1 + 0.2)
// of the other's relevance is enough to come before it, less is not.
const reach = 0.8 / 1.2

// Reach says how much of a long list of candidates Rank needs: those whose raw
// score is at least within times the head-th best. Others would change neither
// what is kept nor in which order; with a head of 0 (no limit, Explain, or a
// formula in which anything may come first) it needs them all. Four times the
// limit leaves room for near-identical ones.
func (p Params) Reach() (head int, within float64) {
	if p.Limit <= 0 || p.Explain || p.Formula == Mixture || p.Formula == Product {
		return 0, 0
	}
	return 4 * p.Limit, reach
}

// recalled is n/(n + promotion): 0 for never, one half at promotion, below 1.
func recalled(n, promotion int) float64 {
	if n <= 0 {
		return 0
	}
	return float64(n) / float64(n+max(promotion, 1))
}

// score applies the formula to a candidate whose relevance and rank are known.
func (p *Params) score(c *Candidate, relevance float64, rank int) float64 {
	switch p.Formula {
	case Mixture:
		return 0.50*rankTerm(rank) + 0.22*unit(c.Clarity) + 0.16*unit(c.Importance) +
			0.07*recalled(c.RecallCount, p.PromotionCount) + 0.05*bit(c.Anchor)
	case Product:
		return relevance * p.recency(c) * level(c) / 3 * frequency(c)
	}
	return relevance * (1 + 0.2*(2*p.worth(c)-1))
}

// worth is p of Bounded, 0…1.
func (p *Params) worth(c *Candidate) float64 {
	return 0.44*unit(c.Clarity) + 0.32*unit(c.Importance) +
		0.14*recalled(c.RecallCount, p.PromotionCount) + 0.10*bit(c.Anchor)
}

// Worth is what a memory weighs without any query, 0…1: p of Bounded, which are
// the mixture's own proportions of clarity, importance, recalls and anchor.
func (p Params) Worth(c Candidate) float64 { return p.worth(&c) }

// recency is the first seed's 0.35 + 0.65·0.5^(age/halfLife).
func (p *Params) recency(c *Candidate) float64 {
	half := p.HalfLifeDays
	if c.Fade > 0 {
		half /= c.Fade
	}
	if half <= 0 || c.AgeDays <= 0 {
		return 1
	}
	return 0.35 + 0.65*math.Exp2(-c.AgeDays/half)
}

func rankTerm(rank int) float64      { return 1 / (1 + float64(rank)/10) }
func level(c *Candidate) float64     { return 1 + 4*unit(c.Importance) }
func frequency(c *Candidate) float64 { return 1 + 0.1*math.Log1p(float64(max(c.RecallCount, 0))) }

// Enough reports whether r, of the candidates with the highest raw scores, is what
// Rank would make of all: no other one, whose raw scores are at most next, could come
// before the last that is kept.
func (p Params) Enough(r Ranking, next float64) bool {
	head, _ := p.Reach()
	return head > 0 && len(r.Kept) == p.Limit && r.Kept[p.Limit-1].Score > 1.2*next/r.raw*(1+1e-12)
}

// most is how many parts a score has.
const most = 12

// parts adds the terms that score was made of to dst.
func (p *Params) parts(dst Parts, c *Candidate, relevance float64, rank int) Parts {
	dst = append(dst, Part{"raw", c.Raw}, Part{"relevance", relevance}, Part{"evidence", c.Evidence.Share}, Part{"proof", proof(c)})
	switch p.Formula {
	case Mixture:
		return append(dst, Part{"lexical", 0.50 * rankTerm(rank)}, Part{"clarity", 0.22 * unit(c.Clarity)}, Part{"importance", 0.16 * unit(c.Importance)},
			Part{"recalled", 0.07 * recalled(c.RecallCount, p.PromotionCount)}, Part{"anchor", 0.05 * bit(c.Anchor)})
	case Product:
		return append(dst, Part{"recency", p.recency(c)}, Part{"level", level(c) / 3}, Part{"frequency", frequency(c)})
	}
	return append(dst, Part{"clarity", 0.44 * unit(c.Clarity)}, Part{"importance", 0.32 * unit(c.Importance)},
		Part{"recalled", 0.14 * recalled(c.RecallCount, p.PromotionCount)}, Part{"anchor", 0.10 * bit(c.Anchor)})
}

// unit clamps x to 0…1; NaN is 0.
func unit(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
