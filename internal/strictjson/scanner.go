package strictjson

import (
	"bytes"
	"math"
)

// Limits bound what one text may ask of a reader. A zero field means the default.
type Limits struct {
	TextBytes   int // length of the text; default 1 GiB, which offsets of 32 bits can address
	Depth       int // nested containers; default 128, far beyond any real event
	Keys        int // members of one object; default 100,000
	StringChars int // code points of one string after unescaping; default: no limit but the text's

	// DuplicateKeys accepts an object that names a member twice, for formats whose
	// readers take the last one: see Node.Last.
	DuplicateKeys bool

	// LoneSurrogates accepts the escape of half a surrogate pair, which the grammar of
	// RFC 8259 allows and writers produce that cut a text in the middle of a
	// character. It reads as U+FFFD.
	LoneSurrogates bool
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
	orDefault(&l.StringChars, math.MaxInt)
	return l
}

// Scanner scans texts one after another and reuses its memory. It is not safe for
// concurrent use; give each worker one.
type Scanner struct {
	limits Limits
	doc    Document
	stack  []int32 // indexes of the open containers
	key    keySpan // the member name that was read last
	names  nameSet
}

type keySpan struct {
	start, end int32
	escaped    bool
}

// NewScanner returns a scanner with the given limits.
func NewScanner(limits Limits) *Scanner {
	return &Scanner{limits: limits.withDefaults()}
}

// Scan reads one JSON text. The document refers to src and is valid until the next
// call. The error is always an *Error.
func (s *Scanner) Scan(src []byte) (*Document, error) {
	s.doc.Source = src
	s.doc.Values, s.stack, s.key = s.doc.Values[:0], s.stack[:0], keySpan{}
	e, inChild := s.begin(src)
	if e != nil {
		e.Pointer = s.pointer(src, inChild)
		return nil, e
	}
	return &s.doc, nil
}

// begin checks what concerns the text as a whole, then scans its value.
func (s *Scanner) begin(src []byte) (e *Error, inChild bool) {
	if len(src) > s.limits.TextBytes {
		return limit(TextLength, s.limits.TextBytes, "text of %d bytes", len(src), 0), false
	}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return fail(ByteOrder, 0, "byte order mark before the value"), false
	}
	start := skipSpace(src, 0)
	if start == len(src) {
		return fail(Empty, start, "no JSON value"), false
	}
	return s.scan(src, start)
}
