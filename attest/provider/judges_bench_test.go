package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/internal/scripted"
)

// judging returns an engine whose judge is a service, and the params of a batch with that number of judges.
func judging(b *testing.B, answer scripted.Answer, judges int) (*attest.Engine, []byte) {
	b.Helper()
	service := scripted.Start(answer)
	b.Cleanup(service.Close)
	chat, err := provider.NewChat(provider.Options{Service: model.Service{BaseURL: service.URL}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(chat.Close)
	assertions := make([]string, judges)
	for i := range assertions {
		assertions[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"llm_judge","spec":{"target":"output.message","rubric":"default","criteria":"politeness %d"}}`, i, i)
	}
	return attest.NewEngine(attest.Options{Judge: chat}), fmt.Appendf(nil, batchOf, strings.Join(assertions, ","))
}

const batchOf = `{"trace":{"trace_id":"trc_1","schema_version":1,"output":{"message":"Good morning."},"steps":[]},"assertions":[%s]}`

func evaluate(b *testing.B, e *attest.Engine, params []byte) {
	b.Helper()
	if answer, err := e.EvaluateBatch(b.Context(), params); err != nil || strings.Contains(string(answer), `"status":"hard_fail"`) {
		b.Fatalf("%s %v", answer, err)
	}
}

// BenchmarkJudges: 64 judges in one batch, each answered after 200 ms: ms/batch has to be 250 at most,
// after the first batch, which makes the connections.
func BenchmarkJudges(b *testing.B) {
	e, params := judging(b, scripted.Answer{Delay: scripted.Duration(200 * time.Millisecond)}, 64)
	evaluate(b, e, params)
	for b.Loop() {
		evaluate(b, e, params)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/batch")
}

// BenchmarkBesideJudges: batches of layer 4 while 32 requests wait for judges: p99-ms has to be 5 at
// most.
func BenchmarkBesideJudges(b *testing.B) {
	e, judges := judging(b, scripted.Answer{Delay: scripted.Duration(time.Second)}, 1)
	content := fmt.Appendf(nil, batchOf, `{"assertion_id":"c","type":"content","spec":{"target":"output.message","check":"contains","value":"morning"}}`)
	end := make(chan struct{})
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for {
				select {
				case <-end:
					return
				default:
					evaluate(b, e, judges)
				}
			}
		})
	}
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		evaluate(b, e, content)
		took = append(took, time.Since(start))
	}
	close(end)
	all.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
