package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// callChecks are the checks of layer 3. Tools are steps by name. Where calls are counted or must be adjacent, only
// tool-like steps count (tool_call, retrieval, agent_call); model steps between two calls do not matter.
var callChecks = []namedCheck{
	{"contains_in_order", containsInOrder},
	{"exact_order", exactOrder},
	{"loop_detection", loopDetection},
	{"no_duplicates", noDuplicates},
	{"required_tools", requiredTools},
	{"forbidden_tools", forbiddenTools},
	{"calls", compileMatchCalls},
}

type traceCheck func(*Subject) Verdict

func (c traceCheck) evaluate(_ context.Context, s *Subject) Verdict { return c(s) }

func compileTraceCheck(s *spec) Check {
	c := chosen(s, "trace check", callChecks)
	if c == nil || s.problem != nil {
		return c
	}
	if _, knows := c.(doubtful); knows {
		return c
	}
	name, _ := s.node.Last("check").Text()
	return checkWithMode{c, modeOf(name)}
}

// containsInOrder requires the tools to occur in this order, with gaps allowed. Greedy matching finds an order if
// one exists.
func containsInOrder(s *spec) Check {
	tools, levels := s.needTexts("tools"), s.levels()
	list := wording.QuoteList(tools)
	sequence := "Tool sequence " + list
	return traceCheck(func(x *Subject) Verdict {
		t := x.Trace
		if levels == allLevels {
			return flatten(t).inOrder(tools, sequence, list)
		}
		at := make([]int32, 0, len(tools))
		for _, tool := range tools {
			steps := t.StepsNamed(tool)
			if last := len(at) - 1; last >= 0 {
				next, _ := slices.BinarySearch(steps, at[last]+1)
				steps = steps[next:]
			}
			if len(steps) == 0 {
				missing := wording.Quote(tool) + " missing" + x.after(tool, at)
				return outOfOrder(t.Members[trace.Steps], sequence, list, missing)
			}
			at = append(at, steps[0])
		}
		return passed(t.Steps[at[0]].Node, sequence+" found in order at steps "+wording.IndexList(at)+".")
	})
}

// after returns where a tool is missing: after the last matched step, or anywhere.
func (x *Subject) after(tool string, matched []int32) string {
	if len(matched) > 0 {
		return fmt.Sprintf(" after step %d", matched[len(matched)-1])
	}
	if len(x.Trace.Names) == 0 {
		return ", the trace has no steps"
	}
	return x.Targets.DidYouMean(tool, x.Trace.Names)
}

// exactOrder requires the tools to be called consecutively somewhere in the trace. Other steps are ignored unless
// tools names them.
func exactOrder(s *spec) Check {
	tools, levels := s.needTexts("tools"), s.levels()
	list := wording.QuoteList(tools)
	sequence := "Tool sequence " + list
	outOfOrder := func(t *trace.Trace, found string) Verdict {
		return notExactly(t.Members[trace.Steps], sequence, list, found)
	}
	return traceCheck(func(x *Subject) Verdict {
		t := x.Trace
		if levels == allLevels {
			return flatten(t).exactly(tools, sequence, list)
		}
		wanted := make([]int32, len(tools))
		takesPart := make([]bool, len(t.Names)) // also as other steps than calls
		for i, tool := range tools {
			id, known := t.NameIDs[tool]
			if !known {
				return outOfOrder(t, wording.Quote(tool)+" was never called"+x.Targets.DidYouMean(tool, t.Names))
			}
			wanted[i], takesPart[id] = id, true
		}
		at := findCalls(t, wanted, takesPart)
		if at == nil {
			return outOfOrder(t, "the calls are "+wording.QuoteList(firstCalls(t, takesPart)))
		}
		return passed(t.Steps[at[0]].Node, sequence+" found in exact order at steps "+wording.IndexList(at)+".")
	})
}

// findCalls returns the steps of the first consecutive match of wanted, among steps that take part, or nil. It
// takes linear time (Knuth, Morris and Pratt).
func findCalls(t *trace.Trace, wanted []int32, takesPart []bool) []int32 {
	border := borders(wanted)
	k := int32(0)
	for i := range t.Steps {
		s := &t.Steps[i]
		if !s.Call && !takesPart[s.Name] {
			continue
		}
		for k >= 0 && wanted[k] != s.Name {
			k = border[k]
		}
		if k++; int(k) == len(wanted) {
			return callsUpTo(t, int32(i), len(wanted), takesPart)
		}
	}
	return nil
}

// borders returns the length of the longest proper prefix that is also a suffix, for each prefix; -1 for the empty
// one.
func borders(sequence []int32) []int32 {
	border := make([]int32, len(sequence)+1)
	k := int32(-1)
	border[0] = k
	for i, name := range sequence {
		for k >= 0 && sequence[k] != name {
			k = border[k]
		}
		k++
		border[i+1] = k
	}
	return border
}

// callsUpTo returns the last n participating steps up to step last.
func callsUpTo(t *trace.Trace, last int32, n int, takesPart []bool) []int32 {
	steps := make([]int32, n)
	for i := last; n > 0; i-- {
		if s := &t.Steps[i]; s.Call || takesPart[s.Name] {
			n--
			steps[n] = i
		}
	}
	return steps
}

// firstCalls returns the names of the first participating steps, for messages.
func firstCalls(t *trace.Trace, takesPart []bool) (names []string) {
	for i := range t.Steps {
		if s := &t.Steps[i]; (s.Call || takesPart[s.Name]) && len(names) < wording.MaxListed+2 {
			names = append(names, t.Names[s.Name])
		}
	}
	return names
}

