package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
)

func ExampleNewCEL() {
	evaluator := eval.NewCEL(eval.CELOptions{})
	matched, err := evaluator.Evaluate(context.Background(), "message.tools.exists(t, t.name == 'admin')", map[string]oatf.Value{
		"message": oatf.Object{{Key: "tools", Value: []oatf.Value{oatf.Object{{Key: "name", Value: "admin"}}}}},
	})
	fmt.Println(matched, err)
	// Output: true <nil>
}

// celKind returns the kind of an evaluation error, "" for none.
func celKind(t *testing.T, err error) oatf.EvaluationErrorKind {
	t.Helper()
	if err == nil {
		return ""
	}
	var fault *oatf.EvaluationError
	if !errors.As(err, &fault) {
		t.Fatalf("%v is no EvaluationError", err)
	}
	return fault.Kind
}

func TestCEL(t *testing.T) {
	message := map[string]oatf.Value{"message": oatf.Object{{Key: "n", Value: oatf.Number("5")}}}
	for _, c := range []struct {
		options    eval.CELOptions
		expression string
		want       oatf.Value
		kind       oatf.EvaluationErrorKind
	}{
		{eval.CELOptions{}, "message.n + 1 == 6", true, ""},
		{eval.CELOptions{}, "message.n > 6", false, ""},
		{eval.CELOptions{}, "message.a.b > 6", false, ""},
		{eval.CELOptions{}, "!message.a", false, ""},
		{eval.CELOptions{}, "message.a", false, ""},
		{eval.CELOptions{StrictMissing: true}, "message.a.b > 6", nil, oatf.EvaluationCELError},
		{eval.CELOptions{StrictMissing: true}, "message.a.b > 6 || true", true, ""},
		{eval.CELOptions{StrictMissing: true}, "has(message.a)", false, ""},
		{eval.CELOptions{}, "size(message)", nil, oatf.EvaluationTypeError},
		{eval.CELOptions{}, "null", nil, oatf.EvaluationTypeError},
		{eval.CELOptions{AnyType: true}, "size(message)", oatf.Number("1"), ""},
		{eval.CELOptions{AnyType: true}, "null", nil, ""},
		{eval.CELOptions{AnyType: true}, "b'x'", nil, oatf.EvaluationTypeError},
		{eval.CELOptions{}, "desc == 1", nil, oatf.EvaluationCELError},
		{eval.CELOptions{}, "foo()", nil, oatf.EvaluationUnsupportedMethod},
		{eval.CELOptions{}, "message.", nil, oatf.EvaluationCELError},
		{eval.CELOptions{CostLimit: 3}, "message.n + message.n + message.n == 15", nil, oatf.EvaluationCELError},
		{eval.CELOptions{CostLimit: 1 << 40}, slowExpression, nil, oatf.EvaluationCELError},
	} {
		evaluator := eval.NewCEL(c.options)
		for range 2 { // the second time it is ready
			got, err := evaluator.Evaluate(t.Context(), c.expression, message)
			if kind := celKind(t, err); got != c.want || kind != c.kind {
				t.Errorf("%s: %v, %v; expected %v, %q", c.expression, got, err, c.want, c.kind)
			}
		}
	}
}

// slowExpression compares lists of 10^9 elements in few calls: each list holds the one before
// ten times.
var slowExpression = "[0].map(a, [a,a,a,a,a,a,a,a,a,a])" + strings.Repeat(".map(a, [a,a,a,a,a,a,a,a,a,a])", 8) + ".exists(x, x == x)"

// TestCELStops checks the reason that ends an evaluation, and that the caller can identify it.
func TestCELStops(t *testing.T) {
	message := map[string]oatf.Value{"message": true}
	_, err := eval.NewCEL(eval.CELOptions{CostLimit: 1 << 40}).Evaluate(t.Context(), slowExpression, message)
	if !errors.Is(err, eval.ErrSteps) || !strings.Contains(err.Error(), "more than 5000000 calls and comparisons") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = eval.NewCEL(eval.CELOptions{}).Evaluate(ctx, "message || message", message)
	if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestCELKeepsFew holds that the number of the programs that are kept changes no answer.
func TestCELKeepsFew(t *testing.T) {
	few, many := eval.NewCEL(eval.CELOptions{MaxPrograms: 2}), eval.NewCEL(eval.CELOptions{})
	message := map[string]oatf.Value{"message": oatf.Number("5")}
	long := strings.Repeat("(message == 5) && ", 800) + "true"
	for range 3 {
		for _, expression := range []string{"message == 5", "message == 6", "message", "foo()", long, long + " ", long + "  ", "message < 6"} {
			a, errA := few.Evaluate(t.Context(), expression, message)
			b, errB := many.Evaluate(t.Context(), expression, message)
			if a != b || celKind(t, errA) != celKind(t, errB) {
				t.Errorf("%.40s: %v, %v and %v, %v", expression, a, errA, b, errB)
			}
		}
	}
}

// TestCELTogether holds that goroutines may share an evaluator, whose programs come and go.
func TestCELTogether(t *testing.T) {
	evaluator := eval.NewCEL(eval.CELOptions{MaxPrograms: 2})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			text := strings.Repeat("a", i)
			message := map[string]oatf.Value{"message": oatf.Object{{Key: "text", Value: text}, {Key: "pattern", Value: "^" + text + "$"}}}
			for range 50 {
				for _, expression := range []string{"message.text.matches(message.pattern)", "message.text == message.pattern.matches('x') || true", "size(message.text) < 8"} {
					if got, err := evaluator.Evaluate(t.Context(), expression, message); got != true || err != nil {
						t.Errorf("%s: %v, %v", expression, got, err)
					}
				}
			}
		})
	}
	group.Wait()
}
