package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// attestEvalRun is the report of the command.
var attestEvalRun = report.Run{Command: "attest eval", Schema: "cupel.eval/1", Lists: []string{"suites"}, Rules: attest.Rules}

// attestEvalCommand is `cupel attest eval`.
func attestEvalCommand(env Env) *cli.Command {
	const category = "Evaluation"
	return watching(env, reporting(env, attestEvalRun, &cli.Command{
		Name:      "eval",
		Usage:     "evaluate suites of assertions on traces",
		ArgsUsage: "[TRACE…]",
		UsageText: strings.Join([]string{
			"cupel attest eval --trace trace.json --assertions suite.yaml",
			"cupel attest eval --assertions suite.yaml --tag smoke --format junit=report.xml 'runs/**/*.json'",
			"cupel attest eval --assertions suite.yaml --max-soft 2 - < traces.jsonl",
		}, "\n"),
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "trace", KeepSpace: true, Category: category, Usage: "a `FILE`, folder or glob of traces, like an operand; repeatable"},
			&cli.StringSliceFlag{Name: "assertions", KeepSpace: true, Category: category, Usage: "a suite: a `FILE` of JSON, JSON lines or YAML, or -; repeatable, all are evaluated"},
			&cli.StringSliceFlag{Name: "tag", KeepSpace: true, Category: category, Usage: "evaluate the assertions with this `TAG`; repeatable, any of them counts"},
			&cli.StringFlag{Name: "filter", Category: category, Usage: "evaluate the assertions whose id matches this `GLOB`"},
			&cli.IntFlag{Name: "max-soft", Category: category, Usage: "make the answer no when more than `N` assertions fail softly (default: each suite's max_soft, else any number)"},
			&cli.Float64Flag{Name: "max-cost", Category: category, Usage: "once the calls of models have cost `USD` dollars, begin none; assertions that are left are skipped, and the exit code is 2"},
			&cli.BoolFlag{Name: "dry-run", Category: category, Usage: "ask no model, and evaluate nothing: print for each suite how many calls, tokens and dollars it takes, by estimate"},
			&cli.StringFlag{Name: "engine-config", Category: category, Usage: "`FILE` with the engine's configuration (YAML or JSON)"},
			&cli.DurationFlag{Name: "eval-timeout", Category: category, Usage: "`TIME` that a suite may take on one trace, such as 10s (default: 30s)"},
			&cli.BoolFlag{Name: "strict", Category: category, Usage: "refuse traces with unknown step types (the default)"},
			&cli.BoolFlag{Name: "lax", Category: category, Usage: "tolerate unknown step types"},
			importFlag(category),
			&cli.BoolFlag{Name: "prune", Category: providersCategory, Usage: "remove the recorded answers that the run did not ask for"},
			againstFlag(category),
			historyFlag(category),
			watchFlag(category),
			jobsFlag(category),
			packedFlag("Input"),
		}, slices.Concat(providerFlags(), memoryFlags(category), sharedFlags())...),
	}, func(c *cli.Context, out *output) (report.Summary, error) {
		e := &evaluating{env: env, out: out}
		return e.run(c, func(env Env, c *cli.Context, what reads) ([]walk.Input, error) {
			return expandInputs(env, c, traceOperands(c), what)
		})
	}))
}

// readSuites reads the suites that the run is about.
func (e *evaluating) readSuites(c *cli.Context) ([]*suite.File, error) {
	names := c.StringSlice("assertions")
	if e.suite == nil {
		return readSuites(e.env, e.out, e.engine, names, slices.Contains(traceOperands(c), "-"))
	}
	read, err := readSuiteFile(e.out, e.engine, names[0], *e.suite)
	return []*suite.File{read}, err
}

// run is the work of the command on the traces that find lists.
func (e *evaluating) run(c *cli.Context, find finder) (report.Summary, error) {
	e.models = &connection{}
	defer func() { e.models.close() }()
	defer func() { e.scores.close() }()
	if err := e.prepare(c); err != nil {
		return e.summary(), err
	}
	err := e.all(c, find)
	if err == nil {
		err = e.tidy(c)
	}
	return e.summary(), err
}

// evaluating is one run of the command.
type evaluating struct {
	env    Env
	out    *output
	engine *attest.Engine
	memory int // bytes that what is evaluated at once may take
	suites suites
	counts evalCounts
	open   evalCounts // those of counts that no baseline accepts

	against *comparison  // with an earlier run; nil: there is none
	matrix  *matrix      // of the run, for a page; nil for other formats
	scores  *scorekeeper // nil: there is no history
	models  *connection
	removed int // recorded answers that nothing asked for

	estimator *estimator            // nil: the models are asked
	suite     *walk.Input           // in place of --assertions; nil: that counts
	leftOut   func(finding.Finding) // is told of assertions that ask a model, which are left out; nil: none is

	overSoft bool // there are more soft failures than allowed
	unpaid   int  // assertions that are skipped because the calls of models have cost enough
}

