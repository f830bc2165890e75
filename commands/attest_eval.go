package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// maxSuiteBytes bounds a suite: far beyond what anybody writes, and read whole.
const maxSuiteBytes = 16 << 20

// attestEvalCommand is `cupel attest eval`.
func attestEvalCommand(env Env) *cli.Command {
	const category = "Evaluation"
	run := report.Run{Command: "attest eval", Schema: "cupel.eval/1", Lists: []string{"suites"}, Rules: attest.Rules}
	return reporting(env, run, &cli.Command{
		Name:      "eval",
		Usage:     "evaluate a suite of assertions on traces",
		ArgsUsage: "[TRACE…]",
		UsageText: strings.Join([]string{
			"cupel attest eval --trace trace.json --assertions suite.yaml",
			"cupel attest eval --assertions suite.yaml --tag smoke --format junit=report.xml 'runs/**/*.json'",
			"cupel attest eval --assertions suite.yaml --max-soft 2 - < traces.jsonl",
		}, "\n"),
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "trace", Category: category, Usage: "a `FILE`, folder or glob of traces, like an operand; repeatable"},
			&cli.StringFlag{Name: "assertions", Category: category, Usage: "the suite: a `FILE` of JSON, JSON lines or YAML, or -"},
			&cli.StringSliceFlag{Name: "tag", Category: category, Usage: "evaluate the assertions with this `TAG`; repeatable, any of them counts"},
			&cli.StringFlag{Name: "filter", Category: category, Usage: "evaluate the assertions whose id matches this `GLOB`"},
			&cli.IntFlag{Name: "max-soft", Category: category, Usage: "make the answer no when more than `N` assertions fail softly (default: the suite's max_soft, else any number)"},
			&cli.StringFlag{Name: "engine-config", Category: category, Usage: "`FILE` with the engine's configuration (YAML or JSON)"},
			&cli.DurationFlag{Name: "eval-timeout", Category: category, Usage: "`TIME` that one trace may take, such as 10s (default: 30s)"},
			&cli.BoolFlag{Name: "strict", Category: category, Usage: "refuse traces with unknown step types (the default)"},
			&cli.BoolFlag{Name: "lax", Category: category, Usage: "tolerate unknown step types"},
			jobsFlag(category),
		}, inputFlags()...),
	}, func(c *cli.Context, out *output) (report.Summary, error) {
		e := &evaluating{env: env, out: out}
		if err := e.prepare(c); err != nil {
			return e.summary(), err
		}
		err := e.all(c)
		return e.summary(), err
	})
}

// evaluating is one run of the command.
type evaluating struct {
	env     Env
	out     *output
	engine  *attest.Engine
	suite   *attest.Suite
	maxSoft int
	counts  evalCounts
}

// evalCounts is the summary of a run: results by status, and the traces that could
// not be evaluated.
type evalCounts struct {
	Pass     int `json:"pass"`
	SoftFail int `json:"soft_fail"`
	HardFail int `json:"hard_fail"`
	Error    int `json:"error"`
}

// count adds the result of one assertion.
func (n *evalCounts) count(status string) {
	switch status {
	case attest.Pass:
		n.Pass++
	case attest.SoftFail:
		n.SoftFail++
	default:
		n.HardFail++
	}
}

func (n evalCounts) String() string {
	return fmt.Sprintf("%d pass, %d soft_fail, %d hard_fail", n.Pass, n.SoftFail, n.HardFail)
}

// prepare reads the flags and the suite.
func (e *evaluating) prepare(c *cli.Context) error {
	config, err := engineConfig(c, c.String("engine-config"))
	if err != nil {
		return err
	}
	e.engine = attest.NewEngine(config.Options)
	if c.String("assertions") == "" {
		return &usageError{"no suite given", "--assertions FILE names it; docs/attest-suite.md shows its format"}
	}
	if c.String("assertions") == "-" && slices.Contains(traceOperands(c), "-") {
		return &usageError{walk.ErrStdinTwice.Error(), ""}
	}
	suite, err := readSuite(e.env, e.out, e.engine, c.String("assertions"))
	if err != nil {
		return err
	}
	if e.suite, err = selectAssertions(suite, c.StringSlice("tag"), c.String("filter")); err != nil {
		return err
	}
	e.maxSoft = suite.MaxSoft
	if c.IsSet("max-soft") {
		if e.maxSoft = c.Int("max-soft"); e.maxSoft < 0 {
			return &usageError{fmt.Sprintf("--max-soft is %d, expected 0 or more", e.maxSoft), ""}
		}
	}
	return nil
}

