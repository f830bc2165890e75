package attest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// fakeChat answers with what its function says.
type fakeChat struct {
	answer func(context.Context, model.ChatRequest) (model.ChatReply, error)
	calls  atomic.Int64
}

// Chat implements model.Chat.
func (c *fakeChat) Chat(ctx context.Context, r model.ChatRequest) (model.ChatReply, error) {
	c.calls.Add(1)
	return c.answer(ctx, r)
}

// grade returns the reply of a judge.
func grade(score float64) model.ChatReply {
	return model.ChatReply{Model: "fake", Text: fmt.Sprintf(`{"score": %v, "reason": "Helpful."}`, score), Usage: model.Usage{Cost: 0.25}}
}

// always returns a judge with one opinion.
func always(score float64) *fakeChat {
	return &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) { return grade(score), nil }}
}

// fakeEmbedder gives every text the vector that its function says.
type fakeEmbedder func(text string) []float32

// Embed implements model.Embedder.
func (f fakeEmbedder) Embed(_ context.Context, r model.EmbeddingRequest) (reply model.EmbeddingReply, err error) {
	for _, text := range r.Texts {
		reply.Vectors = append(reply.Vectors, f(text))
	}
	reply.Usage.Cost = 0.125
	return reply, nil
}

func judgeOf(id string, more map[string]any) attest.Assertion {
	spec := map[string]any{"rubric": "helpfulness"}
	for name, value := range more {
		spec[name] = value
	}
	return attest.Assertion{AssertionID: id, Type: attest.TypeLLMJudge, Spec: spec}
}

func contains(id, value string, soft bool) attest.Assertion {
	spec := map[string]any{"target": "output.message", "check": "contains", "value": value, "soft": soft}
	return attest.Assertion{AssertionID: id, Type: attest.TypeContent, Spec: spec}
}

var done = attest.Trace{SchemaVersion: attest.SchemaVersion, TraceID: "t", Output: map[string]any{"message": "Done.", "list": []any{"a", "b"}}}