// evalCounts is the summary of a run: results by status, and the traces that could
// not be evaluated.
type evalCounts struct {
	Pass     int `json:"pass"`
	SoftFail int `json:"soft_fail"`
	HardFail int `json:"hard_fail"`
	Error    int `json:"error"`
	Skipped  int `json:"skipped,omitempty"`  // for a hard failure; they are no soft ones, although their status says so
	Accepted int `json:"accepted,omitempty"` // failures that a baseline accepts, among those above
}

// count adds the result of one assertion.
func (n *evalCounts) count(r attest.Result) {
	switch {
	case r.Skipped:
		n.Skipped++
	case r.Status == attest.Pass:
		n.Pass++
	case r.Status == attest.SoftFail:
		n.SoftFail++
	default:
		n.HardFail++
	}
}

// add adds the counts of a trace.
func (n *evalCounts) add(m evalCounts) {
	n.Pass += m.Pass
	n.SoftFail += m.SoftFail
	n.HardFail += m.HardFail
	n.Skipped += m.Skipped
	n.Error += m.Error
	n.Accepted += m.Accepted
}

func (n evalCounts) String() string {
	text := fmt.Sprintf("%d pass, %d soft_fail, %d hard_fail", n.Pass, n.SoftFail, n.HardFail)
	if n.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", n.Skipped)
	}
	if n.Accepted > 0 {
		text += acceptedToo(n.Accepted)
	}
	return text
}

// prepare reads the flags and the suites.
func (e *evaluating) prepare(c *cli.Context) error {
	config, err := engineConfig(e.env, c, "engine-config")
	if err != nil {
		return err
	}
	if config.Engine.MaxCost, err = maxCost(c); err != nil {
		return err
	}
	if err := e.ask(c, &config); err != nil {
		return err
	}
	e.engine, e.memory = attest.NewEngine(config.Engine), config.Memory
	whole, err := e.readSuites(c)
	if err != nil {
		return err
	}
	if err := checkPrune(c); err != nil {
		return err
	}
	if err := notSharded(c, "prune", "max-soft", "against"); err != nil {
		return err
	}
	if e.suites.list, err = selectAssertions(whole, c.StringSlice("tag"), c.String("filter")); err != nil {
		return err
	}
	if e.leftOut != nil {
		e.suites.leaveOut(e.leftOut)
	} else if err := e.suites.unavailable(e.out); err != nil {
		return err
	}
	if e.against, err = readEarlier(e.env.Context, c, e.suites.list); err != nil {
		return err
	}
	if e.estimator == nil && e.out.Shows("html") {
		e.matrix = newMatrix(e.suites.list)
	}
	if sharded(c) {
		if err := e.suites.unbounded(); err != nil {
			return err
		}
	}
	if c.IsSet("max-soft") {
		limit := c.Int("max-soft")
		if limit < 0 {
			return &usageError{fmt.Sprintf("--max-soft is %d, expected 0 or more", limit), ""}
		}
		e.suites.maxSoft = &limit
	}
	return nil
}

// ask gives the engine the models that it asks, and the history of their scores; or what stands
// for them in a run that asks nobody and keeps nothing.
func (e *evaluating) ask(c *cli.Context, config *serve.Config) (err error) {
	if c.Bool("dry-run") {
		e.estimator, err = newEstimator(e.env, e.out, c, config)
		return err
	}
	if e.models, err = connect(e.env, c, config, warningLog(e.env)); err != nil {
		return err
	}
	e.scores, err = keepScores(e.env.Context, c, config, warningLog(e.env))
	return err
}

// maxCost is what --max-cost says, nil without it.
func maxCost(c *cli.Context) (*float64, error) {
	if !c.IsSet("max-cost") {
		return nil, nil
	}
	limit := c.Float64("max-cost")
	if !(limit >= 0) || math.IsInf(limit, 0) {
		return nil, &usageError{fmt.Sprintf("--max-cost is %v, expected a number of dollars of 0 or more", limit), "for example --max-cost 0.50"}
	}
	return &limit, nil
}

// traceOperands are the traces, named by flag or as operands.
func traceOperands(c *cli.Context) []string {
	return slices.Concat(c.StringSlice("trace"), c.Args().Slice())
}

