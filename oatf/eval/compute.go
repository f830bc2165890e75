package eval

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// ComputeVerdict combines indicator verdicts by id with the attack's correlation logic (§4.5):
//
//	             any                       all
//	an error     error                     error
//	all skipped  error                     error
//	all matched  exploited                 exploited
//	one matched  exploited                 partial
//	none matched not_exploited             not_exploited
//
// A missing verdict counts as skipped. An attack without indicators, an invalid correlation logic and an invalid
// verdict are errors. Verdicts with unknown ids are ignored, with a diagnostic. An indicator without an id has the
// one from Normalize. The verdict's time is now; indicator verdicts are kept unchanged.
func ComputeVerdict(a *oatf.Attack, verdicts map[string]IndicatorVerdict) AttackVerdict {
	var diagnostics []oatf.Diagnostic
	known := make(map[string]bool, len(a.Indicators))
	list := make([]IndicatorVerdict, len(a.Indicators))
	for i := range a.Indicators {
		id := indicatorID(a, i)
		known[id] = true
		list[i] = given(verdicts, id)
	}
	for _, id := range slices.Sorted(maps.Keys(verdicts)) {
		if !known[id] {
			diagnostics = append(diagnostics, foreignVerdict.of("", fmt.Sprintf(
				"the verdict for %s is ignored: the document has no such indicator", say.Quoted(id))))
		}
	}
	now := time.Now().UTC()
	return combine(a, list, diagnostics, &now, new(Options).source())
}

func given(verdicts map[string]IndicatorVerdict, id string) IndicatorVerdict {
	v, ok := verdicts[id]
	v.IndicatorID = id
	switch v.Result {
	case Matched, NotMatched, Error, Skipped:
	default:
		if !ok {
			return IndicatorVerdict{IndicatorID: id, Result: Skipped, Evidence: "no verdict was given for this indicator"}
		}
		v.Evidence = fmt.Sprintf("the verdict's result is %s: expected matched, not_matched, error or skipped", say.Quoted(string(v.Result)))
		v.Result = Error
	}
	return v
}

// indicatorID returns the id of an attack's indicator, or the one that Normalize would set.
func indicatorID(a *oatf.Attack, i int) string {
	return view.IndicatorID(&a.Indicators[i], i+1, a.ID)
}

// combine builds the attack's verdict from those of its indicators, in order.
func combine(a *oatf.Attack, list []IndicatorVerdict, diagnostics []oatf.Diagnostic, now *time.Time, source string) AttackVerdict {
	v := AttackVerdict{AttackID: a.ID, IndicatorVerdicts: list, Timestamp: now, Source: source, Diagnostics: diagnostics}
	for i := range list {
		v.EvaluationSummary.count(list[i].Result)
	}
	logic := model.CorrelationAny
	if a.Correlation != nil && a.Correlation.Logic != nil {
		logic = *a.Correlation.Logic
	}
	v.Result = v.EvaluationSummary.result(logic)
	if v.Result != NotExploited {
		v.MaxTier = maxTier(a, list)
	}
	switch {
	case len(list) == 0:
		v.Diagnostics = append(v.Diagnostics, noIndicators.of("attack.indicators", "the document has no indicators: there is nothing to evaluate"))
	case logic != model.CorrelationAny && logic != model.CorrelationAll:
		v.Result = AttackError
		v.Diagnostics = append(v.Diagnostics, unknownLogic.of("attack.correlation.logic", fmt.Sprintf(
			"the correlation logic is %s: expected any or all", say.Quoted(string(logic)))))
	case v.EvaluationSummary.Skipped == len(list):
		v.Diagnostics = append(v.Diagnostics, nothingEvaluated.of("attack.indicators", "no indicator was evaluated: this is not a pass"))
	}
	return v
}

func maxTier(a *oatf.Attack, list []IndicatorVerdict) string {
	highest := -1
	for i := range list {
		if tier := a.Indicators[i].Tier; tier != nil && list[i].Result == Matched {
			highest = max(highest, slices.Index(vocabulary.Tiers, *tier))
		}
	}
	if highest < 0 {
		return ""
	}
	return vocabulary.Tiers[highest]
}
