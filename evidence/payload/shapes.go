package payload

import "github.com/cupel-dev/cupel/evidence"

// The types that have a payload in ADR-006 §3.
const (
	typeStarted  = "assay.profile.started"
	typeFinished = "assay.profile.finished"
	typeDecision = "assay.tool.decision"
	typeSandbox  = "assay.sandbox.degraded"
	typeFile     = "assay.fs.access"
	typeFilter   = "assay.env.filtered"
)

// shapeOf returns the shape of a type's data, or nil. It is a switch, because it is called for every event.
func shapeOf(eventType []byte) *shape {
	switch string(eventType) {
	case typeStarted:
		return &startedShape
	case typeFinished:
		return &finishedShape
	case typeDecision:
		return &decisionShape
	case typeSandbox:
		return &sandboxShape
	case typeFile:
		return &fileShape
	case typeFilter:
		return &filterShape
	}
	return nil
}

// older are members of the shapes that some producers wrote before ADR-006.
var older = map[string][]string{typeStarted: {"source", "api_version"}, typeFinished: {"event_count", "status"}}

// olderNotes returns a note if the data has the shape that was in use before ADR-006.
func (s *shape) olderNotes(data evidence.Value) []string {
	for _, name := range older[s.eventType] {
		if data.Get(name).Exists() {
			return []string{"member " + name + " has an older shape that ADR-006 §3.A replaces"}
		}
	}
	return nil
}

var startedShape = shape{
	eventType: typeStarted, missing: startedMissing, wrong: startedType,
	members: []member{
		{name: "profile_name", form: text, required: true},
		{name: "profile_version", form: text, required: true},
		{name: "total_runs_aggregated", form: count, required: true},
	},
}

var finishedShape = shape{
	eventType: typeFinished, missing: finishedMissing, wrong: finishedType,
	members: []member{
		{name: "files_count", form: count, required: true},
		{name: "integrity_scope", form: text},
		{name: "network_count", form: count, required: true},
		{name: "processes_count", form: count, required: true},
		{name: "sandbox_degradation_count", form: count, required: true},
	},
}

var decisionShape = shape{
	eventType: typeDecision, missing: decisionMissing, wrong: decisionType,
	members: []member{
		{name: "args_schema_hash", form: digested, other: digestText},
		{name: "decision", form: word, required: true, words: []string{"allow", "deny", "requires_approval", decisionError}, other: decisionValue},
		{name: "delegated_from", form: filled, other: delegatedBlank},
		{name: "delegation_depth", form: depth, other: delegationDepth},
		{name: "policy_digest", form: digested, other: digestText},
		{name: "policy_snapshot_canonicalization", form: word, words: []string{"jcs:mcp_policy"}, other: policyConstant},
		{name: "policy_snapshot_digest", form: digested, other: digestText},
		{name: "policy_snapshot_digest_alg", form: word, words: []string{"sha256"}, other: policyConstant},
		{name: "policy_snapshot_schema", form: word, words: []string{"assay.mcp.policy.snapshot.v1"}, other: policyConstant},
		{name: "reason_code", form: text},
		{name: "tool", form: text, required: true},
		{name: "tool_definition_canonicalization", form: word, words: []string{"jcs:mcp_tool_definition.v1"}, other: toolConstant},
		{name: "tool_definition_digest", form: digested, other: digestText},
		{name: "tool_definition_digest_alg", form: word, words: []string{"sha256"}, other: toolConstant},
		{name: "tool_definition_schema", form: word, words: []string{"assay.mcp.tool-definition.snapshot.v1"}, other: toolConstant},
		{name: "tool_definition_source", form: word, words: []string{"mcp.tools/list"}, other: toolConstant},
	},
}

// decisionError is the decision that producers write and ADR-006 does not list.
const decisionError = "error"

var sandboxShape = shape{
	eventType: typeSandbox, missing: sandboxMissing, wrong: sandboxType,
	members: []member{
		{name: "component", form: word, required: true, words: []string{"landlock"}, other: sandboxValue},
		{name: "degradation_mode", form: word, required: true, words: []string{"audit_fallback"}, other: sandboxValue},
		{name: "detail", form: text},
		{name: "reason_code", form: word, required: true, words: []string{"backend_unavailable", "policy_conflict"}, other: sandboxValue},
	},
}

var fileShape = shape{
	eventType: typeFile, missing: fileMissing, wrong: fileType,
	members: []member{
		{name: "file", form: text},
		{name: "first_seen", form: moment},
		{name: "hits", form: count, required: true},
		{name: "last_seen", form: moment},
		{name: "runs_seen", form: count},
	},
}

var filterShape = shape{
	eventType: typeFilter, missing: filterMissing, wrong: filterType,
	members: []member{
		{name: "counters", form: counts, required: true},
		{name: "dropped_keys", form: texts, required: true},
		{name: "mode", form: text, required: true},
		{name: "passed_keys", form: texts, required: true},
	},
}
