package redact

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules on redaction reports, disclosures, and comparisons with the original. An example is a
// document, or for a report its content about the good example's output.
func Rules() []finding.Rule { return slices.Clone(rules) }

// rule is an index into the rule table.
type rule uint8

const (
	ruleReport rule = iota
	ruleUnverified
	ruleOutput
	ruleEvent
	ruleChange
	ruleDisclosure
	ruleCommitment
)

const (
	class       = "Redaction"
	exampleRoot = `sha256:b8e8cd4fdf7d2b9a3a7d4c7e29fbcf6ee0c1ccd1ba2b6d6dc9a4b4b2e2ad7f35`
	exampleFile = `sha256:1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02`

	// exampleCommitment commits to the value "xyz" at /data/token with a salt of zeros.
	exampleCommitment = `sha256:a82cbfc836d137b6cd6e6c7b38817c46e7e704844de67efdf7e3dbda19558b0b`

	exampleStart  = `{"schema":"cupel.redaction/1","input":"run.ndjson","policy":{"profile":"default","digest":"` + exampleFile + `"},"events":[`
	exampleChange = `{"line":1,"content_hash":"` + exampleRoot + `","changes":[{"pointer":"/data/token","class":"forbidden","rule":"name","action":"removed"`
	exampleEnd    = `],"kind":"stream","input_verified":true,"output_sha256":"` + exampleFile + `","run_root":"` + exampleRoot + `",` + exampleCounts
	exampleCounts = `"summary":{"events":1,"changed":1,"dropped":1,"replaced":0,"generalized":0,"cut":0,"reported":0},"not_covered":[]}`

	goodReport     = exampleStart + exampleChange + `,"commitment":"` + exampleCommitment + `"}]}` + exampleEnd
	goodDisclosure = `{"schema":"cupel.redaction-disclosure/1","output_sha256":"` + exampleFile + `","events":[{"line":1,"values":[{"pointer":"/data/token","salt":"` + zeros + `","value":"xyz"}]}]}`
	zeros          = `0000000000000000000000000000000000000000000000000000000000000000`
)

var rules = finding.Table{
	ruleReport: {
		ID:        "RedactionReport",
		Title:     "the document is not a redaction report",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "cupel.redaction/1",
		Rationale: "A report is one JSON document of the schema cupel.redaction/1, from `cupel evidence redact --report FILE`: strict JSON, with its events in the order of their lines. Other documents are not reports.",
		Bad:       `{"schema":"cupel.hash/1","status":"ok","events":[]}`,
		Good:      goodReport,
	},
	ruleUnverified: {
		ID:        "RedactionUnverified",
		Title:     "the redacted input did not verify",
		Severity:  finding.Warning,
		Class:     class,
		Clause:    "cupel.redaction/1, input_verified",
		Rationale: "The redaction used --accept-unverified on an input with faults. The output has new, valid hashes, but the events could have been damaged or changed before.",
		Bad:       exampleStart + `],"kind":"stream","input_verified":false,"output_sha256":"` + exampleFile + `","run_root":"` + exampleRoot + `",` + exampleCounts,
		Good:      goodReport,
	},
	ruleOutput: {
		ID:        "RedactionOutput",
		Title:     "the input is not the output of the redaction",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "cupel.redaction/1, output_sha256, run_root and bundle_id",
		Rationale: "A report is about one output: its bytes by their SHA-256, its events by their run root, and a bundle by its id. It does not apply to another input, such as the original or an output that was changed or sealed again.",
		Bad:       exampleStart + `],"kind":"stream","input_verified":true,"output_sha256":"` + exampleRoot + `","run_root":"` + exampleRoot + `",` + exampleCounts,
		Good:      goodReport,
	},
	ruleEvent: {
		ID:        "RedactionEvent",
		Title:     "the event does not match the policy's redaction of the original",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "cupel evidence redact --verify",
		Rationale: "The policy is applied to the original again. Each difference is a change that the redaction did not make, or did not make but should have. The finding shows the place, not the values.",
		Bad:       `{"original":{"data":{"hits":3}},"redacted":{"data":{"hits":4}}}`,
		Good:      `{"original":{"data":{"hits":3}},"redacted":{"data":{"hits":3}}}`,
	},
	ruleChange: {
		ID:        "RedactionChange",
		Title:     "the report's changes differ from the policy's",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "cupel evidence redact --verify --report",
		Rationale: "The policy is applied to the original again, which gives the list of changes once more. A report that leaves one out, adds one, or gives another rule, action, hash or number, is not about this redaction.",
		Bad:       exampleStart + `],"kind":"stream","input_verified":true,"output_sha256":"` + exampleFile + `","run_root":"` + exampleRoot + `",` + exampleCounts,
		Good:      goodReport,
	},
	ruleDisclosure: {
		ID:       "RedactionDisclosure",
		Title:    "the document is not a disclosure of this redaction or bundle",
		Severity: finding.Error,
		Class:    class,
		Clause:   "cupel.redaction-disclosure/1",
		Rationale: "A disclosure is one JSON document of the schema cupel.redaction-disclosure/1, or the whole file of secrets, cupel.redaction-secrets/1: values with their salts, by line and pointer, and the SHA-256 of their output. " +
			"It must be about the report's output or the verified bundle, and the report or the bundle's events must have a commitment to each value.",
		Bad:  `{"schema":"cupel.redaction-disclosure/1","output_sha256":"` + exampleRoot + `","events":[]}`,
		Good: goodDisclosure,
	},
	ruleCommitment: {
		ID:        "RedactionCommitment",
		Title:     "the disclosed value is not the committed one",
		Severity:  finding.Error,
		Class:     class,
		Clause:    "cupel.redaction/1, commitment; cupel evidence seal --commit",
		Rationale: "A commitment, in a report or in an event of a bundle, is the SHA-256 of a random 32-byte salt, the pointer, a line feed and the value in canonical JSON (RFC 8785); earlier versions omitted the pointer and the line feed. Nobody can find another value and salt for it, so the disclosed value is a different one.",
		Bad:       `{"schema":"cupel.redaction-disclosure/1","output_sha256":"` + exampleFile + `","events":[{"line":1,"values":[{"pointer":"/data/token","salt":"` + zeros + `","value":"abc"}]}]}`,
		Good:      goodDisclosure,
	},
}
