package bundle

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/timestamp"
)

// Verdict is the result for one input.
type Verdict string

// The verdicts. An input without errors is valid.
const (
	Valid   Verdict = "valid"
	Invalid Verdict = "invalid"
)

// Report is the result for one input.
type Report struct {
	Input   string // the input's display name
	Kind    Kind
	Verdict Verdict

	// Class and Code are those of the first fault in verification order, or "".
	Class, Code string

	Events int64 // events that were read
	// NotCanonical counts events that are not in canonical JSON. Their hashes are not affected, but resealing
	// changes the bytes.
	NotCanonical int64

	RunRoot  string // recomputed; "" when an event has no content hash, or not all were read
	BundleID string // recomputed: that of a bundle with these events
	SHA256   string // of the whole input; "" if not read completely, or not requested for other inputs than bundles
	Bytes    int64  // of the whole input, with SHA256
	Run      Run
	Manifest *Manifest // of a bundle, as far as it could be read; nil when it could not
	Packed   *File     // the events of a bundle as they were read, as a manifest names them; nil when they were not read to their end

	// Findings are in verification order. At most Options.MaxFindings are kept; counts include all.
	Findings                []finding.Finding
	Errors, Warnings, Infos int
	Omitted                 int // of these, findings beyond the limit

	Ended string // how a stream ended that was followed: "rotated", "removed", "rewritten", as its follower says; "" for one that may go on

	NotCovered []string // what the verdict does not prove, as sentences

	// Attestation, Timestamp, Redaction, Revealed and Cited are results of additional checks by the caller, or nil.
	Attestation *Attestation
	Timestamp   *timestamp.Facts // of the attestation
	Redaction   *Redaction
	Revealed    *Revealed
	Cited       *cite.Counts

	before *segments.Before // the run that it continues, or nil
}

// Attestation describes an attestation that the input was checked against.
type Attestation struct {
	File          string   `json:"file"`
	KeyID         string   `json:"key_id"`                   // of the first key that is trusted, and has signed where the attestation is good
	KeyIDs        []string `json:"key_ids,omitempty"`        // of all trusted keys that have signed a good attestation
	PredicateType string   `json:"predicate_type,omitempty"` // "" when the attestation is not to be trusted
}

// Redaction describes a redaction report that the input was checked against.
type Redaction struct {
	File          string `json:"file"`
	Profile       string `json:"profile,omitempty"` // of the policy; "" if the file is not a report
	PolicyDigest  string `json:"policy_digest,omitempty"`
	InputVerified bool   `json:"input_verified"` // the redacted input had no fault
	Changed       int64  `json:"changed"`        // events
}

// Revealed describes a file of values that was checked against the commitments in a bundle.
type Revealed struct {
	File      string `json:"file"`
	Values    int64  `json:"values"`    // that are those which the bundle commits to
	Committed int64  `json:"committed"` // values that the bundle commits to
}

// Precede adds a fault of an earlier check, whose code becomes the report's.
func (r *Report) Precede(f finding.Finding) {
	r.Findings = slices.Insert(r.Findings, 0, f)
	r.Errors++
	r.Verdict, r.Class, r.Code = Invalid, classOf(f.Rule), f.Rule
}

// Follow adds a finding of a later check.
func (r *Report) Follow(f finding.Finding) {
	r.Findings = append(r.Findings, f)
	if f.Severity == finding.Warning {
		r.Warnings++
		return
	}
	r.Errors++
	r.Verdict = Invalid
	if r.Code == "" {
		r.Class, r.Code = classOf(f.Rule), f.Rule
	}
}

// Run is what events say about their run, which hashes do not cover.
type Run struct {
	ID       string // the first event's
	Source   string // the first event's
	Producer Producer
	Start    string // the earliest time, as seal writes it; "" when no event has one
	End      string // the latest time
}

// classOf returns the class of a code, which is its prefix. Additional checks have the class of the contract's
// content rules.
func classOf(code string) string {
	if strings.HasPrefix(code, "EV-") {
		return "Contract"
	}
	for _, class := range []string{"Contract", "Security", "Attestation", "Redaction", "Incident"} {
		if strings.HasPrefix(code, class) {
			return class
		}
	}
	if strings.HasPrefix(code, "Limit") {
		return "Limits"
	}
	return "Integrity"
}

// MarshalJSON returns an element of "inputs" in a cupel.evidence/1 document.
func (r *Report) MarshalJSON() ([]byte, error) {
	form := struct {
		Input      string            `json:"input"`
		Kind       *Kind             `json:"kind"`
		Verdict    *Verdict          `json:"verdict"`
		Class      *string           `json:"class"`
		Code       *string           `json:"code"`
		Events     int64             `json:"events"`
		Respelled  int64             `json:"not_canonical"`
		RunRoot    *string           `json:"run_root"`
		BundleID   *string           `json:"bundle_id"`
		SHA256     *string           `json:"sha256"`
		Bytes      *int64            `json:"bytes,omitempty"`
		Run        *Run              `json:"run"`
		Findings   []finding.Finding `json:"findings"`
		Omitted    int               `json:"findings_omitted,omitempty"`
		Ended      string            `json:"ended,omitempty"`
		Attested   *Attestation      `json:"attestation,omitempty"`
		Timestamp  *timestamp.Facts  `json:"timestamp,omitempty"`
		Redaction  *Redaction        `json:"redaction,omitempty"`
		Revealed   *Revealed         `json:"revealed,omitempty"`
		Cited      *cite.Counts      `json:"sources,omitempty"`
		NotCovered []string          `json:"not_covered"`
	}{
		Input: r.Input, Kind: orNull(r.Kind), Verdict: orNull(r.Verdict), Class: orNull(r.Class), Code: orNull(r.Code),
		Events: r.Events, Respelled: r.NotCanonical, RunRoot: orNull(r.RunRoot), BundleID: orNull(r.BundleID), SHA256: orNull(r.SHA256),
		Findings: orEmpty(r.Findings), Omitted: r.Omitted, Ended: r.Ended, Attested: r.Attestation, Timestamp: r.Timestamp, Redaction: r.Redaction, Revealed: r.Revealed, Cited: r.Cited, NotCovered: orEmpty(r.NotCovered),
	}
	if r.SHA256 != "" {
		form.Bytes = &r.Bytes
	}
	if r.Run.ID != "" {
		form.Run = &r.Run
	}
	return json.Marshal(form)
}

func (r *Run) MarshalJSON() ([]byte, error) {
	type window struct {
		Start string `json:"start"`
		End   string `json:"end"`
	}
	form := struct {
		ID       string   `json:"run_id"`
		Source   string   `json:"source"`
		Producer Producer `json:"producer"`
		Window   *window  `json:"time_window"`
	}{ID: r.ID, Source: r.Source, Producer: r.Producer}
	if r.Start != "" {
		form.Window = &window{r.Start, r.End}
	}
	return json.Marshal(form)
}

func orNull[T ~string](s T) *T {
	if s == "" {
		return nil
	}
	return &s
}

// orEmpty replaces a nil slice, to be written as [].
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
