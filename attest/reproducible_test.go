package attest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// TestDurations: an answer says how long everything took, or that all took no time.
func TestDurations(t *testing.T) {
	const params = `{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"Done."},"steps":[]},` +
		`"assertions":[{"assertion_id":"a","type":"llm_judge","spec":{"rubric":"helpfulness"}}]}`
	for reproducible, want := range map[bool]string{false: "1500", true: "0"} {
		synctest.Test(t, func(t *testing.T) {
			slow := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
				time.Sleep(1500 * time.Millisecond) // of the bubble
				return grade(0.9), nil
			}}
			e := attest.NewEngine(attest.Options{Judge: slow, Reproducible: reproducible})
			answer, err := e.EvaluateBatch(t.Context(), []byte(params))
			if err != nil {
				t.Fatal(err)
			}
			for _, member := range []string{`,"duration_ms":` + want + `,`, `,"total_duration_ms":` + want + `}`} {
				if !strings.Contains(string(answer), member) {
					t.Errorf("%s, want %s", answer, member)
				}
			}
		})
	}
}

// TestFirstError: of several models that fail, the error is that of the one that fails first,
// or of the first assertion.
func TestFirstError(t *testing.T) {
	for reproducible, want := range map[bool]string{false: "later", true: "first"} {
		synctest.Test(t, func(t *testing.T) {
			judge := &fakeChat{answer: func(_ context.Context, r model.ChatRequest) (model.ChatReply, error) {
				if r.Model == "first" {
					time.Sleep(time.Second) // of the bubble
				}
				return model.ChatReply{}, errors.New(r.Model + " has failed")
			}}
			e := attest.NewEngine(attest.Options{Judge: judge, Reproducible: reproducible})
			_, err := e.Evaluate(t.Context(), done, []attest.Assertion{
				judgeOf("a", map[string]any{"model": "first"}), judgeOf("b", map[string]any{"model": "later"}),
			})
			if err == nil || !strings.Contains(err.Error(), want+" has failed") {
				t.Errorf("%v, want that of the %s", err, want)
			}
			time.Sleep(2 * time.Second) // until all goroutines have ended
		})
	}
}

// TestHistoryIsRead: answers that are to be reproducible change nothing for those after them.
func TestHistoryIsRead(t *testing.T) {
	for reproducible, want := range map[bool]int{false: 1, true: 0} {
		kept := &fakeHistory{}
		e := attest.NewEngine(attest.Options{Judge: always(0.9), History: kept, Reproducible: reproducible})
		if _, err := e.Evaluate(t.Context(), done, []attest.Assertion{judgeOf("a", nil)}); err != nil {
			t.Fatal(err)
		}
		if got := len(kept.scores["a"]); got != want {
			t.Errorf("%d scores were kept, want %d", got, want)
		}
	}
}
