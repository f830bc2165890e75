package attest

import (
	"strconv"
	"strings"
)

// The statuses of a result (§2.2).
const (
	Pass     = "pass"
	SoftFail = "soft_fail"
	HardFail = "hard_fail"
)

// Result is the outcome of one assertion.
type Result struct {
	AssertionID string
	Status      string  // Pass, SoftFail or HardFail
	Score       float64 // 0.0 to 1.0; 0.0 or 1.0 for boolean checks
	Explanation string  // one sentence with the relevant values
	Cost        float64 // USD
	DurationMS  int64   // wall-clock time
	RequestID   string  // echoed; "" when the request had none
	Skipped     bool    // not evaluated: a hard failure in layers 1–4 came first
	Pointer     string  // RFC 6901 pointer to the place in the trace; not on the wire
}

// AppendJSON appends the result object as the wire carries it.
func (r Result) AppendJSON(dst []byte) []byte {
	dst = appendQuoted(append(dst, `{"assertion_id":`...), r.AssertionID)
	dst = appendQuoted(append(dst, `,"status":`...), r.Status)
	dst = appendFloat(append(dst, `,"score":`...), r.Score)
	dst = appendQuoted(append(dst, `,"explanation":`...), r.Explanation)
	dst = appendFloat(append(dst, `,"cost":`...), r.Cost)
	dst = strconv.AppendInt(append(dst, `,"duration_ms":`...), r.DurationMS, 10)
	if r.RequestID != "" {
		dst = appendQuoted(append(dst, `,"request_id":`...), r.RequestID)
	}
	if r.Skipped {
		dst = append(dst, `,"skipped":true`...)
	}
	return append(dst, '}')
}

// appendFloat writes a float so that a reader sees that it is one: 1.0, not 1.
func appendFloat(dst []byte, f float64) []byte {
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return append(dst, text...)
}
