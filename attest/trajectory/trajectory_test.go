package trajectory

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

var engine = attest.NewEngine(attest.Options{})

// stepText returns a step as JSON; every call of it writes the members in another order.
type fakeStep struct {
	name   string
	arg    int
	result int
}

func (s fakeStep) text(random *rand.Rand) string {
	members := []string{
		`"type":"tool_call"`, fmt.Sprintf(`"name":%q`, s.name),
		fmt.Sprintf(`"args":{"n":%s}`, spelled(s.arg, random)), fmt.Sprintf(`"result":{"r":%s}`, spelled(s.result, random)),
		fmt.Sprintf(`"metadata":{"duration_ms":%d}`, random.IntN(100)),
	}
	random.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

// spelled writes a number in one of its spellings.
func spelled(n int, random *rand.Rand) string {
	return fmt.Sprintf([]string{"%d", "%d.0", "%d.00", "%de0"}[random.IntN(4)], n)
}

func traceText(steps []fakeStep, random *rand.Rand) attest.TraceText {
	var list []string
	for _, s := range steps {
		list = append(list, s.text(random))
	}
	raw := []byte(fmt.Sprintf(`{"schema_version":1,"trace_id":"t","steps":[%s],"output":{"message":"done"}}`, strings.Join(list, ",")))
	return attest.TraceText{Raw: raw, Line: 1, Size: int64(len(raw))}
}

func compare(t *testing.T, a, b []fakeStep, random *rand.Rand, opt Options) *Comparison {
	t.Helper()
	c, err := Compare(engine, traceText(a, random), traceText(b, random), opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestFewestEdits compares the script with a naive search for the fewest edits, and applies it.
func TestFewestEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, b := someSteps(random, random.IntN(7)), someSteps(random, random.IntN(7))
		c := compare(t, a, b, random, Options{Compare: Results})
		if want := naive(a, b); len(c.Differences) != want {
			t.Fatalf("%v to %v: %d differences, expected %d", a, b, len(c.Differences), want)
		}
		if c.Same+c.Count(Changed)+c.Count(Removed) != len(a) || c.Same+c.Count(Changed)+c.Count(Added) != len(b) {
			t.Fatalf("%v to %v: the differences do not account for every step", a, b)
		}
	}
}

func someSteps(random *rand.Rand, n int) (list []fakeStep) {
	for range n {
		list = append(list, fakeStep{string(rune('a' + random.IntN(3))), random.IntN(2), random.IntN(2)})
	}
	return list
}

// naive returns the fewest edits, by trying every script.
func naive(a, b []fakeStep) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	best := 1 + min(naive(a[1:], b), naive(a, b[1:]))
	switch {
	case a[0] == b[0]:
		best = min(best, naive(a[1:], b[1:]))
	case a[0].name == b[0].name:
		best = min(best, 1+naive(a[1:], b[1:]))
	}
	return best
}

// TestPlantedEdits edits long runs at places that are far apart, and expects exactly these edits.
func TestPlantedEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		a := make([]fakeStep, 200+random.IntN(300))
		for i := range a {
			a[i] = fakeStep{fmt.Sprint("tool", i%17), i, i}
		}
		var b []fakeStep
		want := map[string]bool{}
		for i, s := range a {
			if i%25 != 13 || random.IntN(2) == 0 {
				b = append(b, s)
				continue
			}
			switch random.IntN(4) {
			case 0:
				want[fmt.Sprintf("removed /steps/%d", i)] = true
			case 1:
				want[fmt.Sprintf("added /steps/%d", len(b))] = true
				b = append(b, fakeStep{"new", -1, -1}, s)
			case 2:
				want[fmt.Sprintf("changed /steps/%d", i)] = true
				b = append(b, fakeStep{s.name, s.arg, -s.result - 1})
			case 3:
				want[fmt.Sprintf("changed /steps/%d", i)] = true
				b = append(b, fakeStep{s.name, -s.arg - 1, s.result})
			}
		}
		got := map[string]bool{}
		for _, d := range compare(t, a, b, random, Options{Compare: Results}).Differences {
			step := d.A
			if step == nil {
				step = d.B
			}
			got[string(d.Kind)+" "+step.Path] = true
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("found %v, planted %v", got, want)
		}
	}
}

// TestCompared holds what each option leaves out.
func TestCompared(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	a := []fakeStep{{"x", 1, 1}, {"y", 2, 2}}
	for _, c := range []struct {
		b    []fakeStep
		want [3]int // differences by names, args, results
	}{
		{[]fakeStep{{"x", 1, 1}, {"y", 2, 2}}, [3]int{0, 0, 0}},
		{[]fakeStep{{"x", 1, 1}, {"y", 2, 3}}, [3]int{0, 0, 1}},
		{[]fakeStep{{"x", 5, 1}, {"y", 2, 3}}, [3]int{0, 1, 2}},
		{[]fakeStep{{"z", 1, 1}, {"y", 2, 2}}, [3]int{2, 2, 2}},
		{[]fakeStep{{"y", 2, 2}, {"x", 1, 1}}, [3]int{2, 2, 2}},
	} {
		for level, want := range c.want {
			if got := len(compare(t, a, c.b, random, Options{Compare: Compared(level)}).Differences); got != want {
				t.Errorf("%v, level %d: %d differences, expected %d", c.b, level, got, want)
			}
		}
	}
}

