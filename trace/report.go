package trace

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"time"

	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/timestamp"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Verdict is the result of verifying an input.
type Verdict string

// The verdicts.
const (
	Valid    Verdict = "valid"    // every rule holds
	Invalid  Verdict = "invalid"  // readable, but rules fail
	Rejected Verdict = "rejected" // structure outside the format; not processed

	Consistent   Verdict = "consistent"   // of a transcript: its records fit together
	Inconsistent Verdict = "inconsistent" // of a transcript: records are lost, or contradict each other
)

// Bad reports whether the verdict means errors.
func (v Verdict) Bad() bool { return v == Invalid || v == Rejected || v == Inconsistent }

// Good reports whether the verdict means no errors.
func (v Verdict) Good() bool { return v == Valid || v == Consistent }

// Report is the result for one input.
type Report struct {
	Input   string // the input's display name
	Family  Family
	Format  string  // of a transcript: the agent that wrote it, such as "claude-code"
	Verdict Verdict // "" for an input without a fault so far that was interrupted, or whose first line is still being written

	Integrity        Integrity     // of session logs, or ""
	EvidenceClass    EvidenceClass // of session logs, or ""
	Canonicalization []string      // the profiles that explained hashes
	Head             string        // hash of the last event, or ""
	Damage           []Damage      // of a chained log, in file order
	Undiagnosed      string        // why Options.Diagnose did not look for the cause of damage; "" where it did, or found none
	Signatures       *Signatures   // nil if the format has none
	SignatureKey     *SignatureKey // of valid signatures, or nil
	Cited            *Cited        // with SessionOptions.Sources, or nil
	NotCovered       []string      // what the verdict does not prove, as sentences
	Sealed           bool          // a session log ends with a CHAIN_SEAL that has all its members
	Finished         bool          // a session log has a SESSION_END or a CHAIN_SEAL

	Usage  *TranscriptUsage // of a transcript; nil for other families
	Start  time.Time        // of a transcript: its earliest record, or zero
	End    time.Time        // … its latest
	Folder string           // of a transcript: where the agent worked, or ""

	// Findings are sorted by position. At most Limits.Findings errors and as many notes are kept; counts include
	// all.
	Findings                []Finding
	Errors, Warnings, Infos int
	Omitted                 int // of them, beyond the limit: counted, not kept

	Events     int64 // lines that are events
	Header     int64 // lines that are a header
	Blank      int64 // lines of white space only
	Unreadable int64 // lines that are not records of the family

	// Sessions yields the reports of sessions in order of first lines, if Options.BySession is set; otherwise it is
	// nil. Findings then holds only those outside of sessions, counts include all, and head, damage and signatures
	// are per session. Reports are built on demand; iterate on one goroutine at a time, any number of times.
	// MarshalJSON merges the findings of all sessions.
	Sessions  iter.Seq[*Report]
	Session   *string // of a report on a session: its id; nil for lines without one
	FirstLine int     // of a report on a session: where it begins
	FirstFile string  // segment of a chain

	Ended       EndReason // with Options.Follow: how the log ended; "" for one that may go on
	Interrupted bool      // the input was not read to its end
	Bytes       int64     // with Options.Sum: the input's length
	SHA256      string    // with Options.Sum: its digest, 64 lower-case digits
	State       *State    // with Options.Growing: for the next run; nil for other families than session logs

	// Segments are the files of a chain with their digests.
	Segments []SegmentSum

	// Checkpoint says who signed the log's checkpoint. The caller sets it.
	Checkpoint *checkpoint.Result
	// Timestamp says when the checkpoint existed. The caller sets it.
	Timestamp *timestamp.Facts

	session string           // of a session log: its id, or ""
	before  *segments.Before // the session that it continues, or nil
}

