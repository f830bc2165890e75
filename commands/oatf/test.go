package oatfcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/expect"
)

// testCase is an element of "cases".
type testCase struct {
	Document string            `json:"document"`
	Capture  string            `json:"capture"`
	File     string            `json:"file"` // of the tests
	Line     int               `json:"line"`
	Pass     bool              `json:"pass"`
	Expected string            `json:"expected"`
	Got      string            `json:"got"`
	Result   eval.AttackResult `json:"result,omitempty"` // absent without a verdict
	Matched  []string          `json:"matched"`
}

// testIndicator is an element of "indicators", with --coverage.
type testIndicator struct {
	Document string `json:"document"`
	ID       string `json:"indicator_id"`
	Attacks  int    `json:"matched_attacks"`
	Benign   int    `json:"matched_benign"`
	Skipped  int    `json:"skipped"`
}

type testCounts struct {
	Documents int `json:"documents"`
	Untested  int `json:"untested_documents"`
	Cases     int `json:"cases"`
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Unjudged  int `json:"unjudged"` // cases without a verdict
	Files     int `json:"passed_over,omitempty"`
}

// TestRun is the report of the command.
var TestRun = report.Run{
	Command: "oatf test", Schema: "cupel.oatf-test/1", Lists: []string{"cases", "indicators", input.PassedOverList},
	Columns: []report.Column{
		{Name: "indicator"},
		{Name: "attack captures", Right: true},
		{Name: "benign captures", Right: true},
		{Name: "skipped", Right: true},
		{Name: "document"},
	},
	Outcomes: []string{casePass, caseFail}, Rules: expect.Rules,
	Baseline: failedCaseStays,
	NotProved: []string{
		"whether the document finds the attack in captures of other agents",
		"whether other benign runs match",
	},
}

// TestCommand is `cupel oatf test`.
func TestCommand(env cmdline.Env) *cli.Command {
	return input.Watching(env, app.Reporting(env, TestRun, &cli.Command{
		Name:      "test",
		Usage:     "check that documents match the captures that they must match, and no others",
		ArgsUsage: "[PATH…]",
		UsageText: "cupel oatf test attack.yaml\ncupel oatf test library/ --coverage\ncupel oatf test --format junit=tests.xml",
		Description: "The captures of NAME.yaml are listed in NAME" + expect.Suffix + ", beside it:\n" +
			"attack:            # the verdict must be exploited\n  - complied.jsonl\n" +
			"benign:            # nothing may match\n  - ordinary/*.jsonl\n" +
			"`cupel oatf new --tests` writes an example.",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "coverage", Category: "Test", Usage: "count in how many captures each indicator matches, and report those that match in no capture of an attack"},
		}, judgingFlags("Evaluation"), input.SharedFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		t := &tester{env: env, c: c, out: out, coverage: c.Bool("coverage"), judge: evalRun{env: env, out: out}, passed: input.PassedOver{None: "no OATF document"}}
		err := t.run()
		return t.summary(), err
	}))
}

// tester is one run of `cupel oatf test`.
type tester struct {
	env      cmdline.Env
	c        *cli.Context
	out      *app.Output
	coverage bool
	judge    evalRun // its options
	counts   testCounts
	passed   input.PassedOver
}

func (t *tester) run() error {
	parse, err := t.judge.readFlags(t.c)
	if err != nil {
		return err
	}
	semantic, err := semanticCommand(t.env, t.c)
	if err != nil {
		return err
	}
	if semantic != nil {
		defer semantic.close()
		t.judge.opt.Semantic = semantic
	}
	what := oatfReads()
	what.Here, what.PassedOver = true, func(name, excluded string) {
		if !strings.HasSuffix(name, expect.Suffix) {
			t.passed.Add(name, excluded)
		}
	}
	inputs, err := input.ExpandInputs(t.env, t.c, documentsOf(t.c.Args().Slice()), what)
	if err == nil {
		err = t.passed.List(t.c, t.out)
	}
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if err := t.env.Context.Err(); err != nil {
			return err
		}
		if err := t.document(in, parse); err != nil {
			return err
		}
	}
	if t.counts.Cases == 0 && !t.out.Failed && len(inputs) > 0 {
		return t.out.Fail(&cmdline.Hinted{Err: errors.New("none of the documents has tests"), Hint: "`cupel help oatf-tests` shows how to write them"})
	}
	return nil
}

// documentsOf returns the operands, with tests replaced by their documents.
func documentsOf(operands []string) []string {
	list := slices.Clone(operands)
	for i, name := range list {
		stem, isTests := strings.CutSuffix(name, expect.Suffix)
		for _, extension := range []string{".yaml", ".yml"} {
			if _, err := door.Stat(stem + extension); isTests && err == nil {
				list[i] = stem + extension
				break
			}
		}
	}
	return slices.Compact(list)
}

