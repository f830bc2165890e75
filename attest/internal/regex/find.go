package regex

import (
	"context"
	"io"
	"regexp/syntax"
	"unicode/utf8"
)

const (
	// scoutedText is the minimum text length for a scout, scoutedSize the largest expression that has one.
	scoutedText = 2 << 10
	scoutedSize = 1000

	// patientWork is the product of program and text size up to which a search does not check the context, a
	// fraction of a second.
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

// Find returns the range of a match, or nil, like FindStringIndex. In a long text, the match can be shorter,
// because extending the first match takes time. The result is invalid if ctx ends.
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

// first returns the position of the first match at or after from.
func (e *Expression) first(ctx context.Context, text string, from int) []int {
	rest := text[from:]
	if e.Size*len(rest) > patientWork {
		return shift(from, e.FindReaderIndex(&interruptible{ctx: ctx, text: rest}))
	}
	return shift(from, e.FindStringIndex(rest))
}

// usualMatch is a length that most matches do not exceed.
const usualMatch = 512

// endingAt returns a match of an unanchored expression that starts at or after from and ends at to, the earliest
// end.
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

// shift adds from to the offsets of a range.
func shift(from int, place []int) []int {
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
