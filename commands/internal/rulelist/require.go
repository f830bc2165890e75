package rulelist

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/timestamp"
	"github.com/cupel-dev/cupel/trace"
)

// TraceVerifyRules returns the rules of `cupel trace verify`.
func TraceVerifyRules() []finding.Rule {
	return slices.Concat(trace.Rules(), checkpoint.Rules(), timestamp.Rules(), RequireRules)
}

// EvidenceVerifyRules returns the rules of `cupel evidence verify`.
func EvidenceVerifyRules() []finding.Rule {
	return slices.Concat(EvidenceLintRules(), cite.Rules[:], []finding.Rule{segments.Broken, segments.Missing}, timestamp.Rules(), RequireRules)
}

func requireRow(name, title, rationale, bad, good string) finding.Rule {
	return finding.Rule{
		ID: "require." + name, Title: title, Severity: finding.Error, Class: "invalid", Clause: "--require",
		Rationale: rationale, Bad: bad, Good: good, Flags: "--require",
	}
}

// RequireRules are the rules of --require, one per requirement.
var RequireRules = finding.Table{
	requireRow("chain", "the input has no valid chain of hashes",
		"The formats allow logs without hashes, so nobody notices that hashes were stripped. In evidence only the manifest of a bundle links the events.",
		`{"event_type":"TOOL_CALL","payload":{"tool_name":"t"}}`, `{"event_type":"TOOL_CALL","prev_hash":"1f…","event_hash":"9c…"}`),
	requireRow("seal", "the input does not end with a complete seal",
		"A seal is optional in the formats: without this demand a log whose CHAIN_SEAL was removed is valid. In evidence a bundle is sealed by its manifest, a stream is not.",
		"the log ends with SESSION_END", "the last event is a CHAIN_SEAL with all its members"),
	requireRow("signature", "the input has no valid signature",
		"Signatures are optional: a log that lost all of them, with the key that announces them, is valid. Give --key, too: otherwise the log itself names the key. In evidence an attestation signs a bundle.",
		"a log without signatures", "a log with a signature on every event, verified with --key"),
	requireRow("anchor", "the input was not compared with a value that was kept elsewhere",
		"Anyone can rewrite a whole log with matching hashes. Only an anchor, a digest or a head that was kept elsewhere shows that.",
		"cupel trace verify --require anchor log.jsonl", "cupel trace verify --require anchor --anchor kept.json log.jsonl"),
	requireRow("end", "the input has no mark of its end",
		"Events that were cut from the tail leave no fault where a log can end anywhere. SESSION_END, CHAIN_SEAL, a manifest and a value that was kept elsewhere mark the end.",
		"the last event is a TOOL_CALL", "the last event is SESSION_END"),
	requireRow("class", "the evidence class is below the demanded one",
		"A log that lost its seal is still valid, but in a lower class. From high to low: AUTHORITATIVE_EVIDENCE, PARTIAL_AUTHORITATIVE_EVIDENCE, NON_AUTHORITATIVE_EVIDENCE, UNKNOWN_EVIDENCE.",
		"NON_AUTHORITATIVE_EVIDENCE", "AUTHORITATIVE_EVIDENCE"),
	requireRow("family", "the input is of another family than the demanded one",
		"A log whose members were stripped can be valid as one of a family with fewer rules.",
		"session-v0 where session-v1 is demanded", "session-v1"),
	requireRow("format", "the input is of another format than the demanded one",
		"Formats have different rules. The format of a transcript is the agent that wrote it. Evidence is a bundle, stream or event. For other inputs it is the family.",
		"stream where bundle is demanded", "bundle"),
	requireRow("attestation", "the input was not verified with an attestation",
		"An attestation is a separate file: without this demand an input is valid when the file is missing. `cupel evidence verify --attestation FILE --key FILE` verifies one.",
		"cupel evidence verify --require attestation run.tar.gz", "cupel evidence verify --require attestation --attestation run.att.json --key key.pub.pem run.tar.gz"),
}
