package strictjson

import "math"

// Limits limits a text. Zero fields mean defaults.
type Limits struct {
	TextBytes   int // bytes; default 1 GiB, addressable by 32-bit offsets
	Depth       int // nested containers; default 128
	Keys        int // members per object; default 100,000
	Values      int // number of values, 28 bytes each; default unlimited
	StringChars int // code points per string after unescaping; default unlimited

	// DuplicateKeys accepts repeated member names, for formats whose readers use the last one: see Node.Last.
	DuplicateKeys bool

	// LoneSurrogates accepts unpaired surrogate escapes (valid in RFC 8259), which come from writers that truncate
	// texts inside a character. They read as U+FFFD.
	LoneSurrogates bool

	// WideNumbers accepts numbers outside of a double's range (valid in RFC 8259), for formats
	// whose readers ignore unknown members. They set Document.Wide, and Node.Float fails for them.
	WideNumbers bool
}

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
