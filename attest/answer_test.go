package attest

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// texts draws content of traces and judges' replies: long texts, multi-byte characters, characters that JSON escapes,
// and invalid ones.
func texts(name string, most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		part := rapid.SampledFrom([]string{"a", "\"\\", "\x01", "\r\n", "é", "\U0001F600", "\xff", "\u2028", "…"}).Draw(t, name)
		return strings.Repeat(part, rapid.SampledFrom([]int{0, 1, 19, 20, 21, most}).Draw(t, "times"))
	})
}

// hostileResult draws a result as an engine may have one: ids as the SDKs send them,
// everything else at its worst.
func hostileResult(t *rapid.T, i int) Result {
	r := Result{
		AssertionID: fmt.Sprintf("assert_%08x", i),
		Status:      rapid.SampledFrom([]Status{Pass, SoftFail, HardFail}).Draw(t, "status"),
		Score:       rapid.SampledFrom([]float64{0, 1, 0.1, 2.0 / 3, math.SmallestNonzeroFloat64}).Draw(t, "score"),
		Cost:        rapid.SampledFrom([]float64{0, 0.1, 1e-7 / 3, math.SmallestNonzeroFloat64}).Draw(t, "cost"),
		DurationMS:  rapid.Int64Range(0, 30_000).Draw(t, "ms"),
		Explanation: texts("explanation", 1000).Draw(t, "explanation"),
	}
	if r.Status != Pass {
		r.Pointer = "/" + texts("pointer", 200).Draw(t, "pointer")
		r.Details = Details{Type: TypeContent, Layer: 4, Expected: texts("e", 200).Draw(t, "e"), Actual: texts("a", 200).Draw(t, "a"), SuggestedAction: texts("s", 200).Draw(t, "s")}
	}
	if rapid.Bool().Draw(t, "judged") {
		r.Judge = &JudgeMetadata{Model: texts("model", 20).Draw(t, "model"), SampleScores: []float64{1. / 3, 0.5}, ScoreMean: 5. / 12}
	}
	return r
}

// TestAnswerFits: an answer of up to 400 results fits the line that clients read, whatever
// the results say; none of them is lost, none changes except for its details and the end of its
// explanation; and what fits as it is stays as it is.
func TestAnswerFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.IntRange(1, 4).Draw(t, "kinds")
		some := make([]Result, kinds)
		for i := range some {
			some[i] = hostileResult(t, i)
		}
		results := make([]Result, rapid.SampledFrom([]int{1, 2, 50, 399, maxFitting}).Draw(t, "results"))
		for i := range results {
			results[i] = some[i%kinds]
		}
		want := slices.Clone(results)
		whole := string(appendResults(nil, results, time.Hour))
		line := string(appendBatch([]byte("x"), results, time.Hour))[1:]
		switch {
		case len(line)+envelope > maxLine:
			t.Fatalf("%d bytes", len(line))
		case len(whole)+envelope <= maxLine && line != whole:
			t.Fatalf("it had fitted: %s", line)
		case !utf8.ValidString(line):
			t.Fatalf("not UTF-8: %q", line)
		}
		checkAnswer(t, line, want)
	})
}

