package schemas

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestPayload(t *testing.T) {
	names := Names()
	if len(names) != 12 || !slices.IsSorted(names) {
		t.Errorf("%d names, expected 12, sorted: %q", len(names), names)
	}
	for _, name := range names {
		if text, ok := Payload(name); !ok || !json.Valid(text) {
			t.Errorf("%s has no schema", name)
		}
	}
	for _, name := range []string{"LLM_CALL", "", "tool_call", "../session/session.go"} {
		if _, ok := Payload(name); ok {
			t.Errorf("%q has a schema", name)
		}
	}
}
