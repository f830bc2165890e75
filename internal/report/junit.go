package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// junitSuite writes one test case per answer. It is the one format that waits
// for the end: a suite's counts come before its cases.
type junitSuite struct {
	*sink
	command string
	suite   junit.Testsuite
	pending []finding.Finding // since the last case
}

func newJUnit(w io.Writer, run Run, _ Options) Writer {
	return &junitSuite{sink: &sink{w: w}, command: run.Command, suite: junit.Testsuite{Name: "cupel " + run.Command, Time: "0"}}
}

func (j *junitSuite) Finding(f finding.Finding) error {
	j.pending = append(j.pending, f)
	return j.err
}

// Answer adds the case that the answer is, with its findings. What sums up other
// answers is no case, nor what could not be answered: Fail makes that one.
func (j *junitSuite) Answer(a Answer) error {
	if a.Subject == "" || a.Total || a.Weight == Unanswered {
		return j.err
	}
	list := a.Findings
	if list == nil {
		list = j.pending
	}
	j.pending = nil
	c := junit.Testcase{Name: say.Visible(a.Subject), Classname: say.Visible(cmp.Or(a.Group, j.command))}
	if why := failure(a); why != "" {
		c.Failure = &junit.Result{Message: why, Data: plainList(list)}
	} else if len(list) > 0 {
		c.SystemOut = &junit.Output{Data: plainList(list)}
	}
	j.suite.AddTestcase(c)
	return j.err
}

// failure is why a case failed, "" when it did not.
func failure(a Answer) string {
	if a.Weight == Bad && a.Reason == "" {
		return strings.Join(visibles(nil, "", a.why()), "\n")
	}
	return strings.Join(visibles(nil, "", strings.Split(a.Reason, "\n")), "\n")
}

// Fail adds a case that is an error, so that no runner takes the suite for passed.
func (j *junitSuite) Fail(message string) error {
	j.suite.AddTestcase(junit.Testcase{
		Name: "could not answer", Classname: j.suite.Name, Error: &junit.Result{Message: say.Visible(message)},
	})
	return j.err
}

func (j *junitSuite) Close(Summary) error {
	j.leftover()
	var all junit.Testsuites
	all.AddSuite(j.suite)
	if j.err == nil {
		j.err = all.WriteXML(j.w)
	}
	j.text("\n")
	return j.err
}

// leftover makes a case per file of the findings that no case followed.
func (j *junitSuite) leftover() {
	for len(j.pending) > 0 {
		file, n := j.pending[0].File, 1
		for n < len(j.pending) && j.pending[n].File == file {
			n++
		}
		c := junit.Testcase{Name: say.Visible(file), Classname: j.suite.Name}
		if errors := countErrors(j.pending[:n]); errors > 0 {
			c.Failure = &junit.Result{Message: fmt.Sprintf("%d errors", errors), Data: plainList(j.pending[:n])}
		} else {
			c.SystemOut = &junit.Output{Data: plainList(j.pending[:n])}
		}
		j.suite.AddTestcase(c)
		j.pending = j.pending[n:]
	}
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
	}
	return b.String()
}
