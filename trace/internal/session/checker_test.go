package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/internal/second"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestPartial: of a log that was not read to its end only a loss of integrity is known.
func TestPartial(t *testing.T) {
	good := goodLog(session.V0)[:4]
	for name, c := range map[string]struct {
		lines []string
		want  stream.Integrity
	}{
		"good":     {good, ""},
		"broken":   {[]string{good[0], good[2]}, stream.IntegrityInvalid},
		"rejected": {[]string{good[0], `{"event_id":"x"}`}, stream.IntegrityRejected},
		"nothing":  {nil, ""},
	} {
		findings := stream.NewFindings(10)
		checker, err := session.New(findings, stream.Limits{}.WithDefaults(), session.V0, strictjson.Node{}, session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		worker, scanner := checker.Worker(), strictjson.NewScanner(strictjson.Limits{})
		for i, line := range c.lines {
			doc, err := scanner.Scan([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			worker.Line(stream.Line{Number: i + 1, Bytes: []byte(line), Terminated: true}, doc)
		}
		if err := worker.Flush()(); err != nil {
			t.Fatal(err)
		}
		if o := checker.Partial(); o.Integrity != c.want || o.EvidenceClass != "" {
			t.Errorf("%s: integrity %q, class %q; want %q and none", name, o.Integrity, o.EvidenceClass, c.want)
		}
	}
}

// TestBrokenState: a state that was tampered with is refused, not believed.
func TestBrokenState(t *testing.T) {
	opt := session.Options{Growing: true}
	lines := goodLog(session.V0)
	for name, harm := range map[string]func(*session.State){
		"no running digest":        func(s *session.State) { s.Sums = nil },
		"a digest that is cut":     func(s *session.State) { s.Sums = s.Sums[1:] },
		"a tool id that is cut":    func(s *session.State) { s.ToolIDs = make([]byte, 17) },
		"an event id that is cut":  func(s *session.State) { s.EventIDs = make([]byte, 9) },
		"half of a tool call's id": func(s *session.State) { s.ToolIDs = make([]byte, 8) },
	} {
		a := check(t, session.V0, lines, 0, opt)
		harm(a.state)
		opt.Resume = a.state
		if _, err := session.New(stream.NewFindings(1), stream.Limits{}, session.V0, strictjson.Node{}, opt); err == nil || !strings.HasPrefix(err.Error(), "the state cannot be used: ") {
			t.Errorf("%s: %v", name, err)
		}
		opt.Resume = nil
	}
}

// TestSharedRules: the rules that other families explain have the same severity and
// class here.
func TestSharedRules(t *testing.T) {
	for _, r := range session.SharedRules() {
		i := slices.IndexFunc(trace.Rules(), func(other finding.Rule) bool { return other.ID == r.ID })
		if i < 0 {
			t.Errorf("%s is explained nowhere", r.ID)
			continue
		}
		if other := trace.Rules()[i]; other.Severity != r.Severity || other.Class != r.Class {
			t.Errorf("%s is %s %q here, %s %q there", r.ID, r.Severity, r.Class, other.Severity, other.Class)
		}
	}
}

// TestCanonicalizations: each name is accepted, explains the hash of a payload that only
// it writes so, and is what the report names; another name is refused.
func TestCanonicalizations(t *testing.T) {
	for _, name := range session.Canonicalizations() {
		opt := session.Options{Canonicalization: name}
		if err := opt.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		a := check(t, session.V0, goodLog(session.V0), 0, opt)
		want := []string{"rfc8785"}
		if !slices.Contains([]string{"auto", "strict", "rfc8785"}, name) {
			want = []string{name}
		}
		if diff := cmp.Diff(want, a.Canonicalization); diff != "" || a.Integrity != stream.IntegrityValid {
			t.Errorf("%s: integrity %s\n%s", name, a.Integrity, diff)
		}
	}
	if err := (session.Options{Canonicalization: "odd"}).Check(); err == nil || err.Error() != `unknown canonicalization "odd"` {
		t.Error(err)
	}
}

// TestEngineFailure: a second engine that disagrees about a payload ends the run, with
// the number of the line.
func TestEngineFailure(t *testing.T) {
	checker, err := session.New(stream.NewFindings(10), stream.Limits{}.WithDefaults(), session.V0, strictjson.Node{}, session.Options{Engine: session.Both, Second: contrary{}})
	if err != nil {
		t.Fatal(err)
	}
	worker, scanner := checker.Worker(), strictjson.NewScanner(strictjson.Limits{})
	line := goodLog(session.V0)[0]
	doc, err := scanner.Scan([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	worker.Line(stream.Line{Number: 7, Bytes: []byte(line), Terminated: true}, doc)
	if err := worker.Flush()(); err == nil || !strings.HasPrefix(err.Error(), "line 7: the engines disagree about the canonical form: fast ") {
		t.Error(err)
	}
}

// contrary answers everything with something else.
type contrary struct{ second.Engine }

func (contrary) Canonical([]byte) ([]byte, error) { return []byte("{}"), nil }

func (contrary) ValidatePayload(string, []byte) ([]string, error) { return []string{"bad"}, nil }
