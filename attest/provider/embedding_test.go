package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/internal/scripted"
)

// TestIdenticalTexts: ten thousand times the same text is one call with one text, also when the
// requests come one by one.
func TestIdenticalTexts(t *testing.T) {
	service := scripted.Start()
	defer service.Close()
	embedder, err := provider.NewEmbedder(provider.Options{Service: model.Service{BaseURL: service.URL}})
	if err != nil {
		t.Fatal(err)
	}
	defer embedder.Close()
	cache, err := provider.Cached(t.Context(), embedder, provider.CacheOptions{BaseURL: embedder.Service().BaseURL, Model: embedder.Service().Model})
	if err != nil {
		t.Fatal(err)
	}
	e := attest.NewEngine(attest.Options{Embedding: cache})
	list := make([]string, 10_000)
	for i := range list {
		list[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"embedding","spec":{"target":"output.message","reference":"Done."}}`, i)
	}
	for _, part := range [][]string{list, list[:1], list[1:2]} {
		params := fmt.Appendf(nil, `{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"Done."}},"assertions":[%s]}`, strings.Join(part, ","))
		answer, err := e.EvaluateBatch(t.Context(), params)
		if err != nil || strings.Count(string(answer), `"status":"pass"`) != len(part) {
			t.Fatalf("%v: %.300s", err, answer)
		}
	}
	calls := service.Calls()
	var body struct{ Input []string }
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	if err := json.Unmarshal([]byte(calls[0].Body), &body); err != nil || len(body.Input) != 1 {
		t.Errorf("%v: %.300s", err, calls[0].Body)
	}
}
