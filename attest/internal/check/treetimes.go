package check

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/tree"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// timesOf returns the times at which an agent worked, or a verdict if they are unknown.
func (x *Subject) timesOf(id string) (*tree.Times, *Verdict) {
	agent := x.Tree().Agent(id)
	if agent == nil {
		others := x.agents(id)
		v := broken(fmt.Sprintf("Agent %s is not in the tree: %s.", wording.Quote(id), others)).because(agentAbsent, wording.Quote(id), others)
		return nil, &v
	}
	times := x.Tree().Times(agent)
	if times.Problem != "" {
		v := broken(fmt.Sprintf("Times of agent %s are not known: %s.", wording.Quote(id), times.Problem)).because(timesUnknown, wording.Quote(id), times.Problem)
		v.Node = times.Place
		return nil, &v
	}
	return times, nil
}

// twoAgents reads agent_a and agent_b, which must differ.
func (s *spec) twoAgents() (a, b string) {
	a, b = s.need("agent_a"), s.need("agent_b")
	if a == b {
		s.fail(s.node.Last("agent_b"), "Name two agents: the check compares them.", "agent_a and agent_b are both %s", wording.Quote(a))
	}
	return a, b
}

func (x *Subject) timesOfBoth(a, b string) (first, second *tree.Times, unknown *Verdict) {
	if first, unknown = x.timesOf(a); unknown != nil {
		return nil, nil, unknown
	}
	second, unknown = x.timesOf(b)
	return first, second, unknown
}

// agentOrderedBefore requires that agent_a starts before agent_b.
func agentOrderedBefore(s *spec) Check {
	a, b := s.twoAgents()
	return traceCheck(func(x *Subject) Verdict {
		first, second, unknown := x.timesOfBoth(a, b)
		if unknown != nil {
			return *unknown
		}
		times := fmt.Sprintf("%s starts at %s ms, %s at %s ms", wording.Quote(a), first.Start, wording.Quote(b), second.Start)
		if first.Start.Compare(second.Start) < 0 {
			return passed(first.First, fmt.Sprintf("Agent %s starts before agent %s: %s.", wording.Quote(a), wording.Quote(b), times))
		}
		return failed(first.First, fmt.Sprintf("Agent %s does not start before agent %s: %s.", wording.Quote(a), wording.Quote(b), times)).
			because(startsNotBefore, wording.Quote(a)+" before "+wording.Quote(b), times)
	})
}

func show(n decimal.Number) string { return wording.Preview(n.Text) }

// agentsOverlap requires that both agents work at the same time, for longer than an instant.
func agentsOverlap(s *spec) Check {
	a, b := s.twoAgents()
	return traceCheck(func(x *Subject) Verdict {
		first, second, unknown := x.timesOfBoth(a, b)
		if unknown != nil {
			return *unknown
		}
		agents := wording.Quote(a) + " and " + wording.Quote(b)
		if from, to, ok := first.Overlaps(second); ok {
			return passed(first.First, fmt.Sprintf("Agents %s overlap, first from %s to %s ms.", agents, from, to))
		}
		times := fmt.Sprintf("%s from %s to %s ms, %s from %s to %s ms",
			wording.Quote(a), first.Start, first.End, wording.Quote(b), second.Start, second.End)
		return failed(first.First, fmt.Sprintf("Agents %s do not overlap: %s.", agents, times)).because(overlapsNot, agents, times)
	})
}

// agentWallTimeUnder requires that the agent works at most max_ms. Concurrent work counts once.
func agentWallTimeUnder(s *spec) Check {
	id, limit := s.need("agent_id"), s.needNumber("max_ms")
	if limit.Compare(decimal.Number{}) < 0 {
		s.fail(s.node.Last("max_ms"), "Use a number of milliseconds of 0 or more.", "max_ms %s is negative", show(limit))
	}
	return traceCheck(func(x *Subject) Verdict {
		times, unknown := x.timesOf(id)
		if unknown != nil {
			return *unknown
		}
		took := fmt.Sprintf("Wall time of agent %s is %s ms", wording.Quote(id), show(times.Wall()))
		if times.Wall().Compare(limit) > 0 {
			return failed(times.First, fmt.Sprintf("%s, exceeds max_ms %s.", took, show(limit))).because(worksTooLong, show(limit), show(times.Wall()))
		}
		return passed(times.First, fmt.Sprintf("%s, within max_ms %s.", took, show(limit)))
	})
}

