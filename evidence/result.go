package evidence

import (
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/enum"
)

// Sum is a SHA-256 digest. Its String method returns the text form.
type Sum = digest.Sum

// Match compares an event's recorded content hash with the computed one.
type Match uint8

// The comparisons. Unknown means that nothing is recorded or computed.
const (
	Unknown Match = iota
	Same
	Different
)

var matchNames = [...]string{"unknown", "same", "different"}

// String returns the name of the comparison.
func (m Match) String() string { return enum.Name(matchNames[:], m) }

// MarshalText returns the comparison's name, or an error.
func (m Match) MarshalText() ([]byte, error) { return enum.Text(matchNames[:], m) }

// UnmarshalText sets the comparison to the one with the name text.
func (m *Match) UnmarshalText(text []byte) error {
	return enum.Read("comparison", matchNames[:], m, text)
}

// Result is the result for an event. Its byte slices can refer to the event's text.
type Result struct {
	Line     int    // 1-based number of the line that the event begins on
	Alone    bool   // the input is this one event, not a stream
	Offset   int64  // bytes of the input before the event
	Ending   string // what ends its line: "\n", "\r\n", "\r" before the input's end, or ""
	ID       []byte // the member id when it is a string, else nil
	Recorded []byte // the recorded content hash: the text of a string, the JSON of any other value, nil when absent or null

	Hashed   bool // Sum is the content hash; false when a fault leaves none
	Sum      Sum
	Match    Match
	Envelope Sum // digest of the canonical whole event, when Options.EnvelopeDigest asked for it, Hashed, and there is one

	Counts      Counts    // of all findings, the omitted ones too
	Findings    []Finding // in the order of their places, at most Options.MaxFindings
	Explanation *Explanation

	// Event is the event, even if it could not be hashed, or nil unless the text is a strict JSON object.
	// HashStream sets it only with Options.Events.
	Event *Event

	Long bool // the text exceeds the limit and was not read; Text can be only its start

	text []byte // the event's own bytes
	end  int64  // where the input goes on after the event and its line end
}

// ContentHash returns the content hash in text form, or "".
func (r *Result) ContentHash() string {
	if !r.Hashed {
		return ""
	}
	return r.Sum.String()
}

// EnvelopeDigest returns the digest of the canonical whole event in text form, or "" if it was not requested or
// could not be computed.
func (r *Result) EnvelopeDigest() string {
	if !r.Hashed || r.Envelope == (Sum{}) {
		return ""
	}
	return r.Envelope.String()
}

// Text returns the bytes of the event, without the line end. A line beyond the limit is truncated.
func (r *Result) Text() []byte { return r.text }

// Starts returns the offset in Text of each finding.
func (r *Result) Starts() []int {
	starts := make([]int, len(r.Findings))
	line, column, at := r.Line, 1, 0
	for i, f := range r.Findings {
		for at < len(r.text) && (line < f.Line || line == f.Line && column < f.Column) {
			c, size := utf8.DecodeRune(r.text[at:])
			at, column = at+size, column+1
			if c == '\n' {
				line, column = line+1, 1
			}
		}
		starts[i] = at
	}
	return starts
}

// Counts counts findings by severity.
type Counts struct {
	Errors, Warnings, Infos int
	Omitted                 int // of these, findings beyond Options.MaxFindings
}

func (c *Counts) add(s finding.Severity) {
	switch s {
	case finding.Error:
		c.Errors++
	case finding.Warning:
		c.Warnings++
	default:
		c.Infos++
	}
}

func (c *Counts) addAll(d Counts) {
	c.Errors += d.Errors
	c.Warnings += d.Warnings
	c.Infos += d.Infos
	c.Omitted += d.Omitted
}
