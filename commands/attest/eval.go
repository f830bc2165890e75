// Package attestcmd implements the commands of `cupel attest`.
package attestcmd

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// EvalRun is the report of the command.
var EvalRun = report.Run{
	Command: "attest eval", Schema: "cupel.eval/1", Lists: []string{"suites", "findings", "inputs", input.PassedOverList}, Rules: attest.Rules, Binds: true,
	Baseline: "accepted findings do not count for max_soft, but stay in the results",
	NotProved: []string{
		"whether the agent behaves the same again: only these traces were examined",
		"anything that no assertion checks",
		"whether the traces are true: they contain what the recorder wrote",
	},
}

// EvalCommand is `cupel attest eval`.
func EvalCommand(env cmdline.Env) *cli.Command {
	const category = "Evaluation"
	var g policyGate
	var groups repeats
	var labels calibration
	return input.Watching(env, app.Reporting(env, EvalRun, &cli.Command{
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
			&cli.StringSliceFlag{Name: "assertions", KeepSpace: true, Category: category, Usage: "the suite in `FILE` (JSON, JSON lines or YAML), or -; repeatable"},
			&cli.StringSliceFlag{Name: "tag", KeepSpace: true, Category: category, Usage: "evaluate only assertions with this `TAG`; repeatable: any of them"},
			&cli.StringFlag{Name: "filter", Category: category, Usage: "evaluate only assertions whose id matches `GLOB`"},
			&cli.IntFlag{Name: "max-soft", Category: category, Usage: "fail if more than `N` assertions fail softly (default: each suite's max_soft, else no limit)"},
			&cli.Float64Flag{Name: "max-cost", Category: category, Usage: "stop model calls at a cost of `USD` dollars; the remaining assertions are skipped and the exit code is 2"},
			&cli.BoolFlag{Name: "dry-run", Category: category, Usage: "evaluate nothing: print the estimated calls, tokens and dollars of each suite"},
			&cli.StringFlag{Name: "engine-config", Category: category, Usage: "`FILE` with the engine's configuration (YAML or JSON)"},
			&cli.DurationFlag{Name: "eval-timeout", Category: category, Usage: "`TIME` that a suite may take on one trace, such as 10s (default: 30s)"},
			&cli.BoolFlag{Name: "strict", Category: category, Usage: "fail on assertions that can never fail; traces with unknown step types are rejected by default"},
			&cli.BoolFlag{Name: "lax", Category: category, Usage: "tolerate unknown step types"},
			&cli.BoolFlag{Name: "allow-incomplete", Category: category, Usage: "evaluate imported traces even if their record is incomplete"},
			importFlag(category),
			&cli.BoolFlag{Name: "prune", Category: providersCategory, Usage: "remove recorded answers that the run did not use"},
			againstFlag(category),
			g.flag(category),
			groups.flag(category),
			groups.runsFlag(category),
			labels.flag(category),
			historyFlag(category),
			input.WatchFlag(category),
			input.ShowFilesFlag(category),
			app.JobsFlag(category),
			input.PackedFlag("Input"),
		}, slices.Concat(providerFlags(), memoryFlags(category), app.AttestFlags(), input.SharedFlags())...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		e := &evalRun{env: env, out: out, gate: g, repeats: groups.started(), labels: labels.started()}
		return e.run(c, func(env cmdline.Env, c *cli.Context, what input.Reads) ([]walk.Input, error) {
			return input.ExpandInputs(env, c, input.TraceOperands(c), what)
		})
	}))
}

func (e *evalRun) readSuites(c *cli.Context) ([]*suite.File, error) {
	names := c.StringSlice("assertions")
	if e.suite == nil {
		return readSuites(e.env, e.out, e.engine, names, slices.Contains(input.TraceOperands(c), "-"))
	}
	read, err := readSuiteFile(e.env.Context, e.out, e.engine, names[0], *e.suite)
	return []*suite.File{read}, err
}

