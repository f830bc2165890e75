package attest

import "github.com/cupel-dev/cupel/internal/strictjson"

// What evaluating takes of memory, in bytes, beside what it is given.
const (
	lightBytes = 16 << 10 // of a text that is not worth weighing

	weightOfByte  = 2  // a text that is searched, and its folded form
	weightOfValue = 96 // a scanned value, and what the trace or a target keeps of it
)

// Weight is the memory in bytes that evaluating a request, or validating a trace, takes at
// most, by estimate: for callers that bound what they evaluate at once. It is 0 for small
// texts.
func (e *Engine) Weight(text []byte) int64 {
	if len(text) <= lightBytes {
		return 0
	}
	values := min(strictjson.MaxValues(text), e.opt.Limits.Values)
	return weightOfByte*int64(len(text)) + weightOfValue*int64(values)
}
