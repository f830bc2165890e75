package attest

import (
	"github.com/cupel-dev/cupel/attest/internal/check"
)

// Assertion is one thing that must hold of a trace (§2.2). Its Spec says what, in the
// members that section 4 of the protocol lists for its type:
//
//	attest.Assertion{
//		AssertionID: "refund", Type: attest.TypeContent,
//		Spec: map[string]any{"target": "output.message", "check": "contains", "value": "refund"},
//	}
type Assertion struct {
	AssertionID string         `json:"assertion_id"` // required; of at most 256 code points
	Type        AssertionType  `json:"type"`
	RequestID   string         `json:"request_id,omitempty"` // the same one again gets the earlier result: see Options.Remember
	Spec        map[string]any `json:"spec"`

	Tags        []string `json:"tags,omitempty"`        // in suites: what it is selected by
	Description string   `json:"description,omitempty"` // in suites: for people
}

// UnmarshalJSON reads the JSON of the protocol; numbers come as json.Number.
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

// AssertionType says what an assertion's spec means.
type AssertionType string

// The types of assertions (§4). The last two stand beside the layers of the protocol: checks
// of a trace together with its sub-traces, and the result of a plugin that runs at the
// client.
const (
	TypeSchema     AssertionType = "schema"     // a JSON Schema over values of the trace
	TypeConstraint AssertionType = "constraint" // comparisons of numbers
	TypeTrace      AssertionType = "trace"      // the order and number of tool calls
	TypeContent    AssertionType = "content"    // words and patterns in texts
	TypeEmbedding  AssertionType = "embedding"  // the likeness of texts
	TypeLLMJudge   AssertionType = "llm_judge"  // the opinion of a language model
	TypeTraceTree  AssertionType = "trace_tree" // who called whom, when, and with what
	TypePlugin     AssertionType = "plugin"
)

// Layer is the layer in which assertions of the type are evaluated, from 1, the cheapest,
// to 6; 0 for an unknown type.
func (t AssertionType) Layer() int { return check.LayerOf(string(t)) }

// Suite is a list of assertions that belong together. Package attest/suite reads suites
// from files.
type Suite struct {
	Name        string      `json:"name,omitempty"`
	Description string      `json:"description,omitempty"`
	MaxSoft     *int        `json:"max_soft,omitempty"` // soft failures that a run may have; nil: any number
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

// Holds says whether a run holds the suite's promises: no result is a hard failure, and
// no more than MaxSoft are soft ones. What was skipped after a hard failure does not
// count.
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