// all evaluates every trace of every input.
func (e *evaluating) all(c *cli.Context, find finder) error {
	inputs, err := find(e.env, c, dialogReads(c))
	if err != nil {
		return err
	}
	from, err := importFormat(c)
	if err != nil {
		return err
	}
	err = traceWork[answered]{engine: e.engine, from: from, memory: e.memory, work: e.evaluate, deliver: e.trace, fail: e.fail}.run(e.env, c, inputs)
	if err != nil {
		return err
	}
	if e.estimator != nil {
		return e.suites.estimated(e.estimator, e.out)
	}
	if e.unpaid > 0 {
		err := fmt.Errorf("%s skipped: the calls of models have cost %s USD, and --max-cost is %s",
			counted(e.unpaid, "assertion"), dollars(e.engine.Paid()), dollars(c.Float64("max-cost")))
		if err := e.out.Fail(&hinted{err, "--dry-run says what a run is going to cost"}); err != nil {
			return err
		}
	}
	over := e.suites.overSoft()
	for _, f := range over {
		e.out.No()
		if err := e.out.Fault(f); err != nil {
			return err
		}
	}
	e.overSoft = len(over) > 0
	return e.against.end(e.out)
}

// evaluated is one element of the list "suites".
type evaluated struct {
	Trace      string            `json:"trace"`
	From       importer.Format   `json:"from,omitempty"` // what the trace was made of, …
	Also       []importer.Format `json:"also,omitempty"` // … and what it could have been read as
	Results    []json.RawMessage `json:"results"`
	TotalCost  float64           `json:"total_cost"`
	DurationMS int64             `json:"total_duration_ms"`
	Error      json.RawMessage   `json:"error,omitempty"`
	counts     *evalCounts       // of the results; nil: there are none
}

// Brief is the element with its results counted, where each has gone out before it.
func (e evaluated) Brief() any {
	if e.counts == nil {
		return e
	}
	return struct {
		Trace      string            `json:"trace"`
		From       importer.Format   `json:"from,omitempty"`
		Also       []importer.Format `json:"also,omitempty"`
		TotalCost  float64           `json:"total_cost"`
		DurationMS int64             `json:"total_duration_ms"`
		evalCounts
	}{e.Trace, e.From, e.Also, e.TotalCost, e.DurationMS, *e.counts}
}

// fail reports what could not be read.
func (e *evaluating) fail(name string, cause error) error {
	e.counts.Error++
	e.matrix.refuse(name, cause.Error())
	answer := report.Answer{
		List: "suites", Value: evaluated{Trace: name, Results: []json.RawMessage{}},
		Subject: name, Outcome: report.Outcome{Weight: report.Unanswered, Word: "could not be read"},
	}
	return errors.Join(e.out.Fail(cause), e.out.Answer(answer))
}

// answered is what the engine says about one trace.
type answered struct {
	results [][]suite.Result // of each suite
	refused *attest.Error    // the trace could not be evaluated
	took    time.Duration
	asked   []asked // of each suite, in a run that asks nobody
}

// evaluate evaluates the suites on one trace.
func (e *evaluating) evaluate(t namedTrace) answered {
	start := time.Now()
	if t.Refused != nil {
		return answered{refused: t.Refused}
	}
	if len(e.suites.list) == 0 { // all of them ask models
		return answered{refused: refusal(e.engine.ValidateText(t.TraceText)), took: e.engine.Took(start)}
	}
	var asks []asked
	if e.estimator != nil {
		asks = make([]asked, len(e.suites.list))
	}
	results, err := e.suites.evaluate(e.env.Context, t.TraceText, asks)
	return answered{results, refusal(err), e.engine.Took(start), asks}
}

// trace reports the results of one trace.
func (e *evaluating) trace(t namedTrace, a answered) error {
	if err := e.env.Context.Err(); err != nil {
		return err
	}
	if a.refused != nil {
		return e.refuse(t, a.refused)
	}
	if e.estimator != nil {
		for i := range a.asked {
			e.suites.list[i].estimate.add(&a.asked[i], e.estimator, e.out)
		}
		return nil
	}
	element := evaluated{Trace: t.name, From: t.origin(), Also: t.Also, Results: []json.RawMessage{}, DurationMS: a.took.Milliseconds()}
	var counts, open evalCounts
	var cost attest.Costs
	var known []bool // whether a baseline accepts each result
	var changes []*change
	for i, results := range a.results {
		if err := e.scores.add(e.env.Context, e.engine, results); err != nil {
			if err := e.out.Fail(err); err != nil {
				return err
			}
		}
		before := open.SoftFail
		for _, r := range results {
			raw, accepted, err := e.result(t.name, r)
			if err != nil {
				return err
			}
			element.Results = append(element.Results, raw)
			known = append(known, accepted)
			changes = append(changes, e.against.compare(t.name, r))
			cost.Add(r.Cost)
			counts.count(r.Result)
			if accepted {
				counts.Accepted++
			} else {
				open.count(r.Result)
			}
		}
		e.suites.list[i].soft += open.SoftFail - before
	}
	e.matrix.take(t, slices.Concat(a.results...), known, changes)
	element.TotalCost = cost.Total()
	e.counts.add(counts)
	e.open.add(open)
	element.counts = &counts
	answer := report.Answer{
		List: "suites", Value: element, Subject: t.name, Remarks: t.readAs(), Outcome: report.Outcome{Weight: report.Good, Word: counts.String()}, Total: true,
	}
	switch {
	case open.HardFail > 0:
		answer.Weight = report.Bad
	case counts.HardFail+counts.SoftFail > 0:
		answer.Weight = report.Caution
	}
	return e.out.Answer(answer)
}

