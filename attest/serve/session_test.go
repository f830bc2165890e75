package serve

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/rpc"
)

// brokenHandler simulates a fault of the engine: it panics at the end of the evaluation of a trace.
type brokenHandler struct{ slog.Handler }

func (h brokenHandler) Handle(ctx context.Context, r slog.Record) error {
	broken := false
	r.Attrs(func(a slog.Attr) bool {
		broken = broken || a.Value.String() == "trc_broken"
		return true
	})
	if broken && r.Message == "evaluation complete" {
		panic("index out of range")
	}
	return h.Handler.Handle(ctx, r)
}

// TestPanicIsAnAnswer: a fault of the engine is 3001 for the request that met it. The
// engine goes on, and its log has the stack.
func TestPanicIsAnAnswer(t *testing.T) {
	var out, logged bytes.Buffer
	log, stop, err := NewLogger(&logged, "info")
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Concurrent: 1, Engine: attest.Options{Logger: slog.New(brokenHandler{log.Handler()})}}
	params := exampleParams(t)(1)
	broken := strings.Replace(params, `"trc_1"`, `"trc_broken"`, 1)
	input := initializeLine + "\n" +
		`{"jsonrpc":"2.0","id":1,"method":"evaluate_batch","params":` + broken + "}\n" +
		`{"jsonrpc":"2.0","id":2,"method":"evaluate_batch","params":` + params + "}\n"
	if err := rpc.Serve(t.Context(), strings.NewReader(input), &out, newSession(opt.withDefaults()), rpc.Options{Concurrent: 1}); err != nil {
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
