package projection

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// JSON returns the digest of the canonical form of a text, as used for targets, mandates and other records. A
// nonempty domain is prepended with a NUL byte, to separate kinds of digests. canonical excludes the domain.
// Findings explain why there is no digest (ok is false), or warn of integers that make it ambiguous.
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
	in.unsafeIntegers(root)
	return digest.Of(preimage), preimage[start:], in.findings, true
}

// mostUnsafe limits the integers reported per text.
const mostUnsafe = 20

// unsafeIntegers warns of integers beyond 2^53, whose canonical form is ambiguous.
func (in *input) unsafeIntegers(root strictjson.Node) {
	rule := finding.Table(evidence.Rules()).Lookup("number.unsafe_integer")
	for n := range root.All() {
		if isUnsafe(n) && len(in.findings) < mostUnsafe {
			f := rule.New("integer " + say.Preview(n.Raw(), say.Usual) + " is beyond 2^53: other integers have the same canonical form and digest")
			f.Path = n.Pointer()
			in.point(&f, n)
			in.findings = append(in.findings, f)
		}
	}
}

func isUnsafe(n strictjson.Node) bool {
	const most = 1 << 53
	i, exact := n.Int()
	return n.Integer() && (!exact || i > most || i < -most)
}
