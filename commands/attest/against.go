package attestcmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

// Limits of the lists in a comparison. The rest is counted.
const (
	comparedChanges = 10_000 // in the JSON document
	comparedLines   = 100    // for a person
)

// againstFile is the report of an earlier run, with about 500 bytes per result.
var againstFile = app.SideFile{From: "--against", Limit: 32 << 20, Less: "`cupel attest eval --format json=FILE` writes one; compare a part of the traces at a time", Opener: door.NamedText, Role: "earlier results"}

func againstFlag(category string) *cli.StringFlag {
	return &cli.StringFlag{Name: "against", Category: category, Usage: "compare with an earlier run: a `FILE` from --format json; the exit code does not change"}
}

// Changes of a result since an earlier run.
const (
	changeWorse  = "worse"  // its status
	changeBetter = "better" // its status
	changeLower  = "lower"  // its score, with the same status
	changeHigher = "higher" // its score
	changeNew    = "new"    // the earlier run has no such result
	changeGone   = "gone"   // missing in this run
)

// outcome is the compared part of a result.
type outcome struct {
	Status attest.Status `json:"status"`
	Score  float64       `json:"score"`
	Cost   float64       `json:"cost"`
}

func (o outcome) String() string { return string(o.Status) + ", score " + decimals(o.Score) }

// resultKey identifies a result across runs.
type resultKey struct {
	Trace string `json:"trace"`
	Suite string `json:"suite"`
	ID    string `json:"assertion_id"`
}

func resultKeyOf(trace, suite, id string) resultKey {
	return resultKey{path.Clean(trace), path.Clean(suite), id}
}

// change is a changed result. Was or Is is nil if missing.
type change struct {
	Change string `json:"change"`
	resultKey
	Was *outcome `json:"was,omitempty"`
	Is  *outcome `json:"is,omitempty"`
}

func (c change) String() string {
	text := fmt.Sprintf("%s on %q: ", c.ID, c.Trace)
	switch {
	case c.Was == nil:
		return text + c.Is.String()
	case c.Is == nil:
		return text + c.Was.String() + "; the result is lost"
	}
	return text + c.Was.String() + " → " + c.Is.String()
}

// comparison compares a run with an earlier one, ignoring skipped results. A nil *comparison compares nothing.
type comparison struct {
	known map[resultKey]*earlier
	order []resultKey // of the earlier run
	cost  attest.Costs

	value comparedRuns
}

type earlier struct {
	outcome
	met bool // exists in this run
}

type comparedRuns struct {
	File    string   `json:"file"`
	Same    int      `json:"same"`
	Worse   int      `json:"worse"`
	Better  int      `json:"better"`
	Lower   int      `json:"lower"`
	Higher  int      `json:"higher"`
	New     int      `json:"new"`
	Gone    int      `json:"gone"`
	CostWas float64  `json:"total_cost_was"` // USD, of the results
	CostIs  float64  `json:"total_cost"`
	Changes []change `json:"changes"`
	Omitted int      `json:"changes_omitted,omitempty"`
}

func (n comparedRuns) String() string {
	text := fmt.Sprintf("%d worse, %d better, %d lower score, %d higher score, %d new, %d gone, %d same", n.Worse, n.Better, n.Lower, n.Higher, n.New, n.Gone, n.Same)
	if n.CostWas != 0 || n.CostIs != 0 {
		text += "; cost " + dollars(n.CostWas) + " → " + dollars(n.CostIs) + " USD"
	}
	return text
}

// readEarlier reads the report of --against. It returns nil without the flag. The report must be about assertions
// of the suites.
func readEarlier(ctx context.Context, c *cli.Context, list []countedSuite) (*comparison, error) {
	if !c.IsSet("against") {
		return nil, nil
	}
	if c.Bool("dry-run") {
		return nil, &cmdline.UsageError{Message: "--against compares results, but --dry-run has no results", Hint: cmdline.LeaveOneHint}
	}
	name := c.String("against")
	var doc earlierReport
	if err := againstFile.Decode(ctx, name, &doc); err != nil {
		return nil, err
	}
	k := &comparison{known: map[resultKey]*earlier{}, value: comparedRuns{File: name, Changes: []change{}}}
	if err := k.take(&doc); err != nil {
		return nil, againstFile.Unfit(name, err)
	}
	if !k.knows(list) {
		return nil, &cmdline.Hinted{
			Err:  fmt.Errorf("cannot compare with --against %q: none of its %s is of an assertion that this run evaluates", name, cmdline.Counted(len(k.order), "result")),
			Hint: "name a report of the same suites: the paths of --assertions identify them",
		}
	}
	return k, nil
}

type earlierReport struct {
	Schema string `json:"schema"`
	Suites []struct {
		Trace   string          `json:"trace"`
		Results []earlierResult `json:"results"`
	} `json:"suites"`
}

type earlierResult struct {
	ID string `json:"assertion_id"`
	outcome
	Skipped bool `json:"skipped"`
	Place   struct {
		File string `json:"file"`
	} `json:"place"`
}

