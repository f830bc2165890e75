package oatfcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/conformance"
)

type conformanceCase struct {
	ID         string `json:"id"`
	Suite      string `json:"suite"`
	File       string `json:"file"`
	Line       int    `json:"line,omitempty"`
	Digest     string `json:"digest,omitempty"`
	Pass       bool   `json:"pass"`
	Expected   string `json:"expected"`
	Got        string `json:"got"`
	KnownFault string `json:"known_fault,omitempty"`
}

// conformanceSummary is the summary, with the revision and how it was detected.
type conformanceSummary struct {
	Revision string `json:"revision"`
	ToldBy   string `json:"told_by,omitempty"`
	conformanceCounts
}

// conformanceCounts counts cases by outcome. Cases with a faulty fixture count as known faults.
type conformanceCounts struct {
	Cases       int `json:"cases"`
	Passed      int `json:"passed"`
	Failed      int `json:"failed"`
	KnownFaults int `json:"known_faults"`
	Unsupported int `json:"unsupported"`
}

// conformanceKind counts the cases of one kind of fixture.
type conformanceKind struct {
	Kind string `json:"kind"`
	conformanceCounts
}

// failedCaseStays describes the effect of a baseline on failed cases.
const failedCaseStays = "a failed case still fails"

var conformanceColumns = []report.Column{
	{Name: "kind"},
	{Name: "cases", Right: true},
	{Name: "passed", Right: true},
	{Name: "failed", Right: true},
	{Name: "known", Right: true},
	{Name: "unsupported", Right: true},
}

// ConformanceCommand is `cupel oatf conformance`.
func ConformanceCommand(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "oatf conformance", Schema: "cupel.conformance/1", Lists: []string{"cases", "kinds"}, Columns: conformanceColumns, Outcomes: []string{casePass, caseFail, caseKnown, conformance.Unsupported}, Rules: conformance.Rules,
		Baseline:  failedCaseStays,
		NotProved: []string{"anything that no fixture of the suite tests"},
	}
	return app.Reporting(env, run, &cli.Command{
		Name:      "conformance",
		Usage:     "run the fixtures of an OATF conformance suite and report each case",
		ArgsUsage: "DIR",
		UsageText: "cupel oatf conformance suite/\ncupel oatf conformance suite/ --quiet\ncupel oatf conformance suite/ --revision 2026-03 --format json",
		Flags:     []cli.Flag{app.RevisionFlag("Suite", "tells it by the kinds of the suite's fixtures, else by the marks of its documents")},
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		if c.NArg() != 1 {
			return report.Summary{}, &cmdline.UsageError{Message: "give the folder of one conformance suite", Hint: "`cupel help oatf conformance` shows the usage"}
		}
		given, err := app.GivenRevision(c)
		if err != nil {
			return report.Summary{}, err
		}
		return runConformance(env.Context, c.Args().First(), given, app.FilesToReplace(c), out)
	})
}

func runConformance(ctx context.Context, dir string, given oatf.Revision, replaced app.ReplacedFiles, out *app.Output) (report.Summary, error) {
	folder, err := door.Open(dir)
	if err != nil {
		return report.Summary{}, say.Plain(err)
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	suite := app.GuardedFolder{Files: folder.FS(), Replaced: replaced}
	sum, kinds, err := runSuite(ctx, suite, dir, given, out)
	if refused := app.Spared(err); refused != nil {
		return report.Summary{Value: sum}, refused
	}
	if errors.Is(err, conformance.ErrNoCases) {
		err = &cmdline.Hinted{Err: fmt.Errorf("%w in %q", err, dir), Hint: "a suite has folders such as parse/valid, validate and normalize"}
	}
	if err != nil {
		return report.Summary{Value: sum}, say.Plain(err)
	}
	for _, kind := range kinds {
		if err := out.Answer(kind.answer()); err != nil {
			return report.Summary{Value: sum}, err
		}
	}
	return sum.report(), nil
}

// runSuite runs the cases of a suite under the given revision, or else the suite's own.
func runSuite(ctx context.Context, suite fs.FS, dir string, given oatf.Revision, out *app.Output) (sum conformanceSummary, kinds []*conformanceKind, err error) {
	told := conformance.Recognition{Revision: given}
	if given == "" {
		if told, err = conformance.Recognize(ctx, suite); err != nil {
			return sum, nil, err
		}
	}
	sum.Revision, sum.ToldBy = string(told.Revision), told.Why
	err = conformance.Run(suite, told.Revision, func(c conformance.Case) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		sum.count(c)
		kinds = countKind(kinds, c)
		if c.Failed() || !c.Ran() { // unsupported cases did not pass
			out.No()
		}
		answer := conformanceAnswer(c)
		if f, some := c.Finding(); some {
			f.File = filepath.Join(dir, filepath.FromSlash(f.File))
			out.Annotate(&answer, f)
		}
		return out.Answer(answer)
	})
	return sum, kinds, err
}

