package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/cupel-dev/cupel/evidence/bundle"
)

// Detail is the linter-specific part of a finding.
type Detail struct {
	bundle.Detail

	Class  string `json:"class,omitempty"`  // of the value: "sensitive" or "forbidden"; only of findings about privacy
	Secret string `json:"secret,omitempty"` // the rule that the value matches: "jwt", "home-path", a forbidden name's …
	Action string `json:"action,omitempty"` // what redaction does to the value; "" when it leaves it as it is

	// Print identifies the finding when its line moves: the SHA-256 of rule, event's content hash
	// and JSON pointer, one per line.
	Print string `json:"fingerprint"`
}

// Fingerprint returns the finding's identity.
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

// fingerprint returns the digest of a rule, an event's identity and a pointer.
func fingerprint(rule, event, pointer string) string {
	sum := sha256.Sum256([]byte(rule + "\n" + event + "\n" + pointer + "\n"))
	return hex.EncodeToString(sum[:])
}