// take stores the results of the earlier run.
func (k *comparison) take(doc *earlierReport) error {
	if doc.Schema != "cupel.eval/1" {
		return fmt.Errorf("schema is %s, expected \"cupel.eval/1\"", say.Quoted(doc.Schema))
	}
	var cost attest.Costs
	for _, element := range doc.Suites {
		for _, r := range element.Results {
			key := resultKeyOf(element.Trace, r.Place.File, r.ID)
			cost.Add(r.Cost)
			switch {
			case !slices.Contains(statuses, r.Status):
				return fmt.Errorf("the status of %s on %s is %s, expected pass, soft_fail or hard_fail", say.Quoted(r.ID), say.Quoted(element.Trace), say.Quoted(string(r.Status)))
			case k.known[key] != nil:
				return fmt.Errorf("the report has two results of %s on %s", say.Quoted(r.ID), say.Quoted(element.Trace))
			case r.Skipped:
				continue
			}
			k.known[key] = &earlier{outcome: r.outcome}
			k.order = append(k.order, key)
		}
	}
	if len(k.order) == 0 {
		return errors.New("the report has no result")
	}
	k.value.CostWas = cost.Total()
	return nil
}

// statuses are in order from best to worst.
var statuses = []attest.Status{attest.Pass, attest.SoftFail, attest.Unanswerable, attest.HardFail}

// knows reports whether the earlier run has a result for an assertion of the suites.
func (k *comparison) knows(list []countedSuite) bool {
	own := map[resultKey]bool{}
	for _, one := range list {
		for _, a := range one.Suite.Assertions {
			own[resultKeyOf("", one.Path, a.AssertionID)] = true
		}
	}
	return slices.ContainsFunc(k.order, func(key resultKey) bool { return own[resultKeyOf("", key.Suite, key.ID)] })
}

// sameScore is the difference up to which scores count as equal, to allow for rounding.
const sameScore = 1e-9

// compare returns the change of a result, or nil.
func (k *comparison) compare(trace string, r suite.Result) *change {
	if k == nil {
		return nil
	}
	k.cost.Add(r.Cost)
	if r.Skipped {
		return nil
	}
	key := resultKeyOf(trace, r.Place.File, r.AssertionID)
	is := outcome{r.Status, r.Score, r.Cost}
	was := k.known[key]
	if was == nil {
		return k.add(change{Change: changeNew, resultKey: key, Is: &is}, &k.value.New)
	}
	was.met = true
	c := change{resultKey: key, Was: &was.outcome, Is: &is}
	counts := map[string]*int{changeWorse: &k.value.Worse, changeBetter: &k.value.Better, changeLower: &k.value.Lower, changeHigher: &k.value.Higher}
	if c.Change = changeOf(was.outcome, is); c.Change == "" {
		k.value.Same++
		return nil
	}
	return k.add(c, counts[c.Change])
}

func changeOf(was, is outcome) string {
	switch by := slices.Index(statuses, is.Status) - slices.Index(statuses, was.Status); {
	case by > 0:
		return changeWorse
	case by < 0:
		return changeBetter
	case math.Abs(is.Score-was.Score) <= sameScore:
		return ""
	case is.Score < was.Score:
		return changeLower
	}
	return changeHigher
}

// add counts a change, and stores it up to the limit.
func (k *comparison) add(c change, count *int) *change {
	*count++
	if len(k.value.Changes) == comparedChanges {
		k.value.Omitted++
	} else {
		k.value.Changes = append(k.value.Changes, c)
	}
	return &c
}

func (k *comparison) runs() *comparedRuns {
	if k == nil {
		return nil
	}
	return &k.value
}

// worse returns the number of results that are worse than in the earlier run.
func (k *comparison) worse() int {
	if k == nil {
		return 0
	}
	return k.value.Worse
}

// end reports the changes. It returns an error if the runs have no result in common.
func (k *comparison) end(out *app.Output) error {
	if k == nil {
		return nil
	}
	met := false
	for _, key := range k.order {
		was := k.known[key]
		if met = met || was.met; !was.met {
			k.add(change{Change: changeGone, resultKey: key, Was: &was.outcome}, &k.value.Gone)
		}
	}
	k.value.CostIs = k.cost.Total()
	if !met {
		err := fmt.Errorf("cannot compare with --against %q: that report has %s, none about a trace of this run", k.value.File, cmdline.Counted(len(k.order), "result"))
		return out.Fail(&cmdline.Hinted{Err: err, Hint: "give the traces the same paths as in that report: paths identify traces"})
	}
	answer := report.Answer{
		Subject: k.value.File, Title: "earlier run", Outcome: report.Outcome{Weight: report.Good, Word: k.value.String()}, Total: true,
	}
	if k.value.Worse+k.value.Lower+k.value.Gone > 0 {
		answer.Weight = report.Caution
	}
	for _, c := range k.value.Changes[:min(len(k.value.Changes), comparedLines)] {
		answer.Facts = append(answer.Facts, report.Fact{Name: c.Change, Value: c.String()})
	}
	if more := len(k.value.Changes) + k.value.Omitted - comparedLines; more > 0 {
		answer.Remarks = []string{fmt.Sprintf("%s not listed: --format json has up to %d", cmdline.Counted(more, "more change"), comparedChanges)}
	}
	return out.Answer(answer)
}
