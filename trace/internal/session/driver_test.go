package session_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// sample is a generated log.
type sample struct {
	name   string
	family string
	lines  []string
}

// samples yields random logs of every family, most of them damaged.
func samples(n int, yield func(sample)) {
	for i := range n {
		random := rand.New(rand.NewPCG(uint64(i), 11))
		family := sessiontest.Families[i%len(sessiontest.Families)]
		lines := sessiontest.Arbitrary(random, family, "5e551017")
		if i%5 != 0 {
			lines = sessiontest.Damage(random, lines, sessiontest.Arbitrary(random, family, "07e20000"))
		}
		yield(sample{fmt.Sprintf("log %d, %s", i, family), family, lines})
	}
}

// fixedKeys make states comparable.
var fixedKeys = siphash.Key{1, 2}

// answer is what the checker says of a log.
type answer struct {
	stream.Outcome
	findings []finding.Finding
	rejected bool
	state    *session.State // of a growing log
}

// errors returns the errors as "line rule <- cause".
func (a answer) errors() []string { return a.said(finding.Error) }

// warnings returns the warnings about lines in that form. Those about the log as a whole are repeated by every run.
func (a answer) warnings() []string {
	return slices.DeleteFunc(a.said(finding.Warning), func(said string) bool { return strings.HasPrefix(said, "0 ") })
}

func (a answer) said(severity finding.Severity) (list []string) {
	for _, f := range a.findings {
		if f.Severity == severity {
			text := fmt.Sprint(f.Line, " ", f.Rule)
			if f.CausedBy != "" {
				text += " <- " + f.CausedBy
			}
			list = append(list, text)
		}
	}
	return list
}

// check runs lines through the checker of their family, after the given number of lines
// that an earlier run has seen.
func check(t testing.TB, family string, lines []string, before int, opt session.Options) answer {
	t.Helper()
	limits := stream.Limits{}.WithDefaults()
	findings := stream.NewFindings(limits.Findings)
	scanner := strictjson.NewScanner(strictjson.Limits{})
	for range 16 { // it knows the shapes of objects from the first line on
		_, _ = scanner.Scan([]byte("{}"))
	}
	var first strictjson.Node
	if i := firstRecord(lines); i < len(lines) {
		doc, _ := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(lines[i]))
		first = doc.Root()
	}
	checker, err := session.New(findings, limits, family, first, opt)
	if err != nil {
		t.Fatal(err)
	}
	worker := checker.Worker()
	for i, text := range lines {
		line := stream.Line{Number: before + i + 1, Bytes: []byte(text), Terminated: true}
		doc, err := scanner.Scan(line.Bytes)
		if err == nil && !doc.Root().Is(strictjson.Object) {
			err = errors.New("no object")
		}
		if err != nil {
			f := finding.Finding{Rule: "line.json", Line: line.Number, Message: err.Error()}
			findings.Reject(f)
			var fault *strictjson.Error
			worker.Unreadable(stream.Lost{Line: line, Fault: f, Cut: errors.As(err, &fault) && fault.Code == strictjson.Truncated})
			continue
		}
		worker.Line(line, doc)
	}
	if err := worker.Flush()(); err != nil {
		t.Fatal(err)
	}
	var a answer
	if a.Outcome, err = checker.Finish(); err != nil {
		t.Fatal(err)
	}
	if opt.Growing {
		a.state, err = checker.State()
		if err != nil {
			t.Fatal(err)
		}
		a.state = roundTrip(t, a.state)
	}
	a.rejected = findings.Rejected()
	a.findings, _, _, _ = findings.Close()
	return a
}

// firstRecord returns the index of the first line that is a record: it makes the checker.
func firstRecord(lines []string) int {
	scanner := strictjson.NewScanner(strictjson.Limits{})
	for i, text := range lines {
		if doc, err := scanner.Scan([]byte(text)); err == nil && doc.Root().Is(strictjson.Object) {
			return i
		}
	}
	return len(lines)
}

// roundTrip writes a state and reads it again.
func roundTrip(t testing.TB, s *session.State) *session.State {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	again := new(session.State)
	if err := json.Unmarshal(text, again); err != nil {
		t.Fatal(err)
	}
	return again
}
