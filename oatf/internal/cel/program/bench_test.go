package program

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/cel-go/interpreter"

	"github.com/cupel-dev/cupel/oatf/internal/cel"
	"github.com/cupel-dev/cupel/oatf/model"
)

// benchMessage returns a list of 20 tools.
func benchMessage() model.Object {
	var tools []model.Value
	for i := range 20 {
		tools = append(tools, model.Object{
			{Key: "name", Value: fmt.Sprintf("tool-%d", i)},
			{Key: "description", Value: "adds two numbers, and says nothing of them to anyone else"},
			{Key: "calls", Value: model.Number(fmt.Sprint(i))},
		})
	}
	return model.Object{{Key: "tools", Value: tools}, {Key: "name", Value: "calculator"}, {Key: "arguments", Value: model.Object{{Key: "path", Value: "/home/u/.ssh/id_rsa"}}}}
}

var benchExpressions = map[string]string{
	"field":  "message.arguments.path.contains('id_rsa')",
	"regex":  "message.arguments.path.matches('(id_rsa|id_ed25519)$')",
	"exists": "message.tools.exists(t, t.name == 'admin' && size(t.description) > 100)",
	"sum":    "message.tools.all(t, t.calls + 1 > 0 && t.name.startsWith('tool'))",
}

// BenchmarkProgram evaluates expressions with everything that this package adds, and in turn
// the library alone, with a copy of the message in Go's maps made before, and with the same
// cost limit, interruption and deadline. "ratio" is ours by the library's.
func BenchmarkProgram(b *testing.B) {
	message := benchMessage()
	for name, expression := range benchExpressions {
		b.Run(name, func(b *testing.B) {
			p, err := Compile(expression, unlimited)
			if err != nil {
				b.Fatal(err)
			}
			library, variables := limited(b, newLibrary(b), expression), plain(message)
			var ours, theirs time.Duration
			for b.Loop() {
				ours += ten(b.Context(), func(ctx context.Context) error {
					_, err := p.Run(ctx, map[string]model.Value{"message": message})
					return err
				})
				theirs += ten(b.Context(), func(ctx context.Context) error {
					return library(ctx, map[string]any{"message": variables})
				})
			}
			b.ReportMetric(float64(ours)/float64(theirs), "ratio")
			b.ReportMetric(float64(ours)/float64(b.N)/10, "ns/eval")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// ten returns the time that ten evaluations take.
func ten(ctx context.Context, evaluate func(context.Context) error) time.Duration {
	start := time.Now()
	for range 10 {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		if err := evaluate(ctx); err != nil {
			panic(err)
		}
		cancel()
	}
	return time.Since(start)
}

// limited returns the library with its own limits.
func limited(b *testing.B, l library, expression string) func(context.Context, map[string]any) error {
	tree, err := cel.Parse(expression)
	if err != nil {
		b.Fatal(err)
	}
	tracker, err := interpreter.NewCostTracker(nil, interpreter.CostTrackerLimit(1<<40))
	if err != nil {
		b.Fatal(err)
	}
	plan, err := l.NewInterpretable(tree, interpreter.Optimize(), interpreter.CompileRegexConstants(interpreter.MatchesRegexOptimization),
		interpreter.InterruptableEval(), interpreter.CostObserver(interpreter.CostTrackerFactory(tracker.Clone)))
	if err != nil {
		b.Fatal(err)
	}
	return func(ctx context.Context, variables map[string]any) error {
		frame, err := interpreter.NewExecutionFrame(variables)
		if err != nil {
			return err
		}
		defer frame.Close()
		if err := frame.SetContext(ctx, 100); err != nil {
			return err
		}
		plan.Exec(frame)
		return nil
	}
}

// BenchmarkBomb is the time that nested loops over 10,000 elements take before the deadline
// of 100 ms, or the limit of cost, ends them.
func BenchmarkBomb(b *testing.B) {
	vars := hostileMessage()
	for _, limit := range []uint64{1_000_000, 1 << 40} {
		b.Run(fmt.Sprint(limit), func(b *testing.B) {
			p, err := Compile("message.items.all(a, message.items.all(b, message.items.all(c, a + b + c > 0)))", limit)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				ctx, cancel := context.WithTimeout(b.Context(), 100*time.Millisecond)
				if _, err := p.Run(ctx, vars); err == nil {
					b.Fatal("no end")
				}
				cancel()
			}
		})
	}
}
