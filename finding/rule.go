package finding

// Rule is a row of a rule table, for `cupel explain`, SARIF, the documentation and tests. A test runs the examples:
// Bad triggers the rule, Good does not.
type Rule struct {
	ID        string   `json:"id"`              // the code, as findings carry it
	Title     string   `json:"title"`           // one line, no full stop
	Severity  Severity `json:"severity"`        // the severity unless a flag changes it
	Class     string   `json:"class,omitempty"` // resulting class of the input: "rejected", "invalid", a class of the evidence contract, or ""
	Clause    string   `json:"clause"`          // the specification and its clause
	Rationale string   `json:"rationale"`       // why the rule exists: one or two sentences
	Bad       string   `json:"bad,omitempty"`   // an example that triggers the rule, in the form that the package's tests run
	Good      string   `json:"good,omitempty"`  // the same example, mended
	Flags     string   `json:"flags,omitempty"` // the flags that change the rule, when there are any

	// Revision is the specification revision of the rule if the id is missing or different in others, otherwise "".
	Revision string `json:"revision,omitempty"`
}

// New returns a finding of the rule, with its severity and without a position.
func (r *Rule) New(message string) Finding {
	return Finding{Rule: r.ID, Severity: r.Severity, Message: message}
}

// Table is the rules of a family in one literal. A rule's handle is its index, a constant of a type of the family:
//
//	type rule uint8
//
//	const (
//		lineEmpty rule = iota
//		lineLong
//	)
//
//	var rules = finding.Table{
//		lineEmpty: {ID: "line.empty", Severity: finding.Error, …},
//		lineLong:  {ID: "line.long", Severity: finding.Warning, …},
//	}
//
//	f := rules[lineLong].New("line of 90 bytes")
//
// Unknown rules do not compile, and each severity is defined once.
type Table []Rule

// Lookup returns the rule with the given id, or nil.
func (t Table) Lookup(id string) *Rule {
	for i := range t {
		if t[i].ID == id {
			return &t[i]
		}
	}
	return nil
}
