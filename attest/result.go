package attest

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
)

// Status says whether an assertion holds (§2.2).
type Status string

// The statuses.
const (
	Pass     Status = check.Pass
	SoftFail Status = check.SoftFail
	HardFail Status = check.HardFail
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
	Skipped     bool    // not evaluated: a hard failure in layers 1–4 came first
	Pointer     string  // RFC 6901 pointer to the place in the trace; not on the wire
}

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
	return append(dst, '}')
}

// appendFloat writes a float so that a reader sees that it is one: 1.0, not 1.
func appendFloat(dst []byte, f float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// maxLine is what an answer of up to 400 results fits: some clients read lines of
// 64 KiB at most. envelope is left for the JSON-RPC members around the result.
const (
	maxLine  = 65_535
	envelope = 256
)

// minExplanation is the number of code points that every explanation keeps.
const minExplanation = 20

// appendBatch appends the result object of a batch (§2.2). When it would exceed
// maxLine its explanations are shortened to one common length; no result is dropped.
func appendBatch(dst []byte, results []Result, elapsed time.Duration) []byte {
	dst = slices.Grow(dst, 256*len(results)+64)
	start := len(dst)
	dst = appendResults(dst, results, elapsed)
	if len(dst)-start <= maxLine-envelope {
		return dst
	}
	shorten(results, len(dst)-start-(maxLine-envelope))
	return appendResults(dst[:start], results, elapsed)
}

func appendResults(dst []byte, results []Result, elapsed time.Duration) []byte {
	cost := 0.0
	dst = append(dst, `{"results":[`...)
	for i, r := range results {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.AppendJSON(dst)
		cost += r.Cost
	}
	dst = appendFloat(append(dst, `],"total_cost":`...), cost)
	dst = strconv.AppendInt(append(dst, `,"total_duration_ms":`...), elapsed.Milliseconds(), 10)
	return append(dst, '}')
}

// shorten cuts explanations to the greatest common length, not below minExplanation,
// that saves as many bytes as the answer has too many.
func shorten(results []Result, excess int) {
	longest := 0
	for _, r := range results {
		longest = max(longest, utf8.RuneCountInString(r.Explanation))
	}
	length := minExplanation + sort.Search(longest-minExplanation, func(more int) bool {
		saved := 0
		for _, r := range results {
			saved += quotedSize(r.Explanation) - quotedSize(say.Clip(r.Explanation, minExplanation+more))
		}
		return saved < excess
	})
	length = max(length-1, minExplanation)
	for i := range results {
		results[i].Explanation = say.Clip(results[i].Explanation, length)
	}
}

// quotedSize is the size of a string in JSON.
func quotedSize(s string) int {
	size := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\t':
			size++
		case c < ' ':
			size += len(`\u0000`) - 1
		}
	}
	return size
}
