package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
)

// TestLargeExpressions: regular expressions that would take memory or time without end are
// errors, and do not touch the others.
func TestLargeExpressions(t *testing.T) {
	doc := &oatf.Document{}
	for i, regex := range []string{"[a-z]{900}", "a+$", "[b-z]{900}", "b*", "(?:.*a){100}!x"} {
		doc.Attack.Indicators = append(doc.Attack.Indicators, oatf.Indicator{
			ID: new(fmt.Sprint(i)), Surface: new(oatf.Surface("x")), Pattern: &oatf.PatternMatch{Target: new(""), Shorthand: &oatf.MatchCondition{Regex: &regex}},
		})
	}
	budget := NewBudget()
	first := &oatf.Condition{Operators: doc.Attack.Indicators[0].Pattern.Shorthand}
	last := doc.Attack.Indicators[4].Pattern
	rest := regexSize(first) + regexSize(&oatf.Condition{Operators: last.Shorthand}) + 20
	budget.spent.Store(int64(mostInstructions - rest))
	e := newEvaluator(doc, Options{Budget: budget})
	run := e.Start()
	text := "!x" + strings.Repeat("a", expression.MaxSteps/400) // what the last expression asks for, in the wrong place
	if err := run.Take(t.Context(), &capture.Message{Value: text}); err != nil {
		t.Fatal(err)
	}
	verdicts := run.Finish().IndicatorVerdicts
	for i, want := range []oatf.EvaluationErrorKind{oatf.EvaluationRegexTimeout, "", oatf.EvaluationTypeError, "", oatf.EvaluationRegexTimeout} {
		v := verdicts[i]
		switch {
		case want == "" && v.Result != Matched, want != "" && (v.Result != Error || v.Err.Kind != want):
			t.Errorf("indicator %d: %s, %s", i, v.Result, v.Evidence)
		}
	}
	if matched, err := EvaluatePattern(last, text); matched || err == nil {
		t.Errorf("%v, %v", matched, err)
	}
	if matched, err := EvaluatePattern(last, text[:1000]+"!x"); !matched || err != nil {
		t.Errorf("%v, %v", matched, err)
	}
	every := &oatf.PatternMatch{Target: new("t[*]"), Shorthand: last.Shorthand}
	message := oatf.Object{{Key: "t", Value: []oatf.Value{text, text[:1000] + "!x"}}}
	if matched, err := EvaluatePattern(every, message); !matched || err != nil {
		t.Errorf("a match beside a text that is too long: %v, %v", matched, err)
	}
}