// refuse reports a trace that could not be evaluated.
func (e *evaluating) refuse(t namedTrace, refused *attest.Error) error {
	e.counts.Error++
	e.matrix.refuse(t.name, refused.Message)
	element := evaluated{Trace: t.name, From: t.origin(), Also: t.Also, Results: []json.RawMessage{}, Error: refused.AppendJSON(nil)}
	return errors.Join(
		e.out.Fault(t.finding(refused)),
		e.out.Fail(&inFindings{fmt.Errorf("%s: %s", t.name, refused.Message), fmt.Sprintf("cannot evaluate %q", t.name)}),
		e.out.Answer(report.Answer{List: "suites", Value: element, Subject: t.name, Outcome: report.Outcome{Weight: report.Unanswered}}))
}

// result reports one result: a finding unless the assertion holds, and an answer. Only a
// hard failure that no baseline accepts makes it no. It returns the result as JSON.
func (e *evaluating) result(trace string, r suite.Result) (raw json.RawMessage, accepted bool, err error) {
	f, failed := r.Finding(trace)
	accepted = failed && e.out.Accepted(f)
	raw = resultJSON(r, accepted)
	answer := report.Answer{
		Value: traceResult{trace, raw}, Subject: r.AssertionID, Group: trace,
		Outcome: report.Outcome{Weight: report.Good}, Implied: true,
	}
	if !failed {
		return raw, false, e.out.Answer(answer)
	}
	if r.Skipped && r.Status == attest.HardFail {
		e.unpaid++
		answer.Weight = report.Unanswered
		return raw, false, e.out.Answer(answer)
	}
	answer.Weight = report.Caution
	if r.Status == attest.HardFail && !accepted {
		answer.Weight, answer.Reason = report.Bad, r.Explanation
		e.out.No()
	}
	return raw, accepted, errors.Join(e.out.Finding(f), e.out.Answer(answer))
}

// traceResult is a result outside the element of its trace.
type traceResult struct {
	Trace  string          `json:"trace"`
	Result json.RawMessage `json:"result"`
}

// resultJSON is the protocol's result object with the place of the assertion in the
// suite and of the value in the trace, and whether a baseline accepts it.
func resultJSON(r suite.Result, accepted bool) json.RawMessage {
	object := r.AppendJSON(nil)
	object = object[:len(object)-1]
	if accepted {
		object = append(object, `,"accepted":true`...)
	}
	object = append(object, `,"place":`...)
	return append(r.Place.AppendJSON(object, r.Pointer), '}')
}

// spent is what the calls of models have cost.
func (e *evaluating) spent() float64 {
	if e.engine == nil {
		return 0
	}
	return e.engine.Spent()
}

// dollars is an amount of money as it is printed: with as many digits as it has.
func dollars(usd float64) string { return strconv.FormatFloat(usd, 'f', -1, 64) }

func (e *evaluating) summary() report.Summary {
	if e.estimator != nil {
		return e.suites.estimateSummary(e.counts.Error)
	}
	value := struct {
		evalCounts
		OverSoft  bool    `json:"over_soft,omitempty"`
		Removed   int     `json:"removed_recordings,omitempty"`
		TotalCost float64 `json:"total_cost,omitempty"` // USD, also of answers that were lost

		Against *comparedRuns `json:"against,omitempty"`
	}{e.counts, e.overSoft, e.removed, e.spent(), e.against.runs()}
	s := report.Summary{Value: value, Text: e.counts.String(), Weight: report.Good}
	if e.counts.Error > 0 {
		s.Text += fmt.Sprintf(", %d not evaluated", e.counts.Error)
	}
	if e.overSoft {
		s.Text += "; more soft failures than allowed"
	}
	if e.removed > 0 {
		s.Text += fmt.Sprintf("; %s removed", counted(e.removed, "recorded answer"))
	}
	if value.TotalCost > 0 {
		s.Text += "; models cost " + dollars(value.TotalCost) + " USD"
	}
	if e.matrix != nil && e.matrix.columns > 0 {
		s.View = e.matrix.page
	}
	switch {
	case e.open.HardFail > 0 || e.counts.Error > 0 || e.overSoft || e.unpaid > 0:
		s.Weight = report.Bad
	case e.counts.HardFail+e.counts.SoftFail > 0:
		s.Weight = report.Caution
	}
	return s
}