// loopDetection requires a tool to be called at most max_repetitions times.
func loopDetection(s *spec) Check {
	tool, levels := s.need("tool"), s.levels()
	n, ok := s.member("max_repetitions", strictjson.Number)
	if !ok {
		s.required("max_repetitions", "an integer of 0 or more")
	}
	limit, ok := n.Int()
	if !ok || limit < 0 {
		s.fail(n, "Use an integer of 0 or more; 0 means that the tool must not be called.",
			"max_repetitions must be an integer of 0 or more, got %s", wording.Preview(string(n.Raw())))
	}
	return traceCheck(func(x *Subject) Verdict {
		t := x.Trace
		calls, deeper := t.CallsTo(tool), ""
		if levels.all(x) {
			calls = 0
			for level := range t.Levels() {
				calls += level.CallsTo(tool)
			}
		} else {
			deeper = x.deeper([]string{tool}, levels)
		}
		times := fmt.Sprintf("%d times", calls)
		if calls == 1 {
			times = "1 time"
		}
		if int64(calls) > limit {
			return failed(t.Members[trace.Steps], fmt.Sprintf("Tool %s called %s, exceeds max_repetitions %d.", wording.Quote(tool), times, limit)).
				because(calledTooOften, timesCalled(tool, limit), timesCalled(tool, int64(calls)))
		}
		return passed(t.Members[trace.Steps], fmt.Sprintf("Tool %s called %s, within max_repetitions %d.", wording.Quote(tool), times, limit)+deeper)
	})
}

// timesCalled formats 'search' × 3.
func timesCalled(tool string, times int64) string {
	return fmt.Sprintf("%s × %d", wording.Quote(tool), times)
}

// noDuplicates requires that no tool is called twice.
func noDuplicates(s *spec) Check {
	levels := s.levels()
	return traceCheck(func(x *Subject) Verdict {
		t := x.Trace
		repeated, calls := "", t.Calls
		if levels.all(x) {
			repeated, calls = flatten(t).repeated()
		} else {
			repeated = x.repeatedTools()
		}
		if repeated != "" {
			return failed(t.Members[trace.Steps], fmt.Sprintf("Tools called more than once: %s.", repeated)).because(calledTwice, "", repeated)
		}
		return passed(t.Members[trace.Steps], fmt.Sprintf("No tool called more than once (%d tool calls).", calls))
	})
}

// repeatedTools lists the tools called more than once, in trace order.
func (x *Subject) repeatedTools() string {
	if x.repeated == nil {
		var list []string
		for id, count := range x.Trace.CallsOf {
			if count > 1 {
				list = append(list, timesCalled(x.Trace.Names[id], int64(count)))
			}
		}
		var b strings.Builder
		wording.WriteList(&b, len(list), func(i int) string { return list[i] })
		joined := b.String()
		x.repeated = &joined
	}
	return *x.repeated
}

// requiredTools requires every tool to be called at least once.
func requiredTools(s *spec) Check {
	tools, levels := s.needTexts("tools"), s.levels()
	return traceCheck(func(x *Subject) Verdict {
		t := x.Trace
		var absent []string
		for _, tool := range tools {
			if _, step := find(t, tool, levels == allLevels); step < 0 {
				absent = append(absent, tool)
			}
		}
		if len(absent) == 0 {
			return passed(t.Members[trace.Steps], fmt.Sprintf("All required tools called: %s.", wording.QuoteList(tools)))
		}
		near := ""
		if len(absent) == 1 {
			near = x.Targets.DidYouMean(absent[0], t.Names)
		}
		return failed(t.Members[trace.Steps], fmt.Sprintf("Required tools not called: %s%s (%d of %d called).",
			wording.QuoteList(absent), near, len(tools)-len(absent), len(tools))).
			because(notCalled, wording.QuoteList(tools), wording.QuoteList(absent)+near)
	})
}

// forbiddenTools requires that no tool of the list is called.
func forbiddenTools(s *spec) Check {
	tools, levels := s.needTexts("tools"), s.levels()
	return traceCheck(func(x *Subject) Verdict {
		t := x.Trace
		type call struct {
			tool string
			in   *trace.Trace
			step int32
		}
		var calls []call
		for _, tool := range tools {
			if in, step := find(t, tool, levels.all(x)); step >= 0 {
				calls = append(calls, call{tool, in, step})
			}
		}
		if len(calls) == 0 {
			return passed(t.Members[trace.Steps], fmt.Sprintf("No forbidden tool called: %s.", wording.QuoteList(tools))+x.deeper(tools, levels))
		}
		slices.SortStableFunc(calls, func(a, b call) int { return cmp.Compare(a.step, b.step) })
		var b strings.Builder
		wording.WriteList(&b, len(calls), func(i int) string {
			c := calls[i]
			if c.in != t {
				return fmt.Sprintf("%s at step %d of sub_trace %s", wording.Quote(c.tool), c.step, wording.Quote(c.in.ID))
			}
			return fmt.Sprintf("%s at step %d", wording.Quote(c.tool), c.step)
		})
		first := calls[0]
		return failed(first.in.Steps[first.step].Node, fmt.Sprintf("Forbidden tools called: %s.", b.String())).
			because(calledForbidden, wording.QuoteList(tools), b.String())
	})
}

// find returns the first step with a name, in the trace or, if all, also in its sub-traces. step is -1 if there is
// none.
func find(t *trace.Trace, name string, all bool) (in *trace.Trace, step int32) {
	for level := range t.Levels() {
		if steps := level.StepsNamed(name); len(steps) > 0 {
			return level, steps[0]
		}
		if !all {
			break
		}
	}
	return nil, -1
}
