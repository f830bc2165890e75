package strictjson

import (
	"bytes"
	"strconv"
	"strings"
)

// Scanner scans texts and reuses its memory. It is not safe for concurrent use.
type Scanner struct {
	limits Limits
	doc    Document
	stack  []int32 // indexes of open containers
	key    keySpan // last member name
	names  nameSet
	texts  int
	shapes shapes // nil for the first texts, which can be the only ones
	fresh  uint16 // shape of a new object
}

type keySpan struct {
	start, end int32
	marks      Marks // KeyEscaped or none
}

// NewScanner returns a scanner with the given limits.
func NewScanner(limits Limits) *Scanner {
	return &Scanner{limits: limits.withDefaults()}
}

// Scan parses a JSON text. The document refers to src and is valid until the next call. The error is an *Error.
func (s *Scanner) Scan(src []byte) (*Document, error) {
	if s.texts++; s.texts == textsAlone+1 {
		s.shapes, s.fresh = newShapes(), emptyShape
	}
	s.doc.Source, s.doc.Wide = src, false
	s.doc.Values, s.stack, s.key = s.doc.Values[:0], s.stack[:0], keySpan{}
	e, inChild := s.begin(src)
	s.doc.shapes = s.shapes
	if e != nil {
		e.Pointer = s.pointer(src, inChild)
		return nil, e
	}
	return &s.doc, nil
}

// Trim releases the value memory, and the last document, if it exceeds most bytes.
func (s *Scanner) Trim(most int) {
	if s.doc.Capacity() > most/ValueBytes {
		s.doc = Document{}
	}
}

// begin checks the text as a whole, then scans its value.
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

// pointer returns the pointer to the current position: the open containers, their current children
// and, with inChild, the innermost child.
func (s *Scanner) pointer(src []byte, inChild bool) string {
	var b strings.Builder
	for level, container := range s.stack {
		innermost := level == len(s.stack)-1
		if innermost && !inChild {
			break
		}
		v := s.doc.Values[container]
		switch {
		case v.Kind == Array:
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(int(v.Count)))
		case innermost:
			writeToken(&b, text(src[s.key.start:s.key.end], s.key.marks != 0), maxPointerKey)
		default:
			child := s.doc.Values[s.stack[level+1]]
			writeToken(&b, text(src[child.KeyStart:child.KeyEnd], child.Has(KeyEscaped)), maxPointerKey)
		}
	}
	return b.String()
}
