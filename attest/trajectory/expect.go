package trajectory

import (
	"encoding/json"

	"github.com/cupel-dev/cupel/attest"
)

// Golden is a recorded trajectory: the calls of a good run, as the check "calls" expects them. It is the JSON
// document that `cupel attest record` writes.
type Golden struct {
	Schema string        `json:"schema"` // GoldenSchema
	Trace  string        `json:"trace"`  // trace_id of the run
	Expect []Expectation `json:"expect"`
}

// GoldenSchema identifies the document.
const GoldenSchema = "cupel.trajectory/1"

// Expectation is an element of "expect" in the check "calls".
type Expectation struct {
	Name       string          `json:"name"`
	Args       json.RawMessage `json:"args,omitempty"`
	Result     json.RawMessage `json:"result,omitempty"`
	ResultMode string          `json:"result_mode,omitempty"`
	Status     string          `json:"status,omitempty"` // error for a call that failed
}

// Record returns the calls of a trace, in order, with the parts that have to be equal in later runs. Calls in
// sub-traces are left out: the check looks at them only with "depth": "all". The error is ErrNoCalls, or that of an
// invalid trace.
func Record(engine *attest.Engine, text attest.TraceText, compare Compared) (*Golden, error) {
	r, err := read(engine, text, Options{Compare: compare, Calls: true})
	if err != nil {
		return nil, err
	}
	g := &Golden{Schema: GoldenSchema}
	g.Trace, _ = r.doc.Root().Last("trace_id").Text()
	for _, s := range r.steps {
		if s.level > 0 {
			continue
		}
		e := Expectation{Name: s.Name}
		if compare >= Args {
			e.Args = json.RawMessage("{}")
			if !s.args.Missing() {
				e.Args = s.args.Raw()
			}
		}
		if compare >= Results {
			if !s.result.Missing() {
				e.Result, e.ResultMode = s.result.Raw(), "exact"
			}
			if s.failed {
				e.Status = "error"
			}
		}
		g.Expect = append(g.Expect, e)
	}
	if len(g.Expect) == 0 {
		return nil, ErrNoCalls
	}
	return g, nil
}
