package oatf

import (
	"time"

	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// What the primitives take and return (§2.8a to §2.8c, §2.23, §2.24).
type (
	ProtocolEvent = model.ProtocolEvent
	TriggerState  = model.TriggerState
	TriggerResult = model.TriggerResult

	ResponseEntry = model.ResponseEntry
)

// The limits of the primitives.
const (
	// MaxPathDepth is how many steps a wildcard path may take into a value, as §5.1.2
	// recommends: a name is one, a [*] is another.
	MaxPathDepth = primitive.MaxPathDepth
	// MaxSubstituted is how many bytes the references of one template, or of one value with
	// templates, become: one of some hundred bytes can name a large message many times.
	MaxSubstituted = primitive.MaxSubstituted
)

// ResolveSimplePath returns the value at a simple dot-path (§5.1.1). found is false when a
// segment does not resolve, or the path is no simple dot-path (see CheckSimplePath); a null
// that is there is found. The empty path is the value itself.
func ResolveSimplePath(path string, value Value) (v Value, found bool) {
	return primitive.ResolveSimple(path, value)
}

// ResolveWildcardPath returns all values at a wildcard dot-path (§5.1.2) in the order of
// the message, none when the path leads nowhere or is no wildcard dot-path (see
// CheckWildcardPath). The empty path is the value itself. A path of more than MaxPathDepth
// steps is an *EvaluationError of kind path_resolution.
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

// EvaluateCondition says whether a value satisfies a condition (§5.3): every operator of
// it, or equality with a bare value. A value of another type than an operator needs does
// not, and that is no error. Numbers are compared by their exact mathematical value.
//
// A value that is there was resolved, so that "exists: true" holds and "exists: false" does
// not (§5.4). A condition that is nil, has no operator or a regular expression that RE2
// refuses is an *EvaluationError of kind type_error; documents that Parse and Validate
// accept have none of these.
func EvaluateCondition(c *Condition, value Value) (bool, error) {
	return sdk01.EvaluateCondition(c, value)
}

// EvaluateCondition is [EvaluateCondition] under the profile: in the revision 2026-03,
// contains, starts_with, ends_with and regex see the compact JSON of a value that is no
// string, with the keys sorted by code point and the numbers as they are written.
func (p Profile) EvaluateCondition(c *Condition, value Value) (bool, error) {
	compiled, err := primitive.CompileCondition(p.profile, c)
	if err != nil {
		return false, err
	}
	return compiled.Match(value), nil
}

// EvaluatePredicate says whether a value satisfies every entry of a predicate (§5.4); the
// empty one holds always. Where the path of an entry does not resolve, only a condition
// that is "exists: false" and nothing else holds; a key that is no simple dot-path resolves
// nowhere. The errors are those of EvaluateCondition.
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

// InterpolateTemplate replaces the references of a template (§5.5): {{name}} by the
// extractor of that very name, which comes first, and {{request.path}} and {{response.path}}
// by what the request and the response have at a simple dot-path; nil is an absent one. A
// string stands as it is, any other value as compact JSON. Each reference that does not
// resolve becomes nothing and is a diagnostic W-004; after 1,000 of them the last says how
// many more there are, and those beyond MaxSubstituted bytes count as well.
//
// What is put in is not read as a template again. "\{{" becomes "{{", and a "{{" that is
// never closed stays.
func InterpolateTemplate(template string, extractors map[string]string, request, response *Value) (string, []Diagnostic) {
	in := primitive.Interpolation{Extractors: extractors, Request: request, Response: response}
	return in.Template(template), in.Diagnostics()
}

// InterpolateValue replaces the references in all strings of a value, however deep, but its
// keys (§5.5a), each as InterpolateTemplate does, within its limits for all of them
// together. The result shares no array and no object with the value.
func InterpolateValue(value Value, extractors map[string]string, request, response *Value) (Value, []Diagnostic) {
	in := primitive.Interpolation{Extractors: extractors, Request: request, Response: response}
	return in.Value(value), in.Diagnostics()
}

// EvaluateExtractor captures a value of a message (§5.6): the first node of a JSONPath query
// in the order of RFC 9535, where the members of an object are in the message's, or the
// first group of the first match of a regular expression in the message. A string is
// captured as it is, any other value as compact JSON. ok is false when there is no node, no
// match, no group or none that took part, and when direction is not the extractor's source.
//
// An invalid selector is an *EvaluationError of kind path_resolution for JSONPath and
// type_error for a regular expression, an unknown type one of kind unsupported_method. A
// query that goes down more than 64 levels, or takes more than some million steps, is one of
// kind path_resolution, too; a regular expression that is too large for the size of the
// message is one of kind regex_timeout, and no time is spent on it.
func EvaluateExtractor(e *Extractor, message Value, direction ExtractorSource) (text string, ok bool, err error) {
	compiled, err := primitive.CompileExtractor(e)
	if err != nil {
		return "", false, err
	}
	return compiled.Extract(message, direction)
}

// SelectResponse returns the first entry whose predicate a request satisfies, else the
// first entry without a predicate, wherever it stands, else nil (§5.7). The errors are
// those of EvaluatePredicate, for any of the entries.
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

// EvaluateTrigger says whether a phase advances, elapsed after it began (§5.8); event is nil
// when time alone is asked about, a trigger that is nil never advances. Time comes first: an
// event that arrives when it is over is not counted. An event that matches in base event,
// qualifier and predicate is counted in the state, which nothing else changes; a nil state
// counts from zero. The protocol is that of ExtractProtocol.
//
// The errors are those of EvaluatePredicate, and one of kind type_error for a duration that
// is none; the state is as before then.
func EvaluateTrigger(t *Trigger, event *ProtocolEvent, elapsed time.Duration, state *TriggerState, protocol Protocol) (TriggerResult, error) {
	return sdk01.EvaluateTrigger(t, event, elapsed, state, protocol)
}

// EvaluateTrigger is [EvaluateTrigger] under the profile: in a revision whose events have no
// qualifiers, the whole text of the event is compared.
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

// ResolveEventQualifier returns the qualifier of an event (§5.9a): the string, number or
// boolean that its content has where QualifierPath says, as text. found is false for an
// event without qualifiers, and when there is nothing or something else. A number is spelled
// as RFC 8785 spells it, an integer beyond 2^53 with its digits.
func ResolveEventQualifier(protocol Protocol, baseEvent string, content Value) (qualifier string, found bool) {
	return primitive.ResolveQualifier(sdk01.profile, protocol, baseEvent, content)
}

// ComputeEffectiveState returns the state of the phase at an index (§5.11): its own, else
// that of the last phase before it that has one, whole. It is null when there is none, or no
// such phase. The result is the phase's own, not a copy.
func ComputeEffectiveState(phases []Phase, index int) Value {
	return primitive.EffectiveState(phases, index)
}

// AppendJSON appends a value as compact JSON: members in their order, numbers as they are
// spelled, no character escaped that need not be. YAML's infinities and NaN, which JSON
// does not have, are null.
func AppendJSON(dst []byte, v Value) []byte { return value.JSON(dst, v) }
