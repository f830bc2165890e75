package format

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
)

// Text is a string member: its unescaped bytes (nil unless a string) and position. The bytes share the block's
// memory.
type Text struct {
	Bytes []byte
	At    fault.Place
}

func textOf(n strictjson.Node) Text {
	if !n.Exists() {
		return Text{}
	}
	return Text{n.TextBytes(nil), fault.PlaceOf(n)}
}

func (t Text) String() string { return string(t.Bytes) }

// ID is an identifier and its key.
type ID struct {
	Text
	Key uint64
}

func idOf(t Text, keys siphash.Key) ID { return ID{t, keys.Sum64(t.Bytes)} }

// Hash is a text that should be a SHA-256 in 64 lower-case hexadecimal digits.
type Hash struct {
	Text
	Sum   digest.Sum
	Valid bool // it is one
}

func hashOf(t Text) Hash {
	sum, ok := digest.ParseHex(t.Bytes)
	return Hash{t, sum, ok}
}

// Span is a half-open byte range as written in a trace.
type Span struct {
	From, To int64
	At       fault.Place
}

// Sound reports whether the span starts at 0 or later and is not empty.
func (s Span) Sound() bool { return 0 <= s.From && s.From < s.To }

// spanOf reads a span. It returns zero for other values, which the tables report.
func spanOf(n strictjson.Node) (s Span) {
	if !aSpan.fits(n) {
		return s
	}
	s.At = fault.PlaceOf(n)
	s.From, _ = n.At(0).Int()
	s.To, _ = n.At(1).Int()
	return s
}
