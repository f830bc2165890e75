package redact

import (
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
)

// Schema names the form of a report in JSON.
const Schema = "cupel.redaction/1"

// Report lists the changes and the output of a redaction. It does not depend on removed values: it
// has no old hashes or input digest, with which guesses could be tested. Its JSON form is a
// cupel.redaction/1 document; see [Writer].
type Report struct {
	Schema string `json:"schema"`
	Input  string `json:"input"` // the name of the input, without its folder
	Policy Policy `json:"policy"`

	// Events are those that were changed, or have something to report, in the input's order;
	// nil where Options.OnEvent took them.
	Events []Event `json:"events"`

	Kind          bundle.Kind `json:"kind"`
	InputVerified bool        `json:"input_verified"`      // the input had no fault
	OutputSHA256  string      `json:"output_sha256"`       // of the whole output; "" when none was made
	RunRoot       string      `json:"run_root"`            // of the output's events; "" where an event has no hash
	BundleID      string      `json:"bundle_id,omitempty"` // of the output, when that is a bundle
	Summary       Summary     `json:"summary"`
	NotCovered    []string    `json:"not_covered"` // limitations of the redaction, as sentences

	// Redacted means that the output exists, or would without Options.Check. Otherwise Findings explain why, and the
	// written data must be discarded together with the document.
	Redacted bool `json:"-"`
	// Original describes the input, for the secrets file; Linked is the same, with
	// Options.LinkOriginal.
	Original Original  `json:"-"`
	Linked   *Original `json:"original,omitempty"`
	// Verified is the input's verification. Its findings do not repeat event content, which can be
	// redacted.
	Verified *bundle.Report `json:"-"`
	// Findings are Verified's, and why an output cannot be made.
	Findings []finding.Finding `json:"-"`
}

// Policy names what decided over the changes.
type Policy struct {
	Profile string `json:"profile"`        // the built-in one: "default"
	File    string `json:"file,omitempty"` // what overrides it, as its user names it
	Digest  string `json:"digest"`         // of the whole policy, which binds the report to it
}

// Event is an event that was changed, or has something to report.
type Event struct {
	Line        int      `json:"line"` // it begins on, from 1
	ID          string   `json:"id,omitempty"`
	Seq         *int64   `json:"seq,omitempty"`
	ContentHash string   `json:"content_hash"` // of the output's event
	Changes     []Change `json:"changes"`      // in the order of the event's text

	OriginalHash string `json:"-"`                       // the content hash of the input's event, for the file of secrets
	LinkedHash   string `json:"original_hash,omitempty"` // the same, with Options.LinkOriginal
}

// Change is one value that was changed, or is only reported.
type Change struct {
	Pointer string `json:"pointer"` // RFC 6901, of the input's event
	Class   string `json:"class"`   // "sensitive" or "forbidden"; "public" for the semantic digest of an event that is another one now
	Rule    string `json:"rule"`
	Action  string `json:"action"` // "removed", "replaced", "generalized" or "cut"

	// Reported means that the value is unchanged because of its place: the action is what the
	// policy would do elsewhere.
	Reported bool `json:"reported,omitempty"`

	// Commitment binds the value without telling it, where one was asked for.
	Commitment string `json:"commitment,omitempty"`
}

// Summary counts.
type Summary struct {
	Events      int64 `json:"events"`      // of the input
	Changed     int64 `json:"changed"`     // of them
	Dropped     int64 `json:"dropped"`     // members and elements that were removed
	Replaced    int64 `json:"replaced"`    // values with a *** for a secret
	Generalized int64 `json:"generalized"` // values whose paths name no user any more
	Cut         int64 `json:"cut"`         // values cut after their name
	Reported    int64 `json:"reported"`    // values that stay as they are
}

// Changes is how many values were changed.
func (s *Summary) Changes() int64 { return s.Dropped + s.Replaced + s.Generalized + s.Cut }
