package attest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// fakeHistory keeps scores in memory, and fails on request.
type fakeHistory struct {
	mu               sync.Mutex
	scores           map[string][]float64
	unread, unwanted error
}

func (h *fakeHistory) Scores(_ context.Context, id string, n int) ([]float64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.scores[id]
	return all[max(0, len(all)-n):], h.unread
}

func (h *fakeHistory) Record(_ context.Context, scores []attest.Score) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.unwanted != nil {
		return h.unwanted
	}
	if h.scores == nil {
		h.scores = map[string][]float64{}
	}
	for _, s := range scores {
		h.scores[s.AssertionID] = append(h.scores[s.AssertionID], s.Score)
	}
	return nil
}

// naiveDynamic reports whether a score passes after others, in exact arithmetic; sure is false
// where floats may see it otherwise.
func naiveDynamic(earlier []float64, score, byDefault float64) (pass, sure bool) {
	earlier = earlier[max(0, len(earlier)-50):]
	if len(earlier) < 10 {
		return score >= byDefault, true
	}
	n := big.NewRat(int64(len(earlier)), 1)
	sum, squares := new(big.Rat), new(big.Rat)
	for _, x := range earlier {
		exact := new(big.Rat).SetFloat64(x)
		sum.Add(sum, exact)
		squares.Add(squares, exact.Mul(exact, exact))
	}
	mean := sum.Quo(sum, n)
	variance := squares.Quo(squares, n)
	variance.Sub(variance, new(big.Rat).Mul(mean, mean))
	below := new(big.Rat).Sub(mean, new(big.Rat).SetFloat64(score)) // how far below the mean
	if below.Sign() <= 0 {
		return true, true
	}
	distance, _ := new(big.Rat).Sub(new(big.Rat).Mul(below, below), variance.Mul(variance, big.NewRat(4, 1))).Float64()
	return distance <= 0, math.Abs(distance) > 1e-12
}

// TestDynamicThreshold checks that a score passes if it is not below the threshold from the assertion's last fifty
// scores, whatever engine evaluated them and in however many batches.
func TestDynamicThreshold(t *testing.T) {
	near := rapid.Float64Range(0.6, 0.9)
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.OneOf(near, near, rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 0.5, 0.7, 0.8, 1})), 1, 80).Draw(t, "scores")
		soft := rapid.Bool().Draw(t, "soft")
		store, next := new(fakeHistory), 0
		judge := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) { return grade(scores[next]), nil }}
		engines := []*attest.Engine{
			attest.NewEngine(attest.Options{Judge: judge, History: store}), attest.NewEngine(attest.Options{Judge: judge, History: store}),
		}
		trace := attest.Trace{SchemaVersion: 1, TraceID: "t", Output: map[string]any{"message": "m"}}
		spec := map[string]any{"rubric": "tone", "threshold": "dynamic", "soft": soft}
		for next = range scores {
			e := rapid.SampledFrom(engines).Draw(t, "engine")
			got, err := e.Evaluate(t.Context(), trace, []attest.Assertion{
				{AssertionID: "another", Type: attest.TypeLLMJudge, Spec: map[string]any{"rubric": "tone", "threshold": 0}},
				{AssertionID: "a", Type: attest.TypeLLMJudge, Spec: spec},
			})
			if err != nil {
				t.Fatal(err)
			}
			pass, sure := naiveDynamic(scores[:next], scores[next], 0.7)
			want := attest.Pass
			switch {
			case !pass && soft:
				want = attest.SoftFail
			case !pass:
				want = attest.HardFail
			}
			if sure && got[1].Status != want {
				t.Fatalf("after %v: %s %s, want %s", scores[:next], got[1].Status, got[1].Explanation, want)
			}
		}
	})
}

