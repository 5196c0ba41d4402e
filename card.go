package plastic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"plastic/config"
	"plastic/internal/card"
	"plastic/internal/secret"
	"plastic/memory"
	"plastic/store"
	"plastic/tokenize"
)

// cardKind marks a former card in the archive.
const cardKind memory.Kind = "card"

func (b *Bank) cardPath(c *config.Config) string {
	if filepath.IsAbs(c.Card.Path) {
		return c.Card.Path
	}
	return filepath.Join(b.Dir(), c.Card.Path)
}

// Card is the card as it stands, up to 64 KiB of it whole. It fails with
// memory.ErrDenied for an audience that card.audience keeps from it.
func (b *Bank) Card() (CardText, error) {
	c := b.settings()
	if !b.seesCard(c) {
		return CardText{}, denied("the card", b.audience)
	}
	got, err := card.Read(b.cardPath(c))
	if err != nil {
		return CardText{}, err
	}
	return cardText(got), nil
}

// seesCard reports whether card.audience lets the card be shown here.
func (b *Bank) seesCard(c *config.Config) bool {
	may := memory.Audience(c.Card.Audience)
	return b.audience.Lower(may) == may
}

func cardText(c card.Card) CardText {
	return CardText{Text: string(c.Bytes), Hash: c.Hash, Size: CardSize{Bytes: int(c.Size), Runes: c.Runes, Tokens: tokenize.Count(string(c.Bytes))}}
}

// WriteCard replaces the card if it still has the hash that the writer read;
// the former card goes to the archive first. It fails with memory.ErrInvalid
// for another hash, a text over 64 KiB or one that holds a secret, and where the
// former card is over 64 KiB: it could not be brought back.
func (b *Bank) WriteCard(ctx context.Context, text []byte, hash string) (CardText, error) {
	if err := b.mayDump("writing the card"); err != nil {
		return CardText{}, err
	}
	if err := b.checkCardText(text); err != nil {
		return CardText{}, err
	}
	path := b.cardPath(b.settings())
	now := b.opts.Now()
	_, err := b.store.Update(ctx, func(tx *store.Tx) error {
		old, err := card.Read(path)
		if err != nil {
			return err
		}
		if old.Hash != hash && (old.State != card.Empty || hash != "") {
			return card.ErrChanged
		}
		if old.State == card.TooLarge {
			return Hint(memory.ErrInvalid, fmt.Sprintf("the card has %d bytes, too many to be kept as a former one; nothing was written", old.Size), "shorten "+path+" in an editor first")
		}
		if secret.Find(string(old.Bytes)) == "" { // what a person wrote there by hand is no new one
			if err := noSecret("the card", string(text)); err != nil {
				return err
			}
		}
		if old.State == card.Whole && string(old.Bytes) != string(text) {
			tx.Keep(memory.Archived{
				Memory:     memory.Memory{ID: "card-" + old.Hash[:12], Content: string(old.Bytes), Kind: cardKind, Importance: memory.DefaultImportance, Private: true, CreatedAt: whole(now)},
				ArchivedAt: whole(now), As: memory.Version, By: b.by, Why: "the card was rewritten",
			})
		}
		return nil
	})
	if err == nil {
		err = card.Write(path, text, hash)
	}
	if errors.Is(err, card.ErrChanged) {
		why := "the card was changed since it was read"
		if hash == "" {
			why = "the hash of the card that is to be replaced is missing"
		}
		err = Hint(memory.ErrInvalid, why+"; nothing was written", "read it again (`plastic card --json` gives its hash) and write on top of that")
	}
	if err != nil {
		return CardText{}, err
	}
	b.used(now)
	return b.Card()
}

func (b *Bank) checkCardText(text []byte) error {
	if len(text) > card.MaxSize {
		return Hint(memory.ErrInvalid, fmt.Sprintf("the card has %d bytes, it holds at most %d", len(text), card.MaxSize), "keep what is always needed, and point to the rest")
	}
	return nil
}

// CheckCard says what should be done about the card: too long for what it costs
// in every turn, telling something twice or what a core memory tells already, or
// likely contradicting itself or a core memory.
func (b *Bank) CheckCard() ([]Problem, error) {
	if _, err := b.Card(); err != nil {
		return nil, err
	}
	s, err := b.look()
	if err != nil {
		return nil, err
	}
	out := b.cardProblems()
	got, err := card.Read(b.cardPath(s.config))
	if err != nil || got.State != card.Whole {
		return out, nil
	}
	return append(out, s.cardClashes(string(got.Bytes))...), nil
}

// cardProblems are the ones that doctor and stats tell too.
func (b *Bank) cardProblems() []Problem {
	c := b.settings()
	got, err := card.Read(b.cardPath(c))
	if line := mergeMark(string(got.Bytes)); err == nil && line > 0 {
		return []Problem{{Code: "card_conflict", Path: c.Card.Path,
			Message: fmt.Sprintf("a merge of the card is not finished: git's marks begin on line %d, and stand in every prompt", line),
			Hint:    "keep what holds of the two sides and take the marks out (`plastic card edit`)"}}
	}
	switch {
	case err != nil:
		return []Problem{{Code: "card_unreadable", Path: c.Card.Path, Message: err.Error(), Hint: "put a text file in its place"}}
	case got.State == card.Whole && (!got.Valid || bytes.IndexByte(got.Bytes, 0) >= 0):
		return []Problem{{Code: "card_text", Path: c.Card.Path, Message: "the card is no text in UTF-8, and stands in every prompt as it is", Hint: "save it as UTF-8 in an editor, or bring it back from git or a backup"}}
	case got.State == card.TooLarge:
		return []Problem{{Code: "card_too_large", Path: c.Card.Path,
			Message: fmt.Sprintf("the card has %d bytes and is not shown: at most %d are", got.Size, card.MaxSize), Hint: "shorten it: keep what is always needed, and point to the rest"}}
	case got.Size > int64(c.Card.SoftLimit):
		return []Problem{{Code: "card_long", Path: c.Card.Path,
			Message: fmt.Sprintf("the card has %d bytes of the %d it should keep to: it stands in every prompt (about %d tokens)", got.Size, c.Card.SoftLimit, tokenize.Count(string(got.Bytes))),
			Hint:    "keep what is always needed, and point to the rest"}}
	}
	return nil
}
