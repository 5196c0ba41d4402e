package httpapi

import (
	"strings"

	"plastic"
	"plastic/memory"
)

type compressBody struct {
	lowering
	DryRun bool `json:"dryRun"`
	Again  bool `json:"again"`
}

func compress(c *call) (any, error) {
	b := c.body.(*compressBody)
	return c.bank.Compress(c.r.Context(), plastic.Nightly{DryRun: b.DryRun, Again: b.Again})
}

// maxDays bounds a forecast over HTTP to two years of nights.
const maxDays = 731

func forecast(c *call) (any, error) {
	days, err := c.number("days", 1, maxDays, 7)
	if err != nil {
		return nil, err
	}
	set := map[string]string{}
	for _, word := range c.query["set"] {
		key, value, ok := strings.Cut(word, "=")
		if _, twice := set[key]; twice || !ok || key == "" {
			return nil, plastic.Hint(memory.ErrUsage, "set is not key=value, each key once", "for example set=memory.keepFraction=0.6")
		}
		set[key] = value
	}
	return c.bank.Forecast(days, set)
}
