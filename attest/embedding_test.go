package attest_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// countingEmbedder notes what it is asked. Its vectors depend on the letters of a text, its
// costs on their number.
type countingEmbedder struct {
	mu    sync.Mutex
	calls []model.EmbeddingRequest
	cost  float64
	reply func(model.EmbeddingReply) (model.EmbeddingReply, error) // nil: as it is
}

// Embed implements model.Embedder.
func (e *countingEmbedder) Embed(_ context.Context, r model.EmbeddingRequest) (reply model.EmbeddingReply, err error) {
	for _, text := range r.Texts {
		vector := []float32{float32(len(r.Model)), 1, 1, 1}
		for _, c := range []byte(text) {
			vector[c%4]++
		}
		reply.Vectors = append(reply.Vectors, vector)
		reply.Usage.Cost += 0.00000002 * float64(len(text))
	}
	e.mu.Lock()
	e.calls = append(e.calls, r)
	e.cost += reply.Usage.Cost
	e.mu.Unlock()
	if e.reply != nil {
		return e.reply(reply)
	}
	return reply, nil
}

func embeddingOf(id, target, reference, name string) attest.Assertion {
	spec := map[string]any{"target": target, "reference": reference}
	if name != "" {
		spec["model"] = name
	}
	return attest.Assertion{AssertionID: id, Type: attest.TypeEmbedding, Spec: spec}
}

// TestIdenticalTexts: ten thousand times the same text is one call with one text.
func TestIdenticalTexts(t *testing.T) {
	e := &countingEmbedder{}
	list := make([]attest.Assertion, 10_000)
	for i := range list {
		list[i] = embeddingOf(fmt.Sprint(i), "output.message", "Done.", "")
	}
	results, err := attest.NewEngine(attest.Options{Embedding: e}).Evaluate(t.Context(), done, list)
	if err != nil || len(e.calls) != 1 || len(e.calls[0].Texts) != 1 {
		t.Fatalf("%v: %d calls", err, len(e.calls))
	}
	for i, r := range results {
		if r.Status != attest.Pass || r.Score != 1 || (r.Cost > 0) != (i == 0) {
			t.Fatalf("result %d: %+v", i, r)
		}
	}
}

// TestManyTexts: calls have 2,048 texts at most, and none twice.
func TestManyTexts(t *testing.T) {
	e := &countingEmbedder{}
	var list []attest.Assertion
	for i := range 5000 {
		list = append(list, embeddingOf(fmt.Sprint(i), "output.message", fmt.Sprintf("reference %d", i/2), ""))
	}
	if _, err := attest.NewEngine(attest.Options{Embedding: e}).Evaluate(t.Context(), done, list); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, call := range e.calls {
		for _, text := range call.Texts {
			if seen[text] {
				t.Fatalf("%s was asked for twice", text)
			}
			seen[text] = true
		}
	}
	if len(e.calls) != 2 || len(e.calls[0].Texts) != 2048 || len(seen) != 2501 {
		t.Errorf("%d texts in %d calls", len(seen), len(e.calls))
	}
}

// TestOwnModel: the texts of builtin/lexical are compared without a provider, in parts, and
// cost nothing.
func TestOwnModel(t *testing.T) {
	var list []attest.Assertion
	for i := range 500 {
		list = append(list, embeddingOf(fmt.Sprint(i), "output.message", fmt.Sprintf("Done. %d", i/2), "builtin/lexical"))
	}
	results, err := attest.NewEngine(attest.Options{}).Evaluate(t.Context(), done, list)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if !(r.Score > 0.1 && r.Score < 1) || r.Cost != 0 || r.Score != results[i/2*2].Score {
			t.Fatalf("result %d: %+v", i, r)
		}
	}
}

// TestBatchLaw: assertions say the same alone as together, in whatever order; together they
// take one call for each model, and cost what the calls do.
func TestBatchLaw(t *testing.T) {
	text := rapid.SampledFrom([]string{"a", "ab", "abc", "Done.", "what else", "é", strings.Repeat("long ", 100)})
	rapid.Check(t, func(t *rapid.T) {
		trace := attest.Trace{SchemaVersion: attest.SchemaVersion, TraceID: "t", Output: map[string]any{"a": text.Draw(t, "a"), "b": text.Draw(t, "b"), "c": ""}}
		models := map[string]bool{}
		var list []attest.Assertion
		for i := range rapid.IntRange(1, 20).Draw(t, "assertions") {
			target := rapid.SampledFrom([]string{"output.a", "output.b", "output.c", "output.d"}).Draw(t, "target")
			a := embeddingOf(fmt.Sprint(i), target, text.Draw(t, "reference"), rapid.SampledFrom([]string{"", "", "m", "other"}).Draw(t, "model"))
			a.Spec["threshold"] = float64(rapid.IntRange(0, 100).Draw(t, "threshold")) / 100
			list = append(list, a)
			if target < "output.c" {
				models[fmt.Sprint(a.Spec["model"])] = true
			}
		}
		together := &countingEmbedder{}
		results, err := attest.NewEngine(attest.Options{Embedding: together}).Evaluate(context.Background(), trace, list)
		if err != nil || len(together.calls) != len(models) {
			t.Fatalf("%v: %d calls for %d models", err, len(together.calls), len(models))
		}
		order := rapid.Permutation(list).Draw(t, "order")
		shuffled, err := attest.NewEngine(attest.Options{Embedding: &countingEmbedder{}}).Evaluate(context.Background(), trace, order)
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]string{}
		for _, r := range shuffled {
			said[r.AssertionID] = fmt.Sprint(r.Status, r.Score, r.Explanation)
		}
		cost := 0.0
		for i, r := range results {
			alone := &countingEmbedder{}
			single, err := attest.NewEngine(attest.Options{Embedding: alone}).Evaluate(context.Background(), trace, list[i:i+1])
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(r.Status, r.Score, r.Explanation)
			if want := fmt.Sprint(single[0].Status, single[0].Score, single[0].Explanation); got != want || got != said[r.AssertionID] {
				t.Fatalf("%s together, %s in another order, %s alone", got, said[r.AssertionID], want)
			}
			if math.Abs(single[0].Cost-alone.cost) > 1e-12 || r.Cost > alone.cost+1e-12 {
				t.Fatalf("%v together, %v alone, where the call cost %v", r.Cost, single[0].Cost, alone.cost)
			}
			cost += r.Cost
		}
		if math.Abs(cost-together.cost) > 1e-12 || len(strconv.FormatFloat(results[0].Cost, 'f', -1, 64)) > len("0.000000000001") {
			t.Fatalf("results cost %v, calls %v", cost, together.cost)
		}
	})
}