// readSuite reads a suite from a file, or from standard input for "-". Its findings
// are reported; they make it unusable.
func readSuite(env Env, out *output, engine *attest.Engine, name string) (*attest.Suite, error) {
	list, err := walk.Expand(env.Context, []string{name}, walk.Options{Stdin: env.Stdin, Patterns: []string{"*"}})
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, &usageError{fmt.Sprintf("--assertions %q stands for %d files, expected one", name, len(list)), ""}
	}
	file, err := list[0].Open()
	if err != nil {
		return nil, fmt.Errorf("cannot read the suite: %w", err)
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxSuiteBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read the suite: %w", err)
	case len(data) > maxSuiteBytes:
		return nil, fmt.Errorf("the suite %q is larger than %d bytes", name, maxSuiteBytes)
	}
	suite, findings := engine.ParseSuite(list[0].Name, data)
	for _, f := range findings {
		if err := out.Finding(f); err != nil {
			return nil, err
		}
	}
	if len(findings) == 1 {
		return nil, fmt.Errorf("the suite %q has a fault: %s", name, findings[0].Message)
	}
	if len(findings) > 1 {
		return nil, fmt.Errorf("the suite %q has %d faults, the first in line %d: %s", name, len(findings), findings[0].Line, findings[0].Message)
	}
	return suite, nil
}

// selectAssertions applies --tag and --filter. Choosing nothing is a mistake.
func selectAssertions(suite *attest.Suite, tags []string, filter string) (*attest.Suite, error) {
	if _, err := path.Match(filter, ""); err != nil {
		return nil, &usageError{fmt.Sprintf("invalid value %q for --filter: %v", filter, err), "for example --filter 'refund-*'"}
	}
	selected := suite.Select(func(id string, has []string) bool {
		fits, _ := path.Match(filter, id)
		wanted := func(tag string) bool { return slices.Contains(tags, tag) }
		return (filter == "" || fits) && (len(tags) == 0 || slices.ContainsFunc(has, wanted))
	})
	if selected.Len() == 0 {
		return nil, &usageError{fmt.Sprintf("--tag and --filter choose none of the %d assertions of %q", suite.Len(), suite.Name),
			"a tag is one of the list \"tags\" of an assertion; a filter is a glob such as 'refund-*'"}
	}
	return selected, nil
}

// traceOperands are the traces, named by flag or as operands.
func traceOperands(c *cli.Context) []string {
	return slices.Concat(c.StringSlice("trace"), c.Args().Slice())
}

// all evaluates every trace of every input.
func (e *evaluating) all(c *cli.Context) error {
	inputs, err := expandInputs(e.env, c, traceOperands(c), reads{Patterns: traceFiles})
	if err != nil {
		return err
	}
	err = traceWork[answered]{engine: e.engine, work: e.evaluate, deliver: e.trace, fail: e.fail}.run(e.env, c, inputs)
	if err != nil {
		return err
	}
	if e.maxSoft >= 0 && e.counts.SoftFail > e.maxSoft {
		e.out.No()
	}
	return nil
}

// evaluated is one element of the list "suites".
type evaluated struct {
	Trace      string            `json:"trace"`
	Results    []json.RawMessage `json:"results"`
	TotalCost  float64           `json:"total_cost"`
	DurationMS int64             `json:"total_duration_ms"`
	Error      json.RawMessage   `json:"error,omitempty"`
}

// fail reports what could not be read.
func (e *evaluating) fail(name string, cause error) error {
	e.counts.Error++
	record := report.Record{List: "suites", JSON: evaluated{Trace: name, Results: []json.RawMessage{}},
		Text: name + ": could not be read", Style: report.Bad}
	return errors.Join(e.out.Fail(cause), e.out.Record(record))
}

// answered is what the engine says about one trace.
type answered struct {
	results []attest.SuiteResult
	refused *attest.Error // the trace could not be evaluated
	took    time.Duration
}

// evaluate evaluates the suite on one trace.
func (e *evaluating) evaluate(t namedTrace) answered {
	start := time.Now()
	results, refused := e.engine.EvaluateSuite(e.env.Context, t.TraceText, e.suite)
	return answered{results, refused, time.Since(start)}
}

