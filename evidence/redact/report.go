package redact

import (
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
)

// Schema is the JSON schema of a report.
const Schema = "cupel.redaction/1"

// Report lists the changes of a redaction and describes its output. It has no hashes of old values or of the input,
// which could be used to test guesses. Its JSON form is a cupel.redaction/1 document; see [Writer].
type Report struct {
	Schema string `json:"schema"`
	Input  string `json:"input"` // the name of the input, without its folder
	Policy Policy `json:"policy"`

	// Events are the events with changes or remarks, in the input's order. It is nil if Options.OnEvent received
	// them.
	Events []Event `json:"events"`

	Kind          bundle.Kind `json:"kind"`
	InputVerified bool        `json:"input_verified"`      // the input had no fault
	OutputSHA256  string      `json:"output_sha256"`       // of the whole output; "" when none was made
	RunRoot       string      `json:"run_root"`            // of the output's events; "" where an event has no hash
	BundleID      string      `json:"bundle_id,omitempty"` // of the output, when that is a bundle
	Summary       Summary     `json:"summary"`
	NotCovered    []string    `json:"not_covered"` // limitations of the redaction, as sentences

	// Redacted means that there is an output, or would be without Options.Check. Otherwise Findings explain why
	// not, and the data and document must be discarded.
	Redacted bool `json:"-"`
	// Original describes the input, for the file of secrets. Linked is the same if Options.LinkOriginal is set.
	Original Original  `json:"-"`
	Linked   *Original `json:"original,omitempty"`
	// Verified is the result of verifying the input. Its findings do not contain content of events.
	Verified *bundle.Report `json:"-"`
	// Findings are those of Verified, and the reasons for a missing output.
	Findings []finding.Finding `json:"-"`
}

// Policy identifies the policy of a redaction.
type Policy struct {
	Profile string `json:"profile"`        // the built-in one: "default"
	File    string `json:"file,omitempty"` // what overrides it, as its user names it
	Digest  string `json:"digest"`         // of the whole policy, which binds the report to it
}

// Event is an event with changes or remarks.
type Event struct {
	Line        int      `json:"line"` // it begins on, from 1
	ID          string   `json:"id,omitempty"`
	Seq         *int64   `json:"seq,omitempty"`
	ContentHash string   `json:"content_hash"` // of the output's event
	Changes     []Change `json:"changes"`      // in the order of the event's text

	OriginalHash string `json:"-"`                       // the content hash of the input's event, for the file of secrets
	LinkedHash   string `json:"original_hash,omitempty"` // the same, with Options.LinkOriginal
}

// Change is a value that was changed, or is only reported.
type Change struct {
	Pointer string `json:"pointer"` // RFC 6901, of the input's event
	Class   string `json:"class"`   // "sensitive" or "forbidden"; "public" for the semantic digest of an event that is another one now
	Rule    string `json:"rule"`
	Action  string `json:"action"` // "removed", "replaced", "generalized" or "cut"

	// Reported means that the value is not changed because of where it is. The action is what the policy would do
	// elsewhere.
	Reported bool `json:"reported,omitempty"`

	// Commitment is the commitment to the value, if requested.
	Commitment string `json:"commitment,omitempty"`
}

// Summary counts events and changes.
type Summary struct {
	Events      int64 `json:"events"`      // of the input
	Changed     int64 `json:"changed"`     // of them
	Dropped     int64 `json:"dropped"`     // members and elements that were removed
	Replaced    int64 `json:"replaced"`    // values with a *** for a secret
	Generalized int64 `json:"generalized"` // values whose paths name no user any more
	Cut         int64 `json:"cut"`         // values cut after their name
	Reported    int64 `json:"reported"`    // values that stay as they are
}

// Changes returns the number of changed values.
func (s *Summary) Changes() int64 { return s.Dropped + s.Replaced + s.Generalized + s.Cut }
