package jsonschema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/cupel-dev/cupel/attest/internal/regex"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// explainCompile formats the library's error about a schema as a sentence.
func explainCompile(source any, err error) error {
	e := &Error{Detail: "Fix the schema; it must be valid against the metaschema of its draft."}
	var invalidRegex *jsonschema.InvalidRegexError
	var load *jsonschema.LoadURLError
	var pointer *jsonschema.JSONPointerNotFoundError
	var anchor *jsonschema.AnchorNotFoundError
	var invalid *jsonschema.SchemaValidationError
	var violations *jsonschema.ValidationError
	switch {
	case errors.As(err, &invalidRegex):
		badRegex(e, "keyword at "+fragment(invalidRegex.URL), invalidRegex.Regex)
	case errors.As(err, &load):
		e.Reason = "unresolvable reference " + wording.Quote(strings.TrimPrefix(load.URL, "schema://assertion/"))
		e.Detail = "References to files and to the network are refused: put the schema under $defs and refer to it with #/$defs/…"
	case errors.As(err, &pointer):
		e.Reason = "the target of reference " + fragment(pointer.URL) + " does not exist"
	case errors.As(err, &anchor):
		e.Reason = "reference to an unknown anchor " + wording.Quote(fragment(anchor.Reference))
	case errors.As(err, &invalid) && errors.As(invalid.Err, &violations):
		explainInvalid(e, source, violations)
	default:
		e.Reason = wording.Preview(strings.ReplaceAll(err.Error(), schemaURL, ""))
	}
	return e
}

// explainInvalid formats a violation of the metaschema.
func explainInvalid(e *Error, source any, violations *jsonschema.ValidationError) {
	if bad := badPattern(violations); bad != nil {
		pattern, _ := bad.Got.(string)
		badRegex(e, placeName(bad.at), pattern)
		return
	}
	first, more := firstViolation(violations)
	e.Reason = inWords(first, nil, func(location []string) string { return showAt(source, location) }) + andMore(more)
	if n := len(first.InstanceLocation); n > 0 && first.InstanceLocation[n-1] == "type" {
		e.Detail = "Use one or several of array, boolean, integer, null, number, object, string."
	}
}

// badRegex adds the reason and hint for an unusable pattern.
func badRegex(e *Error, place, pattern string) {
	e.Reason, e.Detail = fmt.Sprintf("%s: invalid regex %s", place, wording.Quote(pattern)), notRE2
	if _, err := regex.Compile(pattern); err == nil || errors.As(err, new(*regex.TooLarge)) {
		e.Reason = fmt.Sprintf("%s: regex %s is too large: the patterns of a schema may have %d instructions together", place, wording.Quote(pattern), regex.MaxProgram)
		e.Detail = "Lower the repetition counts of the patterns."
	}
}

const notRE2 = "Patterns are RE2: look-around and back-references are not supported. Fix the pattern."

// patternViolation is an invalid regular expression and its position.
type patternViolation struct {
	*kind.Format
	at []string
}

// badPattern returns an invalid regular expression in violations of the metaschema, or nil.
func badPattern(v *jsonschema.ValidationError) *patternViolation {
	if f, ok := v.ErrorKind.(*kind.Format); ok && f.Want == "regex" {
		return &patternViolation{f, v.InstanceLocation}
	}
	for _, cause := range v.Causes {
		if found := badPattern(cause); found != nil {
			if len(found.at) == 0 { // the location is the name of a pattern property
				found.at = v.InstanceLocation
			}
			return found
		}
	}
	return nil
}

// showAt formats the scalar at a position of a decoded value, "" for anything else.
func showAt(v any, location []string) string {
	v = valueAt(v, location)
	switch v.(type) {
	case map[string]any, []any:
		return ""
	}
	return showAny(v)
}

func fragment(url string) string {
	_, f, _ := strings.Cut(url, "#")
	return f
}
