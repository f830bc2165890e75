package trace_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/attesttest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
)

// reader has the limits of the protocol.
func reader() trace.Reader {
	return trace.Reader{
		TraceBytes: 10_485_760, Steps: 10_000, OutputChars: 500_000, ResultBytes: 1_048_576, SubTraceDepth: 5,
		Deprecated: func(string) {},
	}
}

// read reads a trace; message is why it is not valid.
func read(t *testing.T, r trace.Reader, into *trace.Trace, text string) (message, detail string) {
	t.Helper()
	doc, err := scan.New(1000, 0).Scan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if bad := r.Read(into, doc.Root()); bad != nil {
		return bad.Message, bad.Detail
	}
	return "", ""
}

// TestCases validates the traces of the engine's cases, all in the memory of one.
func TestCases(t *testing.T) {
	folder := os.DirFS("../../../testdata/attest/validate")
	var one trace.Trace
	cases := 0
	for _, file := range attesttest.Files(t, folder, "*.jsonl") {
		for _, c := range attesttest.Read(t, folder, file) {
			if _, err := scan.New(1000, 0).Scan(c.Trace); err != nil {
				continue // no trace yet
			}
			cases++
			r := reader()
			r.Lax = c.Options != nil && c.Options.Lax
			one.Reset()
			message, detail := read(t, r, &one, string(c.Trace))
			if message == "" && string(c.Want) != "null" ||
				message != "" && (!strings.Contains(string(c.Want), quoted(message)) || !strings.Contains(string(c.Want), quoted(detail))) {
				t.Errorf("%s: got %q, %q, want %s", c.Case, message, detail, c.Want)
			}
		}
	}
	if cases == 0 {
		t.Fatal("no cases")
	}
}

// quoted returns a text as JSON spells it.
func quoted(s string) string { return strings.ReplaceAll(s, `"`, `\"`) }

const steps = `{"schema_version":1,"trace_id":"t","output":{"a":1},"steps":[
	{"type":"tool_call","name":"search"},{"type":"llm_call","name":"think"},{"type":"retrieval","name":"search"},
	{"type":"llm_call","name":"search"},{"type":"agent_call","name":"delegate","sub_trace":
		{"schema_version":1,"trace_id":"sub","output":{"a":1},"steps":[{"type":"tool_call","name":"fetch"}]}},
	{"type":"other","name":"think"}]}`

// TestIndex: steps are found by name and by type, and calls are counted.
func TestIndex(t *testing.T) {
	r := reader()
	r.Lax = true
	var tr trace.Trace
	if message, _ := read(t, r, &tr, steps); message != "" {
		t.Fatal(message)
	}
	for name, want := range map[string][]int32{"search": {0, 2, 3}, "think": {1, 5}, "delegate": {4}, "fetch": nil} {
		if got := tr.StepsNamed(name); !slices.Equal(got, want) {
			t.Errorf("steps named %s: %v", name, got)
		}
	}
	for name, want := range map[string]int{"search": 2, "think": 2, "delegate": 1, "fetch": 0} {
		if got := tr.CallsTo(name); got != want {
			t.Errorf("%d calls to %s", got, name)
		}
	}
	for typ, want := range map[string][]int32{trace.LLMCall: {1, 3}, trace.Retrieval: {2}, "other": {5}, "none": nil} {
		if got := tr.StepsOfType(typ); !slices.Equal(got, want) || tr.CountOfType(typ) != len(want) {
			t.Errorf("steps of type %s: %v, %d", typ, got, tr.CountOfType(typ))
		}
	}
	var levels []string
	for level := range tr.Levels() {
		levels = append(levels, level.ID)
	}
	if !slices.Equal(levels, []string{"t", "sub"}) || tr.Calls != 3 {
		t.Errorf("levels %v, %d calls", levels, tr.Calls)
	}
	for level := range tr.Levels() {
		if level.ID == "sub" {
			t.Error("the walk goes on")
		}
		break
	}
}

// TestLimits: each limit holds on its bound and refuses what is beyond.
func TestLimits(t *testing.T) {
	text := `{"schema_version":1,"trace_id":"t","output":{"message":"éé"},"steps":[{"type":"agent_call","name":"a","result":{"x":1},"sub_trace":` +
		`{"schema_version":1,"trace_id":"s","output":{"message":"m"}}}]}`
	for _, c := range []struct {
		lower func(*trace.Reader, int)
		bound int
		want  string
	}{
		{func(r *trace.Reader, n int) { r.TraceBytes = n }, len(text), "trace exceeds max size"},
		{func(r *trace.Reader, n int) { r.Steps = n }, 1, "trace exceeds max steps: 1 > 0"},
		{func(r *trace.Reader, n int) { r.OutputChars = n }, 2, "output.message length 2 exceeds 1 characters"},
		{func(r *trace.Reader, n int) { r.ResultBytes = n }, 7, "trace step 'a' result exceeds 6 bytes (actual: 7 bytes)"},
		{func(r *trace.Reader, n int) { r.SubTraceDepth = n }, 1, "trace nesting depth 1 exceeds maximum 0"},
	} {
		for below, refused := range []bool{false, true} {
			r := reader()
			c.lower(&r, c.bound-below)
			message, _ := read(t, r, &trace.Trace{}, text)
			if (message != "") != refused || refused && !strings.HasPrefix(message, c.want) {
				t.Errorf("bound %d: %q, want %q", c.bound-below, message, c.want)
			}
		}
	}
	if bad := trace.TooLarge(trace.Trace{}.Root, 3<<20, 2<<20); !strings.HasSuffix(bad.Detail, "2097152 bytes (2 MB).") {
		t.Error(bad.Detail)
	}
}

// TestDeprecated checks that version 0 passes with a warning.
func TestDeprecated(t *testing.T) {
	told := ""
	r := reader()
	r.Deprecated = func(id string) { told = id }
	if message, _ := read(t, r, &trace.Trace{}, `{"schema_version":0,"trace_id":"old","output":{"a":1}}`); message != "" || told != "old" {
		t.Errorf("%q, told %q", message, told)
	}
}
