package attest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// traceChecks are the checks of layer 3. A tool in them is a step by its name; where
// calls are counted or have to be adjacent, only tool-like steps take part
// (tool_call, retrieval, agent_call), so that the model's own steps between two calls
// do not matter.
var traceChecks = []namedCheck{
	{"contains_in_order", containsInOrder},
	{"exact_order", exactOrder},
	{"loop_detection", loopDetection},
	{"no_duplicates", noDuplicates},
	{"required_tools", requiredTools},
	{"forbidden_tools", forbiddenTools},
}

// traceCheck is a compiled check of layer 3.
type traceCheck func(*trace) verdict

func (c traceCheck) evaluate(_ context.Context, t *trace) verdict { return c(t) }

func compileTraceCheck(s *spec) check {
	return chosen(s, "trace check", traceChecks)
}

// containsInOrder: the tools occur among all steps in this order, others between
// them or not. Each is taken as early as possible, which finds an order if there is
// one.
func containsInOrder(s *spec) check {
	tools := s.needTexts("tools")
	sequence := "Tool sequence " + quoteList(tools)
	return traceCheck(func(t *trace) verdict {
		at := make([]int32, 0, len(tools))
		for _, tool := range tools {
			steps := t.stepsNamed(tool)
			if last := len(at) - 1; last >= 0 {
				next, _ := slices.BinarySearch(steps, at[last]+1)
				steps = steps[next:]
			}
			if len(steps) == 0 {
				return failed(t.members[mSteps], fmt.Sprintf("%s not found in order: %s missing%s.", sequence, quote(tool), t.after(tool, at)))
			}
			at = append(at, steps[0])
		}
		return passed(t.steps[at[0]].node, sequence+" found in order at steps "+indexList(at)+".")
	})
}

// after says where a tool is missing: after the step that matched last, or anywhere.
func (t *trace) after(tool string, matched []int32) string {
	if len(matched) > 0 {
		return fmt.Sprintf(" after step %d", matched[len(matched)-1])
	}
	if len(t.names) == 0 {
		return ", the trace has no steps"
	}
	return t.didYouMean(tool, t.names)
}

// exactOrder: the tools are called one directly after the other, somewhere in the
// trace. Steps that are no calls do not come between, unless tools names them.
func exactOrder(s *spec) check {
	tools := s.needTexts("tools")
	sequence := "Tool sequence " + quoteList(tools)
	return traceCheck(func(t *trace) verdict {
		wanted := make([]int32, len(tools))
		takesPart := make([]bool, len(t.names)) // also as a step that is no call
		for i, tool := range tools {
			id, known := t.nameIDs[tool]
			if !known {
				return failed(t.members[mSteps], fmt.Sprintf("%s not found in exact order: %s was never called%s.",
					sequence, quote(tool), t.didYouMean(tool, t.names)))
			}
			wanted[i], takesPart[id] = id, true
		}
		at := t.findCalls(wanted, takesPart)
		if at == nil {
			return failed(t.members[mSteps], fmt.Sprintf("%s not found in exact order: the calls are %s.",
				sequence, quoteList(t.firstCalls(takesPart))))
		}
		return passed(t.steps[at[0]].node, sequence+" found in exact order at steps "+indexList(at)+".")
	})
}

// findCalls returns the steps of the first place where the names of wanted follow one
// another among the calls and the steps whose names take part; nil when there is none.
// It takes linear time (Knuth, Morris and Pratt).
func (t *trace) findCalls(wanted []int32, takesPart []bool) []int32 {
	border := borders(wanted)
	k := int32(0)
	for i := range t.steps {
		s := &t.steps[i]
		if !s.call && !takesPart[s.name] {
			continue
		}
		for k >= 0 && wanted[k] != s.name {
			k = border[k]
		}
		if k++; int(k) == len(wanted) {
			return t.callsUpTo(int32(i), len(wanted), takesPart)
		}
	}
	return nil
}

// borders lists, for each prefix of a sequence, the length of the longest proper
// prefix that is also its end; -1 for the empty one.
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

// callsUpTo lists n steps that take part and end with step last.
func (t *trace) callsUpTo(last int32, n int, takesPart []bool) []int32 {
	steps := make([]int32, n)
	for i := last; n > 0; i-- {
		if s := &t.steps[i]; s.call || takesPart[s.name] {
			n--
			steps[n] = i
		}
	}
	return steps
}

// firstCalls names the first steps that take part, for the explanation.
func (t *trace) firstCalls(takesPart []bool) (names []string) {
	for i := range t.steps {
		if s := &t.steps[i]; (s.call || takesPart[s.name]) && len(names) < maxListed+2 {
			names = append(names, t.names[s.name])
		}
	}
	return names
}

