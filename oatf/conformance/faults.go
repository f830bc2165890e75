package conformance

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

// knownFaults are cases of public suites that contradict their specification. Each test examines the fixture, to
// notice corrected fixtures and other failures. Faults recognized by bytes are in the revision's profile.
var knownFaults = []struct {
	revision oatf.Revision
	id, says string
	in       func(fixture) bool
}{
	{oatf.SDK01, "EVAL-PAT-01", "the texts differ only in case, and case matters (§5.3)", expectsOtherCase},
	{oatf.SDK01, "NORM-001g", "the expected form lacks inputSchema, which N-008 adds", lacksInputSchema},
	{oatf.SDK01, "VAL-029d", "the event belongs to clients only by the event-mode matrix (§2.22)", expectsClientEvent},
}

// knownFault describes the fault of a failed case's fixture, or returns "".
func knownFault(f fixture) string {
	for _, k := range revision.Of(f.under.Revision()).Suite.Faults {
		if k.Digest == f.digest {
			return k.Says
		}
	}
	for _, k := range knownFaults {
		if k.revision == f.under.Revision() && k.id == f.id && k.in(f) {
			return k.says
		}
	}
	return ""
}

// expectsOtherCase reports whether a fixture expects that a text contains another, which is true only if case is
// ignored.
func expectsOtherCase(f fixture) bool {
	input, _ := f.input.(oatf.Object)
	condition := objectOf(objectOf(objectOf(input, "indicator"), "pattern"), "condition")
	if _, some := condition.Get("contains"); !some || len(condition) != 1 || f.expected != string(eval.Matched) {
		return false
	}
	asItIs, folded := Case{}, Case{}
	runEvaluate(&asItIs, f)
	f.input = lowered(input)
	runEvaluate(&folded, f)
	return asItIs.Got == compact(string(eval.NotMatched)) && folded.Pass
}

// lowered returns a value with all strings in lower case.
func lowered(v oatf.Value) oatf.Value {
	switch v := v.(type) {
	case string:
		return strings.ToLower(v)
	case []oatf.Value:
		out := make([]oatf.Value, len(v))
		for i := range v {
			out[i] = lowered(v[i])
		}
		return out
	case oatf.Object:
		out := make(oatf.Object, len(v))
		for i, m := range v {
			out[i] = oatf.Member{Key: m.Key, Value: lowered(m.Value)}
		}
		return out
	}
	return v
}

// expectsClientEvent reports whether a fixture expects a document to be valid although it is for a server and waits
// for a client event.
func expectsClientEvent(f fixture) bool {
	want, _ := f.expected.(oatf.Object)
	text := stringOf(f.input)
	wantErrors, _ := diagnostics(want, "errors")
	errs, _ := f.check()
	return len(wantErrors) == 0 && len(errs) == 1 && strings.HasPrefix(errs[0], "V-029 ") &&
		strings.Contains(text, "notifications/elicitation/complete")
}

// lacksInputSchema reports whether a fixture expects the canonical form except for the default input schemas of
// tools.
func lacksInputSchema(f fixture) bool {
	got, want, err := normalized(f)
	if err != nil {
		return false
	}
	g, gerr := oatf.ParseValue(oatf.Serialize(got))
	w, werr := oatf.ParseValue(oatf.Serialize(want))
	if gerr != nil || werr != nil {
		return false
	}
	a, b := difference("", sorted(w), withoutSchemas(sorted(g), sorted(w)))
	return a == b
}

// withoutSchemas removes each inputSchema (N-008) that other does not have at the same position.
func withoutSchemas(v, other oatf.Value) oatf.Value {
	switch v := v.(type) {
	case oatf.Object:
		o, _ := other.(oatf.Object)
		var out oatf.Object
		for _, m := range v {
			counterpart, some := o.Get(m.Key)
			if !some && m.Key == "inputSchema" && compact(m.Value) == `{"type":"object"}` {
				continue
			}
			out = append(out, oatf.Member{Key: m.Key, Value: withoutSchemas(m.Value, counterpart)})
		}
		return out
	case []oatf.Value:
		o, _ := other.([]oatf.Value)
		out := make([]oatf.Value, len(v))
		for i := range v {
			var counterpart oatf.Value
			if i < len(o) {
				counterpart = o[i]
			}
			out[i] = withoutSchemas(v[i], counterpart)
		}
		return out
	}
	return v
}