// TestDynamicWords: what a threshold of earlier scores says of itself, in both layers that
// have thresholds.
func TestDynamicWords(t *testing.T) {
	steady := []float64{0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8}
	store := &fakeHistory{scores: map[string][]float64{"new": steady[:9], "steady": steady, "equal": steady[:9:9], "none": make([]float64, 12)}}
	store.scores["equal"] = append(store.scores["equal"], 0.9)
	opposite := fakeEmbedder(func(text string) []float32 {
		if text == "m" {
			return []float32{-1}
		}
		return []float32{1}
	})
	e := attest.NewEngine(attest.Options{Judge: always(0.83), Embedding: opposite, History: store})
	judged := func(id string) attest.Assertion {
		return attest.Assertion{AssertionID: id, Type: attest.TypeLLMJudge, Spec: map[string]any{"rubric": "tone", "threshold": "dynamic"}}
	}
	got, err := e.Evaluate(t.Context(), attest.Trace{SchemaVersion: 1, TraceID: "t", Output: map[string]any{"message": "m"}}, []attest.Assertion{
		judged("new"), judged("steady"), judged("equal"),
		{AssertionID: "none", Type: attest.TypeEmbedding, Spec: map[string]any{"target": "output.message", "reference": "r", "threshold": "dynamic"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"pass: Score 0.83 exceeds threshold 0.7.",
		"pass: Score 0.83 meets threshold 0.83 (mean 0.89 of the last 10 scores less 2 standard deviations of 0.03).",
		"hard_fail: Score 0.83 is below threshold 0.9 (mean 0.9 of the last 10 scores less 2 standard deviations of 0).",
		"pass: Cosine similarity -1 between output.message and reference text meets threshold 0 (mean 0 of the last 12 scores less 2 standard deviations of 0).",
	} {
		if text := string(got[i].Status) + ": " + strings.TrimPrefix(got[i].Explanation, "Helpful. "); text != want {
			t.Errorf("got  %s\nwant %s", text, want)
		}
	}
}

// TestHistoryFails: what cannot be compared is an error; what cannot be recorded is said in
// the log, and answered.
func TestHistoryFails(t *testing.T) {
	var log strings.Builder
	store := &fakeHistory{unread: errors.New("the disk is gone"), unwanted: errors.New("the disk is full")}
	e := attest.NewEngine(attest.Options{Judge: always(0.9), History: store, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	const params = `{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"m"}},"assertions":[{"assertion_id":"a","type":"llm_judge","spec":{"rubric":"tone","threshold":`
	_, errDynamic := e.EvaluateBatch(t.Context(), []byte(params+`"dynamic"}}]}`))
	_, errDrift := e.QueryDrift(t.Context(), "a", 50)
	for _, err := range []error{errDynamic, errDrift} {
		if own, ok := errors.AsType[*attest.Error](err); !ok || own.Code != attest.CodeEngine || own.Message != "the history cannot be read: the disk is gone" {
			t.Errorf("%#v", err)
		}
	}
	answer, err := e.EvaluateBatch(t.Context(), []byte(params+`0.5}}]}`))
	if err != nil || !strings.Contains(string(answer), `"status":"pass"`) || !strings.Contains(log.String(), "scores are missing in the history") {
		t.Errorf("%s %v %s", answer, err, log.String())
	}
}

// TestHistoryFailsOnce: the log has one line when the history begins to fail, and one, with how
// many scores it lacks, when it works again, however many batches come between.
func TestHistoryFailsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var log, want strings.Builder
		store := new(fakeHistory)
		e := attest.NewEngine(attest.Options{History: store, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		missing := 0
		for _, full := range rapid.SliceOfN(rapid.Bool(), 1, 12).Draw(t, "full") {
			scores := rapid.IntRange(0, 3).Draw(t, "scores")
			store.unwanted = nil
			if full {
				store.unwanted = errors.New("the disk is full")
			}
			e.RecordOrLog(t.Context(), slices.Repeat([]attest.Result{{AssertionID: "a", Scored: true}}, scores))
			switch {
			case scores == 0: // nothing was tried
			case full && missing == 0:
				want.WriteString("ERROR the disk is full\n")
				missing += scores
			case full:
				missing += scores
			case missing > 0:
				fmt.Fprintf(&want, "WARN missing_scores=%d\n", missing)
				missing = 0
			}
		}
		got := regexp.MustCompile(`(?m)^.*level=(\w+) .*?(the disk is full|missing_scores=\d+).*$`).ReplaceAllString(log.String(), "$1 $2")
		if got != want.String() {
			t.Fatalf("%s\nwant\n%s", log.String(), want.String())
		}
	})
}

// TestPreparedAreRecordedByTheCaller: in the caller's order, and nothing else is.
func TestPreparedAreRecordedByTheCaller(t *testing.T) {
	store := new(fakeHistory)
	e := attest.NewEngine(attest.Options{History: store})
	p, err := e.PrepareJSON([]byte(`{"assertion_id":"a","type":"content","spec":{"target":"output.message","check":"contains","value":"m"}}`), 0)
	if err != nil {
		t.Fatal(err)
	}
	results, err := e.EvaluatePrepared(t.Context(), attest.TraceText{Raw: []byte(`{"schema_version":1,"trace_id":"t","output":{"message":"m"}}`)}, []attest.Prepared{p})
	if err != nil || len(store.scores) != 0 {
		t.Fatalf("%v, recorded %v", err, store.scores)
	}
	results = append(results, attest.Result{AssertionID: "skipped", Skipped: true})
	if err := e.Record(t.Context(), results); err != nil || len(store.scores) != 1 || len(store.scores["a"]) != 1 {
		t.Errorf("%v, recorded %v", err, store.scores)
	}
}
