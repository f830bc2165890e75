package strictjson

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
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
//
// The loop is a state machine without recursion: container values wait on a stack,
// so that nesting costs no goroutine stack and has its own limit.
func (s *Scanner) Scan(src []byte) (*Document, error) {
	s.doc = Document{Source: src, Values: s.doc.Values[:0]}
	s.stack = s.stack[:0]
	s.key = keySpan{}
	if len(src) > s.limits.TextBytes {
		return nil, s.limit(TextLength, s.limits.TextBytes, "text of %d bytes", len(src), 0, false)
	}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return nil, s.fail(ByteOrder, 0, "byte order mark before the value", false)
	}
	i := skipSpace(src, 0)
	if i == len(src) {
		return nil, s.fail(Empty, i, "no JSON value", false)
	}

value: // src[i] is the first byte of a value
	{
		v := Value{Start: int32(i), KeyStart: s.key.start, KeyEnd: s.key.end, KeyEscaped: s.key.escaped}
		switch c := src[i]; {
		case c == '"':
			end, escaped, err := s.scanString(src, i+1, true)
			if err != nil {
				return nil, err
			}
			v.Kind, v.Start, v.End, v.Escaped = String, int32(i+1), int32(end), escaped
			i = end + 1
		case c == '{' || c == '[':
			v.Kind = Array
			if c == '{' {
				v.Kind = Object
			}
			if len(s.stack) >= s.limits.Depth {
				return nil, s.limit(Depth, s.limits.Depth, "nested %d levels deep", len(s.stack)+1, i, true)
			}
			s.stack = append(s.stack, int32(len(s.doc.Values)))
			s.doc.Values = append(s.doc.Values, v)
			i = skipSpace(src, i+1)
			if i < len(src) && src[i] == c+2 { // ']' and '}' follow their openers by two
				goto closing
			}
			if c == '{' {
				goto member
			}
			if i == len(src) {
				return nil, s.truncated(src, i)
			}
			goto value
		case c == '-' || c >= '0' && c <= '9':
			end, integer, err := s.scanNumber(src, i)
			if err != nil {
				return nil, err
			}
			v.Kind, v.End, v.Integer = Number, int32(end), integer
			i = end
		default:
			kind, size := literal(src[i:])
			if kind == Absent {
				return nil, s.unexpected(src, i, "a value", true)
			}
			v.Kind, v.End = kind, int32(i+size)
			i += size
		}
		v.Next = int32(len(s.doc.Values) + 1)
		s.doc.Values = append(s.doc.Values, v)
	}

after: // a value has ended before src[i]
	if len(s.stack) == 0 {
		if i = skipSpace(src, i); i < len(src) {
			return nil, s.fail(Trailing, i, "unexpected "+describe(src[i:])+" after the value", false)
		}
		return &s.doc, nil
	}
	{
		top := &s.doc.Values[s.stack[len(s.stack)-1]]
		top.Count++
		if i < len(src) && src[i] <= ' ' {
			i = skipSpace(src, i)
		}
		if i == len(src) {
			return nil, s.truncated(src, i)
		}
		if src[i] == ',' {
			if i++; i < len(src) && src[i] <= ' ' {
				i = skipSpace(src, i)
			}
			if top.Kind == Object {
				if int(top.Count) >= s.limits.Keys {
					return nil, s.limit(TooManyKeys, s.limits.Keys, "object with more than %d members", s.limits.Keys, i, false)
				}
				goto member
			}
			if i == len(src) {
				return nil, s.truncated(src, i)
			}
			goto value
		}
		want := byte(']')
		if top.Kind == Object {
			want = '}'
		}
		if src[i] != want {
			return nil, s.unexpected(src, i, "',' or '"+string(want)+"'", false)
		}
	}

closing: // src[i] closes the container on top of the stack
	{
		index := s.stack[len(s.stack)-1]
		top := &s.doc.Values[index]
		i++
		top.End = int32(i)
		top.Next = int32(len(s.doc.Values))
		if top.Kind == Object && top.Count > 1 && !s.limits.DuplicateKeys {
			if err := s.checkNames(src, index); err != nil {
				return nil, err
			}
		}
		s.stack = s.stack[:len(s.stack)-1]
		goto after
	}

