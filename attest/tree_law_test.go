package attest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/check"
)

// TestTreeLaw holds the checks of trees against a naive reading of what they say, on random
// trees: for every check the statuses agree, whether a failure is soft or not, alone or after
// all others, and however the JSON is spelled.
func TestTreeLaw(t *testing.T) {
	engine := attest.NewEngine(attest.Options{})
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		draw := treeDraw{t}
		root := draw.trace(0)
		var specs, want []string
		for _, check := range check.TreeNames() {
			spec := draw.spec(check)
			status := naiveStatus(root, spec)
			if got := statuses(t, engine, spell(t, root, false), spell(t, spec, false)); got[0] != status {
				t.Fatalf("got %s, want %s: %s on %s", got[0], status, spell(t, spec, false), spell(t, root, false))
			}
			specs, want = append(specs, spell(t, spec, true)), append(want, status)
			seen[check+" "+status]++
		}
		slices.Reverse(specs)
		slices.Reverse(want)
		if got := statuses(t, engine, spell(t, root, true), specs...); !slices.Equal(got, want) {
			t.Fatalf("together and spelled otherwise: got %v, want %v: %s on %s", got, want, specs, spell(t, root, true))
		}
	})
	for _, answer := range slices.Sorted(maps.Keys(seen)) {
		t.Log(answer, seen[answer])
	}
}

// statuses evaluates a request with some assertions.
func statuses(t *rapid.T, engine *attest.Engine, trace string, specs ...string) (list []string) {
	for i, spec := range specs {
		specs[i] = `{"assertion_id":"a","type":"trace_tree","spec":` + spec + `}`
	}
	result, err := engine.EvaluateBatch(t.Context(), fmt.Appendf(nil, `{"trace":%s,"assertions":[%s]}`, trace, strings.Join(specs, ",")))
	if err != nil {
		t.Fatalf("%v: %s on %s", err, specs, trace)
	}
	var batch struct{ Results []struct{ Status string } }
	if err := json.Unmarshal(result, &batch); err != nil {
		t.Fatal(err)
	}
	for _, r := range batch.Results {
		list = append(list, r.Status)
	}
	return list
}

// treeDraw draws trees of traces, and assertions about them.
type treeDraw struct{ t *rapid.T }

func (d treeDraw) of(label string, values ...any) any {
	return rapid.SampledFrom(values).Draw(d.t, label)
}

func (d treeDraw) often(label string, percent int) bool {
	return rapid.IntRange(1, 100).Draw(d.t, label) <= percent
}

func (d treeDraw) id(label string) string { return d.of(label, "a", "b", "c").(string) }

// set sets a member, unless it draws absent.
func (d treeDraw) set(m map[string]any, name string, values ...any) {
	if v := d.of(name, values...); v != absent {
		m[name] = v
	}
}

const absent = "(absent)"

func num(text string) json.Number { return json.Number(text) }

func (d treeDraw) value(depth int) any {
	if depth < 2 && d.often("nested", 30) {
		if d.often("list", 50) {
			return []any{d.value(depth + 1), d.value(depth + 1)}
		}
		return map[string]any{"k": d.value(depth + 1), "l": d.value(depth + 1)}
	}
	return d.of("scalar", "x", "xy", "X \"é\" 1", "", num("1"), num("1.0"), num("10e-1"), num("-0.50"), true, false, nil)
}

func (d treeDraw) object(label string) any {
	if d.often(label, 10) {
		return absent
	}
	return map[string]any{"f": d.value(0), "g": d.value(1)}
}

