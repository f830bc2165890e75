package attest_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// TestCapabilities holds every advertised capability against the types it promises.
func TestCapabilities(t *testing.T) {
	embedding := fakeEmbedder(func(string) []float32 { return []float32{1} })
	for _, opt := range []attest.Options{{}, {Judge: always(1)}, {Embedding: embedding}, {Judge: always(1), Embedding: embedding}} {
		testCapabilities(t, attest.NewEngine(opt))
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
		"embedding":   {attest.TypeEmbedding},
		"llm_judge":   {attest.TypeLLMJudge},
		"multi_agent": {attest.TypeTraceTree},
		"plugins":     {attest.TypePlugin},
	} {
		advertised := slices.Contains(engine.Capabilities(), capability)
		if works := !slices.ContainsFunc(types, off); advertised != works {
			t.Errorf("capability %s is advertised: %v, assertions of types %v work: %v", capability, advertised, types, works)
		}
	}
}
