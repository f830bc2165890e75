package report

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// The library's suites and cases with additional attributes.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		junit.Testsuites
		Suites []junitCases `xml:"testsuite,omitempty"`
	}
	junitCases struct {
		junit.Testsuite
		Testcases []junitCase `xml:"testcase,omitempty"`
	}
	junitCase struct {
		junit.Testcase
		File string `xml:"file,attr,omitempty"`
	}
)

func (s *junitCases) add(c junitCase) {
	s.Testsuite.AddTestcase(c.Testcase)
	s.Testsuite.Testcases = nil
	s.Testcases = append(s.Testcases, c)
}

func (s *junitSuites) add(suite junitCases) {
	s.Testsuites.AddSuite(suite.Testsuite)
	s.Testsuites.Suites = nil
	s.Suites = append(s.Suites, suite)
}

func (s *junitSuites) write(w io.Writer) error {
	enc := xml.NewEncoder(w)
	enc.Indent("", "\t")
	if err := enc.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// stopwatch measures the time since the previous case. Without a clock it measures nothing.
type stopwatch struct {
	now  func() time.Time
	last time.Time
}

func newStopwatch(now func() time.Time) *stopwatch {
	w := &stopwatch{now: now}
	if now != nil {
		w.last = now()
	}
	return w
}

func (w *stopwatch) lap() time.Duration {
	if w.now == nil {
		return 0
	}
	now := w.now()
	took := max(0, now.Sub(w.last))
	w.last = now
	return took
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
