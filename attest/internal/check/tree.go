package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/tree"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// treeChecks are checks of a trace with its sub-traces, as published SDKs define them.
var treeChecks = []namedCheck{
	{"agent_called", agentCalled},
	{"delegation_depth", delegationDepth},
	{"agent_output_contains", agentOutputContains},
	{"cross_agent_data_flow", crossAgentDataFlow},
	{"follows_transitions", followsTransitions},
	{"aggregate_cost", aggregate(tree.Cost)},
	{"aggregate_tokens", aggregate(tree.Tokens)},
	{"aggregate_latency", aggregate(tree.Latency)},
	{"agent_ordered_before", agentOrderedBefore},
	{"agents_overlap", agentsOverlap},
	{"agent_wall_time_under", agentWallTimeUnder},
	{"ordered_agents", orderedAgents},
	{"all_tools_called", allToolsCalled},
}

func compileTreeCheck(s *spec) Check {
	c := chosen(s, "trace tree check", treeChecks)
	if c == nil || s.problem != nil {
		return c
	}
	name, _ := s.node.Last("check").Text()
	return checkWithMode{c, modeOf(name)}
}

// agentCalled requires that the agent has a trace in the tree, or steps in traces of others.
func agentCalled(s *spec) Check {
	id := s.need("agent_id")
	return traceCheck(func(x *Subject) Verdict {
		t := x.Tree()
		agent := t.Agent(id)
		switch {
		case agent == nil:
			others := x.agents(id)
			return failed(x.Trace.Root, fmt.Sprintf("Agent %s not called: %s.", wording.Quote(id), others)).because(agentNotCalled, wording.Quote(id), others)
		case len(agent.Levels) == 0:
			first := agent.Steps[0]
			return passed(t.Step(first).Node, fmt.Sprintf("Agent %s called: it has no trace, and its agent_id is on %s, the first is %s.",
				wording.Quote(id), count(len(agent.Steps), "step"), t.StepName(first)))
		}
		return passed(t.Levels[agent.Levels[0]].Trace.Root, fmt.Sprintf("Agent %s called: %s.", wording.Quote(id), count(len(agent.Levels), "trace")))
	})
}

