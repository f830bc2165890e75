package attest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/rpc"
)

// brokenMemo stands for any fault of the engine itself.
type brokenMemo struct{}

func (brokenMemo) do(context.Context, string, uint64, func() (Result, bool)) (Result, bool) {
	panic("index out of range")
}

// TestPanicIsAnAnswer: a fault of the engine is 3001 for the request that met it. The
// engine goes on, and its log has the stack.
func TestPanicIsAnAnswer(t *testing.T) {
	var out, logged bytes.Buffer
	log, stop, err := NewLogger(&logged, "error")
	if err != nil {
		t.Fatal(err)
	}
	engine := NewEngine(Options{Logger: log})
	engine.memo = brokenMemo{}
	s := &session{engine: engine, log: log, concurrent: 1}
	params := exampleParams(t)(1)
	broken := strings.Replace(params, `"type":"content"`, `"request_id":"r","type":"content"`, 1)
	input := initializeLine + "\n" +
		`{"jsonrpc":"2.0","id":1,"method":"evaluate_batch","params":` + broken + "}\n" +
		`{"jsonrpc":"2.0","id":2,"method":"evaluate_batch","params":` + params + "}\n"
	if err := rpc.Serve(t.Context(), strings.NewReader(input), &out, s, rpc.Options{Concurrent: 1}); err != nil {
		t.Fatal(err)
	}
	stop()
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":3001,"message":"internal error in evaluate_batch: index out of range","data":{"error_type":"ENGINE_ERROR","retryable":false,"detail":`
	if len(answers) != 3 || !strings.HasPrefix(answers[1], want) || strings.Count(answers[2], `"status":"pass"`) != 5 {
		t.Errorf("answers are %s", strings.Join(answers, "\n"))
	}
	if text := logged.String(); !strings.Contains(text, `"msg":"panic"`) || !strings.Contains(text, "session_test.go") {
		t.Errorf("the log is %s", text)
	}
}

// TestCapabilities holds every advertised capability against the types it promises.
func TestCapabilities(t *testing.T) {
	off := map[string]bool{}
	engine := NewEngine(Options{})
	for _, name := range typeNames() {
		params := `{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"m"}},"assertions":[{"assertion_id":"a","type":"` + name + `","spec":{}}]}`
		result, err := engine.EvaluateBatch(t.Context(), []byte(params))
		off[name] = err == nil && bytes.Contains(result, []byte("(capability "))
	}
	for capability, types := range map[string][]string{
		"layers_1_4": {"schema", "constraint", "trace", "content"}, "plugins": {"plugin"},
		"layers_5_6": {"embedding", "llm_judge"}, "multi_agent": {"trace_tree"},
	} {
		advertised := strings.Contains(strings.Join(Capabilities(), " "), capability)
		for _, name := range types {
			if advertised == off[name] {
				t.Errorf("capability %s is advertised: %v, assertions of type %s are off: %v", capability, advertised, name, off[name])
			}
		}
	}
}
