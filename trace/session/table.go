package session

import "math/bits"

// kind is what a payload member may hold.
type kind uint8

const (
	text     kind = iota // a string
	name                 // a string of an open list: not empty
	choice               // a string of a closed list
	object               // an object
	outcome              // an object or a string
	boolean              // true or false
	unsigned             // an integral number from 0 to 2^64-1; 5.0 counts as 5
	integer              // an integral number of 64 bits signed
	number               // any number
	uuid                 // 8-4-4-4-12 hexadecimal digits, any version and case
	sha                  // 64 lower-case hexadecimal digits, "sha256:" before them or not
	texts                // an array of strings
	objects              // an array of objects, each by the nested table
	group                // an object by the nested table
)

// field is one row of a payload table.
type field struct {
	name     string
	kind     kind
	required bool
	values   []string // choice: the closed list
	nested   *table   // objects and group
	hash     string   // the member that must accompany a redacted value
	deep     bool     // redaction is looked for inside the value too
}

// table holds the members of one kind of object.
type table struct {
	fields   []field
	required uint32 // bit i stands for fields[i]
	redacts  uint32
}

func newTable(fields ...field) *table {
	t := &table{fields: fields}
	for i, f := range fields {
		if f.required {
			t.required |= 1 << i
		}
		if f.hash != "" {
			t.redacts |= 1 << i
		}
	}
	if len(fields) > bits.UintSize/2 {
		panic("session.newTable: more fields than bits")
	}
	return t
}

// find returns the row of a member, -1 for an unknown one.
func (t *table) find(name []byte) int {
	for i := range t.fields {
		if t.fields[i].name == string(name) {
			return i
		}
	}
	return -1
}

// payloads are the tables of SCHEMA.md v0.2, by event type. A type without a table
// takes any object.
var payloads = map[eventType]*table{
	sessionStart: newTable(
		field{name: "agent_id", kind: text, required: true},
		field{name: "tags", kind: texts},
		field{name: "environment", kind: choice, required: true, values: []string{"prod", "staging", "dev"}},
		field{name: "framework", kind: text, required: true},
		field{name: "framework_version", kind: text, required: true},
		field{name: "sdk_version", kind: text, required: true},
		field{name: "system_prompt_hash", kind: sha},
	),
	sessionEnd: newTable(
		field{name: "status", kind: choice, required: true, values: []string{"success", "failure", "timeout", "cancelled"}},
		field{name: "reason", kind: text},
		field{name: "duration_ms", kind: unsigned, required: true},
		field{name: "total_cost_usd", kind: number},
	),
	toolCall: newTable(
		field{name: "tool_name", kind: text, required: true},
		field{name: "tool_id", kind: text},
		field{name: "args", kind: object, required: true, hash: "args_hash", deep: true},
		field{name: "args_hash", kind: sha},
		field{name: "timeout_ms", kind: integer},
	),
	toolResult: newTable(
		field{name: "tool_name", kind: text, required: true},
		field{name: "tool_id", kind: text},
		field{name: "result", kind: outcome, required: true, hash: "result_hash", deep: true},
		field{name: "result_hash", kind: sha},
		field{name: "status", kind: choice, required: true, values: []string{"success", "error"}},
		field{name: "duration_ms", kind: unsigned, required: true},
	),
	modelRequest: newTable(
		field{name: "model", kind: text, required: true},
		field{name: "provider", kind: name, required: true},
		field{name: "messages", kind: objects, required: true, nested: messageTable, hash: "messages_hash"},
		field{name: "messages_hash", kind: sha},
		field{name: "parameters", kind: group, nested: parametersTable},
	),
	modelResponse: newTable(
		field{name: "model", kind: text, required: true},
		field{name: "content", kind: text, required: true, hash: "content_hash"},
		field{name: "content_hash", kind: sha},
		field{name: "role", kind: choice, required: true, values: []string{"assistant"}},
		field{name: "finish_reason", kind: choice, required: true, values: []string{"stop", "length", "tool_calls", "content_filter"}},
		field{name: "usage", kind: group, nested: usageTable},
	),
	decisionTrace: newTable(
		field{name: "decision_id", kind: uuid, required: true},
		field{name: "inputs", kind: object, required: true},
		field{name: "outputs", kind: object, required: true},
		field{name: "justification", kind: text, required: true},
		field{name: "policy_version", kind: text},
	),
	errorEvent: newTable(
		field{name: "error_type", kind: text, required: true},
		field{name: "message", kind: text, required: true},
		field{name: "stack_trace", kind: text},
		field{name: "fatal", kind: boolean, required: true},
	),
	annotation: newTable(
		field{name: "annotator_id", kind: text, required: true},
		field{name: "annotation_type", kind: choice, required: true, values: []string{"flag", "comment", "rating"}},
		field{name: "content", kind: object, required: true},
		field{name: "target_event_id", kind: uuid},
	),
}

var (
	messageTable = newTable(
		field{name: "role", kind: choice, required: true, values: []string{"system", "user", "assistant", "tool"}},
		field{name: "content", kind: text, required: true, hash: "content_hash"},
		field{name: "content_hash", kind: sha},
		field{name: "name", kind: text},
	)
	parametersTable = newTable(
		field{name: "temperature", kind: number},
		field{name: "top_p", kind: number},
		field{name: "max_tokens", kind: integer},
	)
	usageTable = newTable(
		field{name: "prompt_tokens", kind: integer},
		field{name: "completion_tokens", kind: integer},
		field{name: "total_tokens", kind: integer},
	)
)