func (t *tester) document(in walk.Input, parse oatf.ParseOptions) error {
	t.counts.Documents++
	revision, err := t.judge.known.Of(in.Name)
	if err != nil {
		return err
	}
	parse.Revision = revision
	one := t.judge
	if _, err := one.addInput(in, parse); err != nil {
		return t.out.Fail(err)
	}
	if in.Path == "" {
		return t.out.Fail(&cmdline.Hinted{Err: errors.New("standard input has no tests next to it"), Hint: "name a file"})
	}
	d := &testedDocument{tester: t, evalRun: one, document: one.documents[0]}
	d.path, d.name = testsBeside(in.Path), testsBeside(in.Name)
	switch _, err := door.Stat(d.path); {
	case errors.Is(err, fs.ErrNotExist):
		t.counts.Untested++
		f := expect.Untested(d.name)
		f.File, f.Line = in.Name, 1
		return t.out.Finding(f)
	case err != nil:
		return t.out.Fail(say.Plain(err))
	}
	tests, err := d.read()
	if err != nil {
		return t.out.Fail(placedMistake(err))
	}
	return d.run(tests)
}

// testsBeside returns the default name of a document's tests.
func testsBeside(document string) string {
	return strings.TrimSuffix(document, filepath.Ext(document)) + expect.Suffix
}

// placedMistake returns an error in tests, with a hint.
func placedMistake(err error) error {
	if mistake, is := errors.AsType[*keyfile.Error](err); is && mistake.Hint != "" {
		return &cmdline.Hinted{Err: mistake, Hint: mistake.Hint}
	}
	return err
}

type testedDocument struct {
	*tester
	evalRun
	document   *judgedDocument
	path, name string // of the tests
	covered    expect.Coverage
}

func (d *testedDocument) read() (*expect.Tests, error) {
	list, err := input.ExpandInputs(d.tester.env, d.c, []string{d.path}, input.Reads{Beside: true})
	if err != nil {
		return nil, err
	}
	text, err := readDocument(list[0], oatf.DefaultMaxBytes)
	if err != nil {
		return nil, err
	}
	tests, err := expect.Parse(d.name, text)
	if err != nil {
		return nil, err
	}
	var ids []string
	for i := range d.document.attack.Indicators {
		ids = append(ids, *d.document.attack.Indicators[i].ID)
	}
	return tests, tests.Known(d.name, ids)
}

// run evaluates every capture of the tests.
func (d *testedDocument) run(tests *expect.Tests) error {
	d.together = eval.NewBatch(d.document.evaluator)
	for i := range tests.Cases {
		k := &tests.Cases[i]
		name := filepath.Join(filepath.Dir(d.path), filepath.FromSlash(k.Capture.Text))
		captures, err := input.ExpandInputs(d.tester.env, d.c, []string{name}, input.Reads{Patterns: input.JSONLines, Beside: true, Unpacks: true})
		if err != nil {
			if err := d.tester.out.Fail(d.missing(k, err)); err != nil {
				return err
			}
			continue
		}
		for _, in := range captures {
			if err := d.judge(k, in); err != nil {
				return err
			}
		}
	}
	if !d.coverage {
		return nil
	}
	return d.cover()
}

// missing returns the error for captures that cannot be found.
func (d *testedDocument) missing(k *expect.Case, why error) error {
	return &keyfile.Error{Path: d.name, Line: k.Capture.Line, Column: k.Capture.Column, Message: why.Error()}
}

// judge evaluates a capture and compares the verdict with the expected one.
func (d *testedDocument) judge(k *expect.Case, in walk.Input) error {
	d.counts().Cases++
	v, err := d.verdictOn(d.tester.env.Context, in)
	if errors.Is(err, context.Canceled) {
		return err
	}
	element := testCase{Document: d.document.name, Capture: in.Name, File: d.name, Line: k.Capture.Line, Expected: k.Expected(), Matched: []string{}}
	answer := report.Answer{List: "cases", Subject: in.Name, Title: element.Expected, Group: d.document.name}
	if err != nil {
		d.counts().Unjudged++
		if err := d.tester.out.Fail(err); err != nil {
			return err
		}
		element.Got = "no verdict"
		answer.Value, answer.Outcome = element, report.Outcome{Weight: report.Unanswered, Word: caseFail, Expected: element.Expected, Found: element.Got}
		return d.tester.out.Answer(answer)
	}
	d.covered.Add(k, &v)
	element.Got, element.Pass = k.Judge(&v)
	element.Result, element.Matched = v.Result, append(element.Matched, matchedIDs(v)...)
	if answer.Value = element; element.Pass {
		d.counts().Passed++
		answer.Outcome = report.Outcome{Weight: report.Good, Word: casePass}
		return d.tester.out.Answer(answer)
	}
	d.counts().Failed++
	answer.Outcome = report.Outcome{Weight: report.Bad, Word: caseFail, Expected: element.Expected, Found: element.Got}
	answer.Facts = d.reasons(&v)
	d.tester.out.No()
	f := k.Finding(in.Name, element.Got)
	f.File = d.name
	d.tester.out.Annotate(&answer, f)
	return d.tester.out.Answer(answer)
}

