package trace

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/cupel-dev/cupel/trace/stream"
)

// Verdict is the class of an input.
type Verdict string

// The verdicts.
const (
	Valid    Verdict = "valid"    // every rule holds
	Invalid  Verdict = "invalid"  // readable, but rules fail
	Rejected Verdict = "rejected" // structure outside the format; not processed
)

// Damage is what was done to a chained log.
type Damage = stream.Damage

// Outcome is what a family adds to a report.
type Outcome = stream.Outcome

// Report is the answer on one input.
type Report struct {
	Input   string
	Family  Family
	Verdict Verdict
	Outcome

	// Findings stand in order of their place. At most Limits.Findings errors and as
	// many notes are kept; the counts are of all.
	Findings                []Finding
	Errors, Warnings, Infos int

	Blank      int64 // lines of white space only
	Unreadable int64 // lines that are no record of the family

	Interrupted bool   // the input was not read to its end
	Bytes       int64  // with Options.Sum: the input's length
	SHA256      string // with Options.Sum: its digest, 64 lower-case digits
	State       *State // with Options.Growing: for the next run; nil for other families than session logs
}

// Omitted is the number of findings beyond the limit: counted, not kept.
func (r *Report) Omitted() int { return r.Errors + r.Warnings + r.Infos - len(r.Findings) }

func (v *verification) report(counts stream.Counts, outcome Outcome) *Report {
	r := &Report{
		Input: v.opt.Name, Family: v.family, Verdict: Valid, Outcome: outcome, Interrupted: v.interrupted,
		Blank: counts.Blank, Unreadable: counts.Unreadable + outcome.Misfits,
	}
	before := v.opt.Resume
	if before == nil {
		before = &State{}
	}
	r.Blank += before.Blank
	r.Unreadable += before.Unreadable
	switch {
	case v.findings.Rejected(), before.Rejected:
		r.Verdict = Rejected
	case v.findings.Invalid(), before.Errors > 0:
		r.Verdict = Invalid
	}
	if r.Verdict == Valid && v.interrupted {
		r.Verdict = "" // nobody knows what would have followed
	}
	if before.Offset > 0 {
		r.NotCovered = append(r.NotCovered, fmt.Sprintf("the first %d bytes in this run: an earlier one verified them and found %d errors", before.Offset, before.Errors))
	}
	r.Findings, r.Infos, r.Warnings, r.Errors = v.findings.Close()
	for i := range r.Findings {
		r.Findings[i].File = cmp.Or(r.Findings[i].File, r.Input)
	}
	return r
}

// lines accounts for every physical line of the input.
type lines struct {
	Events     int64 `json:"events"`
	Header     int64 `json:"header"`
	Blank      int64 `json:"blank"`
	Unreadable int64 `json:"unreadable"`
}

// MarshalJSON writes the element of "inputs" in a cupel.trace/1 document.
func (r *Report) MarshalJSON() ([]byte, error) {
	form := struct {
		Input            string             `json:"input"`
		Family           *string            `json:"family"`
		Verdict          *string            `json:"verdict"`
		Integrity        *string            `json:"integrity"`
		EvidenceClass    *string            `json:"evidence_class"`
		Canonicalization []string           `json:"canonicalization"`
		Events           int64              `json:"events"`
		Head             *string            `json:"head"`
		Findings         []Finding          `json:"findings"`
		Omitted          int                `json:"findings_omitted,omitempty"`
		Interrupted      bool               `json:"interrupted,omitempty"`
		Lines            lines              `json:"lines"`
		Damage           []stream.Damage    `json:"damage"`
		Signatures       *stream.Signatures `json:"signatures"`
		NotCovered       []string           `json:"not_covered"`
	}{
		Input: r.Input, Family: orNull(string(r.Family)), Verdict: orNull(string(r.Verdict)),
		Integrity: orNull(r.Integrity), EvidenceClass: orNull(r.EvidenceClass),
		Canonicalization: orEmpty(r.Canonicalization), Events: r.Events, Head: orNull(r.Head),
		Findings: orEmpty(r.Findings), Omitted: r.Omitted(), Interrupted: r.Interrupted,
		Lines:  lines{r.Events, r.Header, r.Blank, r.Unreadable},
		Damage: orEmpty(r.Damage), Signatures: r.Signatures, NotCovered: orEmpty(r.NotCovered),
	}
	return json.Marshal(form)
}

// orNull turns "" into JSON null.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// orEmpty turns a nil slice into an empty JSON array.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
