package privacy

const everyType = "*"

// builtIn is the default table: the contract's envelope (ADR-006 §1) and every payload member (§3). Public are
// numbers, digests, constants and names that the contract requires to be visible (§2).
var builtIn = []Row{
	{Type: everyType, Pointer: "/*", Class: Sensitive, Handling: Reports},
	{Type: everyType, Pointer: "/*/**", Class: Sensitive, Handling: Reports},
	{Type: everyType, Pointer: "/specversion", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/type", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/id", Class: Public, Handling: Reports},
	{Type: everyType, Pointer: "/time", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/datacontenttype", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/traceparent", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/assayrunid", Class: Public, Handling: Reports},
	{Type: everyType, Pointer: "/assayseq", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/assayproducer", Class: Public, Handling: Reports},
	{Type: everyType, Pointer: "/assayproducerversion", Class: Public, Handling: Reports},
	{Type: everyType, Pointer: "/assaygit", Class: Public, Handling: Reports},
	{Type: everyType, Pointer: "/assaypolicyid", Class: Public, Handling: Reports},
	{Type: everyType, Pointer: "/assaypii", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/assaysecrets", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/assaycontenthash", Class: Public, Handling: Stays},
	{Type: everyType, Pointer: "/assaysemanticdigest", Class: Public, Handling: Drops},
	{Type: everyType, Pointer: "/assaydigestprofile", Class: Public, Handling: Drops},
	{Type: everyType, Pointer: "/source", Class: Sensitive, Handling: Reports},
	{Type: everyType, Pointer: "/tracestate", Class: Sensitive, Handling: Reports},
	{Type: everyType, Pointer: "/subject", Class: Sensitive, Handling: Redacts},
	{Type: everyType, Pointer: "/data", Class: Sensitive, Handling: Redacts},
	{Type: everyType, Pointer: "/data/**", Class: Sensitive, Handling: Redacts},
	{Type: everyType, Pointer: "/data/event_type", Class: Public, Handling: Guards},
	{Type: everyType, Pointer: "/data/run_id", Class: Public, Handling: Guards},
	{Type: everyType, Pointer: "/data/tool_name", Class: Public, Handling: Guards},

	{Type: typeStarted, Pointer: "/data/profile_name", Class: Sensitive, Handling: Redacts},
	{Type: typeStarted, Pointer: "/data/profile_version", Class: Public, Handling: Guards},
	{Type: typeStarted, Pointer: "/data/total_runs_aggregated", Class: Public, Handling: Guards},

	{Type: typeFinished, Pointer: "/data/files_count", Class: Public, Handling: Guards},
	{Type: typeFinished, Pointer: "/data/network_count", Class: Public, Handling: Guards},
	{Type: typeFinished, Pointer: "/data/processes_count", Class: Public, Handling: Guards},
	{Type: typeFinished, Pointer: "/data/sandbox_degradation_count", Class: Public, Handling: Guards},
	{Type: typeFinished, Pointer: "/data/integrity_scope", Class: Public, Handling: Guards},

	{Type: typeDecision, Pointer: "/data/tool", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/decision", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/reason_code", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/args_schema_hash", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/policy_digest", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/policy_snapshot_digest", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/policy_snapshot_digest_alg", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/policy_snapshot_canonicalization", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/policy_snapshot_schema", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/tool_definition_digest", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/tool_definition_digest_alg", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/tool_definition_canonicalization", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/tool_definition_schema", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/tool_definition_source", Class: Public, Handling: Guards},
	{Type: typeDecision, Pointer: "/data/delegated_from", Class: Sensitive, Handling: Redacts},
	{Type: typeDecision, Pointer: "/data/delegation_depth", Class: Public, Handling: Guards},

	{Type: typeDegraded, Pointer: "/data/reason_code", Class: Public, Handling: Guards},
	{Type: typeDegraded, Pointer: "/data/degradation_mode", Class: Public, Handling: Guards},
	{Type: typeDegraded, Pointer: "/data/component", Class: Public, Handling: Guards},
	{Type: typeDegraded, Pointer: "/data/detail", Class: Sensitive, Handling: Redacts},

	{Type: typeAccess, Pointer: "/data/hits", Class: Public, Handling: Guards},
	{Type: typeAccess, Pointer: "/data/file", Class: Sensitive, Handling: Redacts},
	{Type: typeAccess, Pointer: "/data/first_seen", Class: Public, Handling: Guards},
	{Type: typeAccess, Pointer: "/data/last_seen", Class: Public, Handling: Guards},
	{Type: typeAccess, Pointer: "/data/runs_seen", Class: Public, Handling: Guards},

	{Type: typeFiltered, Pointer: "/data/mode", Class: Public, Handling: Guards},
	{Type: typeFiltered, Pointer: "/data/passed_keys/*", Class: Public, Handling: Cuts},
	{Type: typeFiltered, Pointer: "/data/dropped_keys/*", Class: Public, Handling: Cuts},
	{Type: typeFiltered, Pointer: "/data/counters/*", Class: Public, Handling: Guards},
}

// The types of the contract (ADR-006 §3).
const (
	typeStarted  = "assay.profile.started"
	typeFinished = "assay.profile.finished"
	typeDecision = "assay.tool.decision"
	typeDegraded = "assay.sandbox.degraded"
	typeAccess   = "assay.fs.access"
	typeFiltered = "assay.env.filtered"
)

// reference is the table of the profile adr006-upstream.
var reference = []Row{
	{Type: everyType, Pointer: "/subject", Class: Sensitive, Handling: Scrubs},
	{Type: everyType, Pointer: "/assaysemanticdigest", Class: Public, Handling: Drops},
	{Type: everyType, Pointer: "/assaydigestprofile", Class: Public, Handling: Drops},
}
