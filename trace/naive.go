package trace

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/trace/internal/second"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// MaxNaiveBytes limits the logs, plans and manifests that Reference and Both check a second time, in memory.
// Report.NotCovered lists larger ones, arrays and growing logs.
const MaxNaiveBytes = second.MaxBytes

// again checks the rules with the second engine, if requested, and reports it if that is impossible. It returns a
// *DisagreementError, a read error or ctx's error.
func (v *verification) again(ctx context.Context, read stream.Input, found familyChecker, outcome *stream.Outcome, r *Report) error {
	if v.log == nil {
		return nil
	}
	why, err := v.judgeAgain(ctx, read, found, outcome)
	if why != "" {
		r.NotCovered = append(r.NotCovered, onlyOnce(why))
	}
	return err
}

// judgeAgain compares the result with the second engine's. why is the reason if that is impossible.
func (v *verification) judgeAgain(ctx context.Context, read stream.Input, found familyChecker, outcome *stream.Outcome) (why string, err error) {
	said, info, warnings, errors := v.findings.Close()
	switch array, ok := read.(interface{ IsArray() bool }); {
	case v.opt.growing():
		return "the log is still growing", nil
	case ok && array.IsArray():
		return "the log is one array", nil
	case v.log.more:
		return fmt.Sprintf("the log has more than %d bytes", MaxNaiveBytes), nil
	case found.beside != nil && found.beside.captureReader != nil && found.beside.captureReader.more:
		return fmt.Sprintf("the plan has more than %d bytes", MaxNaiveBytes), nil
	case v.limits.IDs < MaxNaiveBytes:
		return fmt.Sprintf("--max-ids is below %d", MaxNaiveBytes), nil
	case info+warnings+errors > len(said):
		return "findings beyond --max-findings were only counted", nil
	}
	answer, err := v.second.Judge(ctx, v.question(found.beside))
	if err != nil || answer.Unable != "" {
		return answer.Unable, err
	}
	return "", v.differ(answer, second.Answer{
		Family: string(found.family), Verdict: string(verdictOf(v.findings)), Integrity: string(outcome.Integrity),
		Class: string(outcome.EvidenceClass), Statements: statementsOf(said, answer.Rules),
	})
}

// onlyOnce returns a message that the rules were not checked a second time.
func onlyOnce(why string) string {
	return "the rules a second time: one implementation alone checked them, since " + why
}

func (v *verification) question(beside *companions) second.Question {
	o := &v.opt
	q := second.Question{
		Log: v.log.text, LineBytes: v.limits.LineBytes, Depth: v.limits.Depth, Keys: v.limits.Keys,
		Expected: second.Expected{SHA256: strings.TrimPrefix(o.ExpectSHA256, "sha256:"), Count: o.Session.ExpectCount, Head: o.Session.ExpectHead},
		Reasoning: second.ReasoningQuestion{
			Versions: o.Reasoning.SchemaVersions, Strict: o.Strict, Contiguous: o.Reasoning.Contiguous,
			Aliases: o.Reasoning.AcceptAliases, CheckIDs: o.Reasoning.CheckIDs, Manifest: o.Reasoning.Manifest,
		},
		Session: second.SessionQuestion{
			IntegrityOnly: o.Session.IntegrityOnly, StrictPayload: o.Session.StrictPayload, Canonicalization: o.Session.Canonicalization, HMACKey: o.Session.HMACKey, TrustedKeys: o.Session.TrustedKeys,
		},
	}
	if a := o.Anchor; a != nil {
		q.Expected.Prefix = &second.Prefix{Bytes: a.Bytes, SHA256: a.SHA256, Events: a.Events, Head: a.Head}
	}
	if beside != nil {
		q.Reasoning.Plan, q.Reasoning.Run, q.Reasoning.Evidence = beside.captureReader.whole(), beside.run, beside.evidence
	}
	return q
}

// statementsOf converts findings on the given rules to the second engine's form.
func statementsOf(findings []Finding, rules []string) (list []second.Statement) {
	for _, f := range findings {
		s := second.Statement{Rule: f.Rule, Severity: f.Severity.String(), Line: f.Line}
		if strings.HasPrefix(f.Rule, second.Line+".") {
			s.Rule = second.Line
		}
		if f.File != "" { // a companion's
			s.Line = 0
		}
		if slices.Contains(rules, s.Rule) {
			list = append(list, s)
		}
	}
	return list
}

// differ returns a *DisagreementError if the answers differ.
func (v *verification) differ(other, own second.Answer) error {
	type pair struct{ what, own, other string }
	judgements := []pair{{"integrity", own.Integrity, other.Integrity}, {"evidence class", own.Class, other.Class}}
	if other.Verdict != "" {
		judgements = append(judgements, pair{"verdict", own.Verdict, other.Verdict})
	}
	if own.Family == other.Family {
		if err := differInRules(other.Statements, own.Statements); err != nil {
			return err
		}
	} else {
		judgements = []pair{{"family", own.Family, other.Family}}
	}
	for _, j := range judgements {
		if j.own != j.other {
			return &DisagreementError{0, fmt.Sprintf("the fast one gives the log the %s %q, the reference %q", j.what, j.own, j.other)}
		}
	}
	return nil
}

// differInRules compares statements about single lines and returns the first difference.
func differInRules(other, own []second.Statement) error {
	surplus := map[second.Statement][2]int{}
	for i, list := range [][]second.Statement{own, other} {
		for _, s := range list {
			times := surplus[s]
			times[i]++
			surplus[s] = times
		}
	}
	maps.DeleteFunc(surplus, func(_ second.Statement, times [2]int) bool { return times[0] == times[1] })
	if len(surplus) == 0 {
		return nil
	}
	first := slices.MinFunc(slices.Collect(maps.Keys(surplus)), func(a, b second.Statement) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity))
	})
	times := surplus[first]
	if first.Rule == second.Line {
		first.Rule += ".*"
	}
	return &DisagreementError{first.Line, fmt.Sprintf("the fast one reports %s (%s) %s, the reference %s", first.Rule, first.Severity, often(times[0]), often(times[1]))}
}

func often(n int) string {
	switch n {
	case 0:
		return "not at all"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
