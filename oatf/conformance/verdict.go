package conformance

import (
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/model"
)

// runVerdict runs cases whose input is the ids of an attack's indicators, its logic and verdicts, and whose
// expected value is the result and possibly the counts.
func runVerdict(c *Case, f fixture) {
	input, _ := f.input.(oatf.Object)
	attack := &oatf.Attack{Indicators: []oatf.Indicator{}}
	if logic := model.CorrelationLogic(textOf(input, "correlation_logic")); logic != "" {
		attack.Correlation = &oatf.Correlation{Logic: &logic}
	}
	for _, indicator := range objects(input, "indicators") {
		id := textOf(indicator, "id")
		attack.Indicators = append(attack.Indicators, oatf.Indicator{ID: &id})
	}
	verdicts := map[string]eval.IndicatorVerdict{}
	for _, v := range objects(input, "verdicts") {
		verdicts[textOf(v, "indicator_id")] = eval.IndicatorVerdict{Result: eval.IndicatorResult(textOf(v, "result"))}
	}
	verdict := eval.ComputeVerdict(attack, verdicts)
	got := oatf.Object{{Key: "result", Value: string(verdict.Result)}}
	want, _ := f.expected.(oatf.Object)
	if _, some := want.Get("evaluation_summary"); some {
		got = append(got, oatf.Member{Key: "evaluation_summary", Value: counts(verdict.EvaluationSummary)})
	}
	c.answers(f.expected, got)
}

func counts(s eval.EvaluationSummary) oatf.Object {
	return oatf.Object{
		{Key: "matched", Value: integer(int64(s.Matched))},
		{Key: "not_matched", Value: integer(int64(s.NotMatched))},
		{Key: "error", Value: integer(int64(s.Error))},
		{Key: "skipped", Value: integer(int64(s.Skipped))},
	}
}

// objects returns the elements of a member that is a list of objects.
func objects(o oatf.Object, key string) []oatf.Object {
	v, _ := o.Get(key)
	list, _ := v.([]oatf.Value)
	out := make([]oatf.Object, len(list))
	for i, item := range list {
		out[i], _ = item.(oatf.Object)
	}
	return out
}
