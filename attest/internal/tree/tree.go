// Package tree combines a trace with its agents' sub-traces for the checks of agents: calls, times,
// inputs and outputs.
//
// An agent is an agent_id. It can have several traces, and steps in other traces.
package tree

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Tree is a tree of traces. Data that few checks need is read on demand. It is not safe for concurrent use.
type Tree struct {
	Root   *trace.Trace
	Levels []Level // the traces, each before those that it called; the root first
	Depth  int     // levels of sub-traces below the root
	agents []*Agent
	known  map[string]*Agent
	ids    []string // of the agents, as far as somebody asked

	labelled    bool            // the agents have their Steps
	called      map[string]bool // the names of all calls; nil until asked
	tools       []string        // those names
	delegations []Delegation
	totals      [len(totalFields)]*Total
	digested    map[int32][]digest // by the index of the value; see digests
}

// Level is one trace of the tree.
type Level struct {
	Trace  *trace.Trace
	Agent  *Agent  // nil: it has no agent_id
	Caller StepRef // the agent_call that holds it; in no level for the root
}

// Agent is an agent with its agent_id.
type Agent struct {
	ID     string
	Levels []int     // its traces, as indexes into Tree.Levels
	Steps  []StepRef // the steps that carry its id; see Tree.label

	times  *Times
	inputs []givenValue // nil until asked
}

type StepRef struct{ Level, Step int32 }

// nowhere is the caller of the root.
var nowhere = StepRef{Level: -1}

// New indexes the tree of a trace.
func New(root *trace.Trace) *Tree {
	t := &Tree{Root: root, known: map[string]*Agent{}}
	t.add(root, nowhere, 0)
	return t
}

// add adds a trace and its sub-traces. The reader limits the depth.
func (t *Tree) add(level *trace.Trace, caller StepRef, depth int) {
	index := len(t.Levels)
	t.Depth = max(t.Depth, depth)
	agent := t.agent(level.Members[trace.AgentID])
	if agent != nil {
		agent.Levels = append(agent.Levels, index)
	}
	t.Levels = append(t.Levels, Level{level, agent, caller})
	for i := range level.Steps {
		if sub := level.Steps[i].Sub; sub != nil {
			t.add(sub, StepRef{int32(index), int32(i)}, depth+1)
		}
	}
}

// agent returns the agent with an agent_id, or nil.
func (t *Tree) agent(id strictjson.Node) *Agent {
	name := id.TextBytes(nil)
	if len(name) == 0 {
		return nil
	}
	agent := t.known[string(name)]
	if agent == nil {
		agent = &Agent{ID: string(name)}
		t.known[agent.ID] = agent
		t.agents = append(t.agents, agent)
	}
	return agent
}

// Agent returns the agent with an id, or nil.
func (t *Tree) Agent(id string) *Agent {
	if agent := t.known[id]; agent != nil {
		return agent
	}
	t.label()
	return t.known[id]
}

// AgentIDs lists the ids of all agents, those with traces first.
func (t *Tree) AgentIDs() []string {
	t.label()
	for _, agent := range t.agents[len(t.ids):] {
		t.ids = append(t.ids, agent.ID)
	}
	return t.ids
}

// TraceAgentIDs lists the ids of agents that have traces.
func (t *Tree) TraceAgentIDs() (ids []string) {
	for _, agent := range t.agents {
		if len(agent.Levels) > 0 {
			ids = append(ids, agent.ID)
		}
	}
	return ids
}

// label assigns steps to the agents with their id.
func (t *Tree) label() {
	if t.labelled {
		return
	}
	t.labelled = true
	for l, level := range t.Levels {
		for i := range level.Trace.Steps {
			if agent := t.agent(level.Trace.Steps[i].Node.Last("agent_id")); agent != nil {
				agent.Steps = append(agent.Steps, StepRef{int32(l), int32(i)})
			}
		}
	}
}

func (t *Tree) Step(at StepRef) *trace.Step { return &t.Levels[at.Level].Trace.Steps[at.Step] }

// StepName returns a step's name for sentences: "step 2 'search' of trace 'trc_1'".
func (t *Tree) StepName(at StepRef) string {
	level := t.Levels[at.Level].Trace
	return fmt.Sprintf("step %d %s of trace %s", at.Step, wording.Quote(level.Names[level.Steps[at.Step].Name]), wording.Quote(level.ID))
}

// Delegation is a call from one agent to another. nil is a trace without agent_id.
type Delegation struct {
	Parent, Child *Agent
	Level         int // of the first such call: the trace of the child
}

// Delegations lists which agent called which, each pair once, in the order of first calls.
func (t *Tree) Delegations() []Delegation {
	if t.delegations != nil {
		return t.delegations
	}
	type pair struct{ parent, child *Agent }
	seen := map[pair]bool{}
	t.delegations = []Delegation{}
	for l, level := range t.Levels[1:] {
		p := pair{t.Levels[level.Caller.Level].Agent, level.Agent}
		if !seen[p] {
			seen[p] = true
			t.delegations = append(t.delegations, Delegation{p.parent, p.child, l + 1})
		}
	}
	return t.delegations
}

// Calls reports whether a tool is called anywhere in the tree.
func (t *Tree) Calls(tool string) bool {
	t.listTools()
	return t.called[tool]
}

// Tools lists the tools that are called, in the order of their first calls.
func (t *Tree) Tools() []string {
	t.listTools()
	return t.tools
}

func (t *Tree) listTools() {
	if t.called != nil {
		return
	}
	t.called = map[string]bool{}
	for _, level := range t.Levels {
		for id, calls := range level.Trace.CallsOf {
			if name := level.Trace.Names[id]; calls > 0 && !t.called[name] {
				t.called[name] = true
				t.tools = append(t.tools, name)
			}
		}
	}
}

// Field is a value summed over a tree.
type Field int

// The fields.
const (
	Cost Field = iota
	Tokens
	Latency
)

var totalFields = [...]string{Cost: "cost_usd", Tokens: "total_tokens", Latency: "latency_ms"}

func (f Field) String() string { return totalFields[f] }

// Total is the sum of a metadata field over the traces of a tree.
type Total struct {
	Sum     decimal.Number
	Set     int             // traces that have the field
	First   strictjson.Node // in the first of them
	Problem string          // why the sum is missing, or ""
}

// Total computes the exact sum of a field.
func (t *Tree) Total(f Field) *Total {
	if t.totals[f] == nil {
		t.totals[f] = t.total(f)
	}
	return t.totals[f]
}

func (t *Tree) total(f Field) *Total {
	total := &Total{}
	var sum decimal.Sum
	for _, level := range t.Levels {
		n := level.Trace.Members[trace.Metadata].Last(totalFields[f])
		if n.Missing() {
			continue
		}
		number, ok := decimal.Parse(n.Raw())
		if !ok {
			return &Total{First: n, Problem: fmt.Sprintf("metadata.%s of trace %s = %s is not a number that can be compared",
				f, wording.Quote(level.Trace.ID), wording.ShowValue(n))}
		}
		if sum.Add(number); total.Set == 0 {
			total.First = n
		}
		total.Set++
	}
	total.Sum = sum.Number()
	return total
}
