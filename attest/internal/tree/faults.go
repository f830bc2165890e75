package tree

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// Faults returns the errors of a tree of valid traces: nesting beyond the limit, repeated trace_ids, wrong
// parent_trace_ids, and agent_calls without sub_trace. It lists the first ones and counts the rest.
func (t *Tree) Faults(maxDepth int) []string {
	f := faults{}
	if t.Depth > maxDepth {
		f.add("%s", trace.TooDeep(t.Depth, maxDepth))
	}
	seen := map[string]bool{}
	for l := range t.Levels {
		level := &t.Levels[l]
		if seen[level.Trace.ID] {
			f.add("%s: trace_id %s occurs before", t.place(level), wording.Quote(level.Trace.ID))
		}
		seen[level.Trace.ID] = true
		t.checkParent(level, &f)
		for i := range level.Trace.Steps {
			if s := &level.Trace.Steps[i]; s.Type == trace.AgentCall && s.Sub == nil {
				f.add("%s: agent_call without sub_trace", t.StepName(StepRef{int32(l), int32(i)}))
			}
		}
	}
	return f.all()
}

// checkParent compares a parent_trace_id with the enclosing trace. The root's parent can be outside of the tree.
func (t *Tree) checkParent(level *Level, f *faults) {
	said := level.Trace.Members[trace.ParentTraceID]
	if level.Caller == nowhere || said.Missing() {
		return
	}
	parent := t.Levels[level.Caller.Level].Trace.ID
	if text, _ := said.Text(); text != parent {
		f.add("%s: parent_trace_id %s is not the trace_id of the trace that holds it, %s", t.place(level), wording.Quote(text), wording.Quote(parent))
	}
}

// place returns a sub-trace's name for a fault.
func (t *Tree) place(level *Level) string {
	return "sub_trace of " + t.StepName(level.Caller)
}

// maxFaults limits the listed faults.
const maxFaults = 50

type faults struct {
	list  []string
	count int
}

func (f *faults) add(format string, args ...any) {
	if f.count++; f.count <= maxFaults {
		f.list = append(f.list, fmt.Sprintf(format, args...))
	}
}

func (f *faults) all() []string {
	if f.count > maxFaults {
		return append(f.list, fmt.Sprintf("… (%d in all)", f.count))
	}
	return f.list
}
