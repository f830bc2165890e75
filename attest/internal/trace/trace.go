// Package trace holds traces of the attest protocol, validated in the order of §7 and indexed for checks.
package trace

import (
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/reuse"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Trace is a valid trace (§3.2), indexed for lookups by assertions. It refers to the scanned request.
type Trace struct {
	Root    strictjson.Node
	Members [len(MemberNames)]strictjson.Node
	ID      string
	Steps   []Step
	depth   int // levels of sub-traces below this one

	Names   []string            // step names in the order of their first step
	NameIDs map[string]int32    // index into names
	CallsOf []int               // tool-like steps by name id
	byName  []int32             // steps grouped by name id, in trace order
	groups  []int32             // where in byName each group starts, and the end of the last
	byType  [len(stepTypes)]int // number of steps of the known types
	others  map[string]int      // number of steps of other types, in lax mode
	Calls   int                 // tool-like steps
}

// The members of a trace, as indexes into Trace.Members.
const (
	SchemaVersion = iota
	TraceID
	AgentID
	Input
	Steps
	Output
	Metadata
	ParentTraceID
)

// MemberNames are the names of the members of a trace.
var MemberNames = [...]string{"schema_version", "trace_id", "agent_id", "input", "steps", "output", "metadata", "parent_trace_id"}

type Step struct {
	Node, Args, result, metadata strictjson.Node
	Type                         string // as written; one of the four types unless validation is lax
	Name                         int32  // index into Trace.Names
	Call                         bool   // a tool-like step
	Sub                          *Trace // sub-trace of an agent_call, or nil
}

// The step types of §3.3.
const (
	LLMCall   = "llm_call"
	ToolCall  = "tool_call"
	Retrieval = "retrieval"
	AgentCall = "agent_call"
)

var stepTypes = [...]string{LLMCall, ToolCall, Retrieval, AgentCall}

// ToolLike reports whether a step type is a call: of a tool, a retrieval or another agent.
func ToolLike(typ string) bool {
	return typ == ToolCall || typ == Retrieval || typ == AgentCall
}

// start initializes a new or reset t from an object; the last of repeated names counts.
func (t *Trace) start(root strictjson.Node) {
	t.Root = root
	if t.NameIDs == nil {
		t.NameIDs = map[string]int32{}
	}
	for member := range root.Children() {
		if i := slices.IndexFunc(MemberNames[:], member.KeyIs); i >= 0 {
			t.Members[i] = member
		}
	}
}

// Reset empties t, except for memory that the next trace will use again.
func (t *Trace) Reset() {
	clear(t.Steps) // they may lead to sub-traces
	clear(t.Names)
	*t = Trace{
		Steps: t.Steps[:0], Names: t.Names[:0], NameIDs: reuse.Map(t.NameIDs), CallsOf: t.CallsOf[:0],
		byName: t.byName[:0], groups: t.groups[:0],
	}
}

func (t *Trace) addStep(s Step, name strictjson.Node) {
	s.Name, s.Call = t.nameID(name), ToolLike(s.Type)
	t.Steps = append(t.Steps, s)
	t.countType(s.Type)
	if s.Call {
		t.Calls++
		t.CallsOf[s.Name]++
	}
}

func (t *Trace) nameID(name strictjson.Node) int32 {
	id, known := t.NameIDs[string(name.TextBytes(nil))]
	if !known {
		text, _ := name.Text()
		id = int32(len(t.Names))
		t.NameIDs[text] = id
		t.Names = append(t.Names, text)
		t.CallsOf = append(t.CallsOf, 0)
	}
	return id
}

// groupSteps sorts the steps by name, once all have been added.
func (t *Trace) groupSteps() {
	t.groups = reuse.Slice(t.groups, len(t.Names)+1)
	for i := range t.Steps {
		t.groups[t.Steps[i].Name]++
	}
	end := int32(0)
	for id := range t.groups {
		end += t.groups[id]
		t.groups[id] = end
	}
	t.byName = reuse.Slice(t.byName, len(t.Steps))
	for i := len(t.Steps) - 1; i >= 0; i-- { // from the ends of the groups to their starts
		place := &t.groups[t.Steps[i].Name]
		*place--
		t.byName[*place] = int32(i)
	}
}

func (t *Trace) countType(typ string) {
	if i := slices.Index(stepTypes[:], typ); i >= 0 {
		t.byType[i]++
		return
	}
	if t.others == nil {
		t.others = map[string]int{}
	}
	t.others[typ]++
}

// CountOfType returns the number of steps of a type.
func (t *Trace) CountOfType(typ string) int {
	if i := slices.Index(stepTypes[:], typ); i >= 0 {
		return t.byType[i]
	}
	return t.others[typ]
}

// StepsNamed returns the indexes of the steps called name, in trace order.
func (t *Trace) StepsNamed(name string) []int32 {
	if id, ok := t.NameIDs[name]; ok {
		return t.byName[t.groups[id]:t.groups[id+1]]
	}
	return nil
}

// StepsOfType returns the indexes of the steps of a type, in trace order.
func (t *Trace) StepsOfType(typ string) []int32 {
	var found []int32
	for i := range t.Steps {
		if t.Steps[i].Type == typ {
			found = append(found, int32(i))
		}
	}
	return found
}

// CallsTo returns the number of calls of a tool: its tool-like steps, or all its steps if none are tool-like.
func (t *Trace) CallsTo(name string) int {
	id, ok := t.NameIDs[name]
	switch {
	case !ok:
		return 0
	case t.CallsOf[id] > 0:
		return t.CallsOf[id]
	}
	return len(t.StepsNamed(name))
}

// Levels yields the trace and all sub-traces, parents first.
func (t *Trace) Levels() iter.Seq[*Trace] {
	return func(yield func(*Trace) bool) { t.walk(yield) }
}

func (t *Trace) walk(yield func(*Trace) bool) bool {
	if !yield(t) {
		return false
	}
	for i := range t.Steps {
		if sub := t.Steps[i].Sub; sub != nil && !sub.walk(yield) {
			return false
		}
	}
	return true
}
