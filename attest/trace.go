package attest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/trace"
)

// SchemaVersion is the current trace format. Version 0 is deprecated (§7).
const SchemaVersion = 1

// Trace is one execution of an agent (§3.2). Values defined by the agent are decoded as by encoding/json, with
// numbers as json.Number. A nil map is absent; an empty one is an empty object. Unmarshaling does not validate (see
// Engine.ValidateTrace) and drops unknown members.
type Trace struct {
	SchemaVersion int            `json:"schema_version"` // SchemaVersion
	TraceID       string         `json:"trace_id"`       // required
	AgentID       string         `json:"agent_id,omitempty"`
	Input         map[string]any `json:"input,omitzero"`
	Steps         []Step         `json:"steps,omitzero"`
	Output        map[string]any `json:"output"`                    // required; at least one member
	Metadata      map[string]any `json:"metadata,omitzero"`         // total_tokens, cost_usd, latency_ms, model, timestamp (RFC 3339), and more
	ParentTraceID string         `json:"parent_trace_id,omitempty"` // trace of the calling agent
}

type Step struct {
	Type     StepType       `json:"type"`
	Name     string         `json:"name"` // required; assertions refer to it
	Args     map[string]any `json:"args,omitzero"`
	Result   map[string]any `json:"result,omitzero"`
	SubTrace *Trace         `json:"sub_trace,omitempty"` // of an agent_call: the other agent's trace
	Metadata map[string]any `json:"metadata,omitzero"`

	StartedAtMS any    `json:"started_at_ms,omitempty"` // a number, on the clock of the trace and its sub-traces; nil: unknown
	EndedAtMS   any    `json:"ended_at_ms,omitempty"`
	AgentID     string `json:"agent_id,omitempty"` // if different from the trace's agent
	AgentRole   string `json:"agent_role,omitempty"`
}

// StepType is the type of a step (§3.3).
type StepType string

// The types of steps. Other types are rejected unless Options.Lax is set.
const (
	StepLLMCall   StepType = trace.LLMCall
	StepToolCall  StepType = trace.ToolCall
	StepRetrieval StepType = trace.Retrieval
	StepAgentCall StepType = trace.AgentCall
)

// UnmarshalJSON reads the protocol's JSON. Type errors name the member.
func (t *Trace) UnmarshalJSON(text []byte) error {
	*t = Trace{}
	return unmarshalMembers(text, []member{
		{"schema_version", &t.SchemaVersion},
		{"trace_id", &t.TraceID},
		{"agent_id", &t.AgentID},
		{"input", &t.Input},
		{"steps", &t.Steps},
		{"output", &t.Output},
		{"metadata", &t.Metadata},
		{"parent_trace_id", &t.ParentTraceID},
	})
}

// UnmarshalJSON reads the protocol's JSON.
func (s *Step) UnmarshalJSON(text []byte) error {
	*s = Step{}
	return unmarshalMembers(text, []member{
		{"type", &s.Type},
		{"name", &s.Name},
		{"args", &s.Args},
		{"result", &s.Result},
		{"sub_trace", &s.SubTrace},
		{"metadata", &s.Metadata},
		{"started_at_ms", &s.StartedAtMS},
		{"ended_at_ms", &s.EndedAtMS},
		{"agent_id", &s.AgentID},
		{"agent_role", &s.AgentRole},
	})
}

type member struct {
	name string
	into any
}

// unmarshalMembers reads an object. Unlike encoding/json, it compares names exactly and keeps numbers as written.
func unmarshalMembers(text []byte, members []member) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	for _, m := range members {
		value, ok := values[m.name]
		if !ok {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(value))
		d.UseNumber()
		if err := d.Decode(m.into); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// marshal is json.Marshal without HTML escapes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
