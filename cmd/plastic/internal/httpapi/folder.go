package httpapi

import (
	"errors"
	"strconv"

	"plastic"
	"plastic/memory"
)

// stats counts what the audience may see.
func stats(c *call) (any, error) { return c.bank.Stats() }

func card(c *call) (any, error) { return c.bank.Card() }

// cardBody is a card as it shall be. What GET gave can be sent back as it is: its
// text is the content, and the size is whatever it turns out to be.
type cardBody struct {
	lowering
	Content *string           `json:"content"`
	Text    *string           `json:"text"`
	Hash    string            `json:"hash"` // of the card that was read
	Size    *plastic.CardSize `json:"size"`
}

func writeCard(c *call) (any, error) {
	b := c.body.(*cardBody)
	switch {
	case b.Content == nil && b.Text == nil:
		return nil, plastic.Hint(memory.ErrUsage, "content is missing: the whole card, as it shall be", "")
	case b.Content != nil && b.Text != nil && *b.Content != *b.Text:
		return nil, plastic.Hint(memory.ErrUsage, "content and text are two names of one thing and say two", "give one of them")
	case b.Content == nil:
		b.Content = b.Text
	}
	return c.bank.WriteCard(c.r.Context(), []byte(*b.Content), b.Hash)
}

func channel(c *call) (any, error) {
	return plastic.Channel(c.s.config().Channel), nil
}

type channelBody struct {
	lowering
	Enabled *bool   `json:"enabled"`
	Recall  *string `json:"recall"`
	Retain  *bool   `json:"retain"`
}

func setChannel(c *call) (any, error) {
	b := c.body.(*channelBody)
	set := map[string]string{}
	if b.Enabled != nil {
		set["channel.enabled"] = strconv.FormatBool(*b.Enabled)
	}
	if b.Recall != nil {
		set["channel.recall"] = *b.Recall
	}
	if b.Retain != nil {
		set["channel.retain"] = strconv.FormatBool(*b.Retain)
	}
	if err := c.setAll(set); err != nil {
		return nil, err
	}
	return channel(c)
}

// healthy answers whether the memory can be read at all.
type healthy struct {
	OK bool `json:"ok"`
}

// health looks for a memory that can not be: that there is none is what a
// readable memory answers, at the price of a look at the files.
func health(c *call) (any, error) {
	if _, err := c.bank.Show(""); !errors.Is(err, memory.ErrNotFound) {
		return nil, err
	}
	return healthy{OK: true}, nil
}
