package attest_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// TestCapabilities holds every advertised capability against the types it promises.
func TestCapabilities(t *testing.T) {
	for _, provider := range []attest.Provider{nil, always(1)} {
		testCapabilities(t, attest.NewEngine(attest.Options{Provider: provider}))
	}
}

func testCapabilities(t *testing.T, engine *attest.Engine) {
	t.Helper()
	off := func(typ attest.AssertionType) bool {
		params := `{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"m"}},"assertions":[{"assertion_id":"a","type":"` + string(typ) + `","spec":{}}]}`
		result, err := engine.EvaluateBatch(t.Context(), []byte(params))
		return err == nil && bytes.Contains(result, []byte("(capability "))
	}
	for capability, types := range map[string][]attest.AssertionType{
		"layers_1_4":  {attest.TypeSchema, attest.TypeConstraint, attest.TypeTrace, attest.TypeContent},
		"layers_5_6":  {attest.TypeEmbedding, attest.TypeLLMJudge},
		"multi_agent": {attest.TypeTraceTree},
		"plugins":     {attest.TypePlugin},
	} {
		advertised := slices.Contains(engine.Capabilities(), capability)
		for _, typ := range types {
			if advertised == off(typ) {
				t.Errorf("capability %s is advertised: %v, assertions of type %s are off: %v", capability, advertised, typ, off(typ))
			}
		}
	}
}