// TestJudge: scores become results by their threshold.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name  string
		score float64
		more  map[string]any
		want  string
	}{
		{"above", 0.91, nil, "pass 0.91 Helpful. Score 0.91 exceeds threshold 0.7."},
		{"on", 0.7, nil, "pass 0.7 Helpful. Score 0.7 meets threshold 0.7."},
		{"below", 0.5, nil, "hard_fail 0.5 Helpful. Score 0.5 is below threshold 0.7."},
		{"soft", 0.5, map[string]any{"soft": true}, "soft_fail 0.5 Helpful. Score 0.5 is below threshold 0.7."},
		{"threshold", 0.5, map[string]any{"threshold": 0.4}, "pass 0.5 Helpful. Score 0.5 exceeds threshold 0.4."},
		{"a threshold of 0", 0, map[string]any{"threshold": 0}, "pass 0 Helpful. Score 0 meets threshold 0."},
		{"dynamic", 0.8, map[string]any{"threshold": "dynamic"}, "pass 0.8 Helpful. Score 0.8 exceeds threshold 0.7."},
		{"no such target", 1, map[string]any{"target": "output.text"}, "hard_fail 0 output.text not found: output has no field 'text'; it has list, message."},
		{"beyond the range", 1, map[string]any{"threshold": 1.5}, "1002 assertion 'a' failed: threshold must be between 0.0 and 1.0, got 1.5"},
		{"another type", 1, map[string]any{"threshold": true}, "1002 assertion 'a' failed: spec field 'threshold' must be number, got boolean"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := attest.NewEngine(attest.Options{Judge: always(c.score)})
			results, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf("a", c.more)})
			got := ""
			if refused := protocolError(err); refused != nil {
				got = fmt.Sprint(refused.Code, " ", refused.Message)
			} else {
				got = fmt.Sprint(results[0].Status, " ", results[0].Score, " ", results[0].Explanation)
			}
			if got != c.want {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestEmbedding: similarities become results by their threshold.
func TestEmbedding(t *testing.T) {
	for _, c := range []struct {
		name    string
		vectors map[string][]float32
		more    map[string]any
		want    string
	}{
		{"alike", map[string][]float32{"Done.": {3, 4}, "ref": {6, 8}}, nil, "pass 1 Cosine similarity 1 between output.message and reference text exceeds threshold 0.8."},
		{"on", map[string][]float32{"Done.": {3, 4}, "ref": {5, 0}}, map[string]any{"threshold": 0.6}, "pass 0.6 Cosine similarity 0.6 between output.message and reference text meets threshold 0.6."},
		{"below", map[string][]float32{"Done.": {3, 4}, "ref": {5, 0}}, nil, "hard_fail 0.6 Cosine similarity 0.6 between output.message and reference text is below threshold 0.8."},
		{"opposite", map[string][]float32{"Done.": {1, 0}, "ref": {-1, 0}}, map[string]any{"threshold": 0, "soft": true}, "soft_fail 0 Cosine similarity -1 between output.message and reference text is below threshold 0."},
		{"zeros", map[string][]float32{"Done.": {0, 0}, "ref": {1, 0}}, nil, "2001 embedding provider: a vector of zeros"},
		{"lengths", map[string][]float32{"Done.": {1}, "ref": {1, 0}}, nil, "2001 embedding provider: vectors of 1 and 2 numbers"},
		{"no reference", nil, map[string]any{"reference": ""}, "1002 assertion 'a' failed: reference is required"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := attest.NewEngine(attest.Options{Embedding: fakeEmbedder(func(text string) []float32 { return c.vectors[text] })})
			spec := map[string]any{"target": "output.message", "reference": "ref", "model": nil}
			maps.Copy(spec, c.more)
			results, err := e.Evaluate(t.Context(), done, []attest.Assertion{{AssertionID: "a", Type: attest.TypeEmbedding, Spec: spec}})
			got := ""
			if refused := protocolError(err); refused != nil {
				got = fmt.Sprint(refused.Code, " ", refused.Message)
			} else {
				got = fmt.Sprint(results[0].Status, " ", results[0].Score, " ", results[0].Explanation)
			}
			if got != c.want {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestQuestion: a model gets the text of the target, several texts put together.
func TestQuestion(t *testing.T) {
	var asked []string
	judge := &fakeChat{answer: func(_ context.Context, r model.ChatRequest) (model.ChatReply, error) {
		for _, m := range r.Messages {
			asked = append(asked, m.Content)
		}
		return grade(1), nil
	}}
	embed := fakeEmbedder(func(text string) []float32 {
		asked = append(asked, text)
		return []float32{1}
	})
	e := attest.NewEngine(attest.Options{Judge: judge, Embedding: embed})
	for spec, want := range map[string][2]string{
		`"llm_judge","spec":{"rubric": "helpfulness"}`:                          {"Done.", "/output/message"},
		`"embedding","spec":{"target":"output.list[*]","reference":"x"}`:        {"a\n\n1", "/output/list/0"},
		`"embedding","spec":{"target":"output.message","reference":"the text"}`: {"the text", "/output/message"},
	} {
		asked = nil
		prepared, err := e.PrepareJSON([]byte(`{"assertion_id":"a","type":`+spec+`}`), 0)
		if err != nil {
			t.Fatal(err)
		}
		trace := attest.TraceText{Raw: []byte(`{"schema_version":1,"trace_id":"t","output":{"message":"Done.","list":["a",1]}}`)}
		results, err := e.EvaluatePrepared(t.Context(), trace, []attest.Prepared{prepared})
		if err != nil || results[0].Status != attest.Pass || results[0].Pointer != want[1] {
			t.Errorf("%v, %v", results, err)
		}
		if !strings.Contains(strings.Join(asked, "|"), want[0]) {
			t.Errorf("%s: asked %q", spec, asked)
		}
	}
}

// TestConcurrentQuestions: the questions of a request are asked at once, and their
// results come back in the order of the request.
func TestConcurrentQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100
		var waiting sync.WaitGroup
		waiting.Add(50) // they wait for each other
		p := &fakeChat{}
		p.answer = func(_ context.Context, r model.ChatRequest) (model.ChatReply, error) {
			if p.calls.Load() <= 50 {
				waiting.Done()
				waiting.Wait()
			}
			all := ""
			for _, m := range r.Messages {
				all += m.Content
			}
			text := fmt.Sprintf(`{"score": 1, "reason": %q}`, regexp.MustCompile(`number\d+`).FindString(all))
			return model.ChatReply{Text: text}, nil
		}
		e := attest.NewEngine(attest.Options{Judge: p})
		var list []attest.Assertion
		for i := range n {
			list = append(list, judgeOf(fmt.Sprint("judge", i), map[string]any{"prompt": fmt.Sprint("number", i)}), contains(fmt.Sprint("text", i), "done", false))
		}
		results, err := e.Evaluate(t.Context(), done, list)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			if r.AssertionID != list[i].AssertionID || r.Status != attest.Pass || i%2 == 0 && !strings.HasPrefix(r.Explanation, fmt.Sprintf("number%d. ", i/2)) {
				t.Errorf("result %d: %+v", i, r)
			}
		}
		if got := e.Evaluated(); got != 2*n {
			t.Errorf("%d evaluated", got)
		}
	})
}

// TestShortCircuit: a hard failure in layers 1 to 4 saves the questions of later layers,
// and every assertion still has its result.
func TestShortCircuit(t *testing.T) {
	for _, c := range []struct {
		name   string
		off    bool // NoShortCircuit
		value  string
		soft   bool
		status attest.Status
		calls  int64
	}{
		{"a hard failure skips", false, "refund", false, attest.SoftFail, 0},
		{"a soft failure does not", false, "refund", true, attest.Pass, 1},
		{"nor does a pass", false, "done", false, attest.Pass, 1},
		{"switched off", true, "refund", false, attest.Pass, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := always(1)
			e := attest.NewEngine(attest.Options{NoShortCircuit: c.off, Judge: p})
			results, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf("judge", nil), contains("text", c.value, c.soft)})
			if err != nil {
				t.Fatal(err)
			}
			judge := results[0]
			if judge.AssertionID != "judge" || judge.Status != c.status || p.calls.Load() != c.calls || judge.Skipped != (c.calls == 0) {
				t.Errorf("got %+v after %d calls", judge, p.calls.Load())
			}
			if judge.Skipped && judge.Explanation != "Skipped: assertion 'text' failed in an earlier layer." {
				t.Error(judge.Explanation)
			}
		})
	}
}