// countKind adds a case to the counts of its kind, which are in order of first cases.
func countKind(kinds []*conformanceKind, c conformance.Case) []*conformanceKind {
	i := slices.IndexFunc(kinds, func(k *conformanceKind) bool { return k.Kind == c.Kind })
	if i < 0 {
		i = len(kinds)
		kinds = append(kinds, &conformanceKind{Kind: c.Kind})
	}
	kinds[i].count(c)
	return kinds
}

func (k *conformanceKind) answer() report.Answer {
	row := []string{k.Kind}
	for _, n := range []int{k.Cases, k.Passed, k.Failed, k.KnownFaults, k.Unsupported} {
		row = append(row, strconv.Itoa(n))
	}
	a := report.Answer{List: "kinds", Value: k, Row: row, Total: true, Outcome: report.Outcome{Weight: report.Good}}
	if k.Failed+k.Unsupported > 0 {
		a.Weight = report.Bad
	}
	return a
}

func (s *conformanceCounts) count(c conformance.Case) {
	s.Cases++
	switch {
	case c.Pass:
		s.Passed++
	case !c.Ran():
		s.Unsupported++
	case c.Failed():
		s.Failed++
	default:
		s.KnownFaults++
	}
}

func (s *conformanceSummary) report() report.Summary {
	out := report.Summary{Value: s, Weight: report.Good, Text: fmt.Sprintf("%d of %d cases pass", s.Passed, s.Cases)}
	if s.KnownFaults > 0 {
		out.Text += fmt.Sprintf(", %d fail for a known fault of the fixture", s.KnownFaults)
	}
	if s.Failed > 0 {
		out.Text += fmt.Sprintf(", %d fail", s.Failed)
		out.Weight = report.Bad
	}
	if s.Unsupported > 0 {
		out.Text += fmt.Sprintf(", %d cannot be run", s.Unsupported)
		out.Weight = report.Bad
	}
	out.Text += "; revision " + s.Revision
	if s.ToldBy != "" {
		out.Text += ": " + s.ToldBy
	}
	return out
}

// The outcomes of a case. A failure is known if the fixture is wrong.
const (
	casePass  = "pass"
	caseFail  = "fail"
	caseKnown = "known"
)

func conformanceAnswer(c conformance.Case) report.Answer {
	a := report.Answer{
		List: "cases", Value: conformanceCase{c.ID, c.Suite, c.File, c.Line, c.Digest, c.Pass, c.Expected, c.Got, c.KnownFault},
		Subject: c.ID, Title: c.Name, Group: c.Suite,
	}
	switch {
	case c.Pass:
		a.Outcome = report.Outcome{Weight: report.Good, Word: casePass}
	case !c.Ran():
		a.Outcome = report.Outcome{Weight: report.Bad, Word: conformance.Unsupported, Expected: c.Expected, Found: whyNotRun(c)}
	case c.Failed():
		a.Outcome = report.Outcome{Weight: report.Bad, Word: caseFail, Expected: c.Expected, Found: c.Got}
	default:
		a.Outcome = report.Outcome{Weight: report.Caution, Word: caseKnown, Expected: c.Expected, Found: c.Got}
		a.Facts = []report.Fact{{Name: "fixture", Value: c.KnownFault}, {Name: "digest", Value: c.Digest}}
	}
	return a
}

func whyNotRun(c conformance.Case) string {
	if !strings.Contains(c.Kind, "/") {
		return "found no suite: give the parent folder, because the folder names (such as validate) define the kinds of fixtures"
	}
	return "fixtures of this kind cannot be run"
}
