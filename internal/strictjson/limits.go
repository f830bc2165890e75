package strictjson

import "math"

// Limits bound what one text may ask of a reader. A zero field means the default.
type Limits struct {
	TextBytes   int // length of the text; default 1 GiB, which offsets of 32 bits can address
	Depth       int // nested containers; default 128, far beyond any real event
	Keys        int // members of one object; default 100,000
	Values      int // values of the text, containers and their contents; 28 bytes each; default: no limit but the text's
	StringChars int // code points of one string after unescaping; default: no limit but the text's

	// DuplicateKeys accepts an object that names a member twice, for formats whose
	// readers take the last one: see Node.Last.
	DuplicateKeys bool

	// LoneSurrogates accepts the escape of half a surrogate pair, which the grammar of
	// RFC 8259 allows and writers produce that cut a text in the middle of a
	// character. It reads as U+FFFD.
	LoneSurrogates bool

	// WideNumbers accepts a number that no double can hold, which the grammar of RFC 8259
	// allows, for formats whose readers pass over what they do not know. Document.Wide
	// says that there is one; its Node.Float has no value.
	WideNumbers bool
}

// The default limits.
const (
	DefaultTextBytes = 1 << 30
	DefaultDepth     = 128
	DefaultKeys      = 100_000
)

func (l Limits) withDefaults() Limits {
	orDefault := func(limit *int, value int) {
		if *limit <= 0 {
			*limit = value
		}
	}
	orDefault(&l.TextBytes, DefaultTextBytes)
	l.TextBytes = min(l.TextBytes, math.MaxInt32-8)
	orDefault(&l.Depth, DefaultDepth)
	orDefault(&l.Keys, DefaultKeys)
	orDefault(&l.Values, math.MaxInt)
	orDefault(&l.StringChars, math.MaxInt)
	return l
}
