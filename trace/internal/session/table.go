package session

import (
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"
)

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
	brief                // a string of at most mostBrief characters
	moment               // a string that is a time of day, with a zone
	sha                  // 64 lower-case hexadecimal digits, "sha256:" before them or not
	texts                // an array of strings
	objects              // an array of objects, each by the nested table
	group                // an object by the nested table
)

// mostBrief limits the length of a 1.0 error_message.
const mostBrief = 500

// field is a row of a payload table.
type field struct {
	name     string
	kind     kind
	required bool
	values   []string // choice: the closed list
	nested   []field  // objects and group: the rows of each object
	hash     string   // the member that must accompany a redacted value
	deep     bool     // redaction is looked for inside the value too
	table    *table   // of nested; newTable sets it
}

// admits reports whether the row allows a string value.
func (f *field) admits(value []byte) bool {
	switch f.kind {
	case choice:
		return slices.Contains(f.values, string(value))
	case name:
		return len(value) > 0
	case uuid:
		return isUUID(value)
	case sha:
		return isHash(value)
	case brief:
		return utf8.RuneCount(value) <= mostBrief
	case moment:
		_, _, ok := instant(value)
		return ok
	}
	return true
}

// table describes the members of one kind of object.
type table struct {
	fields   []field
	required uint32 // bit i is set if fields[i] is required
	redacts  uint32
}

func newTable(rows []field) *table {
	if len(rows) > bits.UintSize/2 {
		panic("session.newTable: more fields than bits")
	}
	t := &table{fields: slices.Clone(rows)}
	for i := range t.fields {
		f := &t.fields[i]
		if f.required {
			t.required |= 1 << i
		}
		if f.hash != "" {
			t.redacts |= 1 << i
		}
		if f.nested != nil {
			f.table = newTable(f.nested)
		}
	}
	return t
}

// find returns the row of a member, or -1.
func (t *table) find(name []byte) int {
	for i := range t.fields {
		if t.fields[i].name == string(name) {
			return i
		}
	}
	return -1
}

// payloadTables are tables by event type, nil for a type without one.
type payloadTables [typeCount]*table

// schemaV02 returns the tables of payloadFields, built on first use.
var schemaV02 = sync.OnceValue(func() *payloadTables {
	all := new(payloadTables)
	for t, rows := range payloadFields {
		if rows != nil {
			all[t] = newTable(rows)
		}
	}
	return all
})

// allTables lists all tables, parents before nested ones. The first entry is nil, which means no table.
var allTables = sync.OnceValue(func() []*table {
	list := []*table{nil}
	for _, t := range schemaV02() {
		if t != nil {
			list = t.appendTo(list)
		}
	}
	return list
})

func (t *table) appendTo(list []*table) []*table {
	list = append(list, t)
	for i := range t.fields {
		if nested := t.fields[i].table; nested != nil {
			list = nested.appendTo(list)
		}
	}
	return list
}

// payloadFields are the tables of SCHEMA.md v0.2, by event type. Types without a table accept any object.
var payloadFields = [typeCount][]field{
	sessionStart: {
		{name: "agent_id", kind: text, required: true},
		{name: "tags", kind: texts},
		{name: "environment", kind: choice, required: true, values: []string{"prod", "staging", "dev"}},
		{name: "framework", kind: text, required: true},
		{name: "framework_version", kind: text, required: true},
		{name: "sdk_version", kind: text, required: true},
		{name: "system_prompt_hash", kind: sha},
	},
	sessionEnd: {
		{name: "status", kind: choice, required: true, values: []string{"success", "failure", "timeout", "cancelled"}},
		{name: "reason", kind: text},
		{name: "duration_ms", kind: unsigned, required: true},
		{name: "total_cost_usd", kind: number},
	},
	toolCall: {
		{name: "tool_name", kind: text, required: true},
		{name: "tool_id", kind: text},
		{name: "args", kind: object, required: true, hash: "args_hash", deep: true},
		{name: "args_hash", kind: sha},
		{name: "timeout_ms", kind: integer},
	},
	toolResult: {
		{name: "tool_name", kind: text, required: true},
		{name: "tool_id", kind: text},
		{name: "result", kind: outcome, required: true, hash: "result_hash", deep: true},
		{name: "result_hash", kind: sha},
		{name: "status", kind: choice, required: true, values: []string{"success", "error"}},
		{name: "duration_ms", kind: unsigned, required: true},
	},
	modelRequest: {
		{name: "model", kind: text, required: true},
		{name: "provider", kind: name, required: true},
		{name: "messages", kind: objects, required: true, nested: messageFields, hash: "messages_hash"},
		{name: "messages_hash", kind: sha},
		{name: "parameters", kind: group, nested: parametersFields},
	},
	modelResponse: {
		{name: "model", kind: text, required: true},
		{name: "content", kind: text, required: true, hash: "content_hash"},
		{name: "content_hash", kind: sha},
		{name: "role", kind: choice, required: true, values: []string{"assistant"}},
		{name: "finish_reason", kind: choice, required: true, values: []string{"stop", "length", "tool_calls", "content_filter"}},
		{name: "usage", kind: group, nested: usageFields},
	},
	decisionTrace: {
		{name: "decision_id", kind: uuid, required: true},
		{name: "inputs", kind: object, required: true},
		{name: "outputs", kind: object, required: true},
		{name: "justification", kind: text, required: true},
		{name: "policy_version", kind: text},
	},
	errorEvent: {
		{name: "error_type", kind: text, required: true},
		{name: "message", kind: text, required: true},
		{name: "stack_trace", kind: text},
		{name: "fatal", kind: boolean, required: true},
	},
	annotation: {
		{name: "annotator_id", kind: text, required: true},
		{name: "annotation_type", kind: choice, required: true, values: []string{"flag", "comment", "rating"}},
		{name: "content", kind: object, required: true},
		{name: "target_event_id", kind: uuid},
	},
}

var (
	messageFields = []field{
		{name: "role", kind: choice, required: true, values: []string{"system", "user", "assistant", "tool"}},
		{name: "content", kind: text, required: true, hash: "content_hash"},
		{name: "content_hash", kind: sha},
		{name: "name", kind: text},
	}
	parametersFields = []field{
		{name: "temperature", kind: number},
		{name: "top_p", kind: number},
		{name: "max_tokens", kind: integer},
	}
	usageFields = []field{
		{name: "prompt_tokens", kind: integer},
		{name: "completion_tokens", kind: integer},
		{name: "total_tokens", kind: integer},
	}
)
