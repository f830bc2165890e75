package attest

import (
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// trace is one valid trace (§3.2), indexed so that an assertion costs a look-up and
// not a walk over the steps. It refers to the scanned request.
type trace struct {
	root    strictjson.Node
	members [len(memberNames)]strictjson.Node
	id      string
	steps   []step
	depth   int // levels of sub-traces below this one

	names      []string             // step names in the order of their first step
	nameIDs    map[string]int32     // index into names
	byName     [][]int32            // steps by name id, in trace order
	byType     [len(stepTypes)]int  // number of steps of the known types
	others     map[string]int       // number of steps of other types, in lax mode
	calls      int                  // tool-like steps
	callsOf    []int                // tool-like steps by name id
	texts      map[int]*text        // by node index
	decoded    map[int]any          // values decoded for JSON Schema, by node index
	judgements map[judged]judgement // of schemas on values
	compared   int                  // names compared for suggestions
	repeated   *string              // no_duplicates: the repeated tools; nil until asked
}

// The members of a trace, as indexes into trace.members.
const (
	mSchemaVersion = iota
	mTraceID
	mAgentID
	mInput
	mSteps
	mOutput
	mMetadata
	mParentTraceID
)

var memberNames = [...]string{"schema_version", "trace_id", "agent_id", "input", "steps", "output", "metadata", "parent_trace_id"}

// step is one step (§3.4).
type step struct {
	node, args, result, metadata strictjson.Node
	typ                          string // as written; one of the four types unless validation is lax
	name                         int32  // index into trace.names
	call                         bool   // a tool-like step
	sub                          *trace // sub-trace of an agent_call; nil when there is none
}

// The step types of §3.3.
const (
	typeLLM       = "llm_call"
	typeTool      = "tool_call"
	typeRetrieval = "retrieval"
	typeAgent     = "agent_call"
)

var stepTypes = [...]string{typeLLM, typeTool, typeRetrieval, typeAgent}

// toolLike says whether a step of this type is a call of a tool: of one proper, of a
// retrieval, of another agent.
func toolLike(typ string) bool {
	return typ == typeTool || typ == typeRetrieval || typ == typeAgent
}

// newTrace reads the members of a trace object; repeated names: the last one counts.
func newTrace(root strictjson.Node) *trace {
	t := &trace{root: root, nameIDs: map[string]int32{}}
	for member := range root.Children() {
		for i, name := range memberNames {
			if member.KeyIs(name) {
				t.members[i] = member
				break
			}
		}
	}
	return t
}

// addStep appends a valid step and indexes it.
func (t *trace) addStep(s step, name string) {
	id, known := t.nameIDs[name]
	if !known {
		id = int32(len(t.names))
		t.nameIDs[name] = id
		t.names = append(t.names, name)
		t.byName = append(t.byName, nil)
		t.callsOf = append(t.callsOf, 0)
	}
	s.name, s.call = id, toolLike(s.typ)
	index := int32(len(t.steps))
	t.steps = append(t.steps, s)
	t.byName[id] = append(t.byName[id], index)
	t.countType(s.typ)
	if s.call {
		t.calls++
		t.callsOf[id]++
	}
}

// countType counts a step of a type.
func (t *trace) countType(typ string) {
	if i := slices.Index(stepTypes[:], typ); i >= 0 {
		t.byType[i]++
		return
	}
	if t.others == nil {
		t.others = map[string]int{}
	}
	t.others[typ]++
}

// countOfType is the number of steps of a type.
func (t *trace) countOfType(typ string) int {
	if i := slices.Index(stepTypes[:], typ); i >= 0 {
		return t.byType[i]
	}
	return t.others[typ]
}

// stepsNamed returns the indexes of the steps called name, in trace order.
func (t *trace) stepsNamed(name string) []int32 {
	if id, ok := t.nameIDs[name]; ok {
		return t.byName[id]
	}
	return nil
}

// stepsOfType returns the indexes of the steps of a type, in trace order.
func (t *trace) stepsOfType(typ string) []int32 {
	var found []int32
	for i := range t.steps {
		if t.steps[i].typ == typ {
			found = append(found, int32(i))
		}
	}
	return found
}

// callsTo returns how often a tool was called: its tool-like steps, or, when nothing
// tool-like has the name, all steps of the name.
func (t *trace) callsTo(name string) int {
	id, ok := t.nameIDs[name]
	switch {
	case !ok:
		return 0
	case t.callsOf[id] > 0:
		return t.callsOf[id]
	}
	return len(t.byName[id])
}

// levels yields the trace and all sub-traces, parents first.
func (t *trace) levels() iter.Seq[*trace] {
	return func(yield func(*trace) bool) { t.walk(yield) }
}

func (t *trace) walk(yield func(*trace) bool) bool {
	if !yield(t) {
		return false
	}
	for i := range t.steps {
		if sub := t.steps[i].sub; sub != nil && !sub.walk(yield) {
			return false
		}
	}
	return true
}
