package finding

// Rule is one row of a package's rule table. The table is data: `cupel explain`,
// SARIF, the documentation and the tests all read it. A test runs every example:
// Bad triggers the rule, Good does not.
type Rule struct {
	ID        string   `json:"id"`              // the code, as findings carry it
	Title     string   `json:"title"`           // one line, no full stop
	Severity  Severity `json:"severity"`        // the severity unless a flag changes it
	Class     string   `json:"class,omitempty"` // what the input becomes: "rejected", "invalid", a class of the evidence contract, or ""
	Clause    string   `json:"clause"`          // the specification and its clause
	Rationale string   `json:"rationale"`       // why the rule exists: one or two sentences
	Bad       string   `json:"bad,omitempty"`   // an example that triggers the rule, in the form that the package's tests run
	Good      string   `json:"good,omitempty"`  // the same example, mended
	Flags     string   `json:"flags,omitempty"` // the flags that change the rule, when there are any
}
