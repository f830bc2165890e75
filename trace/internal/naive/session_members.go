package naive

import "strings"

// payloadMembers lists the payload members of SCHEMA.md v0.2 and of nested objects; "!" marks required ones.
var payloadMembers = map[string]string{
	"SESSION_START":  "agent_id! tags environment! framework! framework_version! sdk_version! system_prompt_hash",
	"SESSION_END":    "status! reason duration_ms! total_cost_usd",
	"TOOL_CALL":      "tool_name! tool_id args! args_hash timeout_ms",
	"TOOL_RESULT":    "tool_name! tool_id result! result_hash status! duration_ms!",
	"MODEL_REQUEST":  "model! provider! messages! messages_hash parameters",
	"MODEL_RESPONSE": "model! content! content_hash role! finish_reason! usage",
	"DECISION_TRACE": "decision_id! inputs! outputs! justification! policy_version",
	"ERROR":          "error_type! message! stack_trace fatal!",
	"ANNOTATION":     "annotator_id! annotation_type! content! target_event_id",

	"messages":   "role! content! content_hash name",
	"parameters": "temperature top_p max_tokens",
	"usage":      "prompt_tokens completion_tokens total_tokens",
}

// members reports unknown and null members once each, starting with a forbidden one.
func (s payloads) members() {
	noted := map[[3]string]bool{}
	for _, e := range s.events {
		s.outside(e.line, e.payload, e.kind, noted)
		inner := map[string]string{"MODEL_REQUEST": "parameters", "MODEL_RESPONSE": "usage"}[e.kind]
		s.outside(e.line, object(e.payload, inner), inner, noted)
		list, _ := e.payload["messages"].([]any)
		for _, m := range list {
			if m, ok := m.(map[string]any); ok && e.kind == "MODEL_REQUEST" {
				s.outside(e.line, m, "messages", noted)
			}
		}
	}
}

func (s payloads) outside(line int, o map[string]any, kind string, noted map[[3]string]bool) {
	table, ok := payloadMembers[kind]
	if !ok {
		return
	}
	required := map[string]bool{}
	for row := range strings.FieldsSeq(table) {
		name, must := strings.CutSuffix(row, "!")
		required[name] = must
	}
	for name, v := range o {
		rule := "payload.null_optional"
		must, known := required[name]
		switch {
		case !known && s.opt.StrictPayload:
			s.fault("payload.unknown", line)
			continue
		case !known:
			rule = "payload.unknown"
		case v != nil || must:
			continue
		}
		if key := [3]string{rule, kind, name}; !noted[key] {
			noted[key] = true
			s.note(rule, line)
		}
	}
}
