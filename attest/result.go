package attest

import (
	"bytes"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// Status says whether an assertion holds (§2.2).
type Status string

// The statuses.
const (
	Pass     Status = check.Pass
	SoftFail Status = check.SoftFail
	HardFail Status = check.HardFail

	// Unanswerable is the status of an assertion on an imported trace that needs what its record lost. The
	// protocol does not have it, and the engine never gives it for a trace that a client sends.
	Unanswerable Status = check.Unanswerable
)

// Result is the outcome of one assertion.
type Result struct {
	AssertionID string
	Status      Status  // Pass, SoftFail or HardFail
	Score       float64 // 0.0 to 1.0; 0.0 or 1.0 for boolean checks
	Explanation string  // one sentence with the relevant values
	Cost        float64 // USD
	DurationMS  int64   // wall-clock time
	RequestID   string  // echoed; "" when the request had none
	Skipped     bool    // not evaluated: a hard failure in layers 1–4 came first, or, when it is a HardFail itself, Options.MaxCost was reached
	Scored      bool    // the score is one that this evaluation has found, and belongs into a history; not on the wire
	Pointer     string  // RFC 6901 pointer to the place in the trace: trace_node_path on the wire
	Details
}

// MarshalJSON returns the result object as the wire carries it.
func (r Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the result object as the wire carries it.
func (r Result) AppendJSON(dst []byte) []byte {
	dst = wording.AppendQuoted(append(dst, `{"assertion_id":`...), r.AssertionID)
	dst = wording.AppendQuoted(append(dst, `,"status":`...), string(r.Status))
	dst = appendFloat(append(dst, `,"score":`...), r.Score)
	dst = wording.AppendQuoted(append(dst, `,"explanation":`...), r.Explanation)
	dst = appendFloat(append(dst, `,"cost":`...), r.Cost)
	dst = strconv.AppendInt(append(dst, `,"duration_ms":`...), r.DurationMS, 10)
	if r.RequestID != "" {
		dst = wording.AppendQuoted(append(dst, `,"request_id":`...), r.RequestID)
	}
	if r.Skipped {
		dst = append(dst, `,"skipped":true`...)
	}
	return append(r.appendDetails(dst), '}')
}

// maxDigits is how long a float may be that is written without an exponent. Only one that
// is next to nothing is longer.
const maxDigits = 30

// appendFloat writes a float so that a reader sees that it is one: 1.0, not 1.
func appendFloat(dst []byte, f float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if len(dst)-start > maxDigits {
		return strconv.AppendFloat(dst[:start], f, 'e', -1, 64)
	}
	if bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}
