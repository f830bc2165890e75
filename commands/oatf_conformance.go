package commands

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf/conformance"
)

// conformanceCase is one element of the list "cases".
type conformanceCase struct {
	ID         string `json:"id"`
	Suite      string `json:"suite"`
	Pass       bool   `json:"pass"`
	Expected   string `json:"expected"`
	Got        string `json:"got"`
	KnownFault string `json:"known_fault,omitempty"`
}

// conformanceSummary counts the cases; those that fail because the fixture is wrong
// are known faults, not failures.
type conformanceSummary struct {
	Cases       int `json:"cases"`
	Passed      int `json:"passed"`
	Failed      int `json:"failed"`
	KnownFaults int `json:"known_faults"`
}

func oatfConformanceCommand(env Env) *cli.Command {
	run := report.Run{Command: "oatf conformance", Schema: "cupel.conformance/1", Lists: []string{"cases"}}
	return reporting(env, run, &cli.Command{
		Name:      "conformance",
		Usage:     "run the fixtures of an OATF conformance suite and report each case",
		ArgsUsage: "DIR",
		UsageText: "cupel oatf conformance suite/\ncupel oatf conformance suite/ --quiet\ncupel oatf conformance suite/ --format json",
	}, func(c *cli.Context, out *output) (report.Summary, error) {
		if c.NArg() != 1 {
			return report.Summary{}, &usageError{"give one folder with a conformance suite", "`cupel help oatf conformance` shows the usage"}
		}
		return runConformance(c.Args().First(), out)
	})
}

func runConformance(dir string, out *output) (report.Summary, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return report.Summary{}, walk.Plain(err)
	}
	defer root.Close()
	var sum conformanceSummary
	err = conformance.Run(root.FS(), func(c conformance.Case) error {
		sum.count(c)
		if c.Failed() {
			out.No()
		}
		return out.Record(conformanceRecord(c))
	})
	if errors.Is(err, conformance.ErrNoCases) {
		err = &hinted{fmt.Errorf("%w in %q", err, dir), "a suite has folders such as parse/valid, validate and normalize"}
	}
	if err != nil {
		return report.Summary{JSON: sum}, err
	}
	return sum.report(), nil
}

func (s *conformanceSummary) count(c conformance.Case) {
	s.Cases++
	switch {
	case c.Pass:
		s.Passed++
	case c.Failed():
		s.Failed++
	default:
		s.KnownFaults++
	}
}

func (s *conformanceSummary) report() report.Summary {
	out := report.Summary{JSON: s, Style: report.Good, Text: fmt.Sprintf("%d of %d cases pass", s.Passed, s.Cases)}
	if s.KnownFaults > 0 {
		out.Text += fmt.Sprintf(", %d fail for a known fault of the fixture", s.KnownFaults)
	}
	if s.Failed > 0 {
		out.Text += fmt.Sprintf(", %d fail", s.Failed)
		out.Style = report.Bad
	}
	return out
}

func conformanceRecord(c conformance.Case) report.Record {
	title := strings.TrimRight(c.ID+"  "+c.Name, " ")
	r := report.Record{
		List: "cases", JSON: conformanceCase{c.ID, c.Suite, c.Pass, c.Expected, c.Got, c.KnownFault},
		Name: c.ID, Class: c.Suite,
	}
	difference := "expected " + printable(c.Expected) + "\ngot      " + printable(c.Got)
	switch {
	case c.Pass:
		r.Style, r.Short, r.Text = report.Good, "pass "+c.ID, "pass   "+title
		return r
	case c.Failed():
		r.Style, r.Short, r.Text, r.Failure = report.Bad, "fail "+c.ID, "fail   "+title, difference
	default:
		r.Style, r.Short, r.Text = report.Caution, "known "+c.ID, "known  "+title
		difference += "\nfixture: " + c.KnownFault
	}
	r.Text += "\n" + indented(difference, "       ")
	return r
}

// indented puts a margin before every line.
func indented(text, margin string) string {
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin)
}
