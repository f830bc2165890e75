package seal

import (
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of attestations in checking order. An example is a signed statement or an envelope.
func Rules() []evidence.Rule { return slices.Clone(rules) }

// rule is an index into the rule table.
type rule uint8

const (
	ruleSignature rule = iota
	ruleType
	rulePredicate
	ruleSubject
)

const (
	classAttestation = "Attestation"
	goodStatement    = `{"_type":"https://in-toto.io/Statement/v1",` + goodSubject + `,"predicateType":"https://docs.getassay.dev/attestation/evidence-bundle/v1",` + goodPredicate + `}`
	goodSubject      = `"subject":[{"name":"sha256:b8e8cd4fdf7d2b9a3a7d4c7e29fbcf6ee0c1ccd1ba2b6d6dc9a4b4b2e2ad7f35","digest":{"sha256":"1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02"}}]`
	goodPredicate    = `"predicate":{"schema_version":1,"semantic_equivalence":{"algorithm":"assay-run-root-v1","value":"sha256:b8e8cd4fdf7d2b9a3a7d4c7e29fbcf6ee0c1ccd1ba2b6d6dc9a4b4b2e2ad7f35"},` +
		`"run":{"run_id":"run_a","event_count":2,"producer":{"git":"","name":"runner","version":"1.0.0"},"time_window":{"start":"2026-01-01T00:00:00Z","end":"2026-01-01T00:00:01Z"}}}`
)

var rules = finding.Table{
	ruleSignature: {
		ID:        "AttestationSignature",
		Title:     "the attestation has no valid signature by a trusted key",
		Severity:  finding.Error,
		Class:     classAttestation,
		Clause:    "DSSE v1, protocol",
		Rationale: "The signature must cover the pre-authentication encoding of the payload and its type, with an Ed25519 or ECDSA P-256 key that the reader trusts; with --threshold, with several keys. A key id in the envelope only orders the keys to try, because the writer of the envelope chooses it. A file with one envelope per line is rejected if a line cannot be read, since the line could be about any bundle.",
		Bad:       `{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[]}`,
		Good:      goodStatement,
	},
	ruleType: {
		ID:        "AttestationPayloadType",
		Title:     "the signed payload is not an in-toto Statement of version 1",
		Severity:  finding.Error,
		Class:     classAttestation,
		Clause:    "in-toto Attestation Framework v1, Statement",
		Rationale: "A key can also sign other content. Only strict JSON of the type application/vnd.in-toto+json that declares itself a Statement v1 attests a bundle.",
		Bad:       `{"_type":"https://in-toto.io/Statement/v0.1",` + goodSubject + `,"predicateType":"https://docs.getassay.dev/attestation/evidence-bundle/v1",` + goodPredicate + `}`,
		Good:      goodStatement,
	},
	rulePredicate: {
		ID:       "AttestationPredicate",
		Title:    "the predicate has another type or form, or does not match the bundle",
		Severity: finding.Error,
		Class:    classAttestation,
		Clause:   "Evidence Contract v1, attestation",
		Rationale: "The predicate type is https://docs.getassay.dev/attestation/evidence-bundle/v1, or cupel's own for a tree head; the draft v0 is refused. " +
			"Every member is recomputed from the bundle: the run root, the run id, the number of events, the producer, the times as text and, where there is one, the extent: how many events there are of each type, and what the summary event of the run counts. The producer's git is always there, empty when it is not known.",
		Bad:  `{"_type":"https://in-toto.io/Statement/v1",` + goodSubject + `,"predicateType":"https://docs.getassay.dev/attestation/evidence-bundle/v0",` + goodPredicate + `}`,
		Good: goodStatement,
	},
	ruleSubject: {
		ID:        "AttestationSubject",
		Title:     "the subject is not exactly this bundle",
		Severity:  finding.Error,
		Class:     classAttestation,
		Clause:    "Evidence Contract v1, attestation",
		Rationale: "The attestation has one subject with one digest, the SHA-256 of the bundle's bytes, and its name is the bundle id. With more subjects it would be unclear which one was meant.",
		Bad:       `{"_type":"https://in-toto.io/Statement/v1","subject":[],"predicateType":"https://docs.getassay.dev/attestation/evidence-bundle/v1",` + goodPredicate + `}`,
		Good:      goodStatement,
	},
}

// fault returns a finding at a member of the envelope or statement.
func fault(r rule, pointer, message string) *evidence.Finding {
	return shape.Fault(&rules[r], pointer, message)
}

// differs returns a fault with expected and actual values.
func differs(r rule, pointer, message, expected, found string) *evidence.Finding {
	return shape.Differs(&rules[r], pointer, message, expected, found)
}
