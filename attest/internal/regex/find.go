package regex

import (
	"context"
	"io"
	"regexp/syntax"
	"unicode/utf8"
)

const (
	// scoutedText is the length of a text from which a scout gains more than it costs, and
	// scoutedSize that of the longest expression that has one.
	scoutedText = 2 << 10
	scoutedSize = 1000

	// patientWork is the product of program and text up to which an expression runs
	// undisturbed, which is a fraction of a second; beyond, the end of the time must be able
	// to end it.
	patientWork = 20_000_000
)

func (e *Expression) newScout() *scout {
	parsed, err := syntax.Parse(e.String(), syntax.Perl)
	if err != nil || e.Size > scoutedSize {
		return nil
	}
	prefix, whole := e.LiteralPrefix()
	if whole {
		return nil // nothing is faster than to seek it
	}
	return newScout(parsed, prefix)
}

// Find returns the place of a match, nil when there is none. It is that of the library's
// FindStringIndex, but in a long text one that ends first: how far the first match would go on
// is not worth the time. It is worthless when ctx is done, which ends it early.
func (e *Expression) Find(ctx context.Context, text string) []int {
	if len(text) < scoutedText || e.scout() == nil {
		return e.first(ctx, text, 0)
	}
	switch from, to, o := e.scout().look(ctx, text); {
	case o == nowhere:
		return nil
	case o == somewhere && e.scout().free:
		return e.endingAt(ctx, text, from, to)
	case o == unclear && e.Size*(len(text)-from) <= patientWork && !e.MatchString(text[from:]): // takes less than to ask for the place at once
		return nil
	default:
		return e.first(ctx, text, from)
	}
}

// first is the place of the first match from a place on.
func (e *Expression) first(ctx context.Context, text string, from int) []int {
	rest := text[from:]
	if e.Size*len(rest) > patientWork {
		return behind(from, e.FindReaderIndex(&interruptible{ctx: ctx, text: rest}))
	}
	return behind(from, e.FindStringIndex(rest))
}

// usualMatch is a length that most matches do not exceed.
const usualMatch = 512

// endingAt is the place of a match of a free expression which begins at from or later, and
// before whose end, at to, no other ends.
func (e *Expression) endingAt(ctx context.Context, text string, from, to int) []int {
	for length := usualMatch; ; length *= 4 {
		begin := max(from, to-length)
		for begin > from && !utf8.RuneStart(text[begin]) {
			begin--
		}
		if place := e.first(ctx, text[:to], begin); place != nil || begin == from {
			return place
		}
	}
}

// behind moves a place.
func behind(from int, place []int) []int {
	for i := range place {
		place[i] += from
	}
	return place
}

// interruptible reads a text until the context is done.
type interruptible struct {
	ctx  context.Context
	text string
	pos  int
}

// ReadRune implements io.RuneReader.
func (r *interruptible) ReadRune() (c rune, size int, err error) {
	if r.pos == len(r.text) || r.pos&0xfff < 4 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRuneInString(r.text[r.pos:])
	r.pos += size
	return c, size, nil
}
