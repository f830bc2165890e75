package eval_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// attackOf makes an attack with indicators of the ids i-01, i-02, …; logic "-" means without logic.
func attackOf(logic string, indicators int) *oatf.Attack {
	a := &oatf.Attack{ID: new("ACME-001"), Indicators: make([]oatf.Indicator, indicators)}
	for i := range a.Indicators {
		a.Indicators[i].ID = new(fmt.Sprintf("i-%02d", i+1))
	}
	if logic != "-" {
		a.Correlation = &oatf.Correlation{Logic: new(model.CorrelationLogic(logic))}
	}
	return a
}

// TestVerdicts runs the table of verdicts.
func TestVerdicts(t *testing.T) {
	text, err := os.ReadFile("testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		count++
		logic, results, want := fields[0], fields[1:len(fields)-1], fields[len(fields)-1]
		a := attackOf(logic, 0)
		verdicts := map[string]eval.IndicatorVerdict{}
		for _, r := range results {
			switch r {
			case "absent-list":
				a.Indicators = nil
			case "empty-list":
			case "foreign":
				verdicts["elsewhere"] = eval.IndicatorVerdict{Result: eval.Matched}
			default:
				id := fmt.Sprintf("i-%02d", len(a.Indicators)+1)
				a.Indicators = append(a.Indicators, oatf.Indicator{ID: &id})
				if r != "absent" {
					verdicts[id] = eval.IndicatorVerdict{Result: eval.IndicatorResult(r)}
				}
			}
		}
		got := eval.ComputeVerdict(a, verdicts)
		if string(got.Result) != want {
			t.Errorf("%s: %s", strings.TrimSpace(line), got.Result)
		}
		if slices.Contains(results, "foreign") != slices.ContainsFunc(got.Diagnostics, coded("E-004")) {
			t.Errorf("%s: diagnostics %v", strings.TrimSpace(line), got.Diagnostics)
		}
	}
	if count < 40 {
		t.Fatalf("only %d rows", count)
	}
}

func coded(code string) func(oatf.Diagnostic) bool {
	return func(d oatf.Diagnostic) bool { return d.Code == code }
}

// TestVerdictsOfAll goes through every attack of up to four indicators and every result
// of each, and compares with the sentences of §4.5, one after the other.
func TestVerdictsOfAll(t *testing.T) {
	const absent = eval.IndicatorResult("")
	results := []eval.IndicatorResult{eval.Matched, eval.NotMatched, eval.Error, eval.Skipped, absent}
	count := 0
	var grow func([]eval.IndicatorResult)
	grow = func(list []eval.IndicatorResult) {
		for _, logic := range []string{"-", "any", "all"} {
			count++
			checkVerdict(t, logic, list)
		}
		if len(list) < 4 {
			for _, r := range results {
				grow(append(slices.Clone(list), r))
			}
		}
	}
	grow(nil)
	if count != 3*(1+5+25+125+625) {
		t.Fatalf("%d attacks", count)
	}
}

func checkVerdict(t *testing.T, logic string, list []eval.IndicatorResult) {
	t.Helper()
	a := attackOf(logic, len(list))
	verdicts := map[string]eval.IndicatorVerdict{}
	seen := make([]string, len(list)) // with what is absent as skipped
	for i, r := range list {
		seen[i] = string(r)
		if r == "" {
			seen[i] = "skipped"
			continue
		}
		verdicts[*a.Indicators[i].ID] = eval.IndicatorVerdict{Result: r, Evidence: fmt.Sprint(i)}
	}
	got := eval.ComputeVerdict(a, verdicts)
	if want := sentences(logic, seen); string(got.Result) != want {
		t.Errorf("%s of %v: %s, expected %s", logic, list, got.Result, want)
	}
	s := got.EvaluationSummary
	of := func(r string) int {
		return len(slices.DeleteFunc(slices.Clone(seen), func(x string) bool { return x != r }))
	}
	if want := (eval.EvaluationSummary{Matched: of("matched"), NotMatched: of("not_matched"), Error: of("error"), Skipped: of("skipped")}); s != want {
		t.Errorf("%v: summary %+v, expected %+v", list, s, want)
	}
	if s.Matched+s.NotMatched+s.Error+s.Skipped != len(list) || len(got.IndicatorVerdicts) != len(list) {
		t.Errorf("%v: %d verdicts, summary %+v", list, len(got.IndicatorVerdicts), s)
	}
	for i, v := range got.IndicatorVerdicts {
		if v.IndicatorID != *a.Indicators[i].ID || string(v.Result) != seen[i] || (list[i] != "") != (v.Evidence == fmt.Sprint(i)) {
			t.Errorf("%v: verdict %d is %+v", list, i, v)
		}
	}
	if got.AttackID != a.ID || got.Timestamp == nil || !strings.HasPrefix(got.Source, "cupel/") {
		t.Errorf("%v: %+v", list, got)
	}
}

// sentences is §4.5 in its own words.
func sentences(logic string, results []string) string {
	all := func(allowed ...string) bool {
		for _, r := range results {
			if !slices.Contains(allowed, r) {
				return false
			}
		}
		return true
	}
	any := func(r string) bool { return slices.Contains(results, r) }
	if len(results) == 0 || all("skipped") || any("error") {
		return "error"
	}
	if logic != "all" {
		if any("matched") {
			return "exploited"
		}
		return "not_exploited"
	}
	switch {
	case all("matched"):
		return "exploited"
	case any("matched") && (any("not_matched") || any("skipped")):
		return "partial"
	case all("not_matched", "skipped"):
		return "not_exploited"
	}
	return "no sentence"
}

// TestVerdictWithoutIDs: indicators without an id go by the ones that Normalize gives.
func TestVerdictWithoutIDs(t *testing.T) {
	a := &oatf.Attack{Indicators: make([]oatf.Indicator, 2)}
	v := eval.ComputeVerdict(a, map[string]eval.IndicatorVerdict{"indicator-02": {Result: eval.Matched}})
	if v.Result != eval.Exploited || v.IndicatorVerdicts[0].IndicatorID != "indicator-01" || v.AttackID != nil {
		t.Errorf("%+v", v)
	}
	if a.Indicators[0].ID != nil {
		t.Error("the attack has changed")
	}
	a.ID = new("ACME-007")
	if v := eval.ComputeVerdict(a, nil); v.IndicatorVerdicts[1].IndicatorID != "ACME-007-02" {
		t.Errorf("%+v", v)
	}
}
