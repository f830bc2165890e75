package attest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// newScanner returns a scanner for requests: duplicate member names pass (the last
// one counts) and so do halves of surrogate pairs (clients cut texts), nesting is
// limited by Limits.JSONDepth.
func (e *Engine) newScanner() *strictjson.Scanner {
	return strictjson.NewScanner(strictjson.Limits{Depth: e.opt.Limits.JSONDepth, Keys: maxKeys, DuplicateKeys: true, LoneSurrogates: true})
}

// scanError maps what the scanner refuses to an error of the protocol. What is JSON
// but too deep, or a number beyond a double, is the trace's fault (1001) or an
// assertion's (1002), by the place; the rest is no JSON (-32700). The scanned text is
// params.
func (e *Engine) scanError(err error) *Error {
	var refused *strictjson.Error
	if !errors.As(err, &refused) {
		return NewError(CodeParse, err.Error(), "Send one JSON object per line.")
	}
	place := refused.Pointer
	foreign := refused.IsLimit() || refused.Code == strictjson.NumberRange
	var mapped *Error
	switch {
	case foreign && under(place, "/trace"):
		mapped = e.unreadableTrace(refused, strings.TrimPrefix(place, "/trace"))
	case foreign && under(place, "/assertions"):
		mapped = NewError(CodeAssertion, "assertions cannot be read: "+e.scanReason(refused)+" in "+preview(place), e.scanDetail(refused))
	default:
		mapped = NewError(CodeParse, "invalid JSON: "+e.scanReason(refused)+fmt.Sprintf(" at byte %d", refused.Offset),
			e.scanDetail(refused))
	}
	mapped.Offset = refused.Offset
	return mapped
}

// unreadableTrace is a 1001 for a trace that is no JSON or beyond the scanner's limits.
func (e *Engine) unreadableTrace(refused *strictjson.Error, pointer string) *Error {
	place := fmt.Sprintf("at byte %d", refused.Offset)
	if pointer != "" && refused.Code != strictjson.Depth {
		place = "in " + preview(pointer)
	}
	err := invalidTrace(e.scanDetail(refused), "trace cannot be read: %s %s", e.scanReason(refused), place)
	err.Offset = refused.Offset
	return err
}

// scanReason words the scanner's refusal without its place.
func (e *Engine) scanReason(refused *strictjson.Error) string {
	if refused.Code == strictjson.Depth {
		return fmt.Sprintf("JSON nesting exceeds %d levels", e.opt.Limits.JSONDepth)
	}
	return refused.Message
}

func (e *Engine) scanDetail(refused *strictjson.Error) string {
	switch refused.Code {
	case strictjson.Depth:
		return fmt.Sprintf("Flatten the data: at most %d JSON containers may be nested.", e.opt.Limits.JSONDepth)
	case strictjson.NumberRange:
		return "Send numbers between -1.8e308 and 1.8e308, or send the value as a string."
	case strictjson.UTF8, strictjson.Surrogate:
		return "Encode the text as UTF-8; replace what cannot be encoded before sending."
	case strictjson.Truncated, strictjson.Empty:
		return "The JSON ends too early: send the whole object on one line."
	}
	return "Send compact JSON as RFC 8259 defines it, one object per line."
}

// under says whether a JSON pointer is at or below another.
func under(pointer, parent string) bool {
	rest, ok := strings.CutPrefix(pointer, parent)
	return ok && (rest == "" || rest[0] == '/')
}
