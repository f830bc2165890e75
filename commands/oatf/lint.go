// Package oatfcmd implements the commands of `cupel oatf`.
package oatfcmd

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
)

// LintRun is the report of the command.
var LintRun = report.Run{
	Command: "oatf lint", Schema: "cupel.lint/1",
	Lists: []string{"findings", "files", input.PassedOverList}, Rules: oatf.Rules,
	Baseline: "accepted findings do not cause exit code 1",
	NotProved: []string{
		"whether the attack works, or an agent withstands it: only the document is checked",
		"whether expressions and patterns match as intended: check with cupel oatf try",
	},
}

// LintCommand is `cupel oatf lint`.
func LintCommand(env cmdline.Env) *cli.Command {
	return input.Watching(env, app.Reporting(env, LintRun, &cli.Command{
		Name:      "lint",
		Usage:     "check OATF documents and show the place of each fault",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel oatf lint",
			"cupel oatf lint attack.yaml 'library/**/*.yaml'",
			"cupel oatf lint --strict --format sarif=lint.sarif --format text attacks/",
		}, "\n"),
		Flags: slices.Concat(oatfLintFlags(), input.PickFlags(), input.SharedFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		return LintDocuments(env, c, out, input.OpenInputs)
	}))
}

// LintDocuments runs the command on the inputs that find returns.
func LintDocuments(env cmdline.Env, c *cli.Context, out *app.Output, find input.Finder) (report.Summary, error) {
	opt, err := oatfCheckOptions(c)
	if err != nil {
		return report.Summary{}, err
	}
	workers, err := app.Jobs(c)
	if err != nil {
		return report.Summary{}, err
	}
	known, err := app.ReadRevisions(c, out.Filter.Weigh.Heeds)
	if err != nil {
		return report.Summary{}, err
	}
	mending, err := readMending(c)
	if err != nil {
		return report.Summary{}, err
	}
	l := &lintRun{env: env, c: c, out: out, opt: opt, known: known, most: c.Int("max-findings"), mending: mending, passed: input.PassedOver{None: "no OATF document"}}
	what := oatfReads()
	what.Here, what.PassedOver, what.Digests = true, l.passed.Add, out.Digests()
	inputs, err := find(env, c, what)
	if err == nil {
		err = l.passed.List(c, out)
	}
	if err == nil {
		err = l.run(env, inputs, workers)
	}
	return l.summary(), err
}

func oatfLintFlags() []cli.Flag {
	const category = "Lint"
	return slices.Concat([]cli.Flag{
		&cli.BoolFlag{Name: "strict", Category: category, Usage: "apply all lint rules L, not only those about indicators, triggers and spelling; --select of one does the same"},
		app.RevisionFlag(category, app.ByMarks),
		unknownFieldsFlag(category),
	}, documentLimitFlags(category), []cli.Flag{
		&cli.IntFlag{Name: "max-findings", Category: category, Value: oatf.DefaultMaxErrors, Usage: "report at most `N` findings of a document and count the rest"},
		input.WatchFlag(category),
		input.ShowFilesFlag(category),
		app.JobsFlag(category),
	}, input.FixFlags("files"))
}

var unknownFieldsNames = []string{oatf.RejectUnknown: "reject", oatf.WarnUnknown: "warn"}

func unknownFieldsFlag(category string) cli.Flag {
	return cmdline.OneOf(&cli.StringFlag{Name: "unknown-fields", Category: category, Value: "reject", Usage: "`WHAT` to do with unknown keys: reject, or warn and ignore them"}, cmdline.WordsOf(unknownFieldsNames, map[string]string{
		"reject": "each is an error", "warn": "each is a warning, and is ignored",
	})...)
}

func unknownFields(c *cli.Context) (oatf.UnknownFields, error) {
	i := slices.Index(unknownFieldsNames, c.String("unknown-fields"))
	if i < 0 {
		return 0, cmdline.BadValue("unknown-fields", c.String("unknown-fields"), unknownFieldsNames)
	}
	return oatf.UnknownFields(i), nil
}

func oatfCheckOptions(c *cli.Context) (oatf.CheckOptions, error) {
	unknown, err := unknownFields(c)
	if err != nil {
		return oatf.CheckOptions{}, err
	}
	limits, err := documentLimits(c)
	if err != nil {
		return oatf.CheckOptions{}, err
	}
	if err := app.AtLeastOne(c, "max-findings"); err != nil {
		return oatf.CheckOptions{}, err
	}
	limits.Errors = max(c.Int("max-findings"), lookedAt)
	return oatf.CheckOptions{
		UnknownFields: unknown,
		Limits:        limits,
	}, nil
}