member: // src[i] is the first byte of a member name
	if i == len(src) {
		return nil, s.truncated(src, i)
	}
	if src[i] != '"' {
		return nil, s.unexpected(src, i, "a member name in double quotes", false)
	}
	{
		end, escaped, err := s.scanString(src, i+1, false)
		if err != nil {
			return nil, err
		}
		s.key = keySpan{int32(i + 1), int32(end), escaped}
		if i = end + 1; i < len(src) && src[i] <= ' ' {
			i = skipSpace(src, i)
		}
		if i == len(src) {
			return nil, s.truncated(src, i)
		}
		if src[i] != ':' {
			return nil, s.unexpected(src, i, "':'", true)
		}
		if i++; i < len(src) && src[i] <= ' ' {
			i = skipSpace(src, i)
		}
		if i == len(src) {
			return nil, s.truncated(src, i)
		}
		goto value
	}
}

func skipSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// literal recognises null, true and false at the start of b.
func literal(b []byte) (Kind, int) {
	switch {
	case bytes.HasPrefix(b, []byte("null")):
		return Null, 4
	case bytes.HasPrefix(b, []byte("true")):
		return True, 4
	case bytes.HasPrefix(b, []byte("false")):
		return False, 5
	}
	return Absent, 0
}

// scanNumber reads the number at src[i]. Only numbers that may exceed a double are
// converted: for all others a look at their length is proof enough.
func (s *Scanner) scanNumber(src []byte, i int) (end int, integer bool, err error) {
	start := i
	if src[i] == '-' {
		i++
	}
	digits := i
	i = skipDigits(src, i)
	switch {
	case i == digits:
		return 0, false, s.unexpected(src, i, "a digit", true)
	case src[digits] == '0' && i > digits+1:
		return 0, false, s.fail(Syntax, digits, "number with a leading zero", true)
	}
	integer = true
	exponent := false
	if i < len(src) && src[i] == '.' {
		integer = false
		fraction := i + 1
		if i = skipDigits(src, fraction); i == fraction {
			return 0, false, s.unexpected(src, i, "a digit after the decimal point", true)
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		integer, exponent = false, true
		if i++; i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		power := i
		if i = skipDigits(src, power); i == power {
			return 0, false, s.unexpected(src, i, "a digit of the exponent", true)
		}
	}
	const safeDigits = 300 // fewer digits than the largest double has
	if exponent || i-start > safeDigits {
		if _, err := strconv.ParseFloat(string(src[start:i]), 64); err != nil {
			return 0, false, s.fail(NumberRange, start, "number beyond the range of a double", true)
		}
	}
	return i, integer, nil
}

func skipDigits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}

// The error constructors fill in the pointer; inChild says whether the offence
// lies in a child of the innermost container or between its children.

func (s *Scanner) fail(code Code, offset int, message string, inChild bool) *Error {
	return &Error{Code: code, Offset: offset, Pointer: s.pointer(s.doc.Source, inChild), Message: message}
}

func (s *Scanner) limit(code Code, limit int, format string, have, offset int, inChild bool) *Error {
	e := s.fail(code, offset, fmt.Sprintf(format, have)+fmt.Sprintf(", the limit is %d", limit), inChild)
	e.Limit = limit
	return e
}

func (s *Scanner) truncated(src []byte, i int) *Error {
	return s.fail(Truncated, i, "unexpected end of the text", false)
}

func (s *Scanner) unexpected(src []byte, i int, want string, inChild bool) *Error {
	if i >= len(src) {
		return s.truncated(src, i)
	}
	return s.fail(Syntax, i, "unexpected "+describe(src[i:])+", expected "+want, inChild)
}

// describe names the byte or character at the start of b for a message.
func describe(b []byte) string {
	r, size := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError && size <= 1:
		return fmt.Sprintf("byte 0x%02x", b[0])
	case strconv.IsPrint(r):
		return strconv.QuoteRune(r)
	}
	return fmt.Sprintf("character U+%04X", r)
}
