package attest_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// TestNoDurations: an answer says how long everything took, or that all took no time.
func TestNoDurations(t *testing.T) {
	const params = `{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"Done."},"steps":[]},` +
		`"assertions":[{"assertion_id":"a","type":"llm_judge","spec":{"rubric":"helpfulness"}}]}`
	for without, want := range map[bool]string{false: "1500", true: "0"} {
		synctest.Test(t, func(t *testing.T) {
			slow := &fakeChat{answer: func(context.Context, model.ChatRequest) (model.ChatReply, error) {
				time.Sleep(1500 * time.Millisecond) // of the bubble
				return grade(0.9), nil
			}}
			e := attest.NewEngine(attest.Options{Judge: slow, NoDurations: without})
			answer, err := e.EvaluateBatch(t.Context(), []byte(params))
			if err != nil {
				t.Fatal(err)
			}
			for _, member := range []string{`,"duration_ms":` + want + `}`, `,"total_duration_ms":` + want + `}`} {
				if !strings.Contains(string(answer), member) {
					t.Errorf("%s, want %s", answer, member)
				}
			}
		})
	}
}