// trace reports the results of one trace.
func (e *evaluating) trace(t namedTrace, a answered) error {
	if err := e.env.Context.Err(); err != nil {
		return err
	}
	if a.refused != nil {
		return e.refuse(t, a.refused)
	}
	element := evaluated{Trace: t.name, Results: make([]json.RawMessage, len(a.results)), DurationMS: a.took.Milliseconds()}
	var counts evalCounts
	for i, r := range a.results {
		element.Results[i] = resultJSON(r)
		element.TotalCost += r.Cost
		counts.count(r.Status)
		if err := e.result(t.name, r, element.Results[i]); err != nil {
			return err
		}
	}
	e.counts.Pass += counts.Pass
	e.counts.SoftFail += counts.SoftFail
	e.counts.HardFail += counts.HardFail
	record := report.Record{List: "suites", JSON: element, Line: evalLine{t.name, element.TotalCost, element.DurationMS, counts},
		Text: t.name + ": " + counts.String(), Short: t.name + ": " + counts.String(), Style: report.Good}
	switch {
	case counts.HardFail > 0:
		record.Style = report.Bad
	case counts.SoftFail > 0:
		record.Style = report.Caution
	}
	return e.out.Record(record)
}

// evalLine closes the results of one trace in jsonl.
type evalLine struct {
	Trace      string  `json:"trace"`
	TotalCost  float64 `json:"total_cost"`
	DurationMS int64   `json:"total_duration_ms"`
	evalCounts
}

// refuse reports a trace that could not be evaluated.
func (e *evaluating) refuse(t namedTrace, refused *attest.Error) error {
	e.counts.Error++
	element := evaluated{Trace: t.name, Results: []json.RawMessage{}, Error: refused.AppendJSON(nil)}
	return errors.Join(
		e.out.Finding(t.finding(refused)),
		e.out.Fail(fmt.Errorf("%s: %s", t.name, refused.Message)),
		e.out.Record(report.Record{List: "suites", JSON: element}))
}

// result reports one result: a finding unless the assertion holds, and a case for
// JUnit. Only a hard failure is a failure there.
func (e *evaluating) result(trace string, r attest.SuiteResult, raw json.RawMessage) error {
	record := report.Record{Name: r.AssertionID, Class: trace, Line: traceResult{trace, raw}}
	if r.Status == attest.Pass {
		return e.out.Record(record)
	}
	f := finding.Finding{
		Rule: attest.RuleSoftFail, Severity: finding.Warning, File: r.Place.File, Line: r.Place.Line, Column: r.Place.Column,
		Path: r.Pointer, Message: r.AssertionID + ": " + strings.TrimSuffix(r.Explanation, "."), Notes: []string{"trace: " + trace},
		Source: r.Place.Snippet,
	}
	if r.Status == attest.HardFail {
		f.Rule, f.Severity = attest.RuleHardFail, finding.Error
		record.Failure = r.Explanation
		e.out.No()
	}
	return errors.Join(e.out.Finding(f), e.out.Record(record))
}

// traceResult is a result in jsonl.
type traceResult struct {
	Trace  string          `json:"trace"`
	Result json.RawMessage `json:"result"`
}

// resultJSON is the protocol's result object with the place of the assertion in the
// suite and of the value in the trace.
func resultJSON(r attest.SuiteResult) json.RawMessage {
	object := r.AppendJSON(nil)
	object = append(object[:len(object)-1], `,"place":`...)
	return append(r.Place.AppendJSON(object, r.Pointer), '}')
}

func (e *evaluating) summary() report.Summary {
	s := report.Summary{JSON: e.counts, Text: e.counts.String(), Style: report.Good}
	if e.counts.Error > 0 {
		s.Text += fmt.Sprintf(", %d not evaluated", e.counts.Error)
	}
	over := e.maxSoft >= 0 && e.suite != nil && e.counts.SoftFail > e.maxSoft
	if over {
		s.Text += fmt.Sprintf("; more soft failures than the %d allowed", e.maxSoft)
	}
	switch {
	case e.counts.HardFail > 0 || e.counts.Error > 0 || over:
		s.Style = report.Bad
	case e.counts.SoftFail > 0:
		s.Style = report.Caution
	}
	return s
}
