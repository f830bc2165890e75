package reportcmd

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// reportKind is a report that can be merged: independent results of a command on many inputs.
type reportKind struct {
	Schema    string
	Command   string
	Rules     func() []finding.Rule
	Lists     []string // in the command's order; nil: the first report's
	NotProved []string // what no answer of the command proves
	Main      string   // the list with an element for each input
	Counts    []Count  // of its summary

	Parts bool // there are reports of other commands in it

	// All lists the summary members about common inputs of all runs.
	All []string
	// No reports whether the summary means exit code 1. If nil, only the elements decide.
	No    func(Totals) bool
	parts map[string]*jsonschema.Schema // of its schema, that were needed

	// Tally returns the counts for the closing line, which otherwise lists the totals.
	Tally func(Totals) *report.Tally
}

// ProofRules returns the rules of `cupel evidence verify-proof`.
func ProofRules() []finding.Rule { return slices.Concat(proof.Rules(), seal.Rules(), redact.Rules()) }

// aboutMember maps lists to the member that names an element's subject.
var aboutMember = map[string]string{
	"inputs": "input", "events": "input", "changes": "input", "policies": "input", "tools": "input",
	"findings": "file", "files": "file", input.PassedOverList: "file", "verdicts": "document", "suites": "trace", "traces": "trace",
}

// mergeRun is the report of a merge without a detected kind.
var mergeRun = report.Run{
	Command: app.MergeCommand, Schema: "cupel.report/1", Rules: rulelist.AllRules,
	Baseline:  app.InvalidStays,
	NotProved: []string{"anything beyond the merged reports: the inputs were not read again"},
}

// Kinds are the kinds of reports that can be merged.
type Kinds []reportKind

func (kinds Kinds) named(schema string) (*reportKind, error) {
	known := make([]string, len(kinds))
	for i := range kinds {
		if known[i] = kinds[i].Schema; known[i] == schema {
			return &kinds[i], nil
		}
	}
	return nil, &cmdline.Hinted{Err: fmt.Errorf("reports with the schema %q cannot be joined", schema), Hint: suggest.HintOrKnown(schema, known)}
}

// run returns the run that writes the joined report with these lists.
func (k *reportKind) run(lists []string) report.Run {
	return report.Run{Command: k.Command, Schema: k.Schema, Lists: lists, Rules: k.Rules, NotProved: slices.Concat(mergeRun.NotProved, k.NotProved)}
}

// mainList returns the list with an element for each input.
func (k *reportKind) mainList(lists []string) string {
	if k.Main != "" || len(lists) == 0 {
		return k.Main
	}
	for _, name := range []string{"inputs", "policies"} {
		if slices.Contains(lists, name) {
			return name
		}
	}
	return lists[0]
}

// shares reports whether all reports of a run have the same elements in a list.
func (k *reportKind) shares(list string) bool {
	return list == input.PassedOverList || k.Parts || list == "inputs" && k.Main != list
}

// Unhashed reports events without hash, or errors in omitted findings.
func Unhashed(t Totals) bool {
	return t.Number("hashed") < t.Number("events") || t.Number("findings_omitted") > 0 && t.Number("errors") > 0
}

// NothingShown reports whether the flags selected events but none were shown.
func NothingShown(t Totals) bool { return t.Number("subset") > 0 && t.Number("shown") == 0 }

// Complied reports an unaccepted match.
func Complied(t Totals) bool {
	return t.Number("exploited")+t.Number("partial") > t.Number("accepted")
}

// Above returns a test for nonzero summary members.
func Above(members ...string) func(Totals) bool {
	return func(t Totals) bool {
		return slices.ContainsFunc(members, func(name string) bool { return t.Number(name) > 0 })
	}
}

// outcomeOf returns an element's outcome from its result members. Findings and summary decide about results that a
// baseline can accept.
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
		bad.Word, bad.Reason = "would change", app.NotAllowed
	default:
		good.Word = text("content_hash") + text("digest")
		return good
	}
	return bad
}

// changed returns how many events a redaction changes.
func changed(element strictjson.Node) int64 {
	n, _ := element.Get("summary").Get("changed").Int()
	return n
}

func resultOutcome(result string) report.Outcome {
	if result == string(eval.NotExploited) {
		return report.Outcome{Weight: report.Good, Word: result}
	}
	return report.Outcome{Weight: report.Caution, Word: result}
}

// suiteOutcome returns the outcome of assertions on a trace. A hard failure is bad unless a baseline accepts it.
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
		o.Weight, o.Reason = report.Bad, cmdline.Counted(hard, "hard failure")
	case open > 0:
		o.Weight, o.Reason = report.Unanswered, cmdline.Counted(open, "assertion")+" unanswerable"
	case failed > 0:
		o.Weight = report.Caution
	}
	return o
}

func countsOutcome(errors, warnings int64) report.Outcome {
	o := report.Outcome{Weight: report.Good, Word: cmdline.Counted(int(errors), "error") + ", " + cmdline.Counted(int(warnings), "warning")}
	if errors+warnings > 0 {
		o.Weight = report.Caution
	}
	return o
}
