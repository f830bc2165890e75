package trace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/cupel-dev/cupel/trace/internal/second"
)

const (
	bare = `{"event_type":"ERROR","payload":{"error_type":"t","message":"m","fatal":false}}` + "\n"
	flat = `{"trace_schema_version":1}` + "\n"
)

// sized returns a log of n bytes.
func sized(n int) string { return bare + strings.Repeat("\n", n-len(bare)) }

// TestOnlyOnce holds when the report says that one implementation checked the rules, and
// why, whatever the input is read from.
func TestOnlyOnce(t *testing.T) {
	large := &fstest.MapFile{Data: bytes.Repeat([]byte(" "), MaxNaiveBytes+1)}
	fits := &fstest.MapFile{Data: large.Data[1:]}
	run := func(name string, file *fstest.MapFile) ReasoningOptions {
		return ReasoningOptions{Run: fstest.MapFS{name: file}}
	}
	state := verified(t, bare, Options{Growing: true, Engine: Both}).State
	for name, c := range map[string]struct {
		log  string
		opt  Options
		want string
	}{
		"small":                 {bare, Options{}, ""},
		"empty":                 {"", Options{}, ""},
		"at the limit":          {sized(MaxNaiveBytes), Options{}, ""},
		"beyond the limit":      {sized(MaxNaiveBytes + 1), Options{}, "the log has more than 1048576 bytes"},
		"far beyond the limit":  {sized(5 * MaxNaiveBytes), Options{}, "the log has more than 1048576 bytes"},
		"an array":              {"[" + bare + "]", Options{}, "the log is one array"},
		"an object of an array": {`{"events":[` + bare + "]}", Options{}, "the log is one array"},
		"growing":               {bare, Options{Growing: true}, "the log is still growing"},
		"going on":              {bare, Options{Resume: state}, "the log is still growing"},
		"findings are kept":     {"{x\n{x\n", Options{Limits: Limits{Findings: 2}}, ""},
		"findings are counted":  {"{x\n{x\n{x\n", Options{Limits: Limits{Findings: 2}}, "findings beyond --max-findings were only counted"},
		"ids enough":            {bare, Options{Limits: Limits{IDs: MaxNaiveBytes}}, ""},
		"too few ids":           {bare, Options{Limits: Limits{IDs: MaxNaiveBytes - 1}}, "--max-ids is below 1048576"},
		"a plan that fits":      {flat, Options{Reasoning: run("plan.json", fits)}, ""},
		"a large plan":          {flat, Options{Reasoning: run("plan.json", large)}, "the plan has more than 1048576 bytes"},
		"a manifest that fits":  {flat, Options{Reasoning: run("manifest.json", fits)}, ""},
		"a large manifest":      {flat, Options{Reasoning: run("manifest.json", large)}, "the manifest has more than 1048576 bytes"},
		"a plan that fails":     {flat, Options{Reasoning: ReasoningOptions{Plan: iotest.TimeoutReader(strings.NewReader(`{"nodes":[]}`))}}, ""},
	} {
		for _, engine := range []Engine{Fast, Reference, Both} {
			opt := c.opt
			opt.Engine = engine
			if opt.Resume != nil {
				resumed := *opt.Resume
				resumed.Terms, opt.Resume = termsOf(&opt), &resumed
			}
			var want []string
			if engine != Fast && c.want != "" {
				want = []string{"the rules a second time: one implementation alone checked them, since " + c.want}
			}
			r := verified(t, c.log, opt)
			got := slices.DeleteFunc(r.NotCovered, func(s string) bool { return !strings.HasPrefix(s, "the rules a second time") })
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %q, want %q", name, engine, got, want)
			}
		}
	}
}

// verified verifies a log that comes in pieces.
func verified(t *testing.T, log string, opt Options) *Report {
	t.Helper()
	r, err := Verify(t.Context(), iotest.HalfReader(strings.NewReader(log)), opt)
	if err != nil {
		t.Fatalf("%.60q: %v", log, err)
	}
	return r
}

// TestOnlyOnceWhenInterrupted: what was read before an interruption was checked once.
func TestOnlyOnceWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Verify(ctx, strings.NewReader(bare), Options{Engine: Both})
	if !errors.Is(err, context.Canceled) || !slices.Contains(r.NotCovered, onlyOnce("the run was interrupted")) {
		t.Errorf("%v, %q", err, r.NotCovered)
	}
}

