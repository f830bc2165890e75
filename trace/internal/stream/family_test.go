package stream_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// sequence is a small family: every record is {"n":N}, and N must rise by one. Its workers check single lines (n is a
// number), the checker the order.
type sequence struct {
	findings *stream.Findings
	seen     []string // what came, in the order in which it was put
	next     int64
}

func (s *sequence) Worker() stream.Worker { return &counter{family: s} }

func (s *sequence) Finish() (stream.Outcome, error) {
	return stream.Outcome{Events: int64(len(s.seen))}, nil
}

// counter reads the lines of one block.
type counter struct {
	family *sequence
	faults *stream.Findings
	list   []item
}

type item struct {
	line int
	n    int64
	lost string // the rule of an unreadable line
}

func (c *counter) Line(l stream.Line, doc *strictjson.Document) {
	n, ok := doc.Root().Get("n").Int()
	if !ok {
		c.reject(finding.Finding{Rule: "n.type", Line: l.Number, Message: "n is not a number"})
		return
	}
	c.list = append(c.list, item{line: l.Number, n: n})
}

func (c *counter) Unreadable(l stream.Lost) {
	c.list = append(c.list, item{line: l.Line.Number, lost: l.Fault.Rule})
}

func (c *counter) reject(f finding.Finding) {
	if c.faults == nil {
		c.faults = stream.NewFindings(10)
	}
	c.faults.Reject(f)
}

func (c *counter) Flush() func() error {
	list, faults := c.list, c.faults
	c.list, c.faults = nil, nil
	return func() error {
		if faults != nil {
			c.family.findings.Merge(faults)
		}
		for _, i := range list {
			c.family.put(i)
		}
		return nil
	}
}

func (s *sequence) put(i item) {
	if i.lost != "" {
		s.seen = append(s.seen, fmt.Sprintf("%d:%s", i.line, i.lost))
		return
	}
	s.seen = append(s.seen, fmt.Sprintf("%d:%d", i.line, i.n))
	if i.n != s.next {
		s.findings.Add(finding.Finding{Rule: "n.order", Severity: finding.Error, Line: i.line, Message: fmt.Sprintf("%d after %d", i.n, s.next-1)})
	}
	s.next = i.n + 1
}

// reading is one run of a runner over an input of the family sequence.
type reading struct {
	findings *stream.Findings
	runner   *stream.Runner
	family   *sequence // nil when no record could be read
	detected int       // line of the first record
}

func newReading(limits stream.Limits, jobs int) *reading {
	limits = limits.WithDefaults()
	r := &reading{findings: stream.NewFindings(limits.Findings)}
	r.runner = &stream.Runner{Findings: r.findings, Limits: limits, Jobs: jobs, Detect: func(l stream.Line, _ strictjson.Node) stream.Checker {
		r.family, r.detected = &sequence{findings: r.findings}, l.Number
		return r.family
	}}
	return r
}

func (r *reading) read(t *testing.T, input io.Reader) {
	t.Helper()
	if err := r.runner.Run(context.Background(), stream.Lines(input, r.runner.Limits, 0)); err != nil {
		t.Fatal(err)
	}
}

// list closes the findings: "line rule" of each.
func (r *reading) list() (list []string) {
	all, _, _, _ := r.findings.Close()
	for _, f := range all {
		list = append(list, fmt.Sprintf("%d %s", f.Line, f.Rule))
	}
	return list
}

// numbered writes the lines {"n":0} … {"n":count-1}.
func numbered(count int) string {
	var b strings.Builder
	for n := range count {
		fmt.Fprintf(&b, "{\"n\":%d}\n", n)
	}
	return b.String()
}