// checkAnswer compares an answer with the results that it was made of.
func checkAnswer(t *rapid.T, line string, want []Result) {
	var got struct {
		Results []struct {
			ID          string  `json:"assertion_id"`
			Status      Status  `json:"status"`
			Score       float64 `json:"score"`
			Cost        float64 `json:"cost"`
			Explanation string  `json:"explanation"`
		} `json:"results"`
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil || len(got.Results) != len(want) {
		t.Fatalf("%d results, %v", len(got.Results), err)
	}
	for i, r := range got.Results {
		w := want[i]
		if r.ID != w.AssertionID || r.Status != w.Status || r.Score != w.Score || r.Cost != w.Cost {
			t.Fatalf("result %d: got %+v, want %+v", i, r, w)
		}
		said := strings.TrimSuffix(r.Explanation, "…")
		if full := strings.ToValidUTF8(w.Explanation, "\uFFFD"); !strings.HasPrefix(full, strings.TrimRight(said, "\uFFFD")) {
			t.Fatalf("result %d: %.100q is no beginning of %.100q", i, said, full)
		}
	}
}

// TestDetailsGoFirst: an answer that is too long with the details of its results keeps their
// explanations; the few bytes that say what a result is about stay when there is room.
func TestDetailsGoFirst(t *testing.T) {
	results := make([]Result, maxFitting)
	for i := range results {
		results[i] = Result{
			AssertionID: "a", Status: HardFail, Explanation: "It does not hold.", Pointer: "/output",
			Details: Details{Type: TypeContent, Layer: 4, Expected: "a text", Actual: "another", SuggestedAction: "Do something."},
		}
	}
	few := string(appendBatch(nil, slices.Clone(results[:10]), 0))
	if n := strings.Count(few, `"expected":"a text","actual":"another","suggested_action":"Do something."`); n != 10 {
		t.Errorf("%d of 10 results have their details", n)
	}
	many := string(appendBatch(nil, slices.Clone(results), 0))
	if strings.Contains(many, "expected") || strings.Count(many, `"It does not hold.","cost":0.0,"duration_ms":0,"type":"content","layer":4}`) != maxFitting {
		t.Errorf("%.300s", many)
	}
	for i := range results {
		results[i].Explanation = strings.Repeat("It does not hold. ", 4)
	}
	more := string(appendBatch(nil, results, 0))
	if strings.Contains(more, "layer") || strings.Count(more, "It does not hold. ") <= maxFitting || len(more) > maxLine {
		t.Errorf("%d bytes: %.300s", len(more), more)
	}
}

// TestPassingResults: what passes says nothing more than it always did, except for judges.
func TestPassingResults(t *testing.T) {
	r := Result{
		AssertionID: "a", Status: Pass, Score: 1, Explanation: "It holds.", Pointer: "/output",
		Details: Details{Type: TypeContent, Layer: 4, ThresholdSource: "spec"},
	}
	const plain = `{"assertion_id":"a","status":"pass","score":1.0,"explanation":"It holds.","cost":0.0,"duration_ms":0`
	if got := string(r.AppendJSON(nil)); got != plain+"}" {
		t.Error(got)
	}
	r.Type, r.Layer = TypeLLMJudge, 6
	r.Judge = &JudgeMetadata{Model: "m", RubricName: "tone", RubricVersion: "1", PromptHash: "0123456789abcdef", SampleScores: []float64{1, 0.5}, ScoreMean: 0.75, ScoreStddev: 0.25, HighVariance: true}
	const judged = `,"type":"llm_judge","layer":6,"threshold_source":"spec","judge_metadata":{"model":"m","rubric_name":"tone","rubric_version":"1","prompt_hash":"0123456789abcdef","sample_scores":[1.0,0.5],"score_mean":0.75,"score_stddev":0.25,"high_variance":true}}`
	if got, err := json.Marshal(r); err != nil || string(got) != string(r.AppendJSON(nil)) {
		t.Errorf("json.Marshal makes %s, %v", got, err)
	}
	if got := string(r.AppendJSON(nil)); got != plain+judged {
		t.Error(got)
	}
}

// TestCosts: a total is that of the decimals, in any order.
func TestCosts(t *testing.T) {
	total := func(list ...float64) float64 {
		var c Costs
		for _, cost := range list {
			c.Add(cost)
		}
		return c.Total()
	}
	if got := total(0.1, 0.2, math.NaN(), math.Inf(1), -1); got != 0.3 {
		t.Error(got)
	}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Float64Range(0, 100), 0, 20).Draw(t, "costs")
		other := rapid.Permutation(list).Draw(t, "order")
		if a, b := total(list...), total(other...); a != b {
			t.Fatalf("%v in one order, %v in another", a, b)
		}
	})
}
