package attest

import "github.com/cupel-dev/cupel/internal/strictjson"

// Estimated memory of an evaluation in bytes, in addition to the input.
const (
	lightBytes = 16 << 10 // smaller texts are not counted

	weightOfByte  = 2  // for searched texts and their folded form
	weightOfValue = 96 // for a scanned value and its copies in the trace or target
)

// Weight estimates the memory in bytes for evaluating a request or trace, for callers that limit concurrency. It is
// 0 for small texts.
func (e *Engine) Weight(text []byte) int64 {
	if len(text) <= lightBytes {
		return 0
	}
	values := min(strictjson.MaxValues(text), e.opt.Limits.Values)
	return weightOfByte*int64(len(text)) + weightOfValue*int64(values)
}
