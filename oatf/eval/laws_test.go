package eval_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// midnight returns the only time in these tests.
func midnight() time.Time { return time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC) }

// TestRunsHold draws documents and plain messages, and compares with §4.2 to §4.4 and the
// rule for runs, word for word: whatever the documents are evaluated together with, and
// whatever the order of the messages.
func TestRunsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SliceOfN(rapid.Custom(drawMessage), 0, 4).Draw(t, "messages")
		var docs []*oatf.Document
		var all []*eval.Evaluator
		for range rapid.IntRange(1, 3).Draw(t, "documents") {
			doc := &oatf.Document{}
			doc.Attack.Indicators = rapid.SliceOfN(rapid.Custom(drawIndicator), 0, 6).Draw(t, "indicators")
			e, err := eval.NewEvaluator(doc, eval.Options{Semantic: oracle{}, Clock: midnight})
			if err != nil {
				t.Fatal(err)
			}
			docs, all = append(docs, doc), append(all, e)
		}
		batch := eval.NewBatch(all...).Start()
		for i, m := range messages {
			if err := batch.Take(t.Context(), &capture.Message{Value: m, Index: i}); err != nil {
				t.Fatal(err)
			}
		}
		together := batch.Finish()
		for i, doc := range docs {
			alone := verdictOf(t, all[i], messages)
			if !reflect.DeepEqual(alone, together[i]) {
				t.Fatalf("alone\n%s, together\n%s", shown(alone), shown(together[i]))
			}
			turned := slices.Clone(messages)
			slices.Reverse(turned)
			back := verdictOf(t, all[i], turned)
			for k := range doc.Attack.Indicators {
				want := naiveRun(&doc.Attack.Indicators[k], messages)
				if got := alone.IndicatorVerdicts[k].Result; got != want {
					t.Fatalf("indicator %d of document %d: %s, expected %s", k, i, got, want)
				}
				if got := back.IndicatorVerdicts[k].Result; got != want {
					t.Fatalf("indicator %d of document %d, the last message first: %s, expected %s", k, i, got, want)
				}
			}
		}
	})
}

func verdictOf(t *rapid.T, e *eval.Evaluator, messages []oatf.Value) eval.AttackVerdict {
	run := e.Start()
	for i, m := range messages {
		if err := run.Take(t.Context(), &capture.Message{Value: m, Index: i}); err != nil {
			t.Fatal(err)
		}
	}
	return run.Finish()
}

// TestIndicatorsHold compares the functions for one message with the same words.
func TestIndicatorsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, m := drawIndicator(t), drawMessage(t)
		want := naiveRun(&i, []oatf.Value{m})
		if got := eval.EvaluateIndicator(&i, m, nil, oracle{}); got.Result != want {
			t.Fatalf("%s, expected %s", got.Result, want)
		}
		if i.Pattern == nil {
			return
		}
		switch matched, err := eval.EvaluatePattern(i.Pattern, m); {
		case err != nil && want != eval.Error, err == nil && matched != (want == eval.Matched):
			t.Fatalf("the pattern: %v, %v, expected %s", matched, err, want)
		}
	})
}

var (
	drawnTexts   = []string{"", "a", "ab", "ba", "abab", "0.7", "0.2", "fail"}
	drawnTargets = []string{"", "a", "b", "a.b", "a[*]", "a[*].b", "b[*]", "a..b"}
)

func drawMessage(t *rapid.T) oatf.Value { return drawnValue(t, 3) }

func drawnValue(t *rapid.T, depth int) oatf.Value {
	switch kind := rapid.IntRange(0, 8).Draw(t, "kind"); {
	case kind == 0:
		return nil
	case kind == 1:
		return oatf.Number(rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "number"))
	case kind < 5 || depth == 0:
		return rapid.SampledFrom(drawnTexts).Draw(t, "text")
	case kind == 5:
		list := []oatf.Value{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			list = append(list, drawnValue(t, depth-1))
		}
		return list
	}
	object := oatf.Object{}
	for _, key := range []string{"a", "b"} {
		if rapid.Bool().Draw(t, key) {
			object = append(object, oatf.Member{Key: key, Value: drawnValue(t, depth-1)})
		}
	}
	return object
}

