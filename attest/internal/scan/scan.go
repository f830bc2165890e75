// Package scan parses requests and traces and formats errors as in the protocol.
package scan

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// maxKeys limits the members of an object: trace size divided by the minimum of five bytes per member.
const maxKeys = 10 << 20 / 5

// New returns a scanner for requests. It accepts duplicate names (the last counts) and unpaired surrogates (clients
// truncate texts), depth nested containers and values values, 0 for unlimited.
func New(depth, values int) *strictjson.Scanner {
	return strictjson.NewScanner(strictjson.Limits{Depth: depth, Values: values, Keys: maxKeys, DuplicateKeys: true, LoneSurrogates: true})
}

// Refusal is a scanner's error in the words of the protocol.
type Refusal struct {
	Part    Part
	Message string
	Detail  string // guidance
	Offset  int    // of the byte that is wrong
}

// Part is the part of a request that an error is about.
type Part uint8

const (
	WholeText    Part = iota // malformed JSON
	InTrace                  // it is JSON, but its trace is too deep or holds a number beyond a double
	InAssertions             // the same, in the assertions
)

// Params returns the refusal of the params of evaluate_batch. depth is the scanner's limit.
func Params(err error, depth int) Refusal {
	var refused *strictjson.Error
	if !errors.As(err, &refused) {
		return Text(err, depth)
	}
	place := refused.Pointer
	foreign := refused.IsLimit() || refused.Code == strictjson.NumberRange
	switch {
	case foreign && under(place, "/trace"):
		return traceAt(refused, strings.TrimPrefix(place, "/trace"), depth)
	case foreign && under(place, "/assertions"):
		message := "assertions cannot be read: " + reason(refused, depth) + " in " + wording.Preview(place)
		return Refusal{InAssertions, message, detail(refused, depth), refused.Offset}
	}
	return Text(refused, depth)
}

// Text returns the refusal of any other text.
func Text(err error, depth int) Refusal {
	var refused *strictjson.Error
	if !errors.As(err, &refused) {
		return Refusal{Message: err.Error(), Detail: "Send one JSON object per line."}
	}
	message := "invalid JSON: " + reason(refused, depth) + fmt.Sprintf(" at byte %d", refused.Offset)
	return Refusal{WholeText, message, detail(refused, depth), refused.Offset}
}

// Trace formats the error of a single trace.
func Trace(err error, depth int) Refusal {
	var refused *strictjson.Error
	if !errors.As(err, &refused) {
		return Refusal{Part: InTrace, Message: "trace cannot be read: " + err.Error()}
	}
	return traceAt(refused, refused.Pointer, depth)
}

// traceAt returns the refusal of a trace at a pointer.
func traceAt(refused *strictjson.Error, pointer string, depth int) Refusal {
	place := fmt.Sprintf("at byte %d", refused.Offset)
	if pointer != "" && refused.Code != strictjson.Depth && refused.Code != strictjson.TooManyValues {
		place = "in " + wording.Preview(pointer)
	}
	message := fmt.Sprintf("trace cannot be read: %s %s", reason(refused, depth), place)
	return Refusal{InTrace, message, detail(refused, depth), refused.Offset}
}

// reason describes a scanner's error without its position.
func reason(refused *strictjson.Error, depth int) string {
	switch refused.Code {
	case strictjson.Depth:
		return fmt.Sprintf("JSON nesting exceeds %d levels", depth)
	case strictjson.TooManyValues:
		return fmt.Sprintf("the value takes the request beyond %d JSON values", refused.Limit)
	}
	return refused.Message
}

func detail(refused *strictjson.Error, depth int) string {
	switch refused.Code {
	case strictjson.Depth:
		return fmt.Sprintf("Flatten the data: at most %d levels of JSON containers are allowed.", depth)
	case strictjson.TooManyValues:
		return fmt.Sprintf("Leave out steps or long lists that no assertion needs, or raise --max-values. Max allowed: %d values: objects, arrays, strings, numbers, true, false and null.", refused.Limit)
	case strictjson.NumberRange:
		return "Send numbers between -1.8e308 and 1.8e308, or send the value as a string."
	case strictjson.UTF8, strictjson.Surrogate:
		return "Encode the text as UTF-8; replace what cannot be encoded before sending."
	case strictjson.Truncated, strictjson.Empty:
		return "The JSON ends too early: send the whole object on one line."
	}
	return "Send compact JSON as RFC 8259 defines it, one object per line."
}

// under reports whether a JSON pointer is at or below another.
func under(pointer, parent string) bool {
	rest, ok := strings.CutPrefix(pointer, parent)
	return ok && (rest == "" || rest[0] == '/')
}
