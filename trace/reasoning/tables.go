package reasoning

// The tables of the format's objects. Mandatory are the members that the format
// demands; the others are optional, null counts as absent for them, and a wrong type
// is a fault all the same. Code reads members by their position here.

var wrapperMembers = []member{
	{name: "record", want: aString, must: true},
	{name: "event", want: anObject, must: true},
}

var versionNames = []string{"schema_version", "trace_schema_version"}

var headerMembers = []member{
	{name: "record", want: aString},
	{name: "schema_version", want: anInteger},
	{name: "trace_schema_version", want: anInteger},
	{name: "fingerprint_algo", want: aString},
	{name: "canonicalization_version", want: anInteger},
	{name: "runtime_protocol_version", want: anInteger},
	{name: "id", want: aString},
	{name: "spec_id", want: aString},
	{name: "plan_id", want: aString},
	{name: "metadata", want: anObject},
}

// eventTables hold the members of an event by its kind, wrapped and flat.
var eventTables = func() (tables [2][len(kindNames)][]member) {
	details := [len(kindNames)]member{
		toolCalled:         {name: "call", want: anObject, must: true, alias: "tool_call"},
		toolReturned:       {name: "result", want: anObject, must: true, alias: "tool_result"},
		evidenceRegistered: {name: "evidence", want: anObject, must: true},
		claimEmitted:       {name: "claim", want: anObject, must: true},
		stepFinished:       {name: "output", want: anObject, must: true},
	}
	for k, detail := range details {
		table := []member{
			{name: "idx", want: anInteger, must: true},
			{name: "kind", want: aString, must: true},
			{name: "step_id", want: aString, must: kind(k) != noKind},
		}
		if detail.name != "" {
			table = append(table, detail)
		}
		tables[0][k] = table
		tables[1][k] = append(table[:len(table):len(table)],
			member{name: "schema_version", want: anInteger}, member{name: "trace_schema_version", want: anInteger})
	}
	return tables
}()

// eventMembers returns the table of an event kind. An event of no known kind is only
// asked for what all events have.
func eventMembers(k kind, wrapped bool) []member {
	if wrapped {
		return eventTables[0][k]
	}
	return eventTables[1][k]
}

var callMembers = []member{
	{name: "id", want: aString, must: true},
	{name: "step_id", want: aString},
	{name: "tool_name", want: aString},
	{name: "arguments", want: anObject},
	{name: "call_idx", want: anInteger},
}

var resultMembers = []member{
	{name: "call_id", want: aString, must: true},
	{name: "success", want: aBoolean, alias: "ok"},
	{name: "result", want: anything},
	{name: "error", want: aString},
}

var evidenceMembers = []member{
	{name: "id", want: aString, must: true},
	{name: "uri", want: aString, must: true},
	{name: "span", want: aSpan, must: true},
	{name: "sha256", want: aString, must: true},
	{name: "content_path", want: aString, must: true},
	{name: "chunk_id", want: aString, must: true},
}

var claimMembers = []member{
	{name: "supports", want: anArray, must: true, alias: "support_refs"},
	{name: "id", want: aString},
	{name: "statement", want: aString},
	{name: "claim_type", want: aString},
	{name: "status", want: aString},
	{name: "confidence", want: aNumber},
	{name: "structured", want: anObject},
}

var supportMembers = []member{
	{name: "span", want: aSpan, must: true},
	{name: "snippet_sha256", want: aString, must: true},
	{name: "kind", want: aString},
	{name: "ref_id", want: aString},
	{name: "evidence_id", want: aString},
	{name: "hash_algo", want: aString},
}

// outputMembers hold the members of a step's output by its kind. The discriminators
// are checked before.
var outputMembers = map[string][]member{
	"understand": output(
		member{name: "normalized_question", want: aString}, member{name: "assumptions", want: strings_}, member{name: "task_type", want: aString}),
	"gather": output(
		member{name: "evidence_ids", want: strings_, alias: "evidence_refs"}, member{name: "retrieval_queries", want: strings_}, member{name: "retrieval_provenance", want: anObject}),
	"derive": output(
		member{name: "claim_ids", want: strings_, alias: "emitted_claim_ids"}),
	"verify": output(
		member{name: "validated_claim_ids", want: strings_}, member{name: "rejected_claim_ids", want: strings_},
		member{name: "missing_support_claim_ids", want: strings_, alias: "insufficient_support"}),
	"finalize": output(
		member{name: "final_claim_ids", want: strings_}, member{name: "final_answer", want: aString}, member{name: "uncertainty", want: aString}),
	"insufficient": output(
		member{name: "reason", want: aString}, member{name: "retrieved", want: anInteger}, member{name: "required", want: anInteger}),
}

func output(members ...member) []member {
	return append([]member{{name: "type"}, {name: "kind"}}, members...)
}