func drawIndicator(t *rapid.T) oatf.Indicator {
	target := rapid.SampledFrom(drawnTargets).Draw(t, "target")
	i := oatf.Indicator{Surface: new(oatf.Surface("tool_arguments"))}
	switch rapid.IntRange(0, 9).Draw(t, "method") {
	case 0:
		i.Semantic = &oatf.SemanticMatch{Target: &target, Intent: "any"}
	case 1:
		i.Expression = &oatf.ExpressionMatch{CEL: "true"} // without an evaluator
	case 2: // no method
	default:
		i.Pattern = &oatf.PatternMatch{Target: &target, Condition: drawCondition(t)}
	}
	return i
}

func drawCondition(t *rapid.T) *oatf.Condition {
	if rapid.IntRange(0, 3).Draw(t, "bare") == 0 {
		return &oatf.Condition{Value: drawnValue(t, 1)}
	}
	o := &oatf.MatchCondition{}
	for i, operator := range []**string{&o.Contains, &o.StartsWith, &o.EndsWith, &o.Regex} {
		if rapid.IntRange(0, 3).Draw(t, fmt.Sprint("operator ", i)) == 0 {
			*operator = new(rapid.SampledFrom(drawnTexts).Draw(t, "operand"))
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "gt") == 0 {
		o.GT = new(oatf.Number("1"))
	}
	if rapid.IntRange(0, 5).Draw(t, "exists") == 0 {
		o.Exists = new(rapid.Bool().Draw(t, "is there"))
	}
	if reflect.ValueOf(*o).IsZero() {
		o.Contains = new("a")
	}
	return &oatf.Condition{Operators: o}
}

// naiveRun returns the rule for runs: any match, else any error, else anything evaluated.
func naiveRun(i *oatf.Indicator, messages []oatf.Value) eval.IndicatorResult {
	if i.Pattern == nil && i.Expression == nil && i.Semantic == nil ||
		i.Pattern != nil && *i.Pattern.Target == "a..b" || i.Semantic != nil && *i.Semantic.Target == "a..b" {
		return eval.Error // it cannot be compiled
	}
	seen := map[eval.IndicatorResult]bool{}
	for _, m := range messages {
		seen[naiveVerdict(i, m)] = true
	}
	for _, r := range []eval.IndicatorResult{eval.Matched, eval.Error, eval.NotMatched} {
		if seen[r] {
			return r
		}
	}
	return eval.Skipped
}

// naiveVerdict is §4.4 for one message.
func naiveVerdict(i *oatf.Indicator, m oatf.Value) eval.IndicatorResult {
	matched := false
	switch {
	case i.Expression != nil:
		return eval.Skipped
	case i.Pattern != nil:
		for _, v := range naiveValues(*i.Pattern.Target, m) {
			matched = matched || naiveHolds(i.Pattern.Condition, v)
		}
	default:
		for _, v := range naiveValues(*i.Semantic.Target, m) {
			if v == oatf.Value("fail") {
				return eval.Error
			}
			matched = matched || v == oatf.Value("0.7") || v == oatf.Number("1") // 2 and 3 are not scores
			if v == oatf.Number("2") || v == oatf.Number("3") {
				return eval.Error
			}
		}
	}
	if matched {
		return eval.Matched
	}
	return eval.NotMatched
}

func naiveValues(path string, v oatf.Value) (values []oatf.Value) {
	if path == "" {
		return []oatf.Value{v}
	}
	first, rest, _ := strings.Cut(path, ".")
	name, fan := strings.CutSuffix(first, "[*]")
	object, _ := v.(oatf.Object)
	for _, member := range object {
		if member.Key != name {
			continue
		}
		if !fan {
			return naiveValues(rest, member.Value)
		}
		list, _ := member.Value.([]oatf.Value)
		for _, element := range list {
			values = append(values, naiveValues(rest, element)...)
		}
	}
	return values
}

func naiveHolds(c *oatf.Condition, v oatf.Value) bool {
	if c.Operators == nil {
		return reflect.DeepEqual(c.Value, v) // keys are drawn in one order, numbers in one spelling
	}
	o := c.Operators
	text, isText := v.(string)
	number, isNumber := v.(oatf.Number)
	return (o.Contains == nil || isText && strings.Contains(text, *o.Contains)) &&
		(o.StartsWith == nil || isText && strings.HasPrefix(text, *o.StartsWith)) &&
		(o.EndsWith == nil || isText && strings.HasSuffix(text, *o.EndsWith)) &&
		(o.Regex == nil || isText && regexp.MustCompile(*o.Regex).MatchString(text)) &&
		(o.GT == nil || isNumber && number > *o.GT) &&
		(o.Exists == nil || *o.Exists)
}
