package evidence

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of the content hash in checking order. An example is an event or a stream. A first line
// "# with FLAGS" lists flags in addition to --check.
func Rules() []Rule {
	return slices.Clone(rules)
}

// Rules that callers treat specially.
const (
	RuleAssumed  = "hash.dct_assumed"
	RuleMismatch = "hash.mismatch"
)

// rule is an index into the rule table.
type rule uint8

const (
	// The recorded hash and assumptions made to compute it.
	ruleMismatch rule = iota
	ruleHashMissing
	ruleAssumed
	ruleUnsafe
	ruleOutside

	// The envelope.
	ruleDataMissing
	ruleTypeMissing
	ruleSpecVersion
	ruleSubject
	ruleContentType

	// The text of an event.
	ruleNotObject
	ruleSyntax
	ruleDuplicate
	ruleUTF8
	ruleSurrogate
	ruleNumberRange
	ruleDepth
	ruleLimit

	// The whole input.
	ruleTotalEvents
	ruleFileSize

	ruleCount = iota
)

const (
	clauseHash     = "ADR-006 §1, assaycontenthash"
	clauseEnvelope = "ADR-006 §1, envelope"
	clauseJCS      = "RFC 8785 §3.1"
	clauseIJSON    = "RFC 7493 §2"
	clauseLimits   = "Evidence Contract v1, limits"
)