func (e *evalRun) run(c *cli.Context, find input.Finder) (report.Summary, error) {
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

// SuiteChecker evaluates a suite for `cupel check`, without models.
func SuiteChecker(file walk.Input, leftOut func(finding.Finding)) *input.Checker {
	return &input.Checker{
		Suite: file.Name, Run: EvalRun, Flags: []string{"--assertions=" + file.Path}, Files: app.OwnFiles,
		Check: func(env cmdline.Env, c *cli.Context, out *app.Output, find input.Finder) (report.Summary, error) {
			env.Getenv = func(string) string { return "" }
			e := &evalRun{env: env, out: out, suite: &file, leftOut: leftOut}
			return e.run(c, find)
		},
	}
}

type evalRun struct {
	env    cmdline.Env
	out    *app.Output
	engine *attest.Engine
	memory int // memory limit for concurrent evaluations
	suites suites
	passed input.PassedOver
	counts evalCounts
	open   evalCounts // those of counts that no baseline accepts

	against *comparison  // with an earlier run, or nil
	matrix  *matrix      // of the run, for a page; nil for other formats
	scores  *scorekeeper // nil without a history
	models  *connection
	removed int // recorded answers that nothing asked for

	estimator *estimator            // nil: the models are asked
	suite     *walk.Input           // in place of --assertions; nil: that counts
	leftOut   func(finding.Finding) // called for omitted model assertions; nil: none is omitted

	gate     policyGate
	repeats  *repeats     // runs of each case, or nil
	labels   *calibration // judges compared with labels, or nil
	blocked  bool         // by the policy
	overSoft bool         // there are more soft failures than allowed
	unpaid   int          // assertions that are skipped because the calls of models have cost enough
}

// evalCounts is the summary: results by status, and traces that could not be evaluated.
type evalCounts struct {
	Pass         int `json:"pass"`
	SoftFail     int `json:"soft_fail"`
	HardFail     int `json:"hard_fail"`
	Error        int `json:"error"`
	Unanswerable int `json:"unanswerable,omitempty"` // the trace's record lost required data
	Skipped      int `json:"skipped,omitempty"`      // after a hard failure; not counted as soft failures, in spite of their status
	Accepted     int `json:"accepted,omitempty"`     // failures above that a baseline accepts
}

func (n *evalCounts) count(r attest.Result) {
	switch {
	case r.Skipped:
		n.Skipped++
	case r.Status == attest.Pass:
		n.Pass++
	case r.Status == attest.SoftFail:
		n.SoftFail++
	case r.Status == attest.Unanswerable:
		n.Unanswerable++
	default:
		n.HardFail++
	}
}

func (n *evalCounts) add(m evalCounts) {
	n.Pass += m.Pass
	n.SoftFail += m.SoftFail
	n.HardFail += m.HardFail
	n.Skipped += m.Skipped
	n.Unanswerable += m.Unanswerable
	n.Error += m.Error
	n.Accepted += m.Accepted
}

func (n evalCounts) String() string {
	text := fmt.Sprintf("%d pass, %d soft_fail, %d hard_fail", n.Pass, n.SoftFail, n.HardFail)
	if n.Unanswerable > 0 {
		text += fmt.Sprintf(", %d unanswerable", n.Unanswerable)
	}
	if n.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", n.Skipped)
	}
	if n.Accepted > 0 {
		text += app.AcceptedToo(n.Accepted)
	}
	return text
}

func (e *evalRun) prepare(c *cli.Context) error {
	config, err := engineConfig(e.env, c, "engine-config")
	config.Engine.AllowIncomplete = c.Bool("allow-incomplete")
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
	if err := app.NotSharded(c, "prune", "max-soft", "against", "policy", "repeats", "calibrate"); err != nil {
		return err
	}
	if e.suites.list, err = selectAssertions(whole, c.StringSlice("tag"), c.String("filter")); err != nil {
		return err
	}
	if err := reportDoubts(e.out, whole, c.Bool("strict")); err != nil {
		return err
	}
	e.suites.forbids = slices.ContainsFunc(e.suites.list, func(one countedSuite) bool { return one.Forbids() })
	if e.leftOut != nil {
		e.suites.leaveOut(e.leftOut)
	} else if err := e.suites.unavailable(e.out); err != nil {
		return err
	}
	if e.against, err = readEarlier(e.env.Context, c, e.suites.list); err != nil {
		return err
	}
	if err := errors.Join(e.repeats.valid(c.IsSet("k")), e.labels.read(e.env.Context)); err != nil {
		return err
	}
	if err := e.gate.read(e.env.Context, e.against != nil); err != nil {
		return err
	}
	if e.estimator == nil && e.out.Shows("html") {
		e.matrix = newMatrix(e.suites.list)
	}
	if app.Sharded(c) {
		if err := e.suites.unbounded(); err != nil {
			return err
		}
	}
	if c.IsSet("max-soft") {
		limit := c.Int("max-soft")
		if limit < 0 {
			return &cmdline.UsageError{Message: fmt.Sprintf("--max-soft is %d, expected 0 or more", limit), Hint: ""}
		}
		e.suites.maxSoft = &limit
	}
	return nil
}

// ask configures the engine's models and history, or their replacements in a dry run.
func (e *evalRun) ask(c *cli.Context, config *serve.Config) (err error) {
	if c.Bool("dry-run") {
		if c.IsSet(requireCassette) {
			return &cmdline.UsageError{Message: "--" + requireCassette + " has no effect with --dry-run: no answer is replayed", Hint: cmdline.LeaveOneHint}
		}
		e.estimator, err = newEstimator(e.env, e.out, c, config)
		return err
	}
	if e.models, err = connect(e.env, c, config, warningLog(e.env)); err != nil {
		return err
	}
	e.scores, err = keepScores(e.env.Context, c, config, warningLog(e.env))
	return err
}

// maxCost returns the value of --max-cost, or nil.
func maxCost(c *cli.Context) (*float64, error) {
	if !c.IsSet("max-cost") {
		return nil, nil
	}
	limit := c.Float64("max-cost")
	if !(limit >= 0) || math.IsInf(limit, 0) {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--max-cost is %v, expected a number of dollars of 0 or more", limit), Hint: "for example --max-cost 0.50"}
	}
	return &limit, nil
}

