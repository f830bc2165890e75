package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// junitSuite writes a test case per answer. It waits for the end, because a suite's counts precede its cases. A
// section is a suite.
type junitSuite struct {
	*sink
	command string
	suite   junitCases
	watch   *stopwatch
	took    time.Duration     // total time of the cases
	pending []finding.Finding // without a case yet
	whole   []finding.Finding // about a whole input, never part of a case
	all     *junitSuites      // completed suites
	part    bool              // more suites follow

	form func(*sink, *junitSuites, Summary) // how completed suites are written
}

func newJUnit(w io.Writer, run Run, opt Options) Writer {
	j := beginJUnit(&sink{w: w}, run, &junitSuites{}, newStopwatch(opt.Now))
	j.form = func(s *sink, all *junitSuites, _ Summary) {
		if s.err == nil {
			s.err = all.write(s.w)
		}
		s.text("\n")
	}
	return j
}

func beginJUnit(s *sink, run Run, all *junitSuites, watch *stopwatch) *junitSuite {
	j := &junitSuite{sink: s, command: run.Command, all: all, watch: watch}
	j.suite.Name, j.suite.Time = "cupel "+run.Command, "0"
	if watch.now != nil {
		j.suite.SetTimestamp(watch.last.UTC())
	}
	return j
}

// section adds a suite before that of the whole run.
func (j *junitSuite) section(run Run) Writer {
	s := beginJUnit(j.sink, run, j.all, j.watch)
	s.part = true
	return s
}

func (j *junitSuite) Finding(f finding.Finding) error {
	j.pending = append(j.pending, f)
	return j.err
}

// Answer adds the answer as a case with its findings. Totals are not cases; inputs without an answer become cases
// in Fail. Findings without a case wait for the end.
func (j *junitSuite) Answer(a Answer) error {
	if a.Subject == "" || a.Total || a.Weight == Unanswered {
		j.whole = append(j.whole, j.pending...)
		j.pending = nil
		return j.err
	}
	list := a.Findings
	if list == nil {
		list, j.pending = j.pending, nil
	} else {
		j.pending = without(j.pending, list)
	}
	c := junit.Testcase{Name: say.Visible(a.Subject), Classname: say.Visible(cmp.Or(a.Group, j.command))}
	file := fileOf(list)
	if file == "" && a.List == "inputs" {
		file = a.Subject
	}
	if why := failure(a); why != "" {
		c.Failure = &junit.Result{Message: why, Data: plainList(list)}
	} else if len(list) > 0 {
		c.SystemOut = &junit.Output{Data: plainList(list)}
	}
	j.add(c, file)
	return j.err
}

// add adds a case about a file, or "".
func (j *junitSuite) add(c junit.Testcase, file string) {
	if j.watch.now != nil {
		took := j.watch.lap()
		j.took += took
		c.Time = seconds(took)
	}
	j.suite.add(junitCase{c, say.Visible(file)})
}

// fileOf returns the file of all findings, or "" if they differ.
func fileOf(list []finding.Finding) (file string) {
	for i, f := range list {
		if i > 0 && f.File != file {
			return ""
		}
		file = f.File
	}
	return file
}

// failure returns why a case failed, or "".
func failure(a Answer) string {
	if a.Weight == Bad && a.Reason == "" {
		return strings.Join(visibles(nil, "", a.why()), "\n")
	}
	return strings.Join(visibles(nil, "", strings.Split(a.Reason, "\n")), "\n")
}

// Fail adds a case with an error, because an empty suite looks passed.
func (j *junitSuite) Fail(message string) error {
	j.add(junit.Testcase{
		Name: "could not answer", Classname: j.suite.Name, Error: &junit.Result{Message: say.Visible(message)},
	}, "")
	return j.err
}

func (j *junitSuite) Close(sum Summary) error {
	j.leftover()
	left := sum.leavesOut()
	if left != "" {
		j.suite.AddProperty("left out", say.Visible(left))
	}
	if j.watch.now != nil {
		j.suite.Time = seconds(j.took)
	}
	if j.part || left != "" || len(j.suite.Testcases) > 0 || len(j.all.Suites) == 0 { // omit an empty suite if there are others
		j.all.add(j.suite)
	}
	if !j.part {
		j.form(j.sink, j.all, sum)
	}
	return j.err
}

// without returns the findings of list that are not in others.
func without(list, others []finding.Finding) (rest []finding.Finding) {
	has := map[findingKey]bool{}
	for _, f := range others {
		has[saidOf(f)] = true
	}
	for _, f := range list {
		if !has[saidOf(f)] {
			rest = append(rest, f)
		}
	}
	return rest
}

// findingKey identifies a finding within a run.
type findingKey struct {
	rule, file, message string
	line, column        int
}

func saidOf(f finding.Finding) findingKey {
	return findingKey{f.Rule, f.File, f.Message, f.Line, f.Column}
}

// leftover adds a case per file for findings without a case.
func (j *junitSuite) leftover() {
	list := append(j.whole, j.pending...)
	for len(list) > 0 {
		file, n := list[0].File, 1
		for n < len(list) && list[n].File == file {
			n++
		}
		c := junit.Testcase{Name: say.Visible(cmp.Or(file, j.command)), Classname: j.suite.Name}
		if errors := countErrors(list[:n]); errors > 0 {
			c.Failure = &junit.Result{Message: errorsInWords(errors), Data: plainList(list[:n])}
		} else {
			c.SystemOut = &junit.Output{Data: plainList(list[:n])}
		}
		j.add(c, file)
		list = list[n:]
	}
}

func errorsInWords(n int) string {
	if n == 1 {
		return "1 error"
	}
	return fmt.Sprintf("%d errors", n)
}

func countErrors(list []finding.Finding) (n int) {
	for _, f := range list {
		if f.Severity == finding.Error {
			n++
		}
	}
	return n
}

func plainList(list []finding.Finding) string {
	plain := newPalette(false)
	var b strings.Builder
	for _, f := range list {
		b.WriteString(headline(plain, f) + "\n")
		if f.Expected+f.Found != "" {
			b.WriteString("  expected: " + say.Visible(f.Expected) + "\n  found:    " + say.Visible(f.Found) + "\n")
		}
	}
	return b.String()
}
