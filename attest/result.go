package attest

import (
	"bytes"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// Status is the result of an assertion (§2.2).
type Status string

const (
	Pass     Status = check.Pass
	SoftFail Status = check.SoftFail
	HardFail Status = check.HardFail

	// Unanswerable means that an imported trace lacks data that the assertion needs. It is not part of the protocol
	// and never sent for a client's own traces.
	Unanswerable Status = check.Unanswerable
)

// Result is the result of an assertion.
type Result struct {
	AssertionID string
	Status      Status  // Pass, SoftFail or HardFail
	Score       float64 // 0.0 to 1.0; 0.0 or 1.0 for boolean checks
	Explanation string  // one sentence with the values
	Cost        float64 // USD
	DurationMS  int64   // wall-clock time
	RequestID   string  // echoed; "" without one
	Skipped     bool    // not evaluated after a hard failure in layers 1–4 or, if HardFail itself, because of Options.MaxCost
	Scored      bool    // a new score for the history; not in the protocol
	Pointer     string  // RFC 6901 pointer in the trace; trace_node_path in the protocol
	Details

	lacks bool // it fails because the trace lacks data
}

func (r Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the protocol's result object.
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

// maxDigits limits the digits of numbers written without exponent.
const maxDigits = 30

// appendFloat writes a float with a decimal point: 1.0, not 1.
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