func (d treeDraw) trace(depth int) map[string]any {
	trace := map[string]any{"schema_version": num("1"), "trace_id": fmt.Sprintf("t%d", depth), "output": map[string]any{"f": d.value(0), "h.i": d.value(1)}}
	d.set(trace, "agent_id", "a", "b", "c", "a", "b", "c", "a", "b", "c", absent, nil, "")
	d.set(trace, "input", absent, nil, d.object("input"), d.object("input"), d.object("input"))
	metadata := map[string]any{}
	for _, name := range []string{"cost_usd", "total_tokens", "latency_ms"} {
		d.set(metadata, name, absent, absent, nil, num("0.1"), num("0.2"), num("3"), num("1e-3"), num("9007199254740993"))
	}
	d.set(trace, "metadata", absent, metadata, metadata)
	steps := []any{}
	timed := d.often("timed", 90)
	for range rapid.IntRange(max(0, 2-depth), 4).Draw(d.t, "steps") {
		steps = append(steps, d.step(depth, timed))
	}
	if len(steps) > 0 || d.often("no steps", 50) {
		trace["steps"] = steps
	}
	return trace
}

func (d treeDraw) step(depth int, timed bool) map[string]any {
	step := map[string]any{"type": d.of("type", "llm_call", "tool_call", "retrieval", "agent_call", "agent_call", "agent_call"), "name": d.of("name", "s", "t", "u")}
	if timed {
		start := 4*depth + rapid.IntRange(0, 6).Draw(d.t, "start")
		step["started_at_ms"] = num(fmt.Sprint(start))
		step["ended_at_ms"] = num(fmt.Sprint(start + rapid.IntRange(0, 3).Draw(d.t, "took")))
	} else {
		d.set(step, "started_at_ms", absent, nil, "1", num("0.5"), num("1e0"))
		d.set(step, "ended_at_ms", absent, nil, true, num("1.5"), num("0.25"))
	}
	d.set(step, "agent_id", absent, absent, absent, absent, absent, absent, absent, absent, absent, "a", "c", nil, "", num("5"))
	d.set(step, "args", absent, nil, d.object("args"))
	if step["type"] == "agent_call" && depth < 2 {
		d.set(step, "sub_trace", nil, d.trace(depth+1), d.trace(depth+1))
	}
	return step
}

// spec draws an assertion that is not a 1002.
func (d treeDraw) spec(check string) map[string]any {
	spec := map[string]any{"check": check}
	switch check {
	case "agent_called":
		spec["agent_id"] = d.id("agent")
	case "delegation_depth":
		spec["max_depth"] = d.of("max_depth", num("0"), num("1"), num("2.0"), num("3"))
	case "agent_output_contains":
		spec["agent_id"], spec["value"] = d.id("agent"), d.of("value", "x", "X", "É", "1", "true", "\"", "xx", "f", "-0.5", "null")
		d.set(spec, "case_sensitive", absent, true, false)
	case "cross_agent_data_flow":
		spec["from_agent"], spec["to_agent"] = d.id("from"), d.id("to")
		spec["field"] = d.of("field", "f", "h.i", "f.k", "f[0]", "f[*]", "nothing")
	case "follows_transitions":
		pairs := []any{}
		for range rapid.IntRange(1, 6).Draw(d.t, "pairs") {
			pairs = append(pairs, []any{d.id("parent"), d.id("child")})
		}
		spec["transitions"] = pairs
	case "aggregate_cost", "aggregate_tokens", "aggregate_latency":
		spec["operator"], spec["value"] = d.of("operator", "lt", "lte", "gt", "gte", "eq"), d.of("value", num("0.1"), num("0.3"), num("3.3"), num("9007199254740993"))
	case "agent_ordered_before", "agents_overlap":
		two := d.of("two", []string{"a", "b"}, []string{"b", "a"}, []string{"a", "c"}, []string{"c", "b"}).([]string)
		spec["agent_a"], spec["agent_b"] = two[0], two[1]
	case "agent_wall_time_under":
		spec["agent_id"], spec["max_ms"] = d.id("agent"), d.of("max_ms", num("0"), num("1"), num("3"), num("5.5"))
	case "ordered_agents":
		spec["groups"] = d.of("groups", []any{[]any{"a"}, []any{"b"}}, []any{[]any{"b", "a"}, []any{"c"}}, []any{[]any{"c"}, []any{"a", "b"}}, []any{[]any{"a", "b"}}, []any{[]any{"a"}, []any{"b"}, []any{"c"}})
	case "all_tools_called":
		spec["tools"] = d.of("tools", []any{"s"}, []any{"s", "t"}, []any{"t", "u", "t"})
	}
	d.set(spec, "soft", absent, true, false)
	return spec
}