// orderedAgents requires that all agents of a group end before any of the next group starts. Order within a group
// does not matter.
func orderedAgents(s *spec) Check {
	groups := s.needGroups("groups")
	return traceCheck(func(x *Subject) Verdict {
		times := make([]groupTimes, len(groups))
		for i, group := range groups {
			var unknown *Verdict
			if times[i], unknown = x.groupTimes(group); unknown != nil {
				return *unknown
			}
		}
		for i, now := range times[1:] {
			if before := times[i]; !before.precedes(now) {
				last, first := wording.Quote(before.last.id), wording.Quote(now.first.id)
				return failed(now.first.node, fmt.Sprintf("Agents not in the order of groups: %s of group %d ends at %s ms, %s of group %d starts at %s ms.",
					last, i, before.last.at, first, i+1, now.first.at)).
					because(groupNotDone, last+" done before "+first+" starts", fmt.Sprintf("%s ends at %s ms, %s starts at %s ms", last, before.last.at, first, now.first.at))
			}
		}
		return passed(times[0].first.node, fmt.Sprintf("Agents are in the order of groups (%s).", count(len(groups), "group")))
	})
}

// groupTimes are the first start and last end in a group of agents.
type groupTimes struct {
	first, last agentTime // the earliest start, the latest end
	lastStart   tree.Instant
}

type agentTime struct {
	id   string
	at   tree.Instant
	node strictjson.Node
}

// precedes reports whether a group ends before the next starts. Groups of zero length at the same instant do not
// precede each other.
func (g groupTimes) precedes(next groupTimes) bool {
	return g.last.at.Compare(next.first.at) <= 0 && g.lastStart.Compare(next.first.at) < 0
}

func (x *Subject) groupTimes(group []string) (g groupTimes, unknown *Verdict) {
	for i, id := range group {
		times, unknown := x.timesOf(id)
		if unknown != nil {
			return g, unknown
		}
		if i == 0 || times.Start.Compare(g.first.at) < 0 {
			g.first = agentTime{id, times.Start, times.First}
		}
		if i == 0 || times.End.Compare(g.last.at) > 0 {
			g.last = agentTime{id, times.End, times.First}
		}
		if i == 0 || times.Start.Compare(g.lastStart) > 0 {
			g.lastStart = times.Start
		}
	}
	return g, nil
}

const nameBytes = 64

// needGroups returns a list of disjoint lists of names.
func (s *spec) needGroups(name string) [][]string {
	n, ok := s.member(name, strictjson.Array)
	if !ok || n.Len() == 0 {
		s.required(name, "a list of lists of agent ids with at least one element")
		return nil
	}
	if !s.take(nameBytes * n.Size()) {
		return nil
	}
	groups := make([][]string, 0, n.Len())
	seen, fill := map[string]int{}, fmt.Sprintf("Fill %q with non-empty lists of agent ids.", name)
	for list := range n.Children() {
		i := len(groups)
		if !list.Is(strictjson.Array) || list.Len() == 0 {
			s.fail(list, fill, "%s[%d] must be a list of at least one agent id", name, i)
			return nil
		}
		var group []string
		for element := range list.Children() {
			id, _ := element.Text()
			if id == "" {
				s.fail(element, fill, "%s[%d][%d] must be a non-empty string", name, i, len(group))
				return nil
			}
			if other, again := seen[id]; again && other != i {
				s.fail(element, "Name each agent in only one group: an agent cannot run before itself.", "agent %s is in two groups: %d and %d", wording.Quote(id), other, i)
				return nil
			}
			seen[id] = i
			group = append(group, id)
		}
		groups = append(groups, group)
	}
	return groups
}