// TestLevels compares sub-traces, inputs and outputs.
func TestLevels(t *testing.T) {
	const whole = `{"schema_version":1,"trace_id":"t","input":{"q":%s},"steps":[{"type":"agent_call","name":"sub","args":{},"sub_trace":{"schema_version":1,"trace_id":"s","steps":[{"type":"llm_call","name":"think","result":{"x":%s}},{"type":"tool_call","name":"look","args":{"n":%s}}],"output":{"a":1}}}],"output":{"m":%s}}`
	text := func(values ...any) attest.TraceText {
		raw := []byte(fmt.Sprintf(whole, values...))
		return attest.TraceText{Raw: raw, Line: 1, Size: int64(len(raw))}
	}
	places := func(opt Options, values ...any) (list []string) {
		c, err := Compare(engine, text("1", "1", "1", "1"), text(values...), opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range c.Differences {
			place := d.Part
			if d.A != nil {
				place = d.A.Path
			}
			for _, change := range d.Changes {
				place += " " + change.Pointer
			}
			list = append(list, place)
		}
		return list
	}
	for _, c := range []struct {
		opt    Options
		values []any
		want   string
	}{
		{Options{Compare: Results}, []any{"1", "1.0", "1", "1"}, "[]"},
		{Options{Compare: Results}, []any{"2", "2", "2", "2"}, "[input /q /steps/0/sub_trace/steps/0 /result/x /steps/0/sub_trace/steps/1 /args/n output /m]"},
		{Options{Compare: Args}, []any{"2", "2", "2", "2"}, "[/steps/0/sub_trace/steps/1 /args/n]"},
		{Options{Compare: Results, Calls: true}, []any{"2", "2", `{"b/c":[1]}`, "2"}, "[/steps/0/sub_trace/steps/1 /args/n]"},
	} {
		if got := fmt.Sprint(places(c.opt, c.values...)); got != c.want {
			t.Errorf("%+v %v: %s, expected %s", c.opt, c.values, got, c.want)
		}
	}
}

// TestCoarse holds the way out of a comparison that would take too much memory.
func TestCoarse(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	a, b := make([]fakeStep, 6000), make([]fakeStep, 6000)
	for i := range a {
		a[i], b[i] = fakeStep{"a", i, i}, fakeStep{"b", i, i}
	}
	b[0], b[len(b)-1] = a[0], a[len(a)-1]
	c := compare(t, a, b, random, Options{Compare: Args})
	if !c.Coarse || c.Same != 2 || c.Count(Removed) != 5998 || c.Count(Added) != 5998 {
		t.Errorf("coarse %v, %d the same, %d removed, %d added", c.Coarse, c.Same, c.Count(Removed), c.Count(Added))
	}
}

// TestRecord records a run and expects it of itself and of no run that differs.
func TestRecord(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		a, b := someSteps(random, 1+random.IntN(4)), someSteps(random, 1+random.IntN(4))
		level := Compared(random.IntN(3))
		golden, err := Record(engine, traceText(a, random), level)
		if err != nil {
			t.Fatal(err)
		}
		expect, err := json.Marshal(golden.Expect)
		if err != nil {
			t.Fatal(err)
		}
		check := fmt.Sprintf(`{"assertion_id":"golden","type":"trace","spec":{"check":"calls","order":"strict","expect":%s}}`, expect)
		prepared, err := engine.PrepareJSON([]byte(check), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range [][]fakeStep{a, b} {
			results, err := engine.EvaluatePrepared(t.Context(), traceText(run, random), []attest.Prepared{prepared})
			if err != nil {
				t.Fatal(err)
			}
			equal := slices.EqualFunc(a, run, func(x, y fakeStep) bool {
				return x.name == y.name && (level < Args || x.arg == y.arg) && (level < Results || x.result == y.result)
			})
			if got := results[0].Status == attest.Pass; got != equal {
				t.Fatalf("level %d: %v recorded, %v passes: %v, expected %v", level, a, run, got, equal)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	bad := attest.TraceText{Raw: []byte(`{"schema_version":1}`), Line: 1, Size: 20}
	var refused *TraceError
	if _, err := Compare(engine, traceText(nil, random), bad, Options{}); !errors.As(err, &refused) || !refused.Second {
		t.Errorf("the second trace is invalid: %v", err)
	}
	if _, err := Compare(engine, bad, traceText(nil, random), Options{}); !errors.As(err, &refused) || refused.Second {
		t.Errorf("the first trace is invalid: %v", err)
	}
	if _, err := Record(engine, traceText(nil, random), Names); !errors.Is(err, ErrNoCalls) {
		t.Errorf("no calls: %v", err)
	}
}