// loopDetection: a tool is called max_repetitions times at most.
func loopDetection(s *spec) check {
	tool := s.need("tool")
	n, ok := s.member("max_repetitions", strictjson.Number)
	if !ok {
		s.required("max_repetitions", "an integer of 0 or more")
	}
	limit, ok := n.Int()
	if !ok || limit < 0 {
		s.fail(n, "Use an integer of 0 or more; 0 means that the tool must not be called.",
			"max_repetitions must be an integer of 0 or more, got %s", preview(string(n.Raw())))
	}
	return traceCheck(func(t *trace) verdict {
		calls := t.callsTo(tool)
		times := fmt.Sprintf("%d times", calls)
		if calls == 1 {
			times = "1 time"
		}
		if int64(calls) > limit {
			return failed(t.members[mSteps], fmt.Sprintf("Tool %s called %s, exceeds max_repetitions %d.", quote(tool), times, limit))
		}
		return passed(t.members[mSteps], fmt.Sprintf("Tool %s called %s, within max_repetitions %d.", quote(tool), times, limit))
	})
}

// noDuplicates: no tool is called twice.
func noDuplicates(*spec) check {
	return traceCheck(func(t *trace) verdict {
		if repeated := t.repeatedTools(); repeated != "" {
			return failed(t.members[mSteps], fmt.Sprintf("Tools called more than once: %s.", repeated))
		}
		return passed(t.members[mSteps], fmt.Sprintf("No tool called more than once (%d tool calls).", t.calls))
	})
}

// repeatedTools lists the tools that are called more than once, in trace order.
func (t *trace) repeatedTools() string {
	if t.repeated == nil {
		var list []string
		for id, count := range t.callsOf {
			if count > 1 {
				list = append(list, fmt.Sprintf("%s × %d", quote(t.names[id]), count))
			}
		}
		var b strings.Builder
		writeList(&b, len(list), func(i int) string { return list[i] })
		joined := b.String()
		t.repeated = &joined
	}
	return *t.repeated
}

// requiredTools: every tool is called at least once.
func requiredTools(s *spec) check {
	tools, levels := s.needTexts("tools"), s.levels()
	return traceCheck(func(t *trace) verdict {
		var absent []string
		for _, tool := range tools {
			if _, step := find(t, tool, levels); step < 0 {
				absent = append(absent, tool)
			}
		}
		if len(absent) == 0 {
			return passed(t.members[mSteps], fmt.Sprintf("All required tools called: %s.", quoteList(tools)))
		}
		near := ""
		if len(absent) == 1 {
			near = t.didYouMean(absent[0], t.names)
		}
		return failed(t.members[mSteps], fmt.Sprintf("Required tools not called: %s%s (%d of %d called).",
			quoteList(absent), near, len(tools)-len(absent), len(tools)))
	})
}

// forbiddenTools: no tool of the list is called.
func forbiddenTools(s *spec) check {
	tools, levels := s.needTexts("tools"), s.levels()
	return traceCheck(func(t *trace) verdict {
		type call struct {
			tool string
			in   *trace
			step int32
		}
		var calls []call
		for _, tool := range tools {
			if in, step := find(t, tool, levels); step >= 0 {
				calls = append(calls, call{tool, in, step})
			}
		}
		if len(calls) == 0 {
			return passed(t.members[mSteps], fmt.Sprintf("No forbidden tool called: %s.", quoteList(tools)))
		}
		slices.SortStableFunc(calls, func(a, b call) int { return cmp.Compare(a.step, b.step) })
		var b strings.Builder
		writeList(&b, len(calls), func(i int) string {
			c := calls[i]
			if c.in != t {
				return fmt.Sprintf("%s at step %d of sub_trace %s", quote(c.tool), c.step, quote(c.in.id))
			}
			return fmt.Sprintf("%s at step %d", quote(c.tool), c.step)
		})
		first := calls[0]
		return failed(first.in.steps[first.step].node, fmt.Sprintf("Forbidden tools called: %s.", b.String()))
	})
}

// levels reads "depth": "all" looks into sub-traces too, "top" (the default) does not.
func (s *spec) levels() bool {
	n := s.node.Last("depth")
	if n.Missing() {
		return false
	}
	return s.choose("depth", "depth", []string{"top", "all"}) == "all"
}

// find returns the first step called name, in the trace or, with all, in it and its
// sub-traces; step is -1 when there is none.
func find(t *trace, name string, all bool) (in *trace, step int32) {
	for level := range t.levels() {
		if steps := level.stepsNamed(name); len(steps) > 0 {
			return level, steps[0]
		}
		if !all {
			break
		}
	}
	return nil, -1
}