// SegmentSum is a file of a chain with its digest. The caller of [VerifyChain] sets Report.Segments.
type SegmentSum struct {
	Input  string `json:"input"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// newReport builds a report from a family's outcome and the line counts.
func newReport(name string, family Family, counts stream.Counts, o *stream.Outcome) *Report {
	return &Report{
		Input: name, Family: family,
		Integrity: Integrity(o.Integrity), EvidenceClass: EvidenceClass(o.EvidenceClass),
		Canonicalization: o.Canonicalization, Head: o.Head,
		Damage: damages(o.Damage), Signatures: signatures(o.Signatures), SignatureKey: signatureKey(o.SignatureKey), Cited: o.Cited, NotCovered: o.NotCovered, Sealed: o.Sealed, Finished: o.Finished,
		session: o.Session, before: o.Before,
		Events: o.Events, Header: o.Header, Blank: counts.Blank, Unreadable: counts.Unreadable + o.Misfits,
	}
}

func verdictOf(findings *stream.Findings) Verdict {
	switch {
	case findings.Rejected():
		return Rejected
	case findings.Invalid():
		return Invalid
	}
	return Valid
}

// judge sets the findings and the verdict, including those of an earlier run over the log. enough reports whether
// enough was read to call the input valid.
func (r *Report) judge(findings *stream.Findings, before *State, enough bool) {
	switch found := verdictOf(findings); {
	case found == Rejected, before.Rejected:
		r.Verdict = Rejected
	case found == Invalid, before.Errors > 0:
		r.Verdict = Invalid
	case enough:
		r.Verdict = Valid
	}
	r.Findings, r.Infos, r.Warnings, r.Errors = findings.Close()
	r.Omitted = r.Infos + r.Warnings + r.Errors - len(r.Findings)
	for i := range r.Findings {
		r.Findings[i].File = cmp.Or(r.Findings[i].File, r.Input)
	}
}

// lines counts the physical lines of the input by kind.
type lines struct {
	Events     int64 `json:"events"`
	Header     int64 `json:"header"`
	Blank      int64 `json:"blank"`
	Unreadable int64 `json:"unreadable"`
}

// body is the JSON that reports on inputs and sessions share.
type body struct {
	Family           *Family          `json:"family"`
	Format           string           `json:"format,omitempty"`
	Start            string           `json:"start,omitempty"`
	End              string           `json:"end,omitempty"`
	Folder           string           `json:"folder,omitempty"`
	Usage            *TranscriptUsage `json:"usage,omitempty"`
	Verdict          *Verdict         `json:"verdict"`
	Integrity        *Integrity       `json:"integrity"`
	EvidenceClass    *EvidenceClass   `json:"evidence_class"`
	Canonicalization []string         `json:"canonicalization"`
	Events           int64            `json:"events"`
	Head             *string          `json:"head"`
	Findings         []Finding        `json:"findings"`
	Omitted          int              `json:"findings_omitted,omitempty"`
	Interrupted      bool             `json:"interrupted,omitempty"`
	Ended            EndReason        `json:"ended,omitempty"`
	Lines            lines            `json:"lines"`
	Damage           []Damage         `json:"damage"`
	Undiagnosed      string           `json:"undiagnosed,omitempty"`
	Signatures       *Signatures      `json:"signatures"`
	SignatureKey     *SignatureKey    `json:"signature_key,omitempty"`
	NotCovered       []string         `json:"not_covered"`
	Cited            *Cited           `json:"sources,omitempty"`
	SHA256           string           `json:"sha256,omitempty"`
	Bytes            *int64           `json:"bytes,omitempty"`
	Segments         []SegmentSum     `json:"segments,omitempty"`

	Checkpoint *checkpoint.Result `json:"checkpoint,omitempty"`
	Timestamp  *timestamp.Facts   `json:"timestamp,omitempty"`
}

// MarshalJSON returns an element of "inputs" or "sessions" in a cupel.trace/1 document.
func (r *Report) MarshalJSON() ([]byte, error) {
	common := body{
		Start: instant(r.Start), End: instant(r.End), Folder: r.Folder,
		Family: orNull(r.Family), Format: r.Format, Usage: r.Usage, Verdict: orNull(r.Verdict),
		Integrity: orNull(r.Integrity), EvidenceClass: orNull(r.EvidenceClass),
		Canonicalization: orEmpty(r.Canonicalization), Events: r.Events, Head: orNull(r.Head),
		Findings: orEmpty(r.Findings), Omitted: r.Omitted, Interrupted: r.Interrupted, Ended: r.Ended,
		Lines:  lines{r.Events, r.Header, r.Blank, r.Unreadable},
		Damage: orEmpty(r.Damage), Undiagnosed: r.Undiagnosed, Signatures: r.Signatures, SignatureKey: r.SignatureKey, NotCovered: orEmpty(r.NotCovered), Cited: r.Cited,
	}
	if r.SHA256 != "" {
		common.SHA256, common.Bytes = r.SHA256, &r.Bytes
	}
	common.Segments, common.Checkpoint, common.Timestamp = r.Segments, r.Checkpoint, r.Timestamp
	if r.FirstLine > 0 {
		return json.Marshal(struct {
			Session   *string `json:"session_id"`
			FirstFile string  `json:"first_file,omitempty"`
			FirstLine int     `json:"first_line"`
			body
		}{r.Session, r.FirstFile, r.FirstLine, common})
	}
	form := struct {
		Input string `json:"input"`
		body
		Sessions *[]*Report `json:"sessions,omitempty"`
	}{Input: r.Input, body: common}
	if r.Sessions != nil {
		all := append([]*Report{}, slices.Collect(r.Sessions)...)
		form.Sessions = &all
		for _, s := range all {
			form.Findings = append(form.Findings, s.Findings...)
		}
	}
	return json.Marshal(form)
}

func orNull[T ~string](s T) *T {
	if s == "" {
		return nil
	}
	return &s
}

// instant formats a time, or "".
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// orEmpty replaces a nil slice, to be written as [].
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Anchor returns an anchor of the verified log. It requires Options.Sum.
func (r *Report) Anchor() Anchor {
	a := Anchor{Schema: AnchorSchema, Input: r.Input, Family: r.Family, Events: r.Events, Head: r.Head, Bytes: r.Bytes, SHA256: r.SHA256}
	if r.Sessions != nil {
		a.By = "session_id"
		for s := range r.Sessions {
			a.Sessions = append(a.Sessions, SessionAnchor{s.Session, s.Family, s.Events, s.Head})
		}
	}
	return a
}