// spell writes JSON; otherwise says that members are written in the reverse order, strings as
// escapes and whole numbers with an exponent.
func spell(t *rapid.T, v any, otherwise bool) string {
	switch v := v.(type) {
	case map[string]any:
		names := []string{}
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		if otherwise {
			slices.Reverse(names)
		}
		parts := []string{}
		for _, name := range names {
			parts = append(parts, spell(t, name, otherwise)+":"+spell(t, v[name], otherwise && name != "schema_version"))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		parts := []string{}
		for _, element := range v {
			parts = append(parts, spell(t, element, otherwise))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case string:
		if otherwise {
			escaped := ""
			for _, r := range v {
				escaped += fmt.Sprintf(`\u%04x`, r)
			}
			return `"` + escaped + `"`
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The naive reading. Every question walks the whole tree again.

// naiveTrace is a trace with its place in the tree.
type naiveTrace struct {
	trace, parent, caller map[string]any
	depth                 int
}

func naiveTraces(trace, parent, caller map[string]any, depth int) []naiveTrace {
	list := []naiveTrace{{trace, parent, caller, depth}}
	for _, step := range naiveSteps(trace) {
		if sub, ok := step["sub_trace"].(map[string]any); ok && step["type"] == "agent_call" {
			list = append(list, naiveTraces(sub, trace, step, depth+1)...)
		}
	}
	return list
}

func naiveSteps(trace map[string]any) (list []map[string]any) {
	steps, _ := trace["steps"].([]any)
	for _, step := range steps {
		list = append(list, step.(map[string]any))
	}
	return list
}

func text(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

// The answers of the naive reading.
const (
	holds        = "holds"
	holdsNot     = "holds not"
	unanswerable = "unanswerable"
)

func naiveStatus(root, spec map[string]any) string {
	answer := naiveAnswer(naiveTraces(root, nil, nil, 0), spec)
	switch {
	case answer == holds:
		return "pass"
	case answer == holdsNot && spec["soft"] == true:
		return "soft_fail"
	}
	return "hard_fail"
}

func verdict(ok bool) string {
	if ok {
		return holds
	}
	return holdsNot
}

func rat(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	r, _ := new(big.Rat).SetString(n.String())
	return r
}

func naiveAnswer(traces []naiveTrace, spec map[string]any) string {
	switch check := text(spec, "check"); check {
	case "agent_called":
		return verdict(len(tracesOf(traces, text(spec, "agent_id"))) > 0 || len(labelled(traces, text(spec, "agent_id"))) > 0)
	case "delegation_depth":
		deepest := 0
		for _, t := range traces {
			deepest = max(deepest, t.depth)
		}
		return verdict(big.NewRat(int64(deepest), 1).Cmp(rat(spec["max_depth"])) <= 0)
	case "agent_output_contains":
		return naiveOutput(tracesOf(traces, text(spec, "agent_id")), text(spec, "value"), spec["case_sensitive"] == true)
	case "cross_agent_data_flow":
		return naiveFlow(tracesOf(traces, text(spec, "from_agent")), tracesOf(traces, text(spec, "to_agent")), text(spec, "field"))
	case "follows_transitions":
		for _, t := range traces[1:] {
			if !slices.ContainsFunc(spec["transitions"].([]any), func(pair any) bool {
				p := pair.([]any)
				return p[0] == t.parent["agent_id"] && p[1] == t.trace["agent_id"]
			}) {
				return holdsNot
			}
		}
		return holds
	case "aggregate_cost", "aggregate_tokens", "aggregate_latency":
		field := map[string]string{"aggregate_cost": "cost_usd", "aggregate_tokens": "total_tokens", "aggregate_latency": "latency_ms"}[check]
		return naiveSum(traces, field, text(spec, "operator"), rat(spec["value"]))
	case "all_tools_called":
		for _, tool := range spec["tools"].([]any) {
			if !slices.ContainsFunc(traces, func(t naiveTrace) bool {
				return slices.ContainsFunc(naiveSteps(t.trace), func(s map[string]any) bool { return s["name"] == tool && s["type"] != "llm_call" })
			}) {
				return holdsNot
			}
		}
		return holds
	}
	return naiveTimed(traces, spec)
}

func tracesOf(traces []naiveTrace, id string) (list []naiveTrace) {
	for _, t := range traces {
		if t.trace["agent_id"] == id {
			list = append(list, t)
		}
	}
	return list
}

func labelled(traces []naiveTrace, id string) (list []map[string]any) {
	for _, t := range traces {
		for _, s := range naiveSteps(t.trace) {
			if s["agent_id"] == id {
				list = append(list, s)
			}
		}
	}
	return list
}

func naiveOutput(traces []naiveTrace, value string, exact bool) string {
	if len(traces) == 0 {
		return unanswerable
	}
	form := func(s string) string { return s }
	if !exact {
		form = cases.Fold().String
	}
	found := false
	for _, t := range traces {
		everyValue(t.trace["output"], func(v any) {
			switch v := v.(type) {
			case string:
				found = found || strings.Contains(form(v), form(value))
			case json.Number, bool, nil:
				raw, _ := json.Marshal(v)
				found = found || strings.Contains(form(string(raw)), form(value))
			}
		})
	}
	return verdict(found)
}

// everyValue calls use for a value and all that it holds.
func everyValue(v any, use func(any)) {
	use(v)
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			everyValue(member, use)
		}
	case []any:
		for _, element := range v {
			everyValue(element, use)
		}
	}
}

func naiveFlow(from, to []naiveTrace, field string) string {
	given := []any{}
	for _, t := range to {
		if t.trace["input"] != nil {
			given = append(given, t.trace["input"])
		} else if t.caller != nil && t.caller["args"] != nil {
			given = append(given, t.caller["args"])
		}
	}
	if len(from) == 0 || len(given) == 0 {
		return unanswerable
	}
	there, flows := false, false
	for _, t := range from {
		values := naiveField(t.trace["output"].(map[string]any), field)
		if len(values) == 0 || slices.Contains(values, nil) {
			continue
		}
		there = true
		all := true
		for _, value := range values {
			held := false
			for _, input := range given {
				everyValue(input, func(v any) { held = held || reflect.DeepEqual(plain(v), plain(value)) })
			}
			all = all && held
		}
		flows = flows || all
	}
	if !there {
		return unanswerable
	}
	return verdict(flows)
}

// naiveField returns the values of a drawn field.
func naiveField(output map[string]any, field string) []any {
	v, ok := output["f"]
	switch field {
	case "h.i":
		v, ok = output["h.i"]
	case "nothing":
		ok = false
	case "f.k":
		var inner map[string]any
		inner, _ = v.(map[string]any)
		v, ok = inner["k"]
	case "f[0]", "f[*]":
		list, _ := v.([]any)
		if field == "f[*]" {
			return list
		}
		if ok = len(list) > 0; ok {
			v = list[0]
		}
	}
	if !ok {
		return nil
	}
	return []any{v}
}

// plain returns a value in which equal numbers are equal.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		return "number " + rat(v).RatString()
	case string:
		return "text " + v
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for name := range v {
			m[name] = plain(v[name])
		}
		return m
	}
	return v
}

func naiveSum(traces []naiveTrace, field, operator string, value *big.Rat) string {
	sum, set := new(big.Rat), false
	for _, t := range traces {
		metadata, _ := t.trace["metadata"].(map[string]any)
		if n := rat(metadata[field]); n != nil {
			sum.Add(sum, n)
			set = true
		}
	}
	if !set {
		return unanswerable
	}
	order := sum.Cmp(value)
	return verdict(map[string]bool{"lt": order < 0, "lte": order <= 0, "gt": order > 0, "gte": order >= 0, "eq": order == 0}[operator])
}

// span is the time of a step.
type span struct{ start, end *big.Rat }

// spans lists the times of an agent; ok is false when they are not known.
func spans(traces []naiveTrace, id string) (list []span, ok bool) {
	steps := labelled(traces, id)
	if len(steps) == 0 {
		for _, t := range tracesOf(traces, id) {
			for _, s := range naiveSteps(t.trace) {
				if text(s, "agent_id") == "" {
					steps = append(steps, s)
				}
			}
		}
	}
	for _, s := range steps {
		start, end := rat(s["started_at_ms"]), rat(s["ended_at_ms"])
		if start == nil || end == nil || end.Cmp(start) < 0 {
			return nil, false
		}
		list = append(list, span{start, end})
	}
	return list, len(list) > 0
}

func naiveTimed(traces []naiveTrace, spec map[string]any) string {
	if spec["check"] == "ordered_agents" {
		return naiveGroups(traces, spec["groups"].([]any))
	}
	first, id := "agent_a", text(spec, "agent_a")
	if spec["check"] == "agent_wall_time_under" {
		first, id = "agent_id", text(spec, "agent_id")
	}
	a, ok := spans(traces, id)
	if !ok {
		return unanswerable
	}
	if first == "agent_id" {
		return verdict(union(a).Cmp(rat(spec["max_ms"])) <= 0)
	}
	b, ok := spans(traces, text(spec, "agent_b"))
	if !ok {
		return unanswerable
	}
	before, overlap := false, false
	for _, x := range a {
		all := true
		for _, y := range b {
			all = all && x.start.Cmp(y.start) < 0
			overlap = overlap || x.start.Cmp(x.end) < 0 && y.start.Cmp(y.end) < 0 && x.start.Cmp(y.end) < 0 && y.start.Cmp(x.end) < 0
		}
		before = before || all
	}
	return verdict(spec["check"] == "agents_overlap" && overlap || spec["check"] == "agent_ordered_before" && before)
}

// union returns the length of the union of spans: between any two neighbouring instants either
// some span lasts or none does.
func union(list []span) *big.Rat {
	instants := []*big.Rat{}
	for _, s := range list {
		instants = append(instants, s.start, s.end)
	}
	slices.SortFunc(instants, (*big.Rat).Cmp)
	sum := new(big.Rat)
	for i := range instants[1:] {
		from, to := instants[i], instants[i+1]
		if slices.ContainsFunc(list, func(s span) bool { return s.start.Cmp(from) <= 0 && to.Cmp(s.end) <= 0 }) {
			sum.Add(sum, new(big.Rat).Sub(to, from))
		}
	}
	return sum
}

// naiveGroups compares every agent with every one of all later groups.
func naiveGroups(traces []naiveTrace, groups []any) string {
	var times [][]span
	for _, group := range groups {
		var all []span
		for _, id := range group.([]any) {
			list, ok := spans(traces, id.(string))
			if !ok {
				return unanswerable
			}
			whole := list[0]
			for _, s := range list {
				if s.start.Cmp(whole.start) < 0 {
					whole.start = s.start
				}
				if s.end.Cmp(whole.end) > 0 {
					whole.end = s.end
				}
			}
			all = append(all, whole)
		}
		times = append(times, all)
	}
	return verdict(inOrder(times))
}

func inOrder(times [][]span) bool {
	for i := range times {
		for _, later := range times[i+1:] {
			for _, x := range times[i] {
				for _, y := range later {
					if x.end.Cmp(y.start) > 0 || x.start.Cmp(y.start) >= 0 {
						return false
					}
				}
			}
		}
	}
	return true
}
