package attestcmd

import (
	"bytes"
	"context"
	"encoding/csv"
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

// labelsFile has about 100 bytes per label.
var labelsFile = app.SideFile{From: "--calibrate", Limit: 16 << 20, Less: labelsHint, Opener: door.NamedText, Role: "labels"}

const labelsHint = "the file is CSV with the columns trace, assertion_id and label, which is pass or fail"

// calibration compares the verdicts of judges with labels of people. A nil *calibration does nothing.
type calibration struct {
	file   string // --calibrate
	labels map[labelKey]*label
	sum    agreement
}

type labelKey struct{ trace, assertion string }

type label struct {
	pass bool
	met  bool
	line int
}

// agreement says how far judges and people agree.
type agreement struct {
	File      string   `json:"labels"`
	Both      int      `json:"both_pass"`
	JudgeOnly int      `json:"judge_passes_person_fails"`
	HumanOnly int      `json:"judge_fails_person_passes"`
	Neither   int      `json:"both_fail"`
	Agreement float64  `json:"agreement"` // share of equal verdicts
	Kappa     *float64 `json:"kappa"`     // Cohen's; null if one side gives every verdict the same way
}

func (l *calibration) flag(category string) cli.Flag {
	return &cli.StringFlag{
		Name: "calibrate", Category: category, Destination: &l.file,
		Usage: "compare judges with the labels of people in `FILE` (CSV: trace, assertion_id, label)",
	}
}

func (l *calibration) started() *calibration {
	if l.file == "" {
		return nil
	}
	return &calibration{file: l.file, labels: map[labelKey]*label{}}
}

func (l *calibration) read(ctx context.Context) error {
	if l == nil {
		return nil
	}
	data, err := labelsFile.Read(ctx, l.file)
	if err != nil {
		return err
	}
	if err := l.parse(bytes.TrimPrefix(data, []byte("\ufeff"))); err != nil {
		return &cmdline.Hinted{Err: fmt.Errorf("cannot use the labels %q: %w", l.file, err), Hint: labelsHint}
	}
	l.sum.File = l.file
	return nil
}

func (l *calibration) parse(data []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return err
	}
	if len(rows) < 2 {
		return errors.New("it has no label")
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	trace, assertion, verdict := column("trace"), column("assertion_id"), column("label")
	if trace < 0 || assertion < 0 || verdict < 0 {
		return errors.New("a column is missing in the first row")
	}
	for i, row := range rows[1:] {
		line := i + 2
		key := labelKey{path.Clean(row[trace]), row[assertion]}
		switch {
		case row[verdict] != "pass" && row[verdict] != "fail":
			return fmt.Errorf("row %d: the label is %s, expected pass or fail", line, say.Quoted(row[verdict]))
		case l.labels[key] != nil:
			return fmt.Errorf("row %d: the same trace and assertion as in row %d", line, l.labels[key].line)
		}
		l.labels[key] = &label{pass: row[verdict] == "pass", line: line}
	}
	return nil
}

// compare counts a result of a judge that has a label. The trace's path identifies the trace.
func (l *calibration) compare(t namedTrace, r suite.Result) {
	if l == nil || r.Judge == nil || r.Skipped {
		return
	}
	known := l.labels[labelKey{path.Clean(t.name), r.AssertionID}]
	if known == nil {
		return
	}
	known.met = true
	switch passes := r.Status == attest.Pass; {
	case passes && known.pass:
		l.sum.Both++
	case passes:
		l.sum.JudgeOnly++
	case known.pass:
		l.sum.HumanOnly++
	default:
		l.sum.Neither++
	}
}

func (l *calibration) agreement() *agreement {
	if l == nil || l.sum.all() == 0 {
		return nil
	}
	return &l.sum
}

func (a *agreement) all() int { return a.Both + a.JudgeOnly + a.HumanOnly + a.Neither }

// sumUp computes agreement and kappa.
func (a *agreement) sumUp() {
	n := float64(a.all())
	a.Agreement = float64(a.Both+a.Neither) / n
	judge, person := float64(a.Both+a.JudgeOnly)/n, float64(a.Both+a.HumanOnly)/n
	if chance := judge*person + (1-judge)*(1-person); chance < 1 {
		kappa := math.Round((a.Agreement-chance)/(1-chance)*1e9) / 1e9
		a.Kappa = &kappa
	}
}

// end reports the agreement. Labels that belong to no result of a judge are an error.
func (l *calibration) end(out *app.Output) error {
	if l == nil {
		return nil
	}
	if l.sum.all() > 0 {
		l.sum.sumUp()
		kappa := "unknown, because one side gives every verdict the same way"
		if l.sum.Kappa != nil {
			kappa = decimals(*l.sum.Kappa)
		}
		answer := report.Answer{
			Subject: l.file, Title: "calibration", Total: true,
			Outcome: report.Outcome{Weight: report.Good, Word: fmt.Sprintf("judges and people agree on %d of %d", l.sum.Both+l.sum.Neither, l.sum.all())},
			Facts: []report.Fact{
				{Name: "Cohen's kappa", Value: kappa},
				{Name: "both pass", Value: fmt.Sprint(l.sum.Both)},
				{Name: "both fail", Value: fmt.Sprint(l.sum.Neither)},
				{Name: "only the judge passes", Value: fmt.Sprint(l.sum.JudgeOnly)},
				{Name: "only the person passes", Value: fmt.Sprint(l.sum.HumanOnly)},
			},
		}
		if err := out.Answer(answer); err != nil {
			return err
		}
	}
	missing, first := 0, 0
	for _, known := range l.labels {
		if !known.met {
			if missing++; first == 0 || known.line < first {
				first = known.line
			}
		}
	}
	if missing == 0 {
		return nil
	}
	err := fmt.Errorf("%s of %q without a result of a judge, the first in row %d", cmdline.Counted(missing, "label"), l.file, first)
	return out.Fail(&cmdline.Hinted{Err: err, Hint: "a label needs the path of a trace of this run, as in the report, and the assertion_id of a judge"})
}