// lookedAt is how many findings are examined per document, because their order is known only after filtering. The
// rest is counted.
const lookedAt = 5000

// strict reports whether lint rules apply to a document: because of --strict, cupel.yaml, or their selection.
func (l *lintRun) strict(says config.Config) bool {
	selected := slices.ContainsFunc(l.c.StringSlice("select"), app.ChoosesLint)
	if !l.c.IsSet("select") {
		selected = app.SelectsLint(says)
	}
	return selected || app.StrictBy(l.c, says)
}

// lintRun is one run of `cupel oatf lint`.
type lintRun struct {
	env   cmdline.Env
	c     *cli.Context
	out   *app.Output
	opt   oatf.CheckOptions
	known *app.Revisions
	most  int // findings of a document that are shown

	files, errors, warnings int
	passed                  input.PassedOver
	mending                 fixes
}

// lintedFile is an element of the report's files.
type lintedFile struct {
	File     string        `json:"file"`
	Revision oatf.Revision `json:"revision,omitempty"` // "" unless a document
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Omitted  int           `json:"findings_omitted,omitempty"` // of the errors and warnings
	Fixed    int           `json:"fixed,omitempty"`            // findings that were mended or, with a diff, would be
	Diff     string        `json:"diff,omitempty"`             // what would change
}

type lintInput struct {
	walk.Input
	revision oatf.Revision
	strict   bool
}

type checkResult struct {
	oatf.Checked
	text []byte // for a page, and where findings are to be mended; else nil
	err  error
}

// run checks the inputs concurrently and reports them in order.
func (l *lintRun) run(env cmdline.Env, inputs []walk.Input, jobs int) error {
	defer app.RoomyHeap()()
	l.out.Plan(inputs)
	bar := l.out.ProgressOfMany("linting", -1)
	defer bar.End()
	documents, err := l.ways(inputs)
	if err != nil {
		return err
	}
	paged := l.out.Shows("html")
	return ordered.Pipeline[lintInput, checkResult]{
		Jobs: jobs,
		Read: func(lintInput) (lintInput, error) {
			if len(documents) == 0 {
				return lintInput{}, io.EOF
			}
			next := documents[0]
			documents = documents[1:]
			return next, nil
		},
		NewWorker: func() func(lintInput) checkResult {
			return func(in lintInput) checkResult {
				defer bar.FileDone(in.Size)
				text, err := readDocument(in.Input, l.opt.Limits.Bytes)
				if err != nil {
					return checkResult{err: err}
				}
				c := checkResult{Checked: l.optionsFor(in).Check(text)}
				if paged || l.mending.asked() && hasFix(c.Findings) {
					c.text = text
				}
				return c
			}
		},
		Deliver: l.report,
	}.Run(env.Context)
}

func (l *lintRun) optionsFor(in lintInput) oatf.CheckOptions {
	opt := l.opt
	opt.File, opt.Revision, opt.Strict = in.Name, in.revision, in.strict
	return opt
}

// ways returns how to check each input. It runs before the workers start.
func (l *lintRun) ways(inputs []walk.Input) ([]lintInput, error) {
	documents := make([]lintInput, len(inputs))
	for i, in := range inputs {
		revision, wrong := l.known.Of(in.Name)
		says, unread := l.known.Heeds.Of(in.Name)
		for _, err := range []error{wrong, unread} {
			if err == nil {
				continue
			}
			if err = l.out.Fail(err); err != nil {
				return nil, err
			}
		}
		documents[i] = lintInput{in, revision, l.strict(says)}
	}
	return documents, nil
}

// readDocument reads an input up to one byte beyond the limit, so that Check reports the excess.
func readDocument(in walk.Input, limit int) ([]byte, error) {
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := source.ReadBeyond(r, limit)
	if err != nil {
		if plain := say.Plain(err); plain != err {
			return nil, plain // it names the file
		}
		return nil, cmdline.Unread(strconv.Quote(in.Name), err)
	}
	return text, nil
}

