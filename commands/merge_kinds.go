//go:build !js

package commands

import (
	"github.com/cupel-dev/cupel/attest"
	attestcmd "github.com/cupel-dev/cupel/commands/attest"
	checkcmd "github.com/cupel-dev/cupel/commands/check"
	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	oatfcmd "github.com/cupel-dev/cupel/commands/oatf"
	reportcmd "github.com/cupel-dev/cupel/commands/report"
	tracecmd "github.com/cupel-dev/cupel/commands/trace"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
)

func mergeKinds() reportcmd.Kinds {
	return reportcmd.Kinds{
		{Schema: "cupel.trace/1", Counts: mergeCounts["trace"], Command: "trace verify", Rules: rulelist.TraceVerifyRules, Lists: []string{"inputs", input.PassedOverList}, Main: "inputs", Tally: verified},
		{Schema: "cupel.hash/1", Counts: mergeCounts["hash"], Command: "evidence hash", NotProved: evidencecmd.HashRun.NotProved, Rules: rulelist.HashRules, Lists: []string{"events", "inputs", input.PassedOverList}, Main: "inputs", No: reportcmd.Unhashed},
		{Schema: "cupel.evidence/1", Counts: mergeCounts["evidence"], Command: "evidence verify", Rules: rulelist.EvidenceVerifyRules, Lists: []string{"inputs", input.PassedOverList}, Main: "inputs", Tally: tally("file", "inputs", "invalid")},
		{Schema: "cupel.evidence-lint/1", Counts: mergeCounts["evidenceLint"], Command: "evidence lint", NotProved: evidencecmd.LintRun.NotProved, Rules: rulelist.EvidenceLintRules, Lists: []string{"inputs", input.PassedOverList}, Main: "inputs", Tally: tally("file", "inputs", "")},
		{Schema: "cupel.redact/1", Counts: mergeCounts["redact"], Command: "evidence redact", NotProved: evidencecmd.RedactRun.NotProved, Rules: rulelist.VerifyRules, Lists: []string{"changes", "inputs", input.PassedOverList}, Main: "inputs"},
		{Schema: "cupel.show/1", Counts: mergeCounts["show"], Command: "evidence show", NotProved: evidencecmd.ShowRun.NotProved, Rules: rulelist.VerifyRules, Lists: []string{"events", "inputs", input.PassedOverList}, Main: "inputs", No: reportcmd.NothingShown},
		{Schema: "cupel.proof-check/1", Counts: mergeCounts["proof"], Command: "evidence verify-proof", Rules: reportcmd.ProofRules, Lists: []string{"inputs"}, Main: "inputs"},
		{Schema: "cupel.digest/1", Counts: mergeCounts["digest"], Command: "evidence digest", Rules: rulelist.DigestRules, No: reportcmd.Above("unread", "undigested")},
		{Schema: "cupel.lint/1", Counts: mergeCounts["lint"], Command: "oatf lint", NotProved: oatfcmd.LintRun.NotProved, Rules: oatf.Rules, Lists: []string{"findings", "files", input.PassedOverList}, Main: "files", Tally: tally("document", "files", "")},
		{
			Schema: "cupel.verdict/1", Counts: mergeCounts["verdict"], Command: "oatf eval", NotProved: oatfcmd.EvalRun.NotProved, Rules: eval.Rules, Lists: []string{"verdicts", "inputs", input.PassedOverList}, Main: "verdicts", No: reportcmd.Complied,
			All: []string{"captures", "messages", "bad_lines", "unanswered_requests", "uncorrelated_responses", "evicted_requests"},
		},
		{Schema: "cupel.eval/1", Counts: mergeCounts["eval"], Command: "attest eval", NotProved: attestcmd.EvalRun.NotProved, Rules: attest.Rules, Lists: attestcmd.EvalRun.Lists, Main: "suites", No: reportcmd.Above("over_soft", "policy_blocks")},
		{Schema: "cupel.validate/1", Counts: mergeCounts["validate"], Command: "attest validate", NotProved: attestcmd.ValidateRun.NotProved, Rules: attest.Rules, Lists: []string{"traces", input.PassedOverList}, Main: "traces", Tally: validated},
		{Schema: checkcmd.Run.Schema, Command: checkcmd.Run.Command, NotProved: checkcmd.Run.NotProved, Rules: rulelist.CheckedRules, Lists: checkcmd.Run.Lists, Parts: true},
	}
}

// verified counts the inputs of trace verify.
func verified(t reportcmd.Totals) *report.Tally {
	n := func(name string) int { return int(t.Number(name)) }
	v := tracecmd.LogVerifier{Inputs: n("inputs"), Valid: n("valid"), Invalid: n("invalid"), Rejected: n("rejected"), Errors: n("errors"), Warnings: n("warnings")}
	if s, ok := t.Values["sessions"].(reportcmd.Totals); ok {
		v.Sessions = &tracecmd.SessionCounts{Sessions: int(s.Number("sessions")), Valid: int(s.Number("valid")), Invalid: int(s.Number("invalid")), Rejected: int(s.Number("rejected"))}
	}
	return v.Tally(skipped(t))
}

// tally returns the counts of a kind from members of its summary, or "".
func tally(noun, total, failed string) func(reportcmd.Totals) *report.Tally {
	return func(t reportcmd.Totals) *report.Tally {
		n := func(name string) int { return int(t.Number(name)) }
		return &report.Tally{Noun: noun, Total: n(total), Failed: n(failed), Errors: n("errors"), Warnings: n("warnings"), Rest: skipped(t)}
	}
}

func validated(t reportcmd.Totals) *report.Tally {
	bad := int(t.Number("invalid"))
	return &report.Tally{Noun: "trace", Total: int(t.Number("valid")) + bad, Failed: bad, Errors: bad, Rest: skipped(t)}
}

func skipped(t reportcmd.Totals) string {
	if n := int(t.Number(input.PassedOverList)); n > 0 {
		return cmdline.Counted(n, "other file") + " skipped"
	}
	return ""
}