func (e *evalRun) all(c *cli.Context, find input.Finder) error {
	what := dialogReads(c, &e.passed)
	what.Digests = e.out.Digests()
	inputs, err := find(e.env, c, what)
	if err == nil {
		err = e.passed.List(c, e.out)
	}
	if err != nil {
		return err
	}
	from, err := importFormat(c)
	if err != nil {
		return err
	}
	err = traceWork[answered]{out: e.out, engine: e.engine, from: from, memory: e.memory, work: e.evaluate, deliver: e.trace, fail: e.fail}.run(e.env, c, inputs)
	if err != nil {
		return err
	}
	var names []string
	for _, s := range e.suites.list {
		names = append(names, s.Path)
	}
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	for _, d := range what.Digests.Among(names) {
		if err := e.out.Answer(report.Answer{List: "inputs", Value: d}); err != nil {
			return err
		}
	}
	if e.estimator != nil {
		return e.suites.estimated(e.estimator, e.out)
	}
	if e.unpaid > 0 {
		err := fmt.Errorf("%s skipped: model calls have cost %s USD, the limit (--max-cost) is %s",
			cmdline.Counted(e.unpaid, "assertion"), dollars(e.engine.Paid()), dollars(c.Float64("max-cost")))
		if err := e.out.Fail(&cmdline.Hinted{Err: err, Hint: "--dry-run estimates the cost of a run"}); err != nil {
			return err
		}
	}
	if e.counts.Unanswerable > 0 {
		err := fmt.Errorf("%s cannot be answered: the record lacks the data that they need", cmdline.Counted(e.counts.Unanswerable, "assertion"))
		if err := e.out.Fail(&cmdline.Hinted{Err: err, Hint: "record the contents of model calls and tools, or use --allow-incomplete"}); err != nil {
			return err
		}
	}
	if e.counts.Error == 0 {
		if err := e.suites.unmet(e.out); err != nil {
			return err
		}
	}
	for _, one := range e.suites.list {
		for _, f := range one.Misspelled(e.suites.tools) {
			if c.Bool("strict") {
				f.Severity = finding.Error
			}
			if err := e.out.Finding(f); err != nil {
				return err
			}
		}
	}
	if err := e.against.end(e.out); err != nil {
		return err
	}
	if err := errors.Join(e.repeats.end(e.out), e.labels.end(e.out)); err != nil {
		return err
	}
	broken := e.gate.broken(e.spent(), e.against.worse())
	e.blocked = len(broken) > 0
	over := e.suites.overSoft()
	e.overSoft = len(over) > 0
	over = append(over, broken...)
	for _, f := range over {
		e.out.No()
		if err := e.out.Fault(f); err != nil {
			return err
		}
	}
	return nil
}

func (e *evalRun) spent() float64 {
	if e.engine == nil {
		return 0
	}
	return e.engine.Spent()
}

func (e *evalRun) summary() report.Summary {
	if e.estimator != nil {
		return e.suites.estimateSummary(e.counts.Error, &e.passed)
	}
	value := struct {
		evalCounts
		OverSoft  bool    `json:"over_soft,omitempty"`
		Removed   int     `json:"removed_recordings,omitempty"`
		TotalCost float64 `json:"total_cost,omitempty"` // USD, also of answers that were lost
		Passed    int     `json:"passed_over,omitempty"`

		Blocked     bool          `json:"policy_blocks,omitempty"`
		Repeats     []*repeated   `json:"repeats,omitempty"` // cases with several runs
		Calibration *agreement    `json:"calibration,omitempty"`
		Against     *comparedRuns `json:"against,omitempty"`
	}{e.counts, e.overSoft, e.removed, e.spent(), len(e.passed.Files), e.blocked, e.repeats.cases(), e.labels.agreement(), e.against.runs()}
	s := report.Summary{Value: value, Text: e.counts.String(), Weight: report.Good, Accepted: e.counts.Accepted > 0}
	if e.counts.Error > 0 {
		s.Text += fmt.Sprintf(", %d not evaluated", e.counts.Error)
	}
	if e.overSoft {
		s.Text += "; too many soft failures"
	}
	if e.blocked {
		s.Text += "; the policy blocks the run"
	}
	if e.removed > 0 {
		s.Text += fmt.Sprintf("; %s removed", cmdline.Counted(e.removed, "recorded answer"))
	}
	if value.TotalCost > 0 {
		s.Text += "; models cost " + dollars(value.TotalCost) + " USD"
	}
	s.Text += e.passed.Text()
	if e.matrix != nil && e.matrix.columns > 0 {
		s.View = e.matrix.page
	}
	switch {
	case e.open.HardFail > 0 || e.counts.Unanswerable > 0 || e.counts.Error > 0 || e.overSoft || e.blocked || e.unpaid > 0:
		s.Weight = report.Bad
	case e.counts.HardFail+e.counts.SoftFail > 0:
		s.Weight = report.Caution
	}
	return s
}
