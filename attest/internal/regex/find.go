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

// Find returns the place of the first match, nil when there is none: that of the library's
// FindStringIndex. It is worthless when ctx is done, which ends it early.
func (e *Expression) Find(ctx context.Context, text string) []int {
	from, o := 0, unclear
	if len(text) >= scoutedText {
		if s := e.scout(); s != nil {
			from, o = s.look(ctx, text)
		}
	}
	switch rest := text[from:]; {
	case o == nowhere:
		return nil
	case e.Size*len(rest) > patientWork:
		return behind(from, e.FindReaderIndex(&interruptible{ctx: ctx, text: rest}))
	case o == unclear && len(rest) >= scoutedText && !e.MatchString(rest): // takes less than to ask for the place at once
		return nil
	default:
		return behind(from, e.FindStringIndex(rest))
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
