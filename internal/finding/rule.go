package finding

// Rule is one row of a package's rule table. The table is data: `cupel explain`,
// SARIF, the documentation and the tests all read it. A test runs every example:
// Bad triggers the rule, Good does not.
type Rule struct {
	ID        string   // the code, as findings carry it
	Title     string   // one line, no full stop
	Severity  Severity // the severity unless a flag changes it
	Class     string   // what the input becomes: "rejected", "invalid", a class of the evidence contract, or ""
	Clause    string   // the specification and its clause
	Rationale string   // why the rule exists: one or two sentences
	Bad       string   // an example that triggers the rule, in the form that the package's tests run
	Good      string   // the same example, mended
	Flags     string   // the flags that change the rule, when there are any
}
