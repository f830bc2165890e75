package attest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/trace"
)

// SchemaVersion is the current version of the trace format; the one before it, 0, is
// deprecated (§7).
const SchemaVersion = 1

// Trace is one execution of an agent, from its input to its output (§3.2). Values whose
// shape the agent defines are JSON values as encoding/json decodes them, but for numbers,
// which come as json.Number: exactly as they were written. A nil map is absent; an empty
// one is an empty object.
//
// Marshalling a Trace gives the JSON of the protocol. Unmarshalling reads it, without
// the validation that Engine.ValidateTrace does; members that the protocol does not name
// are left out.
type Trace struct {
	SchemaVersion int            `json:"schema_version"` // SchemaVersion
	TraceID       string         `json:"trace_id"`       // required
	AgentID       string         `json:"agent_id,omitempty"`
	Input         map[string]any `json:"input,omitzero"`
	Steps         []Step         `json:"steps,omitzero"`
	Output        map[string]any `json:"output"`                    // required; holds at least one member
	Metadata      map[string]any `json:"metadata,omitzero"`         // total_tokens, cost_usd, latency_ms, model, timestamp (RFC 3339), and more
	ParentTraceID string         `json:"parent_trace_id,omitempty"` // of the agent that called this one
}

// Step is one step of a trace (§3.4).
type Step struct {
	Type     StepType       `json:"type"`
	Name     string         `json:"name"` // required: assertions find steps by it
	Args     map[string]any `json:"args,omitzero"`
	Result   map[string]any `json:"result,omitzero"`
	SubTrace *Trace         `json:"sub_trace,omitempty"` // of an agent_call: what the other agent did
	Metadata map[string]any `json:"metadata,omitzero"`

	StartedAtMS any    `json:"started_at_ms,omitempty"` // a number, on a clock that the trace and its sub-traces share; nil: unknown
	EndedAtMS   any    `json:"ended_at_ms,omitempty"`
	AgentID     string `json:"agent_id,omitempty"` // of the agent whose step it is, where that is not the trace's
	AgentRole   string `json:"agent_role,omitempty"`
}

// StepType is the type of a step (§3.3).
type StepType string

// The types of steps. Others are refused unless Options.Lax is set.
const (
	StepLLMCall   StepType = trace.LLMCall
	StepToolCall  StepType = trace.ToolCall
	StepRetrieval StepType = trace.Retrieval
	StepAgentCall StepType = trace.AgentCall
)

// UnmarshalJSON reads the JSON of the protocol. The error names the member whose value is
// of another type.
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

// UnmarshalJSON reads the JSON of the protocol.
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

// member is a member of an object and where its value goes.
type member struct {
	name string
	into any
}

// unmarshalMembers reads members of an object. Unlike encoding/json it compares names
// exactly, as the protocol does, and keeps numbers as they were written.
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

// marshal is json.Marshal for texts that people read in explanations: nothing is escaped
// but what JSON must have escaped.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
