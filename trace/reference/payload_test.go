package reference_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/reference"
)

func TestValidatePayload(t *testing.T) {
	var engine reference.Engine
	good := `{"error_type":"t","message":"m","fatal":false}`
	if complaints, err := engine.ValidatePayload("ERROR", []byte(good)); err != nil || len(complaints) > 0 {
		t.Errorf("a good payload: %q, %v", complaints, err)
	}
	complaints, err := engine.ValidatePayload("ERROR", []byte(`{"error_type":7,"message":"m"}`))
	if err != nil || len(complaints) != 2 || complaints[0] > complaints[1] {
		t.Errorf("a bad payload: %q, %v; expected two complaints, sorted", complaints, err)
	}
	if _, err := engine.ValidatePayload("LLM_CALL", []byte(good)); err == nil || !strings.Contains(err.Error(), `no payload schema for "LLM_CALL", expected one of AGENT_STATE_SNAPSHOT`) {
		t.Errorf("a type without a schema: %v", err)
	}
	if _, err := engine.ValidatePayload("ERROR", []byte(`{`)); err == nil {
		t.Error("half a payload is no error")
	}
}

func TestCanonical(t *testing.T) {
	got, err := reference.Engine{}.Canonical([]byte(`{"b":1.0,"a":[]}`))
	if err != nil || string(got) != `{"a":[],"b":1}` {
		t.Errorf("%s, %v", got, err)
	}
}

// TestRegisters verifies a line with both engines, which needs the second one registered.
func TestRegisters(t *testing.T) {
	report, err := trace.Verify(context.Background(), strings.NewReader(`{"trace_schema_version":1}`), trace.Options{Engine: trace.Both})
	if err != nil || report.Verdict != trace.Valid {
		t.Errorf("%+v, %v", report, err)
	}
}
