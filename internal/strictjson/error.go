package strictjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Code says which rule a text breaks.
type Code string

// The codes. Checkers map them to the codes of their own tables.
const (
	Syntax       Code = "syntax"        // not the JSON grammar
	Truncated    Code = "truncated"     // the text ends inside a value
	Empty        Code = "empty"         // nothing but white space
	Trailing     Code = "trailing"      // bytes after the value
	ByteOrder    Code = "bom"           // a byte order mark
	UTF8         Code = "utf8"          // bytes that are not UTF-8
	Surrogate    Code = "surrogate"     // a lone or reversed surrogate escape
	DuplicateKey Code = "duplicate_key" // a member name that occurs twice in an object
	NumberRange  Code = "number_range"  // a number beyond the largest double
	Depth        Code = "depth"         // nested deeper than Limits.Depth
	TooManyKeys  Code = "keys"          // more members in one object than Limits.Keys
	StringLength Code = "string_length" // a longer string than Limits.StringChars
	TextLength   Code = "text_length"   // a longer text than Limits.TextBytes
)

// Error is a text that Scan refuses: where, and why.
type Error struct {
	Code    Code
	Offset  int    // byte offset of the offence in the scanned text
	Pointer string // RFC 6901 JSON pointer of the value that holds the offence; "" is the root
	Message string // what is wrong, in lower case, without the place
	Limit   int    // for the limit codes: the limit that was passed
}

func (e *Error) Error() string {
	place := fmt.Sprintf("at byte %d", e.Offset)
	if e.Pointer != "" {
		place += " in " + e.Pointer
	}
	return e.Message + " " + place
}

// IsLimit says whether the text was refused for its size, not for its content.
func (e *Error) IsLimit() bool {
	switch e.Code {
	case Depth, TooManyKeys, StringLength, TextLength:
		return true
	}
	return false
}

// maxPointerKey bounds how much of each member name an error's pointer repeats.
const maxPointerKey = 64

// pointer describes the place that was being read: the containers on the stack,
// the child that is open in each, and in the innermost one, when inChild, the child
// that had begun.
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
			writeToken(&b, text(src[s.key.start:s.key.end], s.key.escaped))
		default:
			child := s.doc.Values[s.stack[level+1]]
			writeToken(&b, text(src[child.KeyStart:child.KeyEnd], child.KeyEscaped))
		}
	}
	return b.String()
}

// writeToken appends one reference token, escaped as RFC 6901 asks and cut to size.
func writeToken(b *strings.Builder, name string) {
	b.WriteByte('/')
	if len(name) > maxPointerKey {
		name = strings.ToValidUTF8(name[:maxPointerKey], "") + "…"
	}
	b.WriteString(PointerToken(name))
}

// The escapes of JSON pointers (RFC 6901 §3).
var (
	tokenOfName = strings.NewReplacer("~", "~0", "/", "~1")
	nameOfToken = strings.NewReplacer("~1", "/", "~0", "~")
)

// PointerToken escapes a member name for use in a JSON pointer.
func PointerToken(name string) string { return tokenOfName.Replace(name) }

// PointerName is the member name that a token of a JSON pointer stands for.
func PointerName(token string) string { return nameOfToken.Replace(token) }

// The error constructors leave the pointer to Scan.

func fail(code Code, offset int, message string) *Error {
	return &Error{Code: code, Offset: offset, Message: message}
}

func limit(code Code, limit int, format string, have, offset int) *Error {
	message := fmt.Sprintf(format, have) + fmt.Sprintf(", the limit is %d", limit)
	return &Error{Code: code, Offset: offset, Message: message, Limit: limit}
}

func truncated(i int) *Error {
	return fail(Truncated, i, "unexpected end of the text")
}

func unexpected(src []byte, i int, want string) *Error {
	if i >= len(src) {
		return truncated(i)
	}
	if r, size := utf8.DecodeRune(src[i:]); r == utf8.RuneError && size == 1 {
		return notUTF8(src, i)
	}
	return fail(Syntax, i, "unexpected "+describe(src[i:])+", expected "+want)
}

func notUTF8(src []byte, i int) *Error {
	return fail(UTF8, i, fmt.Sprintf("byte 0x%02x is not UTF-8", src[i]))
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
