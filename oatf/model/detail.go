package model

import (
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// The kinds of findings, as reports name them.
const (
	KindParse      = "parse"
	KindValidation = "validation"
	KindWarning    = "warning"
	KindLint       = "lint"
)

// Detail has the fields that only findings about documents have.
type Detail struct {
	Kind      string   `json:"kind,omitempty"`       // one of the kinds above
	ParseKind string   `json:"parse_kind,omitempty"` // "syntax", "type_mismatch" or "unknown_variant"
	SpecRef   string   `json:"spec_ref,omitempty"`   // the clause that the finding rests on, when the rule has several
	Revision  Revision `json:"revision,omitempty"`   // the document's revision; "" unless it is one
	Also      []Breach `json:"also,omitempty"`       // other rules that the same fault breaks
	Repeats   string   `json:"repeats,omitempty"`    // of an element made by Elements: the rule of the finding it belongs to
	Omitted   int      `json:"omitted,omitempty"`    // of a summary: the number of findings that are not shown
}

// Breach is another conformance rule broken by a fault. As JSON it is the rule's id.
type Breach struct {
	Rule    string // "V-005"
	SpecRef string // the rule's clause
	Message string // the fault in the words of that rule
}

// MarshalText returns the rule's id.
func (b Breach) MarshalText() ([]byte, error) { return []byte(b.Rule), nil }

// Remarks implements finding.Detail.
func (d Detail) Remarks() [][2]string {
	rules := make([]string, len(d.Also))
	for i, b := range d.Also {
		rules[i] = b.Rule
	}
	return [][2]string{{"also", strings.Join(rules, ", ")}}
}

// SpecRevision implements finding.Revised.
func (d Detail) SpecRevision() string { return string(d.Revision) }

// Elements expands a finding for formats that list every broken rule: the finding, and one finding per breach in
// Also.
func (d Detail) Elements(f finding.Finding) []finding.Finding {
	list := []finding.Finding{f}
	for _, b := range d.Also {
		other := f
		other.Rule, other.Message, other.Fix = b.Rule, b.Message, nil
		other.Detail = Detail{Kind: KindValidation, SpecRef: b.SpecRef, Revision: d.Revision, Repeats: f.Rule}
		list = append(list, other)
	}
	return list
}

// Narrow filters a finding: it returns the finding with the kept breaches or, if the finding is not kept, each kept
// breach as a finding.
func Narrow(f finding.Finding, keep func(finding.Finding) bool) (left []finding.Finding) {
	d, _ := f.Detail.(Detail)
	if len(d.Also) == 0 {
		if keep(f) {
			left = append(left, f)
		}
		return left
	}
	whole := keep(f)
	var also []Breach
	for i, e := range d.Elements(f)[1:] {
		switch {
		case !keep(e):
		case whole:
			also = append(also, d.Also[i])
		default:
			own := e.Detail.(Detail)
			own.Repeats = ""
			e.Detail = own
			left = append(left, e)
		}
	}
	if whole {
		d.Also = also
		f.Detail = d
		left = append(left, f)
	}
	return left
}
