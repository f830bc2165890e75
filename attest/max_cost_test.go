package attest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// billed returns a judge whose calls cost what a list says, one after the other.
func billed(costs []float64) *fakeChat {
	var next atomic.Int64
	return &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
		reply := grade(1)
		reply.Usage.Cost = costs[int(next.Add(1)-1)%len(costs)]
		return reply, nil
	}}
}

// TestMaxCost: a call begins while less was spent than may be, and no other; what is not asked
// is skipped and holds nothing.
func TestMaxCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.1, 0.2, 1e-9, 3}), 1, 12).Draw(t, "costs")
		most := rapid.SampledFrom([]float64{0, 1e-9, 0.3, 0.6, 3, 100}).Draw(t, "most")
		judge := billed(costs)
		e := attest.NewEngine(attest.Options{Judge: judge, MaxCost: &most})
		var spent, paid attest.Costs
		calls := int64(0)
		for i, cost := range costs {
			asks := spent.Total() < most
			if asks {
				calls++
				spent.Add(cost)
			}
			results, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf(fmt.Sprint(i), nil)})
			if err != nil {
				t.Fatal(err)
			}
			r := results[0]
			paid.Add(r.Cost)
			if asks != (r.Status == attest.Pass) || asks == r.Skipped || (attest.Suite{}).Holds(results) != asks {
				t.Fatalf("call %d, after %v of %v USD: %+v", i, e.Spent(), most, r)
			}
		}
		if judge.calls.Load() != calls || e.Spent() != spent.Total() || paid.Total() != spent.Total() {
			t.Fatalf("%d calls for %v USD, want %d for %v; the results say %v", judge.calls.Load(), e.Spent(), calls, spent.Total(), paid.Total())
		}
	})
}

// TestMaxCostOfABatch: what is asked at once costs less than one call more than it may; then
// nothing is asked any more, neither by judges nor for vectors, and what is free is evaluated as
// ever.
func TestMaxCostOfABatch(t *testing.T) {
	most := 0.3
	judge := always(1)
	e := attest.NewEngine(attest.Options{Judge: judge, Embedding: fakeEmbedder(func(string) []float32 { return []float32{1} }), MaxCost: &most})
	batch := []attest.Assertion{contains("c", "Done", false)}
	for i := range 200 {
		batch = append(batch, judgeOf(fmt.Sprint(i), nil))
	}
	batch = append(batch, attest.Assertion{AssertionID: "e", Type: attest.TypeEmbedding, Spec: map[string]any{"target": "output.message", "reference": "ref"}})
	for run := range 2 {
		before := judge.calls.Load()
		results, err := e.Evaluate(t.Context(), done, batch)
		if err != nil {
			t.Fatal(err)
		}
		var cost attest.Costs
		skipped := 0
		for _, r := range results {
			cost.Add(r.Cost)
			if r.Skipped {
				skipped++
			}
		}
		calls := judge.calls.Load() - before
		switch {
		case results[0].Status != attest.Pass:
			t.Errorf("run %d: %+v", run, results[0])
		case run == 0 && (skipped == 0 || cost.Total() != e.Spent() || cost.Total() < most || cost.Total() >= most+grade(1).Usage.Cost):
			t.Errorf("%d calls, %d skipped, %v of %v USD", calls, skipped, cost.Total(), e.Spent())
		case run == 1 && (calls != 0 || skipped != len(batch)-1 || cost.Total() != 0):
			t.Errorf("%d calls, %d skipped, %v USD after the limit was reached", calls, skipped, cost.Total())
		}
	}
}

// TestMaxCostOfRecordings: what is recorded is in the cost of results, and not paid again.
func TestMaxCostOfRecordings(t *testing.T) {
	most := 0.1
	judge := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
		reply := grade(1)
		reply.Usage.Cost, reply.Usage.Saved = 0.3, 0.3
		return reply, nil
	}}
	e := attest.NewEngine(attest.Options{Judge: judge, MaxCost: &most})
	for i := range 3 {
		results, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf(fmt.Sprint(i), nil)})
		if err != nil {
			t.Fatal(err)
		}
		if r := results[0]; r.Status != attest.Pass || r.Cost != 0.3 {
			t.Errorf("%+v after %v USD", r, e.Spent())
		}
	}
}

// TestUnpaid checks that a skipped assertion gives the reason, and does not pass.
func TestUnpaid(t *testing.T) {
	most := 0.2
	results, err := attest.NewEngine(attest.Options{Judge: billed([]float64{0.1}), MaxCost: &most}).
		Evaluate(t.Context(), done, []attest.Assertion{judgeOf("a", nil), judgeOf("b", nil), judgeOf("c", nil)})
	if err != nil {
		t.Fatal(err)
	}
	var cost attest.Costs
	for _, r := range results {
		cost.Add(r.Cost)
		if r.Skipped && (r.Status != attest.HardFail || !strings.Contains(r.Explanation, "the limit is 0.2 USD")) {
			t.Errorf("%+v", r)
		}
	}
	if cost.Total() < 0.2 {
		t.Errorf("%v USD", cost.Total())
	}
}

// TestCostsOfSamples: an assertion whose samples the limit ends is skipped, and costs what was
// paid for those before.
func TestCostsOfSamples(t *testing.T) {
	most := 0.1
	var turn sync.Mutex // the samples are asked at once; here one after the other
	judge := billed([]float64{0.1})
	waits := &fakeChat{answer: func(ctx context.Context, r model.ChatRequest) (model.ChatReply, error) {
		turn.Lock()
		defer turn.Unlock()
		return judge.answer(ctx, r)
	}}
	e := attest.NewEngine(attest.Options{Judge: waits, MaxCost: &most})
	for range 2 {
		results, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf("a", map[string]any{"samples": 15})})
		if err != nil {
			t.Fatal(err)
		}
		if r := results[0]; r.Skipped == (r.Status == attest.Pass) || r.Cost > e.Spent() || !r.Skipped && r.Cost != 1.5 {
			t.Errorf("%+v after %v USD", r, e.Spent())
		}
	}
	if results, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf("b", nil)}); err != nil || !results[0].Skipped || results[0].Cost != 0 {
		t.Errorf("%+v, %v", results, err)
	}
}

// TestLostCosts: what was paid for a request that fails is counted, and logged.
func TestLostCosts(t *testing.T) {
	var log bytes.Buffer
	failing := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
		return model.ChatReply{Usage: model.Usage{Cost: 0.5}}, errors.New("it broke")
	}}
	e := attest.NewEngine(attest.Options{Judge: failing, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	_, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf("a", nil)})
	if protocolError(err) == nil || e.Spent() != 0.5 || !strings.Contains(log.String(), "cost_usd=0.5") {
		t.Errorf("%v, %v USD, %s", err, e.Spent(), log.String())
	}
}
