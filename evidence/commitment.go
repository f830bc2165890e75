package evidence

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/digest"
)

// The text before and after the digits of a commitment.
const (
	commitmentBegin = "<committed:"
	commitmentEnd   = ">"
)

// CommitmentText returns the text that replaces a committed value in an event: <committed:DIGITS>.
func CommitmentText(sum Sum) string { return commitmentBegin + sum.Hex() + commitmentEnd }

// Commitment parses a value written by [CommitmentText]. The committed value can be of any kind.
func (v Value) Commitment() (sum Sum, ok bool) {
	raw := v.Raw()
	if v.Kind() != KindString || len(raw) != len(commitmentBegin)+2*len(sum)+len(commitmentEnd)+2 {
		return sum, false
	}
	text, begun := bytes.CutPrefix(raw[1:len(raw)-1], []byte(commitmentBegin))
	text, ended := bytes.CutSuffix(text, []byte(commitmentEnd))
	if !begun || !ended {
		return sum, false
	}
	return digest.ParseHex(text)
}