// agents lists the known agents, for a message about an unknown id.
func (x *Subject) agents(id string) string {
	ids := x.Tree().AgentIDs()
	if len(ids) == 0 {
		return "no trace has an agent_id"
	}
	return "the agents are " + wording.QuoteList(ids) + x.Targets.DidYouMean(id, ids)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// delegationDepth limits the nesting of sub-traces to max_depth. The root is level 0.
func delegationDepth(s *spec) Check {
	limit := s.needNumber("max_depth")
	if limit.Compare(decimal.Number{}) < 0 || !limit.Whole() {
		s.fail(s.node.Last("max_depth"), "Use an integer of 0 or more; 0 means that no agent is called.",
			"max_depth must be an integer of 0 or more, got %s", wording.Preview(limit.Text))
	}
	most := wording.Preview(limit.Text)
	return traceCheck(func(x *Subject) Verdict {
		depth := decimal.FromInt(x.Tree().Depth)
		if depth.Compare(limit) > 0 {
			return failed(x.Trace.Root, fmt.Sprintf("Delegation depth %s exceeds max_depth %s.", depth.Text, most)).because(delegatedTooDeep, most, depth.Text)
		}
		return passed(x.Trace.Root, fmt.Sprintf("Delegation depth %s is within max_depth %s.", depth.Text, most))
	})
}

// agentWithTrace returns an agent that has traces, or the verdict for a missing one.
func (x *Subject) agentWithTrace(id string) (*tree.Agent, *Verdict) {
	agent := x.Tree().Agent(id)
	if agent != nil && len(agent.Levels) > 0 {
		return agent, nil
	}
	why := x.agents(id)
	if agent != nil {
		why = "the agent has steps, but no trace"
	}
	v := broken(fmt.Sprintf("Agent %s has no trace in the tree: %s.", wording.Quote(id), why)).because(agentAbsent, wording.Quote(id), why)
	return nil, &v
}

// outputContains searches for a value in any string, number or literal in the outputs of an agent's traces.
type outputContains struct {
	agent, value string
	form         search.Form
	formed       string // value in the form
}

func agentOutputContains(s *spec) Check {
	c := &outputContains{agent: s.need("agent_id"), value: s.need("value"), form: search.Form{Fold: !s.flag("case_sensitive")}}
	c.formed = c.form.Apply(c.value)
	return c
}

func outputs(t *tree.Tree, agent *tree.Agent) []strictjson.Node {
	list := make([]strictjson.Node, len(agent.Levels))
	for i, l := range agent.Levels {
		list[i] = t.Levels[l].Trace.Members[trace.Output]
	}
	return list
}

func (c *outputContains) prepare(s *Subject) {
	if agent, _ := s.agentWithTrace(c.agent); agent != nil {
		s.texts.Joined(outputs(s.Tree(), agent)).In(c.form).Seek(c.formed)
	}
}

func (c *outputContains) evaluate(_ context.Context, s *Subject) Verdict {
	agent, absent := s.agentWithTrace(c.agent)
	if absent != nil {
		return *absent
	}
	list := outputs(s.Tree(), agent)
	label := "Output of agent " + wording.Quote(c.agent)
	found, first := s.texts.Joined(list).In(c.form).Groups(c.formed)
	traces := ""
	if len(list) > 1 {
		traces = fmt.Sprintf(" (%d of %d traces)", found, len(list))
	}
	if found == 0 {
		return failed(list[0], label+" does not contain "+wording.Quote(c.value)+traces+".").
			because(outputLacks, wording.Quote(c.value), wording.PreviewRaw(list[0].Raw()))
	}
	return passed(list[first], label+" contains "+wording.Quote(c.value)+traces+".")
}

// followsTransitions requires that every delegation in the tree is listed.
func followsTransitions(s *spec) Check {
	listed, list := s.needPairs("transitions")
	return traceCheck(func(x *Subject) Verdict {
		t := x.Tree()
		delegations := t.Delegations()
		var others []string
		var first strictjson.Node
		for _, d := range delegations {
			if d.Parent != nil && d.Child != nil && listed[[2]string{d.Parent.ID, d.Child.ID}] {
				continue
			}
			if len(others) == 0 {
				first = t.Step(t.Levels[d.Level].Caller).Node
			}
			if others = append(others, nameOf(d.Parent)+" → "+nameOf(d.Child)); len(others) == wording.MaxListed {
				others = append(others, "…")
				break
			}
		}
		switch {
		case len(others) > 0:
			found := strings.Join(others, ", ")
			return failed(first, fmt.Sprintf("Delegations not listed in transitions: %s.", found)).because(delegationNotListed, list, found)
		case len(delegations) == 0:
			return passed(x.Trace.Root, "All delegations are listed in transitions: the trace does not have any.")
		}
		return passed(x.Trace.Root, fmt.Sprintf("All delegations are listed in transitions (%d different).", len(delegations)))
	})
}

// nameOf returns a name for an agent, even without an id.
func nameOf(a *tree.Agent) string {
	if a == nil {
		return "(no agent_id)"
	}
	return wording.Quote(a.ID)
}

const pairBytes = 96

// needPairs returns a required, nonempty list of pairs of names, and its text for messages.
func (s *spec) needPairs(name string) (pairs map[[2]string]bool, list string) {
	n, ok := s.member(name, strictjson.Array)
	if !ok || n.Len() == 0 {
		s.required(name, "a list of pairs [parent, child] with at least one element")
		return nil, ""
	}
	if !s.take(pairBytes * n.Len()) {
		return nil, ""
	}
	pairs = make(map[[2]string]bool, n.Len())
	for element := range n.Children() {
		parent, _ := element.At(0).Text()
		child, _ := element.At(1).Text()
		if !element.Is(strictjson.Array) || element.Len() != 2 || parent == "" || child == "" {
			s.fail(element, fmt.Sprintf("Fill %q with pairs of agent ids: [\"parent\", \"child\"].", name),
				"%s[%d] must be a pair of non-empty strings", name, len(pairs))
			return nil, ""
		}
		pairs[[2]string{parent, child}] = true
	}
	return pairs, wording.PreviewRaw(n.Raw())
}

// aggregate compares the sum of a metadata field over all traces in the tree.
func aggregate(field tree.Field) func(*spec) Check {
	return func(s *spec) Check {
		c := compileComparison(s)
		return traceCheck(func(x *Subject) Verdict {
			total, traces := x.Tree().Total(field), len(x.Tree().Levels)
			switch {
			case total.Problem != "":
				return broken(fmt.Sprintf("Aggregate %s cannot be computed: %s.", field, total.Problem)).because(sumUnanswerable, field.String(), total.Problem)
			case total.Set == 0:
				return broken(fmt.Sprintf("Aggregate %s is not set in the tree: no trace of %d has metadata.%s.", field, traces, field)).
					because(sumUnanswerable, field.String(), "none in "+count(traces, "trace"))
			}
			of := count(traces, "trace")
			if total.Set < traces {
				of = fmt.Sprintf("%d of %s", total.Set, of)
			}
			value := fmt.Sprintf("Aggregate %s = %s (%s), constraint %s", field, wording.Preview(total.Sum.Text), of, c.limit)
			if !c.satisfied(total.Sum) {
				return failed(total.First, value+" violated.").because(constraintViolated, c.limit, total.Sum.Text)
			}
			return passed(total.First, value+" satisfied.")
		})
	}
}

// allToolsCalled requires that each tool is called somewhere in the tree.
func allToolsCalled(s *spec) Check {
	tools := s.needTexts("tools")
	return traceCheck(func(x *Subject) Verdict {
		t := x.Tree()
		var absent []string
		for _, tool := range tools {
			if !t.Calls(tool) {
				absent = append(absent, tool)
			}
		}
		if len(absent) == 0 {
			return passed(x.Trace.Root, fmt.Sprintf("All tools called in the tree: %s.", wording.QuoteList(tools)))
		}
		near := ""
		if len(absent) == 1 {
			near = x.Targets.DidYouMean(absent[0], t.Tools())
		}
		return failed(x.Trace.Root, fmt.Sprintf("Tools not called in the tree: %s%s (%d of %d called).",
			wording.QuoteList(absent), near, len(tools)-len(absent), len(tools))).
			because(notCalled, wording.QuoteList(tools), wording.QuoteList(absent)+near)
	})
}
