package app

import (
	"testing"

	"github.com/cupel-dev/cupel/finding"
)

// TestAcceptedKey: what is written is known when it is read, whatever its bytes.
func TestAcceptedKey(t *testing.T) {
	for _, text := range []string{"", "a", "\xff", "caf\xe9\n", "\u202e\u2028", `"\`, "<&>", "\x00\x7f"} {
		f := finding.Finding{Rule: "r", File: "./" + text, Path: text, Message: text}
		b := baseline{file: "b", seen: map[Accepted]bool{}}
		b.writes(f)
		written, err := b.text()
		if err != nil {
			t.Fatal(err)
		}
		known, err := parseBaseline(written)
		if b = (baseline{known: known}); err != nil || !b.accepts(f) || b.stale() != 0 {
			t.Errorf("%q: %v\n%s", text, err, written)
		}
		if f.Detail = printed("another"); b.accepts(f) {
			t.Errorf("%q: what has another fingerprint is accepted", text)
		}
	}
}

// printed is the detail of a finding that is known by a fingerprint.
type printed string

func (printed) Remarks() [][2]string { return nil }

func (p printed) Fingerprint() string { return string(p) }
