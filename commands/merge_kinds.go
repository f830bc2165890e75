package commands

import (
	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/trace"
)

// mergeKinds are the kinds of reports that `cupel report merge` joins.
func mergeKinds() reportKinds {
	return reportKinds{
		{schema: "cupel.trace/1", command: "trace verify", rules: trace.Rules, lists: []string{"inputs", passedOverList}, main: "inputs", counted: "inputs", text: verifiedText},
		{schema: "cupel.hash/1", command: "evidence hash", rules: hashRules, lists: []string{"events", "inputs", passedOverList}, main: "inputs", counted: "inputs", no: unhashed},
		{schema: "cupel.evidence/1", command: "evidence verify", rules: evidenceLintRules, lists: []string{"inputs", passedOverList}, main: "inputs", counted: "inputs"},
		{schema: "cupel.evidence-lint/1", command: "evidence lint", rules: evidenceLintRules, lists: []string{"inputs", passedOverList}, main: "inputs", counted: "inputs"},
		{schema: "cupel.redact/1", command: "evidence redact", rules: verifyRules, lists: []string{"changes", "inputs", passedOverList}, main: "inputs", counted: "inputs"},
		{schema: "cupel.show/1", command: "evidence show", rules: verifyRules, lists: []string{"events", "inputs", passedOverList}, main: "inputs", counted: "inputs", no: nothingShown},
		{schema: "cupel.proof-check/1", command: "evidence verify-proof", rules: proofRules, lists: []string{"inputs"}, main: "inputs", counted: "inputs"},
		{schema: "cupel.digest/1", command: "evidence digest", rules: digestRules, no: above("unread", "undigested")},
		{schema: "cupel.lint/1", command: "oatf lint", rules: oatf.Rules, lists: []string{"findings", "files", passedOverList}, main: "files", counted: "files"},
		{
			schema: "cupel.verdict/1", command: "oatf eval", rules: eval.Rules, lists: []string{"verdicts", "inputs", passedOverList}, main: "verdicts", no: complied,
			all: []string{"captures", "messages", "bad_lines", "unanswered_requests", "uncorrelated_responses", "evicted_requests"},
		},
		{schema: "cupel.eval/1", command: "attest eval", rules: attest.Rules, lists: []string{"suites", passedOverList}, main: "suites", no: above("over_soft")},
		{schema: "cupel.validate/1", command: "attest validate", rules: attest.Rules, lists: []string{"traces", passedOverList}, main: "traces", counted: "traces"},
		{schema: checkRun.Schema, command: checkRun.Command, rules: checkedRules, lists: checkRun.Lists, parts: true},
	}
}

// verifiedText is the closing sentence of trace verify.
func verifiedText(t totals) string {
	n := func(name string) int { return int(t.number(name)) }
	v := verifying{inputs: n("inputs"), valid: n("valid"), invalid: n("invalid"), rejected: n("rejected"), errors: n("errors"), warnings: n("warnings")}
	if s, ok := t.values["sessions"].(totals); ok {
		v.sessions = &sessionCounts{int(s.number("sessions")), int(s.number("valid")), int(s.number("invalid")), int(s.number("rejected"))}
	}
	text := v.text()
	if passed := n(passedOverList); passed > 0 {
		text += "; " + counted(passed, "other file") + " passed over"
	}
	return text
}
