package metacmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/selftest"
	"github.com/cupel-dev/cupel/trace"
)

// suiteJSON is an element of "suites".
type suiteJSON struct {
	Name     string   `json:"name"`
	Cases    int      `json:"cases"`
	Failures []string `json:"failures"`
}

type selftestSummary struct {
	Suites int `json:"suites"`
	Cases  int `json:"cases"`
	Failed int `json:"failed"`
}

// Selftest is `cupel selftest`.
var Selftest = app.Spec[struct{}]{
	Name:     "selftest",
	Usage:    "run the built-in test cases on this machine, with both engines",
	Examples: []string{"cupel selftest", "cupel selftest --format json", "cupel selftest --quiet && echo sound"},
	About:    cmdline.About{Docs: []string{"engines"}},
	Report: report.Run{
		Command: "selftest", Schema: "cupel.selftest/1", Lists: []string{"suites"}, Outcomes: []string{"ok", "FAILED"},
		Baseline:  "a failed check still fails",
		NotProved: []string{"what no built-in case asks"},
	},
	Run: runSelftest,
}

func runSelftest(_ context.Context, r *app.Run, _ struct{}) error {
	var sum selftestSummary
	for _, s := range append(selftest.Core(canonicalForms()), contentHashes()) {
		sum.Suites++
		sum.Cases += s.Cases
		if len(s.Failures) > 0 {
			sum.Failed++
			r.Out.No()
		}
		if err := r.Out.Answer(suiteAnswer(s)); err != nil {
			return err
		}
	}
	r.Summary = closeSelftest(sum)
	return nil
}

func canonicalForms() (forms []selftest.Form) {
	for _, name := range trace.CanonicalForms() {
		forms = append(forms, selftest.Form{
			Name:  name,
			Write: func(text []byte) ([]byte, error) { return trace.Canonicalize(name, text) },
		})
	}
	return forms
}

// contentHashes hashes the evidence rules' examples with both engines and checks the good ones' recorded hashes.
func contentHashes() selftest.Suite {
	s := selftest.Suite{Name: "content hashes, both engines"}
	hasher := evidence.NewHasher(evidence.Options{Engine: evidence.Both})
	for _, rule := range evidence.Rules() {
		for _, example := range []string{rule.Bad, rule.Good} {
			if example == "" {
				continue
			}
			s.Cases++
			event, err := hasher.Hash([]byte(example))
			if err != nil {
				s.Failures = append(s.Failures, fmt.Sprintf("example of %s: %v", rule.ID, err))
			} else if example == rule.Good && event.Match == evidence.Different {
				s.Failures = append(s.Failures, fmt.Sprintf("good example of %s: another hash than recorded", rule.ID))
			}
		}
	}
	return s
}

func suiteAnswer(s selftest.Suite) report.Answer {
	a := report.Answer{
		List: "suites", Value: suiteJSON{s.Name, s.Cases, append([]string{}, s.Failures...)},
		Subject: s.Name, Scope: []string{fmt.Sprintf("%d cases", s.Cases)}, Outcome: report.Outcome{Weight: report.Good, Word: "ok"},
	}
	if len(s.Failures) > 0 {
		a.Outcome = report.Outcome{Weight: report.Bad, Word: "FAILED", Reason: strings.Join(s.Failures, "\n")}
	}
	return a
}

func closeSelftest(sum selftestSummary) report.Summary {
	if sum.Failed > 0 {
		text := fmt.Sprintf("%d of %d suites failed: this build must not be trusted on this machine", sum.Failed, sum.Suites)
		return report.Summary{Value: sum, Text: text, Weight: report.Bad}
	}
	text := fmt.Sprintf("%d cases in %d suites hold", sum.Cases, sum.Suites)
	return report.Summary{Value: sum, Text: text, Weight: report.Good}
}
