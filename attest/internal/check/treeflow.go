package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/tree"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// outputField is a part of an agent's output: the member with exactly this name, or the values of a target.
type outputField struct {
	name string
	path *target.Target // nil if the name is not a path
}

func newOutputField(name string) outputField {
	text := "output." + name
	if strings.HasPrefix(name, "[") {
		text = "output" + name
	}
	path, err := target.Parse(text)
	if err != nil {
		return outputField{name: name}
	}
	return outputField{name, &path}
}

// of returns the field's values in a trace. If there are none, why is the reason.
func (f outputField) of(t *trace.Trace) (values []strictjson.Node, why string) {
	output := t.Members[trace.Output]
	if n := output.Last(f.name); n.Exists() {
		return []strictjson.Node{n}, ""
	}
	if f.path == nil {
		return nil, "output has no field " + wording.Quote(f.name)
	}
	var r target.Resolver
	r.Reset(t)
	found, missing := f.path.Resolve(&r)
	if missing != nil {
		return nil, missing.Reason
	}
	return found.Nodes, ""
}

// crossAgentDataFlow requires that a value in one agent's output occurs as a whole value in another's input, for at
// least one pair of traces.
func crossAgentDataFlow(s *spec) Check {
	from, to, field := s.need("from_agent"), s.need("to_agent"), newOutputField(s.need("field"))
	return traceCheck(func(x *Subject) Verdict {
		sender, absent := x.agentWithTrace(from)
		if absent != nil {
			return *absent
		}
		receiver, absent := x.agentWithTrace(to)
		if absent != nil {
			return *absent
		}
		given := x.Tree().Inputs(receiver)
		if len(given) == 0 {
			return broken(fmt.Sprintf("Agent %s got no input: its trace has no input, and its agent_call has no args.", wording.Quote(to))).
				because(nothingGiven, wording.Quote(to), "")
		}
		sent, why := x.sent(sender, field)
		if len(sent) == 0 {
			return broken(fmt.Sprintf("output.%s of agent %s not found: %s.", wording.Preview(field.name), wording.Quote(from), why)).
				because(outputFieldMissing, wording.Preview(field.name), why)
		}
		label := fmt.Sprintf("output.%s of agent %s", wording.Preview(field.name), wording.Quote(from))
		for _, s := range sent {
			if at := s.givenTo(receiver, x.Tree()); at.Exists() {
				return passed(at, fmt.Sprintf("%s is in the input of agent %s: %s.", label, wording.Quote(to), wording.ShowValue(s.values[0])))
			}
		}
		more := ""
		if len(sent) > 1 {
			more = fmt.Sprintf(" (and %d more)", len(sent)-1)
		}
		value := wording.ShowValue(sent[0].values[0]) + more
		return failed(given[0], fmt.Sprintf("%s is no value in the input of agent %s: %s.", label, wording.Quote(to), value)).
			because(notGiven, value, wording.PreviewRaw(given[0].Raw()))
	})
}

type sentValue struct {
	output strictjson.Node
	values []strictjson.Node // at least one
}

// sent returns the field's value in each trace of an agent. null does not count. If there are none, why is the
// reason.
func (x *Subject) sent(agent *tree.Agent, field outputField) (list []sentValue, why string) {
	for _, l := range agent.Levels {
		t := x.Tree().Levels[l].Trace
		values, reason := field.of(t)
		switch {
		case slices.ContainsFunc(values, func(n strictjson.Node) bool { return n.Is(strictjson.Null) }):
			why = "it is null"
		case len(values) > 0:
			list = append(list, sentValue{t.Members[trace.Output], values})
		case why == "":
			why = reason
		}
	}
	return list, why
}

// givenTo returns the position of the first value in an agent's input. It returns the zero Node if one of the
// values does not occur.
func (s sentValue) givenTo(agent *tree.Agent, t *tree.Tree) (first strictjson.Node) {
	for _, n := range s.values {
		at := t.Given(agent, s.output, n)
		if !at.Exists() {
			return at
		}
		if !first.Exists() {
			first = at
		}
	}
	return first
}