func (l *lintRun) report(in lintInput, c checkResult) (err error) {
	if c.err != nil {
		return l.out.Fail(c.err)
	}
	l.files++
	var file lintedFile
	if l.mending.asked() && c.text != nil {
		var err error
		if c, file, err = l.mend(in, c); err != nil {
			if err = l.out.Fail(err); err != nil {
				return err
			}
		}
	}
	file.File, file.Revision = in.Name, c.Revision
	shown := file.first(l.choose(c.Findings), l.most)
	for _, f := range shown {
		if n := omittedBy(f); n > 0 {
			err = l.out.Rest(f, n)
		} else {
			err = l.out.Finding(f)
		}
		if err != nil {
			return err
		}
	}
	l.errors += file.Errors
	l.warnings += file.Warnings
	return l.out.Answer(report.Answer{List: "files", Value: file, Subject: in.Name, Outcome: lintOutcome(file), Listing: file.Diff, Findings: shown, Implied: file.Diff == "", View: documentView(c.text, shown)})
}

// documentView returns a function that creates a view of a document's text with findings in the margin.
func documentView(text []byte, shown []finding.Finding) func() (page.View, error) {
	if text == nil || len(shown) == 0 {
		return nil
	}
	return func() (page.View, error) { return page.NewDocument(oatf.SourceOf(text), shown), nil }
}

// first counts a file's findings and returns the first most of them. The last one summarizes the others.
func (l *lintedFile) first(list []finding.Finding, most int) (shown []finding.Finding) {
	var worst finding.Finding
	for _, f := range list {
		l.add(f.Severity, max(1, omittedBy(f)))
		switch {
		case omittedBy(f) == 0 && len(shown) < most:
			shown = append(shown, f)
			continue
		case l.Omitted == 0 || f.Severity > worst.Severity:
			worst = f
		}
		l.Omitted += max(1, omittedBy(f))
	}
	if l.Omitted > 0 {
		shown = append(shown, finding.Finding{
			Rule: worst.Rule, Severity: worst.Severity, File: worst.File, Line: worst.Line, Column: worst.Column,
			Message: say.Omitted(l.Omitted, "finding", most), Help: say.RaiseHint("--max-findings"), Detail: oatf.Detail{Revision: l.Revision, Omitted: l.Omitted},
		})
	}
	return shown
}

func (l *lintedFile) add(s finding.Severity, number int) {
	switch s {
	case finding.Error:
		l.Errors += number
	case finding.Warning:
		l.Warnings += number
	}
}

// omittedBy returns how many findings are summarized by a finding, usually 0.
func omittedBy(f finding.Finding) int {
	detail, _ := f.Detail.(oatf.Detail)
	return detail.Omitted
}

func lintOutcome(file lintedFile) report.Outcome {
	switch {
	case file.Errors > 0:
		return report.Outcome{Weight: report.Bad, Reason: cmdline.Counted(file.Errors, "error")}
	case file.Warnings > 0:
		return report.Outcome{Weight: report.Caution}
	}
	return report.Outcome{Weight: report.Good}
}

// choose filters findings by flags and baseline, by rule. If a finding's own rule is dropped, another rule that it
// violates represents it. All kept rules are added to a new baseline. Summaries are kept.
func (l *lintRun) choose(list []finding.Finding) (kept []finding.Finding) {
	list, kept = parted(list)
	elements := slices.DeleteFunc(report.Elements(list), func(f finding.Finding) bool { return !l.out.Pass(f) })
	chosen := map[app.Accepted]bool{}
	for _, f := range elements {
		chosen[app.AcceptedKey(f)] = true
		l.out.Accept(f)
	}
	for _, f := range list {
		kept = append(kept, oatf.Narrow(f, func(e finding.Finding) bool { return chosen[app.AcceptedKey(e)] })...)
	}
	return finding.Sort(kept)
}

// parted separates findings from summaries.
func parted(list []finding.Finding) (found, rest []finding.Finding) {
	for _, f := range list {
		if omittedBy(f) == 0 {
			found = append(found, f)
		} else {
			rest = append(rest, f)
		}
	}
	return found, rest
}

func (l *lintRun) summary() report.Summary {
	type counts struct {
		Files    int `json:"files"`
		Errors   int `json:"errors"`
		Warnings int `json:"warnings"`
		Fixed    int `json:"fixed,omitempty"`
		Passed   int `json:"passed_over,omitempty"`
	}
	rest := strings.TrimPrefix(l.mending.text()+l.passed.Text(), "; ")
	return report.Summary{Value: counts{l.files, l.errors, l.warnings, l.mending.mended, len(l.passed.Files)}, Tally: &report.Tally{Noun: "document", Total: l.files, Errors: l.errors, Warnings: l.warnings, Rest: rest}, Weight: lintOutcome(lintedFile{Errors: l.errors, Warnings: l.warnings}).Weight}
}
