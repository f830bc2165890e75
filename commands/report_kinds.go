package commands

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/trace"
)

// reportKind is a JSON report that can be joined with others of its kind: what a command
// says of many inputs, each of which is answered by itself.
type reportKind struct {
	schema  string
	command string
	rules   func() []finding.Rule
	lists   []string // in the order in which the command writes them; nil: in that of the first report
	main    string   // the list with an element for each input
	counted string   // the summary's member that says how many it has; "": none does

	parts bool // there are reports of other commands in it

	// all are the summary's members that are about what every run reads, beside its inputs.
	all []string
	// no says from the summary that the answer is no; nil: the elements alone do.
	no func(totals) bool
	// text is the command's own closing sentence; nil: the members tell theirs.
	text func(totals) string
}

// reportKinds are all of them.
var reportKinds = []reportKind{
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

func proofRules() []finding.Rule { return slices.Concat(proof.Rules(), seal.Rules(), redact.Rules()) }

// aboutMember is for each list the member that names what an element is about.
var aboutMember = map[string]string{
	"inputs": "input", "events": "input", "changes": "input", "policies": "input", "tools": "input",
	"findings": "file", "files": "file", passedOverList: "file", "verdicts": "document", "suites": "trace", "traces": "trace",
}

// kindOf finds the kind of a report by its schema.
func kindOf(schema string) (*reportKind, error) {
	known := make([]string, len(reportKinds))
	for i := range reportKinds {
		if known[i] = reportKinds[i].schema; known[i] == schema {
			return &reportKinds[i], nil
		}
	}
	return nil, &hinted{fmt.Errorf("reports with the schema %q cannot be joined", schema), suggest.HintOrKnown(schema, known)}
}

// run is the run that writes the joined report with these lists.
func (k *reportKind) run(lists []string) report.Run {
	return report.Run{Command: k.command, Schema: k.schema, Lists: lists, Rules: k.rules, NotProved: notProved[mergeRun.Command]}
}

// mainList is the list with an element for each input.
func (k *reportKind) mainList(lists []string) string {
	if k.main != "" || len(lists) == 0 {
		return k.main
	}
	for _, name := range []string{"inputs", "policies"} {
		if slices.Contains(lists, name) {
			return name
		}
	}
	return lists[0]
}

// shares says whether the reports of one run all have the same elements in a list.
func (k *reportKind) shares(list string) bool {
	return list == passedOverList || k.parts || list == "inputs" && len(k.all) > 0
}

// unhashed: an event has no hash, or errors are among the findings that are not shown.
func unhashed(t totals) bool {
	return t.number("hashed") < t.number("events") || t.number("findings_omitted") > 0 && t.number("errors") > 0
}

// nothingShown: the flags have chosen events, and there is none.
func nothingShown(t totals) bool { return t.number("subset") > 0 && t.number("shown") == 0 }

// complied: an agent did what a document tells, and no baseline accepts it.
func complied(t totals) bool {
	return t.number("exploited")+t.number("partial") > t.number("accepted")
}

// above is the answer no of a summary in which one of the members is not 0.
func above(members ...string) func(totals) bool {
	return func(t totals) bool {
		return slices.ContainsFunc(members, func(name string) bool { return t.number(name) > 0 })
	}
}

// outcomeOf weighs an element by the words that reports have for an answer. What a baseline
// may have accepted is weighed by the findings and by the summary instead.
func outcomeOf(list string, element strictjson.Node) report.Outcome {
	text := func(name string) string { s, _ := element.Get(name).Text(); return s }
	number := func(name string) int64 { n, _ := element.Get(name).Int(); return n }
	isNull := func(name string) bool { return element.Get(name).Is(strictjson.Null) }
	isFalse := func(name string) bool { is, known := element.Get(name).Bool(); return known && !is }
	good, bad := report.Outcome{Weight: report.Good}, report.Outcome{Weight: report.Bad}
	switch {
	case text("verdict") == "valid":
		good.Word = "valid"
		return good
	case text("verdict") != "":
		bad.Word, bad.Reason = text("verdict"), "the verdict is "+text("verdict")
	case list == "verdicts":
		return resultOutcome(text("result"))
	case list == "suites":
		return suiteOutcome(element)
	case list == "inputs" && isNull("verdict") && number("errors")+number("warnings") == 0:
		good.Word = "no verdict"
		return good
	case list == "files" || isNull("verdict"):
		return countsOutcome(number("errors"), number("warnings"))
	case isNull("content_hash"):
		bad.Word, bad.Reason = "no hash", "the event has no hash"
	case isNull("digest"):
		bad.Word, bad.Reason = "no digest", "it has no digest"
	case isFalse("valid"):
		bad.Word, bad.Reason = "invalid", "it is invalid"
	case isFalse("redacted"):
		bad.Word, bad.Reason = "not redacted", "it could not be redacted"
	case isNull("output") && changed(element) > 0:
		bad.Word, bad.Reason = "would change", notAllowed
	default:
		good.Word = text("content_hash") + text("digest")
		return good
	}
	return bad
}

// changed is how many events a redaction changes.
func changed(element strictjson.Node) int64 {
	n, _ := element.Get("summary").Get("changed").Int()
	return n
}

// resultOutcome weighs what an agent did.
func resultOutcome(result string) report.Outcome {
	if result == string(eval.NotExploited) {
		return report.Outcome{Weight: report.Good, Word: result}
	}
	return report.Outcome{Weight: report.Caution, Word: result}
}

// suiteOutcome weighs the results of assertions on a trace: a hard failure is bad that no
// baseline accepts.
func suiteOutcome(element strictjson.Node) report.Outcome {
	var passed, failed, hard, open int
	for r := range element.Get("results").Children() {
		accepted, _ := r.Get("accepted").Bool()
		switch status, _ := r.Get("status").Text(); {
		case status == string(attest.Pass):
			passed++
		case status == string(attest.HardFail) && !accepted:
			hard++
		case status == string(attest.Unanswerable):
			open++
		default:
			failed++
		}
	}
	o := report.Outcome{Weight: report.Good, Word: fmt.Sprintf("%d pass, %d fail", passed, failed+hard)}
	switch {
	case hard > 0:
		o.Weight, o.Reason = report.Bad, counted(hard, "hard failure")
	case open > 0:
		o.Weight, o.Reason = report.Unanswered, counted(open, "assertion")+" unanswerable"
	case failed > 0:
		o.Weight = report.Caution
	}
	return o
}

// countsOutcome says how much was found.
func countsOutcome(errors, warnings int64) report.Outcome {
	o := report.Outcome{Weight: report.Good, Word: counted(int(errors), "error") + ", " + counted(int(warnings), "warning")}
	if errors+warnings > 0 {
		o.Weight = report.Caution
	}
	return o
}