// TestKept: a log is remembered up to the limit, and dropped as soon as it passes it.
func TestKept(t *testing.T) {
	for n, want := range map[int]int{0: 0, 10: 10, MaxNaiveBytes: MaxNaiveBytes, MaxNaiveBytes + 1: 0, 3*MaxNaiveBytes + 5: 0} {
		k := &kept{r: strings.NewReader(strings.Repeat("x", n))}
		if read, err := io.Copy(io.Discard, k); err != nil || read != int64(n) {
			t.Fatal(read, err)
		}
		if len(k.text) != want || k.more != (want < n) || cap(k.text) > 2*MaxNaiveBytes {
			t.Errorf("%d bytes: %d are kept, of %d; more %v", n, len(k.text), cap(k.text), k.more)
		}
	}
}

// otherwise is a second engine with another answer.
type otherwise struct {
	second.Engine
	change func(*second.Answer)
}

func (o otherwise) Judge(ctx context.Context, q second.Question) (second.Answer, error) {
	a, err := o.Engine.Judge(ctx, q)
	o.change(&a)
	return a, err
}

// TestDisagreement lets the second engine say something else of each kind: the error says
// what, and where.
func TestDisagreement(t *testing.T) {
	honest := second.Linked()
	defer second.Register(honest)
	for _, c := range []struct {
		log    string
		change func(*second.Answer)
		want   string
	}{
		{bare, func(*second.Answer) {}, ""},
		{bare, func(a *second.Answer) { a.Statements = nil }, `the engines disagree: the fast one reports chain.absent (warning) once, the reference not at all`},
		{bare, func(a *second.Answer) { a.Statements[0].Severity = "error" }, `the engines disagree: the fast one reports chain.absent (error) not at all, the reference once`},
		{
			bare, func(a *second.Answer) {
				a.Statements = append(a.Statements, second.Statement{Rule: "seal.digest", Severity: "error", Line: 9}, second.Statement{Rule: "field.type", Severity: "error", Line: 3}, second.Statement{Rule: "seal.digest", Severity: "error", Line: 3})
			}, `line 3: the engines disagree: the fast one reports field.type (error) not at all, the reference once`,
		},
		{flat, func(a *second.Answer) { a.Statements = slices.Repeat(a.Statements, 2) }, `the engines disagree: the fast one reports plan.absent (warning) once, the reference 2 times`},
		{bare, func(a *second.Answer) { a.Integrity = "valid" }, `the engines disagree: the fast one gives the log the integrity "absent", the reference "valid"`},
		{bare, func(a *second.Answer) { a.Class = "x" }, `the engines disagree: the fast one gives the log the evidence class "", the reference "x"`},
		{bare, func(a *second.Answer) { a.Family = "session-v0" }, `the engines disagree: the fast one gives the log the family "session-bare", the reference "session-v0"`},
		{flat, func(a *second.Answer) { a.Verdict = "invalid" }, `the engines disagree: the fast one gives the log the verdict "valid", the reference "invalid"`},
		{"{}", func(a *second.Answer) { a.Verdict = "valid" }, `the engines disagree: the fast one gives the log the verdict "rejected", the reference "valid"`},
		{"x", func(a *second.Answer) { a.Statements = nil }, `line 1: the engines disagree: the fast one reports line.* (error) once, the reference not at all`},
	} {
		second.Register(otherwise{honest, c.change})
		for _, engine := range []Engine{Reference, Both} {
			r, err := Verify(t.Context(), strings.NewReader(c.log), Options{Engine: engine})
			var differ *DisagreementError
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s: %v", c.log, err)
			case c.want != "" && (r != nil || !errors.As(err, &differ) || err.Error() != c.want):
				t.Errorf("%s, %s: %v, want %s", c.log, engine, err, c.want)
			}
		}
		if _, err := Verify(t.Context(), strings.NewReader(c.log), Options{}); err != nil {
			t.Errorf("%s: fast asks: %v", c.log, err)
		}
	}
}

// TestJudgeEnds: the second engine reads nothing more once the context has ended.
func TestJudgeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := second.Question{Log: []byte(flat), Reasoning: second.ReasoningQuestion{Run: fstest.MapFS{"manifest.json": {Data: []byte("{}")}}}}
	if _, err := second.Linked().Judge(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
