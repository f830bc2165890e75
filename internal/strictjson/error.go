package strictjson

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Code is the rule that a text violates.
type Code string

const (
	Syntax        Code = "syntax"        // not the JSON grammar
	Truncated     Code = "truncated"     // ends inside a value
	Empty         Code = "empty"         // only white space
	Trailing      Code = "trailing"      // bytes after the value
	ByteOrder     Code = "bom"           // a byte order mark
	UTF8          Code = "utf8"          // invalid UTF-8
	Surrogate     Code = "surrogate"     // lone or reversed surrogate escape
	DuplicateKey  Code = "duplicate_key" // repeated member name
	NumberRange   Code = "number_range"  // outside the range of a double
	Depth         Code = "depth"         // nested deeper than Limits.Depth
	TooManyKeys   Code = "keys"          // more members in one object than Limits.Keys
	TooManyValues Code = "values"        // more values than Limits.Values
	StringLength  Code = "string_length" // a longer string than Limits.StringChars
	TextLength    Code = "text_length"   // a longer text than Limits.TextBytes
)

// Error is a violation and its position.
type Error struct {
	Code    Code
	Offset  int    // byte offset in the scanned text
	Pointer string // JSON pointer (RFC 6901) of the containing value; "" is the root
	Message string // description in lower case, without position
	Limit   int    // exceeded limit, for limit codes

	// For syntax errors: the byte that violates the grammar, possibly after Offset, and what was expected.
	Stop int
	Want string
}

func (e *Error) Error() string {
	place := fmt.Sprintf("at byte %d", e.Offset)
	if e.Pointer != "" {
		place += " in " + e.Pointer
	}
	return e.Message + " " + place
}

// IsLimit reports whether the text exceeded a limit.
func (e *Error) IsLimit() bool {
	switch e.Code {
	case Depth, TooManyKeys, TooManyValues, StringLength, TextLength:
		return true
	}
	return false
}

// The error constructors leave Pointer to Scan.

func fail(code Code, offset int, message string) *Error {
	return &Error{Code: code, Offset: offset, Message: message}
}

// broken returns a syntax error at src[stop].
func broken(code Code, offset, stop int, message, want string) *Error {
	return &Error{Code: code, Offset: offset, Message: message, Stop: stop, Want: want}
}

func limit(code Code, limit int, format string, have, offset int) *Error {
	message := fmt.Sprintf(format, have) + fmt.Sprintf(", the limit is %d", limit)
	return &Error{Code: code, Offset: offset, Message: message, Limit: limit}
}

func truncated(i int, want string) *Error {
	return broken(Truncated, i, i, endOfText, want)
}

func trailing(src []byte, i int) *Error {
	return broken(Trailing, i, i, "unexpected "+describe(src[i:])+" after the value", "the end of the text")
}

func unexpected(src []byte, i int, want string) *Error {
	if i >= len(src) {
		return truncated(i, want)
	}
	if r, size := utf8.DecodeRune(src[i:]); r == utf8.RuneError && size == 1 {
		return notUTF8(src, i)
	}
	return broken(Syntax, i, i, "unexpected "+describe(src[i:])+", expected "+want, want)
}

func notUTF8(src []byte, i int) *Error {
	return broken(UTF8, i, i, fmt.Sprintf("byte 0x%02x is not UTF-8", src[i]), "UTF-8")
}

// describe names the first byte or character of b for a message.
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

const endOfText = "unexpected end of the text"