var rules = finding.Table{
	ruleMismatch: {
		ID:       RuleMismatch,
		Title:    "content hash mismatch: the recorded hash is not the hash of the content",
		Severity: finding.Warning,
		Class:    "Integrity",
		Clause:   clauseHash,
		Rationale: "The recorded hash must be exactly \"sha256:\" and the lower-case digits of the SHA-256 over the canonical form of the five covered members. " +
			"A difference means that the event was changed after hashing, or hashed in another way; the notes name the way when a known mistake reproduces the recorded value.",
		Bad:   `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4},"assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf"}`,
		Good:  `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4},"assaycontenthash":"sha256:1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02"}`,
		Flags: "--check makes it an error",
	},
	ruleHashMissing: {
		ID:        "hash.missing",
		Title:     "the event records no content hash",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseHash,
		Rationale: "A check that finds nothing to compare with must not pass in silence.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4},"assaycontenthash":"sha256:1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02"}`,
		Flags:     "only with --check",
	},
	ruleAssumed: {
		ID:       RuleAssumed,
		Title:    "datacontenttype is absent and was hashed as application/json",
		Severity: finding.Info,
		Class:    "Contract",
		Clause:   clauseHash,
		Rationale: "The hash input always contains datacontenttype, but the envelope table does not list it. Producers write application/json, " +
			"which is also the default of CloudEvents' JSON format, so an event without it is hashed as if it said so.",
		Bad:   `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":4}}`,
		Good:  `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4}}`,
		Flags: "--strict makes it an error",
	},
	ruleUnsafe: {
		ID:       "number.unsafe_integer",
		Title:    "an integer beyond 2^53 is hashed as the nearest double",
		Severity: finding.Warning,
		Class:    "Contract",
		Clause:   clauseJCS,
		Rationale: "RFC 8785 writes every number as an IEEE 754 double. Beyond 2^53 neighbouring integers share one double, " +
			"so the hash cannot tell 9007199254740993 from 9007199254740992. Write such values as strings.",
		Bad:   `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"inode":9007199254740993}}`,
		Good:  `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"inode":"9007199254740993"}}`,
		Flags: "--exact-integers makes it an error and refuses the hash",
	},
	ruleOutside: {
		ID:        "number.outside_hash",
		Title:     "a number beyond a double is outside the hashed members",
		Severity:  finding.Warning,
		Class:     "Contract",
		Clause:    "Evidence Contract v1, unknown attributes",
		Rationale: "Readers of the contract ignore unknown attributes of an event and unknown members of a manifest. So the event has its content hash, which does not cover them. RFC 8785 has no form for the number, so the whole event has no digest.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","weight":1e400,"data":{"hits":4}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","weight":"1e400","data":{"hits":4}}`,
		Flags:     "--envelope-digest makes it an error",
	},

	ruleDataMissing: {
		ID:        "data.missing",
		Title:     "the event has no member data",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseEnvelope,
		Rationale: "The hash covers the content in data. Any JSON value is hashed, including null, but the member must exist; data_base64 does not replace it.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data_base64":"eyJoaXRzIjo0fQ=="}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":null}`,
	},
	ruleTypeMissing: {
		ID:        "type.missing",
		Title:     "the event has no type, or its type is not a string",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseEnvelope,
		Rationale: "The content hash covers the event type. Member names are exact: Type is not type.",
		Bad:       `{"specversion":"1.0","Type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4}}`,
	},
	ruleSpecVersion: {
		ID:        "specversion.invalid",
		Title:     `specversion is not the string "1.0"`,
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseEnvelope,
		Rationale: "Version 1 of the contract fixes CloudEvents 1.0, and specversion is covered by the content hash. The number 1.0 is another value.",
		Bad:       `{"specversion":1.0,"type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4}}`,
	},
	ruleSubject: {
		ID:        "subject.invalid",
		Title:     "subject is neither a string nor null",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseEnvelope,
		Rationale: "subject is covered by the content hash when it is a string, the empty one too, and left out when it is absent or null.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","subject":["a"],"data":{"hits":4}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","subject":"a","data":{"hits":4}}`,
	},
	ruleContentType: {
		ID:        "datacontenttype.invalid",
		Title:     "datacontenttype is neither a string nor null",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseEnvelope,
		Rationale: "datacontenttype is covered by the content hash; CloudEvents attributes of this kind are strings.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":true,"data":{"hits":4}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":4}}`,
	},

	ruleNotObject: {
		ID:        "json.not_object",
		Title:     "the JSON value is not an object",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseEnvelope,
		Rationale: "An event is a JSON object. A stream is one event on each line, or a JSON array of events.",
		Bad:       `["assay.fs.access",{}]`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","data":{}}`,
	},
	ruleSyntax: {
		ID:        "json.syntax",
		Title:     "the text is not one JSON value",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    "RFC 8259 §2",
		Rationale: "Only strict JSON has one meaning. Truncated text, blank lines, a byte order mark, comments, trailing commas and bytes after the value are refused.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":4,}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":4}}`,
	},
	ruleDuplicate: {
		ID:        "json.duplicate_key",
		Title:     "a member name occurs twice in one object",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseIJSON,
		Rationale: "Readers disagree on which of two equal names counts, so two readers could see different events with one hash. Names are compared after unescaping, at any depth of the event.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":4,"\u0068its":5}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":4,"misses":5}}`,
	},
	ruleUTF8: {
		ID:        "json.utf8",
		Title:     "the text is not UTF-8",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    "RFC 8259 §8.1",
		Rationale: "Readers that replace broken bytes would see another event than the one that was hashed.",
		Bad:       "{\"specversion\":\"1.0\",\"type\":\"assay.fs.access\",\"data\":{\"file\":\"caf\xe9\"}}",
		Good:      `{"specversion":"1.0","type":"assay.fs.access","data":{"file":"café"}}`,
	},
	ruleSurrogate: {
		ID:        "json.surrogate",
		Title:     "an escape is half a surrogate pair",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseIJSON,
		Rationale: "A lone or reversed surrogate stands for no character and cannot be written as UTF-8.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","data":{"file":"\ud83d"}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","data":{"file":"\ud83d\ude00"}}`,
	},
	ruleNumberRange: {
		ID:        "json.number_range",
		Title:     "a number is beyond the range of a double",
		Severity:  finding.Error,
		Class:     "Contract",
		Clause:    clauseIJSON,
		Rationale: "RFC 8785 has no form for such a number, and a reader that clamps it to the largest double hashes another value.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":1e400}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":1e300}}`,
	},
	ruleDepth: {
		ID:        "json.depth",
		Title:     "the event is nested deeper than the limit",
		Severity:  finding.Error,
		Class:     "Limits",
		Clause:    clauseLimits,
		Rationale: "Deep nesting exhausts readers that recurse. The event is level 1 and data level 2; 64 levels are accepted.",
		Bad:       "# with --limits {\"max_json_depth\":2}\n" + `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":[4]}}`,
		Good:      "# with --limits {\"max_json_depth\":2}\n" + `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":4}}`,
		Flags:     `--limits '{"max_json_depth":N}'`,
	},
	ruleLimit: {
		ID:        "json.limit",
		Title:     "the event is larger than a limit",
		Severity:  finding.Error,
		Class:     "Limits",
		Clause:    clauseLimits,
		Rationale: "An event has at most 1 MiB, an object at most 10,000 members, a string at most 1,048,576 characters. A longer line is skipped without being held in memory.",
		Bad:       "# with --limits {\"max_line_bytes\":64}\n" + `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":123456}}`,
		Good:      "# with --limits {\"max_line_bytes\":64}\n" + `{"specversion":"1.0","type":"assay.fs.access","data":{"hits":4}}`,
		Flags:     `--limits '{"max_line_bytes":N}'`,
	},

	ruleTotalEvents: {
		ID:        "LimitTotalEvents",
		Title:     "the input has more events than the limit",
		Severity:  finding.Error,
		Class:     "Limits",
		Clause:    clauseLimits,
		Rationale: "One input has at most 100,000 events. Reading stops there, and the input has no run root.",
		Bad:       "# with --limits {\"max_events\":1}\n" + `{"specversion":"1.0","type":"a","data":1}` + "\n" + `{"specversion":"1.0","type":"b","data":2}`,
		Good:      "# with --limits {\"max_events\":2}\n" + `{"specversion":"1.0","type":"a","data":1}` + "\n" + `{"specversion":"1.0","type":"b","data":2}`,
		Flags:     `--limits '{"max_events":N}'`,
	},
	ruleFileSize: {
		ID:        "LimitFileSize",
		Title:     "the input has more bytes than the limit",
		Severity:  finding.Error,
		Class:     "Limits",
		Clause:    clauseLimits,
		Rationale: "The events of one input have at most 500 MiB. Reading stops there, and the input has no run root.",
		Bad:       "# with --limits {\"max_events_bytes\":60}\n" + `{"specversion":"1.0","type":"a","data":1}` + "\n" + `{"specversion":"1.0","type":"b","data":2}`,
		Good:      "# with --limits {\"max_events_bytes\":90}\n" + `{"specversion":"1.0","type":"a","data":1}` + "\n" + `{"specversion":"1.0","type":"b","data":2}`,
		Flags:     `--limits '{"max_events_bytes":N}'`,
	},
}
