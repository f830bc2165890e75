package projection

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
)

// JSON digests the canonical form of a text as a whole: what the digests of targets, of
// mandates and of other records are made of. A domain, "" for none, stands before it with a
// byte 0, so that no digest of one kind is one of another. Canonical is the form without the
// domain. The findings say why there is no digest; ok is false then.
func JSON(text []byte, domain string) (sum evidence.Sum, canonical []byte, findings []finding.Finding, ok bool) {
	in := newInput(text)
	root, ok := in.scan(ruleJSON)
	if !ok {
		return sum, nil, in.findings, false
	}
	var preimage []byte
	if domain != "" {
		preimage = append([]byte(domain), 0)
	}
	start := len(preimage)
	preimage = jcs.NewWriter(nil).Append(preimage, root)
	return digest.Of(preimage), preimage[start:], nil, true
}
