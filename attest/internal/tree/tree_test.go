package tree_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/tree"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// read reads a tree of traces, which may be of any depth.
func read(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string,
) *tree.Tree {
	t.Helper()
	doc, err := scan.New(1000, 0).Scan([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	r := trace.Reader{AnyOutput: true, TraceBytes: 1 << 20, Steps: 1000, OutputChars: 1 << 20, ResultBytes: 1 << 20, SubTraceDepth: 1000, Deprecated: func(string) {}}
	var root trace.Trace
	if bad := r.Read(&root, doc.Root()); bad != nil {
		t.Fatalf("%s: %s", bad.Message, text)
	}
	return tree.New(&root)
}

// one returns a trace; members begin with a comma.
func one(id, members string, steps ...string) string {
	return fmt.Sprintf(`{"schema_version":1,"trace_id":%q%s,"output":"o","steps":[%s]}`, id, members, strings.Join(steps, ","))
}

func call(name, sub string) string {
	return fmt.Sprintf(`{"type":"agent_call","name":%q,"sub_trace":%s}`, name, sub)
}

func agent(id string) string { return fmt.Sprintf(`,"agent_id":%q`, id) }

// TestTree: the traces, agents, steps and delegations of a tree, in their order.
func TestTree(t *testing.T) {
	text := one("t0", agent("a"),
		call("x", one("t1", agent("b"), call("y", one("t2", agent("a"))))),
		`{"type":"tool_call","name":"z","agent_id":"c"}`,
		call("x", one("t3", "", call("y", one("t4", agent("b"))))),
		call("x", one("t5", agent("b"))),
		`{"type":"llm_call","name":"z","agent_id":"b"}`,
		`{"type":"retrieval","name":"w","agent_id":null}`)
	x := read(t, text)
	var ids []string
	for _, level := range x.Levels {
		ids = append(ids, level.Trace.ID)
	}
	var delegations []string
	for _, d := range x.Delegations() {
		name := func(a *tree.Agent) string {
			if a == nil {
				return "nobody"
			}
			return a.ID
		}
		delegations = append(delegations, name(d.Parent)+" "+name(d.Child)+" "+x.Levels[d.Level].Trace.ID)
	}
	for _, c := range []struct{ got, want any }{
		{ids, []string{"t0", "t1", "t2", "t3", "t4", "t5"}},
		{x.Depth, 2},
		{x.TraceAgentIDs(), []string{"a", "b"}},
		{x.Agent("nobody") == nil, true},
		{x.AgentIDs(), []string{"a", "b", "c"}},
		{x.TraceAgentIDs(), []string{"a", "b"}},
		{x.Agent("b").Levels, []int{1, 4, 5}},
		{x.Agent("b").Steps, []tree.StepRef{{Level: 0, Step: 4}}},
		{x.Agent("a").Steps, []tree.StepRef(nil)},
		{x.Agent("c").Levels, []int(nil)},
		{x.StepName(x.Agent("c").Steps[0]), "step 1 'z' of trace 't0'"},
		{delegations, []string{"a b t1", "b a t2", "a nobody t3", "nobody b t4"}},
		{x.Delegations(), x.Delegations()},
		{read(t, text).AgentIDs(), []string{"a", "b", "c"}}, // whatever is asked first
		{read(t, text).Calls("z"), true},
		{x.Tools(), []string{"x", "z", "w", "y"}},
		{[]bool{x.Calls("z"), x.Calls("nothing")}, []bool{true, false}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// TestFaults: each fault of a tree, and how many are listed.
func TestFaults(t *testing.T) {
	parent := func(id string) string { return fmt.Sprintf(`,"parent_trace_id":%q`, id) }
	noSub := `{"type":"agent_call","name":"x"}`
	for _, c := range []struct {
		text  string
		depth int
		want  []string
	}{
		{one("t", ""), 0, nil},
		{one("t", parent("anybody"), call("x", one("u", parent("t"))), `{"type":"tool_call","name":"y"}`), 1, nil},
		{one("t", "", call("x", one("u", ""))), 0, []string{"trace nesting depth 1 exceeds maximum 0"}},
		{
			one("t", "", call("x", one("t", "", call("y", one("u", parent("u"), noSub))))), 2,
			[]string{
				"sub_trace of step 0 'x' of trace 't': trace_id 't' occurs before",
				"sub_trace of step 0 'y' of trace 't': parent_trace_id 'u' is not the trace_id of the trace that holds it, 't'",
				"step 0 'x' of trace 'u': agent_call without sub_trace",
			},
		},
	} {
		if got := read(t, c.text).Faults(c.depth); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q", c.text, got)
		}
	}
	for _, n := range []int{50, 51} {
		got := read(t, one("t", "", slices.Repeat([]string{noSub}, n)...)).Faults(5)
		if want := map[int]string{50: "step 49 'x' of trace 't': agent_call without sub_trace", 51: "… (51 in all)"}[n]; got[len(got)-1] != want || len(got) != n {
			t.Errorf("%d faults: %d, the last %s", n, len(got), got[len(got)-1])
		}
	}
}

// TestTimes holds the union of the times of steps and its overlaps against a look at every
// half of a millisecond.
func TestTimes(t *testing.T) {
	type span struct{ start, end int } // in halves
	draw := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(rapid.IntRange(0, 12), 2, 2), func(s []int) span { return span{s[0], s[0] + s[1]} }), 1, 5)
	half := func(n int) string { return fmt.Sprintf("%de-1", n*5) }
	rapid.Check(t, func(t *rapid.T) {
		var steps []string
		var at [2][40]bool // between the halves n and n+1
		lists := [2][]span{draw.Draw(t, "a"), draw.Draw(t, "b")}
		for i, list := range lists {
			for _, s := range list {
				steps = append(steps, fmt.Sprintf(`{"type":"llm_call","name":"s","agent_id":"%d","started_at_ms":%s,"ended_at_ms":%s}`, i, half(s.start), half(s.end)))
				for n := s.start; n < s.end; n++ {
					at[i][n] = true
				}
			}
		}
		x := read(t, one("t", "", steps...))
		a, b := x.Times(x.Agent("0")), x.Times(x.Agent("1"))
		wall, first := 0, -1
		for n := range at[0] {
			if at[0][n] {
				wall++
			}
			if at[0][n] && at[1][n] && first < 0 {
				first = n
			}
		}
		from, to, ok := a.Overlaps(b)
		last := first
		for ; ok && at[0][last] && at[1][last]; last++ {
		}
		start := slices.MinFunc(lists[0], func(a, b span) int { return a.start - b.start }).start
		end := slices.MaxFunc(lists[0], func(a, b span) int { return a.end - b.end }).end
		is := func(i tree.Instant, halves int) bool { return i.Float() == float64(halves)/2 }
		if a.Wall().Float() != float64(wall)/2 || ok != (first >= 0) || ok && (!is(from, first) || !is(to, last)) || !is(a.Start, start) || !is(a.End, end) {
			t.Fatalf("wall %s, overlap %v from %v to %v, from %s to %s: %v", a.Wall().Text, ok, from, to, a.Start, a.End, lists)
		}
	})
}

// TestGiven compares the look-up of a value with a linear search.
func TestGiven(t *testing.T) {
	scalar := rapid.SampledFrom([]string{`1`, `1.0`, `10e-1`, `-0`, `0`, `"1"`, `"\u0031"`, `true`, `false`, `null`, `""`, `1e-400`, `10e-401`})
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		if depth == 0 {
			return scalar
		}
		below := rapid.SliceOfN(value(depth-1), 0, 3)
		return rapid.OneOf(scalar,
			rapid.Map(below, func(list []string) string { return "[" + strings.Join(list, ",") + "]" }),
			rapid.Custom(func(t *rapid.T) string {
				var members []string
				for _, v := range below.Draw(t, "members") {
					members = append(members, rapid.SampledFrom([]string{`"a":`, `"\u0061":`, `"b":`}).Draw(t, "name")+v)
				}
				return "{" + strings.Join(members, ",") + "}"
			}))
	}
	rapid.Check(t, func(t *rapid.T) {
		input, output := value(2).Draw(t, "input"), value(2).Draw(t, "output")
		x := read(t, fmt.Sprintf(`{"schema_version":1,"trace_id":"t","agent_id":"a","input":{"i":%s},"output":{"o":%s}}`, input, output))
		from := x.Root.Members[trace.Output]
		wanted := from.Last("o")
		var first strictjson.Node
		for n := range x.Root.Members[trace.Input].All() {
			if !first.Exists() && reflect.DeepEqual(plain(t, n), plain(t, wanted)) {
				first = n
			}
		}
		if got := x.Given(x.Agent("a"), from, wanted); got != first {
			t.Fatalf("%s in %s: got %s, want %s", output, input, got.Pointer(), first.Pointer())
		}
	})
}

// TestEqual: which spellings are the same value, and which are not.
func TestEqual(t *testing.T) {
	values := [][]string{ // those of a row are equal
		{`"a1"`, `"\u00611"`, `"a\u0031"`},
		{`"1"`, `"\u0031"`},
		{`""`},
		{`1`, `1.0`, `10e-1`, `0.1E1`},
		{`0`, `-0`, `0.0e5`},
		{`-1`},
		{`true`},
		{`false`},
		{`null`},
		{`[]`},
		{`{}`},
		{`[null]`},
		{`[[]]`},
		{`[1,2]`, `[1.0,2]`},
		{`[2,1]`},
		{`[[1],2]`},
		{`[[1,2]]`},
		{`{"a":1,"b":2}`, `{"b":2,"\u0061":1}`, `{"a":5,"b":2,"a":1}`},
		{`{"a":2,"b":1}`},
		{`{"a":1}`},
		{`{"a":{"b":2}}`},
		{`{"b":1}`},
		{`["a",1]`},
	}
	for i, row := range values {
		for _, spelled := range row {
			for j, other := range values {
				x := read(t, fmt.Sprintf(`{"schema_version":1,"trace_id":"t","agent_id":"a","input":{"only":%s},"output":{"o":%s}}`, other[len(other)-1], spelled))
				output := x.Root.Members[trace.Output]
				held := x.Given(x.Agent("a"), output, output.Last("o"))
				if only := x.Root.Members[trace.Input].Last("only"); (held == only) != (i == j) {
					t.Errorf("%s and %s are equal: %v", spelled, other[len(other)-1], held == only)
				}
			}
		}
	}
}

// plain returns a value in which equal numbers are equal.
func plain(t *rapid.T, n strictjson.Node) any {
	var v any
	d := json.NewDecoder(strings.NewReader(string(n.Raw())))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return withValues(v)
}

func withValues(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(v.String())
		return "number " + r.String()
	case string:
		return "text " + v
	case []any:
		for i := range v {
			v[i] = withValues(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = withValues(v[name])
		}
	}
	return v
}

// TestInputs: what a trace was given is its input, else the args of the call that holds it.
func TestInputs(t *testing.T) {
	withArgs := func(args, sub string) string {
		return fmt.Sprintf(`{"type":"agent_call","name":"x","args":%s,"sub_trace":%s}`, args, sub)
	}
	x := read(t, one("t", agent("a")+`,"input":{"root":1}`,
		withArgs(`{"args":1}`, one("u", agent("a")+`,"input":null`)),
		withArgs(`{"args":2}`, one("v", agent("a")+`,"input":{"own":2}`)),
		withArgs(`null`, one("w", agent("a")))))
	var got []string
	for _, n := range x.Inputs(x.Agent("a")) {
		got = append(got, string(n.Raw()))
	}
	if want := []string{`{"root":1}`, `{"args":1}`, `{"own":2}`}; !slices.Equal(got, want) {
		t.Errorf("got %s", got)
	}
	if root := read(t, one("t", agent("a"))); root.Inputs(root.Agent("a")) != nil {
		t.Error("a root without input was given something")
	}
}

// TestProblems: whose steps an agent's times are, and why they are not known.
func TestProblems(t *testing.T) {
	step := func(members string) string { return `{"type":"llm_call","name":"s"` + members + `}` }
	const times = `,"started_at_ms":1,"ended_at_ms":1e1`
	for _, c := range []struct {
		steps []string
		want  string
	}{
		{nil, "the agent has no steps"},
		{[]string{step(times + agent("b"))}, "the agent has no steps"},
		{[]string{step(times)}, "1 to 10"},
		{[]string{step(times), step(agent("b"))}, "1 to 10"},
		{[]string{step(""), step(times + agent("a"))}, "1 to 10"},
		{[]string{step(times), step(`,"ended_at_ms":5`)}, "step 1 's' of trace 't' has no started_at_ms"},
		{[]string{step(`,"started_at_ms":5,"ended_at_ms":null`)}, "step 0 's' of trace 't' has no ended_at_ms"},
		{[]string{step(`,"started_at_ms":"5","ended_at_ms":6`)}, "step 0 's' of trace 't' has started_at_ms = '5', which is not a number that can be compared"},
		{[]string{step(`,"started_at_ms":5,"ended_at_ms":1e-401`)}, "step 0 's' of trace 't' has ended_at_ms = 1e-401, which is not a number that can be compared"},
		{[]string{step(`,"started_at_ms":5,"ended_at_ms":4.5`)}, "step 0 's' of trace 't' ends before it starts: ended_at_ms 4.5, started_at_ms 5"},
	} {
		x := read(t, one("t", agent("a"), c.steps...))
		got := x.Times(x.Agent("a"))
		said := got.Problem
		if said == "" {
			said = fmt.Sprintf("%s to %s", got.Start, got.End)
		}
		if said != c.want || got != x.Times(x.Agent("a")) {
			t.Errorf("%s: got %s, want %s", c.steps, said, c.want)
		}
		if got.Place.Exists() != strings.HasPrefix(said, "step") {
			t.Errorf("%s: the place is %s", c.steps, got.Place.Raw())
		}
	}
}

// TestTotal: sums over the traces that have a number.
func TestTotal(t *testing.T) {
	metadata := func(text string) string { return `,"metadata":` + text }
	x := read(t, one("t", metadata(`{"cost_usd":0.1,"total_tokens":null}`),
		call("x", one("u", metadata("null"))), call("x", one("v", metadata(`{"cost_usd":0.2,"latency_ms":1e-401}`)))))
	for field, want := range map[tree.Field]string{
		tree.Cost:    "cost_usd: 0.3 of 2, first 0.1",
		tree.Tokens:  "total_tokens: 0 of 0, first ",
		tree.Latency: "latency_ms: metadata.latency_ms of trace 'v' = 1e-401 is not a number that can be compared",
	} {
		total := x.Total(field)
		got := fmt.Sprintf("%s: %s of %d, first %s", field, total.Sum.Text, total.Set, total.First.Raw())
		if total.Problem != "" {
			got = fmt.Sprintf("%s: %s", field, total.Problem)
		}
		if got != want || total != x.Total(field) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
