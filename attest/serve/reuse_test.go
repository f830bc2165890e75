package serve

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// reuseParams returns a batch of all layers. Batches of different n have other words, names
// and numbers at the same places.
func reuseParams(n int) string {
	word := fmt.Sprintf("word%03d", n)
	return fmt.Sprintf(`{"trace":{"schema_version":1,"trace_id":"trc_%[1]s","output":{"message":"It says %[1]s.","n":%[2]d},`+
		`"steps":[{"type":"tool_call","name":"call_%[1]s","args":{"id":"%[1]s"}}],"metadata":{"cost_usd":%[2]d}},"assertions":[`+
		`{"assertion_id":"a_%[1]s","type":"schema","spec":{"target":"output","schema":{"properties":{"message":{"pattern":"%[1]s"},"n":{"const":%[2]d}}}}},`+
		`{"assertion_id":"b_%[1]s","type":"constraint","spec":{"field":"metadata.cost_usd","operator":"lt","value":%[2]d}},`+
		`{"assertion_id":"c_%[1]s","type":"trace","spec":{"check":"required_tools","tools":["call_%[1]s","call_other"]}},`+
		`{"assertion_id":"d_%[1]s","type":"content","spec":{"target":"output.message","check":"contains","value":"%[1]s"}},`+
		`{"assertion_id":"e_%[1]s","type":"content","spec":{"target":"steps[?name=='call_%[1]s'].args.id","check":"regex_match","value":"^%[1]s$"}},`+
		`{"assertion_id":"f_%[1]s","type":"content","request_id":"r_%[1]s","spec":{"target":"output.message","check":"forbidden","values":["%[1]s"]}}]}`,
		word, 100+n)
}

// TestNothingKeepsALine asks for batches again whose compiled specs, schemas, expressions
// and results the engine has kept, after their lines' memory was used for others: the
// answers are those of an engine that has seen nothing else.
func TestNothingKeepsALine(t *testing.T) {
	const batches, rounds = 60, 3
	times := regexp.MustCompile(`duration_ms":[0-9]+`)
	c := converse(t, Options{})
	c.send([]string{initializeLine})
	c.receive(1)
	for round := range rounds {
		for i := range batches {
			n := (i*7 + round*13) % batches
			result, err := attest.NewEngine(attest.Options{}).EvaluateBatch(context.Background(), []byte(reuseParams(n)))
			if err != nil {
				t.Fatal(err)
			}
			c.send([]string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"evaluate_batch","params":%s}`, n, reuseParams(n))})
			got := times.ReplaceAllString(c.receive(1)[0], `duration_ms":0`)
			want := times.ReplaceAllString(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, n, result), `duration_ms":0`)
			if got != want {
				t.Fatalf("round %d, batch %d:\n got %s\nwant %s", round, n, got, want)
			}
		}
	}
}
