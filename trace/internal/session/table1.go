package session

import "sync"

// schema10 returns the tables of payloadFields10, built on first use.
var schema10 = sync.OnceValue(func() *payloadTables {
	all := new(payloadTables)
	for t, rows := range payloadFields10 {
		if rows != nil {
			all[t] = newTable(rows)
		}
	}
	return all
})

// payloadFields10 are the tables of SCHEMA.md 1.0, by event type. Members outside them are allowed.
var payloadFields10 = [typeCount][]field{
	sessionStart: {
		{name: "agent_id", kind: text, required: true},
		{name: "model_id", kind: text},
		{name: "tags", kind: texts},
	},
	sessionEnd: {
		{name: "status", kind: choice, required: true, values: []string{"success", "error"}},
	},
	llmCall: {
		{name: "prompt_hash", kind: sha, required: true},
		{name: "model_id", kind: text, required: true},
	},
	llmResponse: {
		{name: "content_hash", kind: sha, required: true},
		{name: "finish_reason", kind: text, required: true},
	},
	toolCall: {
		{name: "tool_name", kind: text, required: true},
		{name: "args_hash", kind: sha, required: true},
	},
	toolResult: {
		{name: "tool_name", kind: text, required: true},
		{name: "result_hash", kind: sha, required: true},
	},
	toolError: {
		{name: "error_type", kind: text, required: true},
		{name: "error_message", kind: brief, required: true},
	},
	logDrop: {
		{name: "count", kind: integer, required: true},
		{name: "reason", kind: choice, required: true, values: []string{"buffer_overflow", "internal_error"}},
		{name: "seq_range_start", kind: integer, required: true},
		{name: "seq_range_end", kind: integer, required: true},
	},
	chainSeal: {
		{name: "final_hash", kind: sha, required: true},
		{name: "authority", kind: choice, required: true, values: []string{"server"}},
		{name: "event_count", kind: integer, required: true},
		{name: "server_timestamp", kind: moment, required: true},
		{name: "server_version", kind: text, required: true},
	},
	chainBroken: {
		{name: "gap_start", kind: integer, required: true},
		{name: "gap_end", kind: integer, required: true},
	},
	redaction: {
		{name: "original_event_id", kind: uuid, required: true},
		{name: "redaction_reason", kind: text, required: true},
	},
	forensicFreeze: {
		{name: "freeze_id", kind: uuid, required: true},
		{name: "freeze_reason", kind: text, required: true},
	},
}
