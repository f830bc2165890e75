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
	callsOf    []int                // tool-like steps by name id
	byName     []int32              // steps grouped by name id, in trace order
	groups     []int32              // where in byName each group starts, and the end of the last
	byType     [len(stepTypes)]int  // number of steps of the known types
	others     map[string]int       // number of steps of other types, in lax mode
	calls      int                  // tool-like steps
	found      []strictjson.Node    // what the target stands for that was resolved last
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

// start makes t, which is new or has been reset, the trace of an object, whose members
// it reads; repeated names: the last one counts.
func (t *trace) start(root strictjson.Node) {
	t.root = root
	if t.nameIDs == nil {
		t.nameIDs = map[string]int32{}
	}
	for member := range root.Children() {
		if i := slices.IndexFunc(memberNames[:], member.KeyIs); i >= 0 {
			t.members[i] = member
		}
	}
}

// reset empties t, but for memory that the next trace will use again.
func (t *trace) reset() {
	clear(t.steps) // they may lead to sub-traces
	clear(t.names)
	*t = trace{
		steps: t.steps[:0], names: t.names[:0], nameIDs: emptied(t.nameIDs), callsOf: t.callsOf[:0],
		byName: t.byName[:0], groups: t.groups[:0], found: t.found[:0],
		texts: emptied(t.texts), decoded: emptied(t.decoded), judgements: emptied(t.judgements),
	}
}

// addStep appends a valid step.
func (t *trace) addStep(s step, name strictjson.Node) {
	s.name, s.call = t.nameID(name), toolLike(s.typ)
	t.steps = append(t.steps, s)
	t.countType(s.typ)
	if s.call {
		t.calls++
		t.callsOf[s.name]++
	}
}

// nameID returns the id of a step's name.
func (t *trace) nameID(name strictjson.Node) int32 {
	id, known := t.nameIDs[string(name.TextBytes(nil))]
	if !known {
		text, _ := name.Text()
		id = int32(len(t.names))
		t.nameIDs[text] = id
		t.names = append(t.names, text)
		t.callsOf = append(t.callsOf, 0)
	}
	return id
}

// groupSteps sorts the steps by name, once all have been added.
func (t *trace) groupSteps() {
	t.groups = resized(t.groups, len(t.names)+1)
	for i := range t.steps {
		t.groups[t.steps[i].name]++
	}
	end := int32(0)
	for id := range t.groups {
		end += t.groups[id]
		t.groups[id] = end
	}
	t.byName = resized(t.byName, len(t.steps))
	for i := len(t.steps) - 1; i >= 0; i-- { // from the ends of the groups to their starts
		place := &t.groups[t.steps[i].name]
		*place--
		t.byName[*place] = int32(i)
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
		return t.byName[t.groups[id]:t.groups[id+1]]
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
	return len(t.stepsNamed(name))
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
