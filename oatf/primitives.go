package oatf

import (
	"time"

	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Types of the primitives (§2.8a to §2.8c, §2.23, §2.24).
type (
	ProtocolEvent = model.ProtocolEvent
	TriggerState  = model.TriggerState
	TriggerResult = model.TriggerResult

	ResponseEntry = model.ResponseEntry
)

// The limits of the primitives.
const (
	// MaxPathDepth limits the steps of a wildcard path (§5.1.2). A name is one step and [*] another.
	MaxPathDepth = primitive.MaxPathDepth
	// MaxSubstituted limits the bytes inserted into a template or value, because a short template can reference a
	// large message many times.
	MaxSubstituted = primitive.MaxSubstituted
)

// ResolveSimplePath returns the value at a simple dot-path (§5.1.1). found is false if a segment does not exist or
// the path is not simple (see CheckSimplePath). An existing null is found. The empty path is the value itself.
func ResolveSimplePath(path string, value Value) (v Value, found bool) {
	return primitive.ResolveSimple(path, value)
}

// ResolveWildcardPath returns all values at a wildcard dot-path (§5.1.2) in message order. It returns none if
// nothing matches or the path is invalid (see CheckWildcardPath). The empty path is the value itself. A path of
// more than MaxPathDepth steps is an *EvaluationError of kind path_resolution.
func ResolveWildcardPath(path string, value Value) ([]Value, error) {
	if !CheckWildcardPath(path) {
		return nil, nil
	}
	compiled, err := primitive.CompilePath(path)
	if err != nil {
		return nil, err
	}
	return compiled.Values(value), nil
}

// EvaluateCondition reports whether a value satisfies a condition (§5.3): all its operators, or equality with a
// bare value. A value of the wrong type does not satisfy an operator. Numbers compare exactly. "exists: true" is
// satisfied and "exists: false" is not, because the value exists (§5.4). A nil or empty condition or an invalid RE2
// expression is an *EvaluationError of kind type_error; documents accepted by Parse and Validate have none.
func EvaluateCondition(c *Condition, value Value) (bool, error) {
	return sdk01.EvaluateCondition(c, value)
}

// EvaluateCondition is [EvaluateCondition] under the profile: in revision 2026-03, contains, starts_with, ends_with
// and regex apply to the compact JSON of non-string values, with keys sorted by code point and numbers as written.
func (p Profile) EvaluateCondition(c *Condition, value Value) (bool, error) {
	compiled, err := primitive.CompileCondition(p.profile, c)
	if err != nil {
		return false, err
	}
	return compiled.Match(value), nil
}

// EvaluatePredicate reports whether a value satisfies every entry of a predicate (§5.4). If the path of an entry
// does not exist or is not a simple dot-path, only the condition "exists: false" alone is satisfied. Errors are
// those of EvaluateCondition.
func EvaluatePredicate(p MatchPredicate, value Value) (bool, error) {
	return sdk01.EvaluatePredicate(p, value)
}

// EvaluatePredicate is [EvaluatePredicate] with the conditions of the profile.
func (p Profile) EvaluatePredicate(match MatchPredicate, value Value) (bool, error) {
	compiled, err := primitive.CompilePredicate(p.profile, match)
	if err != nil {
		return false, err
	}
	return compiled.Match(value), nil
}

// InterpolateTemplate replaces the references in a template (§5.5). {{name}} is an extractor, which takes
// precedence. {{request.path}} and {{response.path}} are the values at a simple dot-path of the request or response
// (nil if absent). Strings are inserted unchanged, other values as compact JSON. Unresolved references become
// empty, with up to 1,000 diagnostics W-004 and then a count. References beyond MaxSubstituted bytes count as
// unresolved. Insertions are not interpolated again. "\{{" becomes "{{", and an unclosed "{{" is kept.
func InterpolateTemplate(template string, extractors map[string]string, request, response *Value) (string, []Diagnostic) {
	in := primitive.Interpolation{Extractors: extractors, Request: request, Response: response}
	return in.Template(template), in.Diagnostics()
}

// InterpolateValue interpolates all strings of a value, except keys (§5.5a). InterpolateTemplate's limits apply to
// all strings together. The result shares no array or object with the value.
func InterpolateValue(value Value, extractors map[string]string, request, response *Value) (Value, []Diagnostic) {
	in := primitive.Interpolation{Extractors: extractors, Request: request, Response: response}
	return in.Value(value), in.Diagnostics()
}

// EvaluateExtractor captures a value from a message (§5.6): the first node of a JSONPath query in RFC 9535 order,
// with object members in message order, or the first group of a regular expression's first match. Strings are
// captured unchanged, other values as compact JSON. ok is false if there is no match, or if direction is not the
// extractor's source.
//
// An invalid selector is an *EvaluationError of kind path_resolution (JSONPath) or type_error (regular expression),
// an unknown type one of kind unsupported_method. A query deeper than 64 levels or with more than about a million
// steps is of kind path_resolution; a regular expression too large for the message is not run and of kind
// regex_timeout.
func EvaluateExtractor(e *Extractor, message Value, direction ExtractorSource) (text string, ok bool, err error) {
	compiled, err := primitive.CompileExtractor(e)
	if err != nil {
		return "", false, err
	}
	return compiled.Extract(message, direction, func(int64) bool { return true })
}

// SelectResponse returns the first entry whose predicate is satisfied, else the first entry without a predicate,
// else nil (§5.7). It returns an error of EvaluatePredicate for any entry.
func SelectResponse(entries []ResponseEntry, request Value) (*ResponseEntry, error) {
	return sdk01.SelectResponse(entries, request)
}

// SelectResponse is [SelectResponse] with the conditions of the profile.
func (p Profile) SelectResponse(entries []ResponseEntry, request Value) (*ResponseEntry, error) {
	compiled, err := primitive.CompileResponses(p.profile, entries)
	if err != nil {
		return nil, err
	}
	if i := compiled.Select(request); i >= 0 {
		return &entries[i], nil
	}
	return nil, nil
}

// EvaluateTrigger reports whether a phase advances, given the time since its start (§5.8). A nil event checks only
// the time; a nil trigger never advances. If the time is over, the event is not counted. Events that match base
// event, qualifier and predicate are counted in state; a nil state counts from zero. The protocol is that of
// ExtractProtocol. Errors are those of EvaluatePredicate, or type_error for an invalid duration, and leave the
// state unchanged.
func EvaluateTrigger(t *Trigger, event *ProtocolEvent, elapsed time.Duration, state *TriggerState, protocol Protocol) (TriggerResult, error) {
	return sdk01.EvaluateTrigger(t, event, elapsed, state, protocol)
}

// EvaluateTrigger is [EvaluateTrigger] under the profile: in a revision without event qualifiers,
// the whole event text is compared.
func (p Profile) EvaluateTrigger(t *Trigger, event *ProtocolEvent, elapsed time.Duration, state *TriggerState, protocol Protocol) (TriggerResult, error) {
	compiled, err := primitive.CompileTrigger(p.profile, t)
	if err != nil {
		return TriggerResult{}, err
	}
	if state == nil {
		state = &TriggerState{}
	}
	return compiled.Evaluate(event, elapsed, state, protocol), nil
}

// ResolveEventQualifier returns an event's qualifier (§5.9a): the string, number or boolean at QualifierPath in its
// content, as text. found is false without one. Numbers are formatted as in RFC 8785, integers beyond 2^53 with all
// digits.
func ResolveEventQualifier(protocol Protocol, baseEvent string, content Value) (qualifier string, found bool) {
	return primitive.ResolveQualifier(sdk01.profile, protocol, baseEvent, content)
}

// ComputeEffectiveState returns a phase's state (§5.11): its own, or that of the last earlier phase with one, or
// null. The result is not a copy.
func ComputeEffectiveState(phases []Phase, index int) Value {
	return primitive.EffectiveState(phases, index)
}

// AppendJSON appends a value as compact JSON with members in order, numbers as written and minimal escapes.
// Infinities and NaN become null.
func AppendJSON(dst []byte, v Value) []byte { return value.JSON(dst, v) }