// TestBadVectors: what an embedder must not answer fails the request.
func TestBadVectors(t *testing.T) {
	first := func(vector ...float32) func(model.EmbeddingReply) (model.EmbeddingReply, error) {
		return func(r model.EmbeddingReply) (model.EmbeddingReply, error) {
			r.Vectors[0] = vector
			return r, nil
		}
	}
	for want, reply := range map[string]func(model.EmbeddingReply) (model.EmbeddingReply, error){
		"embedding provider: HTTP 500": func(model.EmbeddingReply) (model.EmbeddingReply, error) {
			return model.EmbeddingReply{}, errors.New("HTTP 500")
		},
		"embedding provider: 0 vectors for 2 texts": func(model.EmbeddingReply) (model.EmbeddingReply, error) { return model.EmbeddingReply{}, nil },
		"embedding provider: 3 vectors for 2 texts": func(r model.EmbeddingReply) (model.EmbeddingReply, error) {
			r.Vectors = append(r.Vectors, nil)
			return r, nil
		},
		"embedding provider: vectors of 2 and 4 numbers":                 first(1, 2),
		"embedding provider: vectors of 0 and 4 numbers":                 first(),
		"embedding provider: a vector of zeros":                          first(0, 0, 0, 0),
		"embedding provider: a vector with values that are not numbers":  first(1, float32(math.NaN()), 0, 0),
		"embedding provider: a vector with values that are not numbers ": first(1, float32(math.Inf(-1)), 0, 0),
	} {
		e := attest.NewEngine(attest.Options{Embedding: &countingEmbedder{reply: reply}})
		_, err := e.Evaluate(t.Context(), done, []attest.Assertion{embeddingOf("a", "output.message", "x", "")})
		if refused := protocolError(err); refused == nil || refused.Code != attest.CodeProvider || refused.Message != strings.TrimSpace(want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestRememberedTexts: what is known by its request_id is not asked for again, also where
// others are.
func TestRememberedTexts(t *testing.T) {
	embedder := &countingEmbedder{}
	e := attest.NewEngine(attest.Options{Embedding: embedder, Remember: 10})
	known, fresh := embeddingOf("a", "output.message", "one", ""), embeddingOf("b", "output.message", "two", "")
	known.RequestID = "r"
	for _, list := range [][]attest.Assertion{{known}, {known}, {known, fresh}} {
		if _, err := e.Evaluate(t.Context(), done, list); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(embedder.calls); got != "[{ [Done. one]} { [Done. two]}]" {
		t.Errorf("asked %s", got)
	}
}

// TestTooMuchText: texts that lie within each other are bounded together, whatever they are
// asked for.
func TestTooMuchText(t *testing.T) {
	const levels = 40
	trace := fmt.Sprintf(`{"schema_version":1,"trace_id":"t","output":%s"%s"%s}`, strings.Repeat(`{"a":`, levels), strings.Repeat("word ", 100_000), strings.Repeat("}", levels))
	e := attest.NewEngine(attest.Options{Embedding: &countingEmbedder{}, Judge: always(1)})
	for _, kind := range []string{`"embedding","spec":{"reference":"word"`, `"llm_judge","spec":{"rubric":"tone"`} {
		var list []attest.Prepared
		for i := range levels {
			p, err := e.PrepareJSON(fmt.Appendf(nil, `{"assertion_id":"%d","type":%s,"target":"output%s","threshold":0}}`, i, kind, strings.Repeat(".a", i+1)), i)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
		results, err := e.EvaluatePrepared(t.Context(), attest.TraceText{Raw: []byte(trace)}, list)
		if err != nil {
			t.Fatal(err)
		}
		last := results[levels-1]
		if results[0].Status != attest.Pass || last.Status != attest.HardFail ||
			last.Explanation != "Not evaluated: models would be given more than 16777216 bytes of this trace; send its assertions in several requests." {
			t.Errorf("%s: first %+v, last %+v", kind, results[0], last)
		}
	}
}
