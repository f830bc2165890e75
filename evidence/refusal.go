package evidence

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func refusal(err error) (refused *strictjson.Error) {
	if !errors.As(err, &refused) {
		panic("evidence.refusal: " + err.Error())
	}
	return refused
}

// tooLong returns the error for a text that was read only up to the limit.
func tooLong(read int, limit int64, what string) *strictjson.Error {
	return &strictjson.Error{
		Code: strictjson.TextLength, Offset: read, Limit: int(limit),
		Message: fmt.Sprintf("%s of more than %d bytes", what, limit),
	}
}

// refusalRule returns the rule and message for a text that is not strict JSON or exceeds a limit.
func refusalRule(fault *strictjson.Error) (r rule, message string) {
	switch fault.Code {
	case strictjson.Empty:
		return ruleSyntax, "blank line, expected an event"
	case strictjson.UTF8:
		r = ruleUTF8
	case strictjson.Surrogate:
		r = ruleSurrogate
	case strictjson.DuplicateKey:
		r = ruleDuplicate
	case strictjson.NumberRange:
		r = ruleNumberRange
	case strictjson.Depth:
		r = ruleDepth
	case strictjson.TooManyKeys, strictjson.StringLength, strictjson.TextLength:
		r = ruleLimit
	default:
		r = ruleSyntax
	}
	return r, fault.Message
}

// refusalAdvice returns a hint for a rejected text, or "".
func refusalAdvice(fault *strictjson.Error, text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		return "the input is gzip data: only bundles can be compressed; unpack other events first"
	case source.Foreign(text) && source.IsEncoding(source.Likeness(text)):
		return fmt.Sprintf("the input looks like %s, but evidence is UTF-8: convert it with `iconv -f %[1]s -t UTF-8`", source.Likeness(text))
	case source.Foreign(text) && source.Likeness(text) != "":
		return fmt.Sprintf("the input looks like %s, but a stream has one event on each line", source.Likeness(text))
	case fault.Code == strictjson.Empty:
		return "a stream has one event on each line, blank lines are refused"
	case fault.Code == strictjson.Trailing:
		return "a stream has one event on each line, without line breaks inside it"
	case fault.Code == strictjson.Depth:
		return say.LimitsHint("max_json_depth")
	case fault.Code == strictjson.TextLength:
		return say.LimitsHint("max_line_bytes")
	case fault.Code == strictjson.ByteOrder:
		return source.ByteOrderHint
	}
	return ""
}
