package check

import (
	"context"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// assertionType is one value of an assertion's "type".
type assertionType struct {
	name    string
	layer   int
	compile func(*spec) Check
	keys    []string // members of the spec, for suites: there an unknown one is an error
}

// types lists the types of §2.2 and those that the published SDKs send.
var types = []assertionType{
	{"schema", 1, compileSchema, []string{"target", "schema", "format"}},
	{"constraint", 2, compileConstraint, []string{"field", "operator", "value", "min", "max", "values", "tolerance", "soft"}},
	{"trace", 3, compileTraceCheck, []string{"check", "tools", "tool", "max_repetitions", "transitions", "depth", "soft"}},
	{"content", 4, compileContent, []string{"target", "check", "value", "values", "soft", "case_sensitive", "word", "normalize"}},
	{"embedding", 5, compileEmbedding, []string{"target", "reference", "threshold", "model", "soft"}},
	{"llm_judge", 6, compileJudge, []string{"target", "rubric", "prompt", "criteria", "threshold", "model", "soft", "samples", "meta_eval"}},
	{"trace_tree", 3, compileTreeCheck, []string{
		"check", "agent_id", "max_depth", "value", "case_sensitive", "from_agent", "to_agent", "field", "transitions", "operator", "min", "max", "values", "tolerance",
		"agent_a", "agent_b", "max_ms", "groups", "tools", "soft",
	}},
	{"plugin", 4, compilePlugin, []string{"plugin_id", "config", "soft"}},
}

func TypeNames() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.name
	}
	return names
}

// Unanswered is the check of an assertion that cannot be evaluated on any trace.
type Unanswered struct{ Reason, Detail string }

func (u Unanswered) evaluate(context.Context, *Subject) Verdict { return u.Verdict() }

// Verdict is what is said of such an assertion in the place of an error.
func (u Unanswered) Verdict() Verdict {
	v := broken(u.Reason)
	v.SuggestedAction = wording.Preview(u.Detail[strings.LastIndexByte(u.Detail, '\n')+1:])
	return v
}

// unavailable is the check of a known type whose capability is off: the assertion
// fails and says what is missing, the rest of the request is answered.
type unavailable struct {
	reason  string
	failing failing
}

func (u unavailable) evaluate(context.Context, *Subject) Verdict {
	v := broken("Not evaluated: "+u.reason+".").because(u.failing, "", "")
	v.Fleeting = true
	return v
}

// Unavailable says why no trace will have the assertion evaluated, and what to do about it: its
// type asks a model, and there is none.
func (a *Assertion) Unavailable() (reason, action string, off bool) {
	u, off := a.Check.(unavailable)
	if !off {
		return "", "", false
	}
	return u.reason, failings[u.failing].action, true
}

// LayerOf returns the layer of a type, 0 for an unknown one.
func LayerOf(name string) int {
	for _, t := range types {
		if t.name == name {
			return t.layer
		}
	}
	return 0
}

// Kind is what a report says of an assertion: its type and the number that stands for it.
type Kind struct {
	Type  string
	Layer int // 1 to 6; 7 for trees of traces, 8 for plugins; 0: nobody knows the type
}

// Kind is that of the assertion.
func (a *Assertion) Kind() Kind {
	if a.Layer == 0 {
		return Kind{}
	}
	t := types[a.Type]
	switch t.name {
	case "trace_tree":
		return Kind{t.name, 7}
	case "plugin":
		return Kind{t.name, 8}
	}
	return Kind{t.name, t.layer}
}

// KeysOf lists the members that the spec of a type may have; nil when it may have any.
func KeysOf(name string) []string {
	for _, t := range types {
		if t.name == name {
			return t.keys
		}
	}
	return nil
}

// CallNames lists the checks of layer 3.
func CallNames() []string { return namesOf(callChecks) }

// TreeNames lists the checks of trees of traces.
func TreeNames() []string { return namesOf(treeChecks) }

// ContentNames lists the checks of layer 4.
func ContentNames() []string { return namesOf(contentChecks) }
