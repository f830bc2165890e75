package check

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// depth reports whether a check of calls includes sub-traces.
type depth uint8

const (
	byOrigin  depth = iota // nothing is said: prohibitions look at every level of imported traces
	topLevel               // the trace alone
	allLevels              // its sub-traces as well
)

func (s *spec) levels() depth {
	if s.node.Last("depth").Missing() {
		return byOrigin
	}
	if s.choose("depth", "depth", []string{"top", "all"}) == "all" {
		return allLevels
	}
	return topLevel
}

// all reports whether a prohibition includes sub-traces.
func (d depth) all(x *Subject) bool { return d == allLevels || d == byOrigin && x.coverage != nil }

// deeper returns a warning if a sub-trace contains a name that the check did not look for there.
func (x *Subject) deeper(tools []string, d depth) string {
	if d != byOrigin || x.coverage != nil {
		return ""
	}
	for _, tool := range tools {
		if in, step := find(x.Trace, tool, true); step >= 0 && in != x.Trace {
			return fmt.Sprintf(" Warning: sub_trace %s calls %s; depth: all looks there.", wording.Quote(in.ID), wording.Quote(tool))
		}
	}
	return ""
}

// flat is a trace and its sub-traces as one list of steps. The steps of a sub-trace follow the step that contains
// it.
type flat struct {
	names []string
	ids   map[string]int32
	steps []flatStep
}

type flatStep struct {
	name int32
	call bool
	node strictjson.Node
}

func flatten(t *trace.Trace) *flat {
	f := &flat{ids: map[string]int32{}}
	f.add(t)
	return f
}

func (f *flat) add(t *trace.Trace) {
	for i := range t.Steps {
		s := &t.Steps[i]
		name := t.Names[s.Name]
		id, known := f.ids[name]
		if !known {
			id = int32(len(f.names))
			f.ids[name], f.names = id, append(f.names, name)
		}
		f.steps = append(f.steps, flatStep{id, s.Call, s.Node})
		if s.Sub != nil {
			f.add(s.Sub)
		}
	}
}

// inOrder is contains_in_order over all levels.
func (f *flat) inOrder(tools []string, sequence, list string) Verdict {
	var at []int32
	for i := 0; i < len(f.steps) && len(at) < len(tools); i++ {
		if f.names[f.steps[i].name] == tools[len(at)] {
			at = append(at, int32(i))
		}
	}
	if len(at) < len(tools) {
		missing := wording.Quote(tools[len(at)]) + " missing"
		return outOfOrder(strictjson.Node{}, sequence, list, missing)
	}
	return passed(f.steps[at[0]].node, sequence+" found in order at steps "+wording.IndexList(at)+" of all levels.")
}

// exactly is exact_order over all levels.
func (f *flat) exactly(tools []string, sequence, list string) Verdict {
	wanted := make([]int32, len(tools))
	takesPart := make([]bool, len(f.names))
	for i, tool := range tools {
		id, known := f.ids[tool]
		if !known {
			found := wording.Quote(tool) + " was never called"
			return notExactly(strictjson.Node{}, sequence, list, found)
		}
		wanted[i], takesPart[id] = id, true
	}
	border, k := borders(wanted), int32(0)
	var part []int32 // the steps that take part
	for i, s := range f.steps {
		if !s.call && !takesPart[s.name] {
			continue
		}
		part = append(part, int32(i))
		for k >= 0 && wanted[k] != s.name {
			k = border[k]
		}
		if k++; int(k) == len(wanted) {
			at := part[len(part)-len(wanted):]
			return passed(f.steps[at[0]].node, sequence+" found in exact order at steps "+wording.IndexList(at)+" of all levels.")
		}
	}
	return notExactly(strictjson.Node{}, sequence, list, "other calls come between")
}

func outOfOrder(at strictjson.Node, sequence, list, missing string) Verdict {
	return failed(at, sequence+" not found in order: "+missing+".").because(notInOrder, list, missing)
}

func notExactly(at strictjson.Node, sequence, list, found string) Verdict {
	return failed(at, sequence+" not found in exact order: "+found+".").because(notInExactOrder, list, found)
}

// repeated lists the tools called more than once on all levels, and counts the calls.
func (f *flat) repeated() (list string, calls int) {
	counts := make([]int, len(f.names))
	for _, s := range f.steps {
		if s.call {
			counts[s.name]++
			calls++
		}
	}
	var names []string
	for id, n := range counts {
		if n > 1 {
			names = append(names, timesCalled(f.names[id], int64(n)))
		}
	}
	var b strings.Builder
	wording.WriteList(&b, len(names), func(i int) string { return names[i] })
	return b.String(), calls
}
