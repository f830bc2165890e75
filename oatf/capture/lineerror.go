package capture

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// LineError is returned for an invalid line or batch element. The Reader can continue after it.
type LineError struct {
	Input   int    // which input, from 0 on
	Line    int    // 1-based
	Column  int    // 1-based, in code points
	Message string // description in lower case, without position
	Hint    string // what to do; "" when there is nothing to say

	// Limit is the exceeded limit, or "" for other errors.
	Limit Limit

	// Truncated means that the input ends inside the line, for example because its writer crashed.
	Truncated bool
}

// Limit is the name of a field of Limits.
type Limit string

// The limits of a line.
const (
	LimitLineBytes Limit = "LineBytes"
	LimitDepth     Limit = "Depth"
	LimitValues    Limit = "Values"
	LimitKeys      Limit = "Keys"
)

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

func limitOf(code strictjson.Code) Limit {
	switch code {
	case strictjson.TextLength:
		return LimitLineBytes
	case strictjson.Depth:
		return LimitDepth
	case strictjson.TooManyValues:
		return LimitValues
	case strictjson.TooManyKeys:
		return LimitKeys
	}
	return ""
}

// textError returns the error for malformed JSON.
func textError(text []byte, fault *strictjson.Error) *LineError {
	before := text[:min(fault.Offset, len(text))]
	begin := bytes.LastIndexByte(before, '\n') + 1
	e := &LineError{
		Line:    1 + bytes.Count(before, []byte{'\n'}),
		Column:  source.Column(text[begin:], len(before)-begin),
		Message: fault.Message,
		Limit:   limitOf(fault.Code),
	}
	if fault.Pointer != "" {
		e.Message += " in " + say.Preview(fault.Pointer, say.Usual)
	}
	if fault.Code == strictjson.ByteOrder {
		e.Hint = source.ByteOrderHint
	}
	return e
}

func endsInside(text []byte, fault *strictjson.Error) bool {
	rest := text[min(fault.Offset, len(text)):]
	switch fault.Code {
	case strictjson.Truncated:
		return true
	case strictjson.UTF8:
		return !utf8.FullRune(rest)
	case strictjson.Syntax:
		return len(rest) > 0 && slices.ContainsFunc(literals, func(l string) bool { return strings.HasPrefix(l, string(rest)) })
	}
	return false
}

var literals = []string{"true", "false", "null"}

// article returns a value's kind with its article.
func article(n strictjson.Node) string {
	switch k := n.Kind(); k {
	case strictjson.Null:
		return "null"
	case strictjson.Array, strictjson.Object:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}