func (d *testedDocument) counts() *testCounts { return &d.tester.counts }

// reasons returns the finding of each indicator.
func (d *testedDocument) reasons(v *eval.AttackVerdict) (facts []report.Fact) {
	for i := range v.IndicatorVerdicts {
		x := &v.IndicatorVerdicts[i]
		text := string(x.Result)
		if x.Place != nil {
			text += " in line " + strconv.Itoa(x.Place.Line)
		}
		if x.Evidence != "" {
			text += ": " + x.Evidence
		}
		facts = append(facts, report.Fact{Name: x.IndicatorID, Value: text})
	}
	return facts
}

func (d *testedDocument) verdictOn(ctx context.Context, in walk.Input) (v eval.AttackVerdict, err error) {
	file, err := in.Open()
	if err != nil {
		return v, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	reader, run := capture.NewReader(file, d.together.Reading(d.reading)), d.together.Start()
	for {
		m, err := reader.Next()
		line, isLine := errors.AsType[*capture.LineError](err)
		switch {
		case err == io.EOF:
			return d.finished(in.Name, run.Finish()[0], reader.Stats())
		case isLine:
			hint := cmdline.SkipBadLinesHint
			if flag := limitFlags[line.Limit]; flag != "" {
				hint = say.RaiseHint("--" + flag)
			}
			return v, &cmdline.Hinted{Err: fmt.Errorf("%s:%d: %s", in.Name, line.Line, line.Message), Hint: hint}
		case err != nil:
			return v, app.ReadFailed(in.Name, err)
		}
		if err := run.Take(ctx, m); err != nil {
			return v, err
		}
	}
}

// finished returns a verdict, or an error if the capture does not support one.
func (d *testedDocument) finished(name string, v eval.AttackVerdict, read capture.Stats) (eval.AttackVerdict, error) {
	if err := d.unrecognized(name, read); err != nil {
		return v, err
	}
	if read.Payloads > 0 && d.reading.Format == capture.Auto && v.Result == eval.NotExploited {
		return v, errors.New(guessedAt(name))
	}
	return v, nil
}

// cover reports coverage: indicators that never matched first, then the table.
func (d *testedDocument) cover() error {
	var rows []report.Answer
	for i := range d.covered.Indicators {
		x := &d.covered.Indicators[i]
		a := report.Answer{
			List: "indicators", Value: testIndicator{d.document.name, x.ID, x.Attacks, x.Benign, x.Skipped}, Total: true,
			Row: []string{
				x.ID, fmt.Sprintf("%d of %d", x.Attacks, d.covered.Attacks), fmt.Sprintf("%d of %d", x.Benign, d.covered.Benign),
				strconv.Itoa(x.Skipped), d.document.name,
			},
			Outcome: report.Outcome{Weight: report.Good},
		}
		if f, some := x.Finding(); some {
			a.Weight = report.Caution
			f.File, f.Line, f.Column, f.Path = d.document.name, d.document.places[i].Line, d.document.places[i].Column, indicatorPath(i)
			if err := d.tester.out.Finding(f); err != nil {
				return err
			}
		}
		rows = append(rows, a)
	}
	for _, a := range rows {
		if err := d.tester.out.Answer(a); err != nil {
			return err
		}
	}
	return nil
}

func (t *tester) summary() report.Summary {
	n := &t.counts
	n.Files = len(t.passed.Files)
	s := report.Summary{Value: n, Weight: report.Good, Text: fmt.Sprintf("%d of %s pass", n.Passed, cmdline.Counted(n.Cases, "case"))}
	if n.Failed > 0 {
		s.Text += fmt.Sprintf(", %d fail", n.Failed)
		s.Weight = report.Bad
	}
	if n.Unjudged > 0 {
		s.Text += fmt.Sprintf(", %d without a verdict", n.Unjudged)
		s.Weight = report.Bad
	}
	s.Text += "; " + cmdline.Counted(n.Documents, "document")
	if n.Untested > 0 {
		s.Text += fmt.Sprintf(", %d without tests", n.Untested)
	}
	s.Text += t.passed.Text()
	return s
}
