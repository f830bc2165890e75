package attest

import (
	"github.com/cupel-dev/cupel/attest/internal/check"
)

// Assertion is a condition on a trace (§2.2). Section 4 of the protocol defines the members of Spec for each type:
//
//	attest.Assertion{
//		AssertionID: "refund", Type: attest.TypeContent,
//		Spec: map[string]any{"target": "output.message", "check": "contains", "value": "refund"},
//	}
type Assertion struct {
	AssertionID string         `json:"assertion_id"` // required; at most 256 code points
	Type        AssertionType  `json:"type"`
	RequestID   string         `json:"request_id,omitempty"` // repeating it returns the earlier result: see Options.Remember
	Spec        map[string]any `json:"spec"`

	Tags        []string `json:"tags,omitempty"`        // in suites: for selection
	Description string   `json:"description,omitempty"` // in suites: for people
}

// UnmarshalJSON reads the protocol's JSON. Numbers become json.Number.
func (a *Assertion) UnmarshalJSON(text []byte) error {
	*a = Assertion{}
	return unmarshalMembers(text, []member{
		{"assertion_id", &a.AssertionID},
		{"type", &a.Type},
		{"request_id", &a.RequestID},
		{"spec", &a.Spec},
		{"tags", &a.Tags},
		{"description", &a.Description},
	})
}

// AssertionType determines the meaning of an assertion's spec.
type AssertionType string

// The types of assertions (§4). The last two do not belong to a layer of the protocol: checks of a trace with its
// sub-traces, and results of a client's plugin.
const (
	TypeSchema     AssertionType = "schema"     // a JSON Schema over values of the trace
	TypeConstraint AssertionType = "constraint" // comparisons of numbers
	TypeTrace      AssertionType = "trace"      // the order and number of tool calls
	TypeContent    AssertionType = "content"    // words and patterns in texts
	TypeEmbedding  AssertionType = "embedding"  // similarity of texts
	TypeLLMJudge   AssertionType = "llm_judge"  // a language model's judgment
	TypeTraceTree  AssertionType = "trace_tree" // calls between agents: order, time and content
	TypePlugin     AssertionType = "plugin"
)

// Layer returns the evaluation layer of the type, from 1, the cheapest, to 6, or 0 for an unknown type.
func (t AssertionType) Layer() int { return check.LayerOf(string(t)) }

// Suite is a list of related assertions. Package attest/suite reads suites from files.
type Suite struct {
	Name        string      `json:"name,omitempty"`
	Description string      `json:"description,omitempty"`
	MaxSoft     *int        `json:"max_soft,omitempty"` // allowed soft failures; nil: unlimited
	Assertions  []Assertion `json:"assertions"`
}

// UnmarshalJSON reads a suite in JSON, without the checks of package attest/suite.
func (s *Suite) UnmarshalJSON(text []byte) error {
	*s = Suite{}
	return unmarshalMembers(text, []member{
		{"name", &s.Name},
		{"description", &s.Description},
		{"max_soft", &s.MaxSoft},
		{"assertions", &s.Assertions},
	})
}

// Holds reports whether a run passes the suite: it has no hard failure and at most MaxSoft soft failures. Results
// skipped after a hard failure do not count.
func (s Suite) Holds(results []Result) bool {
	soft := 0
	for _, r := range results {
		switch {
		case r.Status == HardFail:
			return false
		case r.Status == SoftFail && !r.Skipped:
			soft++
		}
	}
	return s.MaxSoft == nil || soft <= *s.MaxSoft
}
