package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

func TestNoDocument(t *testing.T) {
	if _, err := eval.NewEvaluator(nil, eval.Options{}); err == nil {
		t.Error("no error")
	}
}

// callCEL is a CEL evaluator of a caller.
type callCEL func(ctx context.Context) (oatf.Value, error)

func (f callCEL) Evaluate(ctx context.Context, _ string, _ map[string]oatf.Value) (oatf.Value, error) {
	return f(ctx)
}

// callSemantic is a semantic evaluator of a caller.
type callSemantic func(ctx context.Context) (float64, error)

func (f callSemantic) Evaluate(ctx context.Context, _ eval.SemanticQuery) (float64, error) {
	return f(ctx)
}

func expressionOn(message oatf.Value, f callCEL) eval.IndicatorVerdict {
	i := oatf.Indicator{ID: new("x"), Surface: new(oatf.Surface("tool_arguments")), Expression: &oatf.ExpressionMatch{CEL: "true"}}
	return eval.EvaluateIndicator(&i, message, f, nil)
}

// TestEvaluatorsOfCallers: whatever a caller's evaluator does, there is a verdict that says
// it.
func TestEvaluatorsOfCallers(t *testing.T) {
	kind := func(v eval.IndicatorVerdict) oatf.EvaluationErrorKind {
		if v.Result != eval.Error || v.Err == nil || v.Err.IndicatorID != "x" || !strings.HasSuffix(v.Evidence, "["+string(v.Err.Kind)+"]") {
			t.Errorf("%+v", v)
			return ""
		}
		return v.Err.Kind
	}
	for name, c := range map[string]struct {
		cel  callCEL
		want oatf.EvaluationErrorKind
	}{
		"a panic":          {func(context.Context) (oatf.Value, error) { panic("boom") }, oatf.EvaluationCELError},
		"a nil panic":      {func(context.Context) (oatf.Value, error) { panic(nil) }, oatf.EvaluationCELError},
		"an error":         {func(context.Context) (oatf.Value, error) { return nil, errors.New("boom") }, oatf.EvaluationCELError},
		"an error with it": {func(context.Context) (oatf.Value, error) { return true, errors.New("boom") }, oatf.EvaluationCELError},
		"a number":         {func(context.Context) (oatf.Value, error) { return oatf.Number("1"), nil }, oatf.EvaluationTypeError},
		"nothing":          {func(context.Context) (oatf.Value, error) { return nil, nil }, oatf.EvaluationTypeError},
		"an error of its own kind": {func(context.Context) (oatf.Value, error) {
			return nil, fmt.Errorf("wrapped: %w", &oatf.EvaluationError{Kind: oatf.EvaluationUnsupportedMethod, Message: "no such function"})
		}, oatf.EvaluationUnsupportedMethod},
		"a nil error of the type": {func(context.Context) (oatf.Value, error) {
			var none *oatf.EvaluationError
			return nil, none
		}, oatf.EvaluationCELError},
	} {
		if got := kind(expressionOn(nil, c.cel)); got != c.want {
			t.Errorf("%s: %s, expected %s", name, got, c.want)
		}
	}
	i := oatf.Indicator{ID: new("x"), Surface: new(oatf.Surface("tool_arguments")), Semantic: &oatf.SemanticMatch{Target: new(""), Intent: "any"}}
	for name, f := range map[string]callSemantic{
		"a panic":  func(context.Context) (float64, error) { panic(errors.New("boom")) },
		"an error": func(context.Context) (float64, error) { return 1, errors.New("boom") },
		"too much": func(context.Context) (float64, error) { return 1.5, nil },
	} {
		if got := kind(eval.EvaluateIndicator(&i, nil, nil, f)); got != oatf.EvaluationSemanticError {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestLongDiagnostics: an evaluator cannot make a verdict long, nor a terminal act.
func TestLongDiagnostics(t *testing.T) {
	v := expressionOn(nil, func(context.Context) (oatf.Value, error) {
		return nil, errors.New("\x1b[2J" + strings.Repeat("long ", 1<<20))
	})
	if len(v.Evidence) > 4<<10 || strings.ContainsRune(v.Evidence, '\x1b') {
		t.Errorf("evidence of %d bytes: %.80q", len(v.Evidence), v.Evidence)
	}
}

// TestContexts: an evaluation that ends early has no verdict but an error, with what was
// found before.
func TestContexts(t *testing.T) {
	doc := &oatf.Document{Attack: oatf.Attack{Indicators: []oatf.Indicator{
		{Surface: new(oatf.Surface("tool_arguments")), Pattern: &oatf.PatternMatch{Target: new("a"), Condition: &oatf.Condition{Value: "x"}}},
		{Surface: new(oatf.Surface("tool_arguments")), Expression: &oatf.ExpressionMatch{CEL: "true"}},
		{Surface: new(oatf.Surface("tool_arguments")), Semantic: &oatf.SemanticMatch{Target: new("a"), Intent: "any"}},
	}}}
	message := &capture.Message{Value: oatf.Object{{Key: "a", Value: "x"}}}
	for name, opt := range map[string]func(cancel func()) eval.Options{
		"by the first": func(cancel func()) eval.Options {
			return eval.Options{CEL: callCEL(func(ctx context.Context) (oatf.Value, error) {
				cancel()
				return nil, ctx.Err()
			})}
		},
		"by the second": func(cancel func()) eval.Options {
			return eval.Options{Semantic: callSemantic(func(ctx context.Context) (float64, error) {
				cancel()
				return 0, errors.New("interrupted")
			})}
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		e, err := eval.NewEvaluator(doc, opt(cancel))
		if err != nil {
			t.Fatal(err)
		}
		run := e.Start()
		if err := run.Take(ctx, message); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		v := run.Finish()
		if v.Result != eval.AttackError || v.IndicatorVerdicts[0].Result != eval.Matched || v.EvaluationSummary.Error != 1 {
			t.Errorf("%s: %+v", name, v)
		}
		if err := e.Start().Take(ctx, message); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, afterwards: %v", name, err)
		}
		i := &doc.Attack.Indicators[0]
		if v, err := eval.EvaluateIndicatorContext(ctx, i, message.Value, nil, nil); err == nil || v.Result != eval.Error {
			t.Errorf("%s: %v %+v", name, err, v)
		}
	}
}

// TestOptions checks clock, source, and verdicts without the text of messages.
func TestOptions(t *testing.T) {
	doc := &oatf.Document{Attack: oatf.Attack{Indicators: []oatf.Indicator{
		{Surface: new(oatf.Surface("tool_arguments")), Pattern: &oatf.PatternMatch{Target: new("a"), Condition: &oatf.Condition{Operators: &oatf.MatchCondition{Contains: new("s")}}}},
		{Surface: new(oatf.Surface("tool_arguments")), Pattern: &oatf.PatternMatch{Target: new(""), Condition: &oatf.Condition{Operators: &oatf.MatchCondition{Exists: new(true)}}}},
		{Surface: new(oatf.Surface("tool_arguments")), Expression: &oatf.ExpressionMatch{CEL: "duration(message.a) == duration('1s')"}},
		{Surface: new(oatf.Surface("tool_arguments")), Semantic: &oatf.SemanticMatch{Target: new("a"), Intent: "any"}},
		{Surface: new(oatf.Surface("tool_arguments")), Semantic: &oatf.SemanticMatch{Target: new("a"), Intent: "any", Threshold: new(0.4)}},
	}}}
	const secret = "hunter2 secret"
	semantic := callSemantic(func(context.Context) (float64, error) { return 0.5, nil })
	e, err := eval.NewEvaluator(doc, eval.Options{
		CEL: eval.NewCEL(eval.CELOptions{}), Semantic: semantic, Clock: midnight, Source: "test/1", NoEvidenceText: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	run := e.Start()
	if err := run.Take(t.Context(), &capture.Message{Value: oatf.Object{{Key: "a", Value: secret}}, Index: 3, Input: 1, Line: 7, Method: "m"}); err != nil {
		t.Fatal(err)
	}
	v := run.Finish()
	if text := fmt.Sprintf("%+v", v); strings.Contains(text, "hunter2") {
		t.Error(text)
	}
	for i, want := range []eval.IndicatorResult{eval.Matched, eval.Matched, eval.Error, eval.NotMatched, eval.Matched} {
		iv := v.IndicatorVerdicts[i]
		if iv.Result != want || !iv.Timestamp.Equal(midnight()) || iv.Source != "test/1" {
			t.Errorf("indicator %d: %+v", i, iv)
		}
		if p := iv.Place; p == nil || p.Input != 1 || p.Line != 7 || p.MessageIndex != 3 || p.Method != "m" {
			t.Errorf("indicator %d: %+v", i, p)
		}
		if err := iv.Err; err != nil && strings.Contains(err.Error()+fmt.Sprint(err.Cause), "hunter2") {
			t.Error(err)
		}
	}
	if iv := v.IndicatorVerdicts[4]; *iv.Score != 0.5 || iv.Evidence != "score 0.5, threshold 0.4" {
		t.Errorf("%+v", iv)
	}
	if !v.Timestamp.Equal(midnight()) || v.Source != "test/1" {
		t.Errorf("%+v", v)
	}
}

// TestEvidence: whatever matches, the evidence shows it, in at most 200 code points that do
// nothing to a terminal.
func TestEvidence(t *testing.T) {
	pieces := []string{"a", "é", "\U0001f600", "\x1b", "\u202e", "\n", "\\u{1b}", "\xff", "##["}
	for _, around := range pieces {
		for _, n := range []int{0, 1, 50, 98, 99, 100, 101, 200, 5000} {
			for _, needle := range append(pieces, "KEY", strings.Repeat("KEY", 100)) {
				i := oatf.Indicator{Surface: new(oatf.Surface("x")), Pattern: &oatf.PatternMatch{
					Target: new(""), Condition: &oatf.Condition{Operators: &oatf.MatchCondition{Contains: &needle}},
				}}
				text := strings.Repeat(around, n) + needle + strings.Repeat(around, n)
				v := eval.EvaluateIndicator(&i, text, nil, nil)
				switch {
				case v.Result != eval.Matched:
					t.Fatalf("%q in %q: %s", needle, text, v.Result)
				case utf8.RuneCountInString(v.Evidence) > 200 || say.Acts(v.Evidence):
					t.Fatalf("%q around %q: %q", around, needle, v.Evidence)
				case needle == "KEY" && !strings.Contains(v.Evidence, needle):
					t.Fatalf("%q around %q: %q", around, needle, v.Evidence)
				case n <= 1 && len(needle) < 10 && strings.Contains(v.Evidence, say.Ellipsis), n > 200 && !strings.Contains(v.Evidence, say.Ellipsis):
					t.Fatalf("%q %d times around %q: %q", around, n, needle, v.Evidence)
				}
			}
		}
	}
}

// TestManyCircumstances: messages of thousands of methods and actors, some with long names,
// are evaluated like any, in memory for a few of them.
func TestManyCircumstances(t *testing.T) {
	e := evaluatorOf(t, document)
	run := e.Start()
	for i := range 5000 {
		name := fmt.Sprintf("method-%d", i)
		if i%100 == 0 {
			name += strings.Repeat("x", 1000)
		}
		m := &capture.Message{Value: oatf.Object{}, Protocol: "mcp", Method: name, Kind: oatf.MessageKind{Method: name, Role: oatf.RoleRequest}, Actor: name}
		if err := run.Take(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	last := &capture.Message{
		Value:    oatf.Object{{Key: "arguments", Value: oatf.Object{{Key: "path", Value: "id_rsa"}}}},
		Protocol: "mcp", Kind: oatf.MessageKind{Method: "tools/call", Role: oatf.RoleRequest}, Line: 5001,
	}
	if err := run.Take(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	if v := run.Finish(); v.Result != eval.Exploited || v.IndicatorVerdicts[0].Place.Line != 5001 {
		t.Errorf("%+v", v)
	}
}

// TestSeveralGoroutines: one evaluator, and one batch, serve several at once.
func TestSeveralGoroutines(t *testing.T) {
	e := evaluatorOf(t, document)
	batch := eval.NewBatch(e, e)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			text, want := "/tmp", eval.NotExploited
			if i%2 == 1 {
				text, want = "id_rsa", eval.Exploited
			}
			m := &capture.Message{Value: oatf.Object{{Key: "arguments", Value: oatf.Object{{Key: "path", Value: text}}}}}
			for range 50 {
				run := batch.Start()
				alone := e.Start()
				if err := errors.Join(run.Take(context.Background(), m), alone.Take(context.Background(), m)); err != nil {
					t.Error(err)
				}
				for _, v := range append(run.Finish(), alone.Finish()) {
					if v.Result != want {
						t.Errorf("%s: %s", text, v.Result)
					}
				}
			}
		})
	}
	all.Wait()
}

// TestSelection says what the indicators of a document look at.
func TestSelection(t *testing.T) {
	e := evaluatorOf(t, `
oatf: "0.1"
attack:
  execution: {mode: mcp_server, state: {tools: []}}
  indicators:
    - {surface: tool_description, pattern: {contains: x}}
    - {surface: sampling_request, semantic: {intent: x}}
    - {surface: server_notification, expression: {cel: "true"}}
    - {surface: sampling_request, expression: {cel: "true"}}
    - {surface: of_another_world, pattern: {target: "", contains: x}}
`)
	want := []string{
		"indicator-01 mcp tool_description [tools/list response] pattern tools[*].description ",
		"indicator-02 mcp sampling_request [sampling/createMessage request] semantic params params",
		"indicator-03 mcp server_notification [notifications/* notification] expression - params",
		"indicator-04 mcp sampling_request [sampling/createMessage request] expression - ",
		"indicator-05 mcp of_another_world [] pattern  ",
	}
	for i, s := range e.Selection() {
		target := "-"
		if s.Target != nil {
			target = *s.Target
		}
		if got := fmt.Sprintf("%s %s %s %v %s %s %s", s.IndicatorID, s.Protocol, s.Surface, s.Kinds, s.Method, target, s.Envelope); got != want[i] {
			t.Errorf("%q, expected %q", got, want[i])
		}
	}
}

// TestNowIsNow: without a clock the time is that of the machine.
func TestNowIsNow(t *testing.T) {
	before := time.Now()
	v := expressionOn(nil, func(context.Context) (oatf.Value, error) { return true, nil })
	if v.Timestamp.Before(before) || v.Timestamp.After(time.Now()) || !strings.HasPrefix(v.Source, "cupel/") {
		t.Errorf("%+v", v)
	}
}