// TestProviderFails: an error of the provider fails the request, and saves the questions
// that have not been asked yet.
func TestProviderFails(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("HTTP 500"), "2001 judge provider: HTTP 500 true"},
		{attest.NewError(attest.CodeProvider, "rate limit exceeded", "Wait."), "2001 rate limit exceeded true"},
	} {
		p := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) { return model.ChatReply{}, c.err }}
		_, err := attest.NewEngine(attest.Options{Judge: p}).Evaluate(t.Context(), done, []attest.Assertion{contains("a", "done", false), judgeOf("b", nil)})
		refused := protocolError(err)
		if refused == nil {
			t.Fatalf("no error, want %s", c.want)
		}
		if got := fmt.Sprint(refused.Code, " ", refused.Message, " ", refused.Data.Retryable); got != c.want {
			t.Errorf("got %s", got)
		}
	}
}

// TestSlowProvider: a request whose time is over does not wait for a provider that goes
// on, and one that was cancelled does not either.
func TestSlowProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		p := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
			<-release
			return grade(1), nil
		}}
		e := attest.NewEngine(attest.Options{Judge: p, Timeout: 20 * time.Millisecond})
		_, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf("a", nil)})
		if refused := protocolError(err); refused == nil || refused.Message != "evaluation timed out after 20ms" {
			t.Errorf("got %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		p = &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
			cancel()
			<-release
			return grade(1), nil
		}}
		e = attest.NewEngine(attest.Options{Judge: p})
		_, err = e.Evaluate(ctx, done, []attest.Assertion{judgeOf("a", nil)})
		if refused := protocolError(err); refused == nil || refused.Message != "evaluation was cancelled before it finished" {
			t.Errorf("got %v", err)
		}
	})
}

