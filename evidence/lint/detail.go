package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/cupel-dev/cupel/evidence/bundle"
)

// Detail is what the linter says of a finding beyond the finding's own members.
type Detail struct {
	bundle.Detail

	Class  string `json:"class,omitempty"`  // of the value: "sensitive" or "forbidden"; only of findings about privacy
	Secret string `json:"secret,omitempty"` // the rule that the value matches: "jwt", "home-path", a forbidden name's …
	Action string `json:"action,omitempty"` // what redaction does to the value; "" when it leaves it as it is

	// Print tells the finding from others wherever its line moves: it is the SHA-256 digest
	// of the rule, the event's content hash and the JSON pointer, a line each.
	Print string `json:"fingerprint"`
}

// Fingerprint is what the finding is known by when its line moves.
func (d Detail) Fingerprint() string { return d.Print }

// Remarks are the lines that a person reads.
func (d Detail) Remarks() (lines [][2]string) {
	for _, line := range [][2]string{{"class", d.Class}, {"matches", d.Secret}, {"redact", d.Action}} {
		if line[1] != "" {
			lines = append(lines, line)
		}
	}
	if d.Seq != nil {
		lines = append(lines, [2]string{"event", strconv.FormatUint(*d.Seq, 10)})
	}
	return lines
}

// fingerprint is the digest of a rule, what an event is known by, and a pointer.
func fingerprint(rule, event, pointer string) string {
	sum := sha256.Sum256([]byte(rule + "\n" + event + "\n" + pointer + "\n"))
	return hex.EncodeToString(sum[:])
}
