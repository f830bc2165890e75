package incident

import (
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of packages in checking order.
func Rules() []evidence.Rule { return slices.Clone(rules) }

// rule is an index into the rule table.
type rule uint8

const (
	ruleTrust rule = iota
	ruleShape
	ruleFormat
	ruleSchema
	ruleMapping
	ruleDigest
	ruleLocator
	ruleDisclosure
	ruleCoverage
	ruleCoverageRules
	ruleClaim
	ruleExpectation
	ruleStale
	ruleHard
	ruleSelected
)

// reasons are the format's names for the rules.
var reasons = [...]string{
	ruleTrust: "trust_input", ruleShape: "input_shape", ruleFormat: "unknown_format", ruleSchema: "unknown_schema",
	ruleMapping: "mapping", ruleDigest: "digest", ruleLocator: "locator", ruleDisclosure: "disclosure",
	ruleCoverage: "cap1_shape", ruleCoverageRules: "cap1_rules", ruleClaim: "claim_boundary",
	ruleExpectation: "expectation_mismatch", ruleStale: "stale_assessment",
	ruleHard: "resource_hard", ruleSelected: "resource_selected",
}

const class = "Incident"

var rules = finding.Table{
	ruleTrust: {
		ID:        "IncidentTrustInput",
		Title:     "the context is malformed or contradicts itself",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, trust_input",
		Rationale: "A context says what its reader trusts and expects. One that is read in part decides nothing.",
	},
	ruleShape: {
		ID:        "IncidentInputShape",
		Title:     "the container or a document of the package is malformed",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, input_shape",
		Rationale: "Every byte of a package is prescribed: the headers of the tar, the order of its members, their names, the canonical JSON of its documents and their members. What readers could take in two ways is refused.",
	},
	ruleFormat: {
		ID:        "IncidentUnknownFormat",
		Title:     "an input has a format that packages do not have",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, unknown_format",
		Rationale: "Nothing can be said about an input of an unknown format.",
	},
	ruleSchema: {
		ID:        "IncidentUnknownSchema",
		Title:     "a document does not have the schema of version 1",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, unknown_schema",
		Rationale: "Another version can give the same members another meaning.",
	},
	ruleMapping: {
		ID:        "IncidentMapping",
		Title:     "an input names surfaces that its format does not have",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, mapping",
		Rationale: "The surfaces of an input say which actions it can show. They follow from its format.",
	},
	ruleDigest: {
		ID:        "IncidentDigest",
		Title:     "a digest or size in the inventory does not match its member",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, digest",
		Rationale: "The inventory binds the assessment and each input by SHA-256 and size, and lists every object.",
	},
	ruleLocator: {
		ID:        "IncidentLocator",
		Title:     "a unit names a place where no input has an action",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, locator",
		Rationale: "Each unit of the assessment is an action of an input, named by the input, its digest and the place in it.",
	},
	ruleDisclosure: {
		ID:        "IncidentDisclosure",
		Title:     "the units do not match the actions of the inputs",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, disclosure",
		Rationale: "The assessment lists every action of the inputs once, in the order of the ids, with its content, its digest where it is withheld, or as failed where its data has another form than its type has.",
	},
	ruleCoverage: {
		ID:        "IncidentCap1Shape",
		Title:     "the coverage attestation is malformed",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, cap1_shape",
		Rationale: "A coverage attestation is a closed object of the profile cap/1.",
	},
	ruleCoverageRules: {
		ID:        "IncidentCap1Rules",
		Title:     "the coverage attestation breaks a rule of its profile",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, cap1_rules",
		Rationale: "Its numbers must add up, every unit that was not examined is named with the reason, and an account with failed units is not complete.",
	},
	ruleClaim: {
		ID:        "IncidentClaimBoundary",
		Title:     "the coverage attestation contradicts the units",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, claim_boundary",
		Rationale: "What a package claims to have examined is what its units show, and no more.",
	},
	ruleExpectation: {
		ID:        "IncidentExpectationMismatch",
		Title:     "the package does not meet the context's expectations",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, expectation_mismatch",
		Rationale: "A context can name inputs with their digests, and require that all their actions are disclosed.",
	},
	ruleStale: {
		ID:        "IncidentStaleAssessment",
		Title:     "the assessment was made for other inputs or another context",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, stale_assessment",
		Rationale: "An assessment is an answer under one context. Its surfaces follow from the inventory and that context.",
	},
	ruleHard: {
		ID:        "IncidentResourceHard",
		Title:     "the package is larger than the format allows",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, resource_hard",
		Rationale: "The format has largest numbers of bytes, members, inputs, events and levels that no context raises.",
	},
	ruleSelected: {
		ID:        "IncidentResourceSelected",
		Title:     "the package is larger than the context allows",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "Incident Package v1, resource_selected",
		Rationale: "A context can lower the largest numbers of the format.",
	},
}
