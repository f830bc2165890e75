package conformance

import (
	"errors"
	"slices"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

// answers maps the primitives of §5 to functions from a fixture's input to the answer as fixtures write it.
var answers = map[string]answer{
	"resolve-simple-path":     simplePath,
	"resolve-wildcard-path":   wildcardPath,
	"evaluate-condition":      condition,
	"evaluate-predicate":      predicate,
	"evaluate-extractor":      extractor,
	"interpolate-template":    template,
	"interpolate-value":       interpolation,
	"select-response":         response,
	"evaluate-trigger":        trigger,
	"extract-protocol":        protocol,
	"resolve-event-qualifier": qualifier,
	"compute-effective-state": effectiveState,
}

type answer func(under oatf.Profile, input oatf.Object) (oatf.Value, error)

// runPrimitive returns a runner for a primitive. The answer or the kind of error must match.
func runPrimitive(answer answer) runner {
	return func(c *Case, f fixture) {
		input, _ := f.input.(oatf.Object)
		got, err := answer(f.under, input)
		if err != nil {
			c.fails(f, err)
			return
		}
		if d, ok := got.(diagnosedValue); ok {
			c.diagnosed(f, d)
			return
		}
		c.answers(f.expected, got)
	}
}

type diagnosedValue struct {
	value       oatf.Value
	diagnostics []oatf.Diagnostic
}

// diagnosed sets the result of a case whose answer has diagnostics. They are compared if the fixture lists their
// codes.
func (c *Case) diagnosed(f fixture, d diagnosedValue) {
	if f.diagnostics == nil {
		c.answers(f.expected, d.value)
		return
	}
	codes := []oatf.Value{}
	for _, diagnostic := range d.diagnostics {
		codes = append(codes, diagnostic.Code)
	}
	c.answers([]oatf.Value{f.expected, f.diagnostics}, []oatf.Value{d.value, codes})
}

// answers sets the result of a case whose answer is a value.
func (c *Case) answers(want, got oatf.Value) {
	c.Expected, c.Got = compact(want), compact(got)
	c.Pass = c.Expected == c.Got || value.Equal(want, got)
}

// fails sets the result of a case whose answer is an error.
func (c *Case) fails(f fixture, err error) {
	c.Expected, c.Got = compact(f.expected), "error: "+err.Error()
	var fault *oatf.EvaluationError
	c.Pass = f.expected == "error" && errors.As(err, &fault) && f.isKind(fault)
}

// isKind reports whether an error has the kind that the fixture expects, if any.
func (f fixture) isKind(err *oatf.EvaluationError) bool {
	return f.errorKind == "" || err != nil && f.errorKind == string(err.Kind)
}

// simplePath returns null for a path that does not exist, and {found: true, value: null} for an existing null.
func simplePath(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	value, _ := input.Get("value")
	got, found := oatf.ResolveSimplePath(textOf(input, "path"), value)
	if found && got == nil {
		return oatf.Object{{Key: "found", Value: true}, {Key: "value", Value: nil}}, nil
	}
	return got, nil
}

func wildcardPath(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	value, _ := input.Get("value")
	got, err := oatf.ResolveWildcardPath(textOf(input, "path"), value)
	return oatf.Object{{Key: "values", Value: got}}, err
}

func condition(under oatf.Profile, input oatf.Object) (oatf.Value, error) {
	written, _ := input.Get("condition")
	value, _ := input.Get("value")
	c, err := under.ConditionOf(written)
	if err != nil {
		return nil, err
	}
	return evaluated(under.EvaluateCondition(c, value))
}

func predicate(under oatf.Profile, input oatf.Object) (oatf.Value, error) {
	written, _ := input.Get("predicate")
	value, _ := input.Get("value")
	p, err := under.PredicateOf(written)
	if err != nil {
		return nil, err
	}
	return evaluated(under.EvaluatePredicate(p, value))
}

func evaluated(holds bool, err error) (oatf.Value, error) { return holds, err }

func extractor(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	written := objectOf(input, "extractor")
	message, _ := input.Get("message")
	e := &oatf.Extractor{
		Name:     textOf(written, "name"),
		Source:   oatf.ExtractorSource(textOf(written, "source")),
		Type:     model.ExtractorType(textOf(written, "type")),
		Selector: textOf(written, "selector"),
	}
	text, ok, err := oatf.EvaluateExtractor(e, message, oatf.ExtractorSource(textOf(input, "direction")))
	if !ok {
		return nil, err
	}
	return text, err
}

func template(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	m := messagesOf(input)
	text, diagnostics := oatf.InterpolateTemplate(textOf(input, "template"), m.extractors, m.request, m.response)
	return diagnosedValue{text, diagnostics}, nil
}

func interpolation(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	value, _ := input.Get("value")
	m := messagesOf(input)
	got, diagnostics := oatf.InterpolateValue(value, m.extractors, m.request, m.response)
	return diagnosedValue{got, diagnostics}, nil
}

type messages struct {
	extractors        map[string]string
	request, response *oatf.Value // nil if absent or null
}

func messagesOf(input oatf.Object) messages {
	m := messages{extractors: map[string]string{}}
	list, _ := input.Get("extractors")
	extractors, _ := list.(oatf.Object)
	for _, e := range extractors {
		m.extractors[e.Key] = stringOf(e.Value)
	}
	if request, _ := input.Get("request"); request != nil {
		m.request = &request
	}
	if response, _ := input.Get("response"); response != nil {
		m.response = &response
	}
	return m
}

// response returns the selected entry without predicate, or null. Absent and empty prompts are equal in the model.
func response(under oatf.Profile, input oatf.Object) (oatf.Value, error) {
	request, _ := input.Get("request")
	list, _ := input.Get("entries")
	written, _ := list.([]oatf.Value)
	entries := make([]oatf.ResponseEntry, len(written))
	for i, v := range written {
		entry, err := under.ResponseOf(v)
		if err != nil {
			return nil, err
		}
		entries[i] = *entry
	}
	selected, err := under.SelectResponse(entries, request)
	if selected == nil {
		return nil, err
	}
	answer := slices.Clone(selected.Static)
	for i := range entries {
		if selected == &entries[i] && selected.Synthesize != nil {
			block, _ := written[i].(oatf.Object).Get("synthesize")
			answer = append(answer, oatf.Member{Key: "synthesize", Value: block})
		}
	}
	return answer, err
}

func trigger(under oatf.Profile, input oatf.Object) (oatf.Value, error) {
	written, _ := input.Get("trigger")
	t, err := under.TriggerOf(written)
	if err != nil {
		return nil, err
	}
	elapsed, err := oatf.ParseDuration(textOf(input, "elapsed"))
	if err != nil {
		return nil, err
	}
	state := &oatf.TriggerState{EventCount: integerOf(objectOf(input, "state"), "event_count")}
	result, err := under.EvaluateTrigger(t, eventOf(input), elapsed, state, oatf.Protocol(textOf(input, "protocol")))
	answer := oatf.Object{{Key: "result", Value: "not_advanced"}}
	if result.Advanced {
		answer = oatf.Object{{Key: "result", Value: "advanced"}, {Key: "reason", Value: string(result.Reason)}}
	}
	counted := oatf.Object{{Key: "event_count", Value: integer(state.EventCount)}}
	return append(answer, oatf.Member{Key: "state", Value: counted}), err
}

// eventOf returns the event of a trigger's fixture, or nil.
func eventOf(input oatf.Object) *oatf.ProtocolEvent {
	v, _ := input.Get("event")
	o, ok := v.(oatf.Object)
	if !ok {
		return nil
	}
	event := &oatf.ProtocolEvent{EventType: textOf(o, "event_type")}
	event.Content, _ = o.Get("content")
	if q, _ := o.Get("qualifier"); q != nil {
		text := stringOf(q)
		event.Qualifier = &text
	}
	return event
}

func protocol(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	return string(oatf.ExtractProtocol(oatf.Mode(textOf(input, "mode")))), nil
}

func eventQualifier(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	base, qualifier, found := oatf.ParseEventQualifier(textOf(input, "event"))
	answer := oatf.Object{{Key: "base", Value: base}, {Key: "qualifier", Value: nil}}
	if found {
		answer[1].Value = qualifier
	}
	return answer, nil
}

func qualifier(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	content, _ := input.Get("content")
	text, found := oatf.ResolveEventQualifier(oatf.Protocol(textOf(input, "protocol")), textOf(input, "base_event"), content)
	if !found {
		return nil, nil
	}
	return text, nil
}

func effectiveState(_ oatf.Profile, input oatf.Object) (oatf.Value, error) {
	var phases []oatf.Phase
	for _, phase := range objects(input, "phases") {
		state, _ := phase.Get("state")
		phases = append(phases, oatf.Phase{State: state})
	}
	return oatf.ComputeEffectiveState(phases, int(integerOf(input, "phase_index"))), nil
}

func objectOf(o oatf.Object, key string) oatf.Object {
	v, _ := o.Get(key)
	member, _ := v.(oatf.Object)
	return member
}

// integerOf returns an object's member if it is an integer, else 0.
func integerOf(o oatf.Object, key string) int64 {
	v, _ := o.Get(key)
	n, _ := v.(oatf.Number)
	i, _ := n.Int64()
	return i
}
