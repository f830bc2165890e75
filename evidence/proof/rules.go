package proof

import (
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of proofs in checking order. An example is a proof. A first line "# with
// FLAGS" lists flags of `cupel evidence verify-proof`.
func Rules() []evidence.Rule { return slices.Clone(rules) }

type rule uint8

const (
	ruleShape rule = iota
	rulePath
	ruleHead
	ruleEvent
	ruleUnpinned
)

const (
	clause   = "RFC 6962 §2.1.1; no part of the evidence contract"
	goodHash = "sha256:1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02"
	goodRoot = "sha256:0e2dc894781e53812c1dd7cfaeee724c05030c5644880ccd5127f328b9b43b48"

	goodProof = `{"schema":"cupel.proof/1","algorithm":"rfc6962-sha256","tree_size":1,"root":"` + goodRoot + `","seq":0,"content_hash":"` + goodHash + `","path":[]}`
)

var rules = finding.Table{
	ruleShape: {
		ID:        "proof.shape",
		Title:     "the text is not a proof",
		Severity:  finding.Error,
		Clause:    clause,
		Rationale: "A proof is one JSON object with the size and the root of the tree, the event's position and content hash, and the path. A partly read proof proves nothing.",
		Bad:       `{"schema":"cupel.proof/1","algorithm":"rfc6962-sha256","tree_size":1,"seq":0,"content_hash":"` + goodHash + `","path":[]}`,
		Good:      goodProof,
	},
	rulePath: {
		ID:        "proof.path",
		Title:     "the path does not lead from the content hash to the root",
		Severity:  finding.Error,
		Clause:    clause,
		Rationale: "Each digest of the path is hashed with the previous result, and the last result must be the root. The path of another event, position or size leads to another root.",
		Bad:       `{"schema":"cupel.proof/1","algorithm":"rfc6962-sha256","tree_size":1,"root":"` + goodHash + `","seq":0,"content_hash":"` + goodHash + `","path":[]}`,
		Good:      goodProof,
	},
	ruleHead: {
		ID:        "proof.head",
		Title:     "the proof is of another tree than the trusted one",
		Severity:  finding.Error,
		Clause:    clause,
		Rationale: "Anyone can make a tree around any event. A proof is worth what its root is, so the root must be one that was had from elsewhere: an attestation of the tree, or a text.",
		Bad:       "# with --root sha256:0000000000000000000000000000000000000000000000000000000000000000\n" + goodProof,
		Good:      "# with --root " + goodRoot + "\n" + goodProof,
		Flags:     "--root, or --attestation with --key",
	},
	ruleEvent: {
		ID:        "proof.event",
		Title:     "the event does not match the proof",
		Severity:  finding.Error,
		Clause:    clause,
		Rationale: "A proof is about a content hash. The event must have this hash.",
		Bad:       "# with --event {\"specversion\":\"1.0\",\"type\":\"assay.fs.access\",\"datacontenttype\":\"application/json\",\"data\":{\"hits\":5}}\n" + goodProof,
		Good:      "# with --event {\"specversion\":\"1.0\",\"type\":\"assay.fs.access\",\"datacontenttype\":\"application/json\",\"data\":{\"hits\":4}}\n" + goodProof,
		Flags:     "--event",
	},
	ruleUnpinned: {
		ID:        "proof.unpinned",
		Title:     "the root of the proof was not compared with a trusted root",
		Severity:  finding.Warning,
		Clause:    clause,
		Rationale: "Anyone can build a tree around any event and prove that the event is in it. Without a root from another source, the proof only shows that it was computed correctly.",
		Bad:       goodProof,
		Good:      "# with --root " + goodRoot + "\n" + goodProof,
		Flags:     "not with --root or --attestation; --fail-on warning makes the answer no",
	},
}

// fault returns a finding at a member of the proof.
func fault(r rule, pointer, message string) *evidence.Finding {
	f := rules[r].New(message)
	f.Path = pointer
	return &f
}

// differs returns a fault with expected and actual values.
func differs(r rule, pointer, message, expected, found string) *evidence.Finding {
	f := fault(r, pointer, message)
	f.Expected, f.Found = expected, found
	return f
}