// TestProviderPanics: the panic reaches the caller, with the stack of the provider.
func TestProviderPanics(t *testing.T) {
	p := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) { panic("boom") }}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "boom\n") || !strings.Contains(text, "models_test.go") {
			t.Errorf("recovered %s", text)
		}
	}()
	_, err := attest.NewEngine(attest.Options{Judge: p}).Evaluate(t.Context(), done, []attest.Assertion{judgeOf("a", nil)})
	t.Errorf("no panic, but %v", err)
}

// TestRemembered checks that a repeated request_id costs nothing and calls no model, also in one request; a failure
// is not remembered.
func TestRemembered(t *testing.T) {
	p := &fakeChat{}
	p.answer = func(context.Context, model.ChatRequest) (model.ChatReply, error) {
		if p.calls.Load() == 1 {
			return model.ChatReply{}, errors.New("HTTP 429")
		}
		return grade(1), nil
	}
	e := attest.NewEngine(attest.Options{Judge: p, Remember: 10})
	first, again := judgeOf("a", nil), judgeOf("b", nil)
	first.RequestID, again.RequestID = "r", "r"
	if _, err := e.Evaluate(t.Context(), done, []attest.Assertion{first}); protocolError(err) == nil {
		t.Errorf("the first failure: %v", err)
	}
	results, err := e.Evaluate(t.Context(), done, []attest.Assertion{first, again})
	if err != nil || p.calls.Load() != 2 || results[0].Cost+results[1].Cost != 0.25 || results[1].AssertionID != "b" {
		t.Errorf("%+v, %v after %d calls", results, err, p.calls.Load())
	}
	results, err = e.Evaluate(t.Context(), done, []attest.Assertion{again})
	if err != nil || p.calls.Load() != 2 || results[0].Cost != 0 || results[0].Status != attest.Pass || results[0].RequestID != "r" {
		t.Errorf("%+v, %v after %d calls", results, err, p.calls.Load())
	}
}

// TestPaidForNothing: the cost of model calls of a request that failed is logged, also what is
// paid for after it has failed.
func TestPaidForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		judge := &fakeChat{answer: func(_ context.Context, r model.ChatRequest) (model.ChatReply, error) {
			switch r.Model {
			case "late":
				time.Sleep(time.Second) // of the bubble
				return grade(1), nil
			case "bad":
				time.Sleep(time.Millisecond)
				return model.ChatReply{Usage: model.Usage{Cost: 0.5}}, errors.New("HTTP 500")
			}
			return grade(1), nil
		}}
		e := attest.NewEngine(attest.Options{Judge: judge, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		_, err := e.Evaluate(t.Context(), done, []attest.Assertion{
			judgeOf("a", nil), judgeOf("b", map[string]any{"model": "bad"}), judgeOf("c", map[string]any{"model": "late"}),
		})
		if protocolError(err) == nil {
			t.Fatal(err)
		}
		synctest.Wait()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		const paid = `msg="model calls of a request that failed were paid for" cost_usd=`
		if got := log.String(); strings.Count(got, paid) != 2 || !strings.Contains(got, paid+"0.75\n") || !strings.Contains(got, paid+"0.25\n") {
			t.Errorf("logged %s", got)
		}
	})
}
