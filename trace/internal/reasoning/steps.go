package reasoning

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/plan"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// steps checks the order of each step's events: it starts once, after its dependencies, its events come while it is
// open, and it finishes once.
type steps struct {
	sink  *fault.Sink
	plan  *plan.Plan // or nil
	keys  siphash.Key
	state *stepsState
}

type stepsState struct {
	Steps map[uint64]step   `json:"steps,omitempty"` // by key of the step id
	Names map[uint64]string `json:"names,omitempty"` // of open steps, for findings; at most fault.MaxNames
}

// step is the state of a step: 24 bytes plus its key.
type step struct {
	Line     int64 `json:"line"` // of its start
	Idx      int64 `json:"idx"`
	Open     bool  `json:"open"` // started and not finished
	Finished bool  `json:"finished"`
	Known    bool  `json:"known"` // in the plan, or without a plan
	Started  bool  `json:"started"`
}

func newSteps(sink *fault.Sink, p *plan.Plan, keys siphash.Key, state *stepsState) *steps {
	if state.Steps == nil {
		state.Steps = map[uint64]step{}
	}
	if state.Names == nil {
		state.Names = map[uint64]string{}
	}
	return &steps{sink, p, keys, state}
}

func (p *steps) IDs() int { return len(p.state.Steps) }

func (p *steps) Take(e *format.Event) {
	s, seen := p.state.Steps[e.Step.Key]
	if !seen {
		s.Known = p.plan == nil || p.plan.Has(e.Step.Bytes)
		if !s.Known {
			p.fault(e, rule.RefStepUnknown, fmt.Sprintf("step %q is not in the plan", fault.Preview(e.Step.Bytes)))
		}
	}
	switch e.Kind {
	case format.StepStarted:
		p.start(e, &s)
	case format.StepFinished:
		if !s.Open {
			p.fault(e, rule.OrderFinishWithoutStart, fmt.Sprintf("step %q finishes, but it is not running", fault.Preview(e.Step.Bytes)))
		}
		s.Open, s.Finished = false, true
		delete(p.state.Names, e.Step.Key)
	default:
		if !s.Open && (s.Known || s.Started) {
			p.outside(e, s)
		}
	}
	p.state.Steps[e.Step.Key] = s
}

func (p *steps) start(e *format.Event, s *step) {
	if s.Started {
		p.fault(e, rule.OrderStepRestarted, fmt.Sprintf("step %q starts a second time", fault.Preview(e.Step.Bytes)),
			fmt.Sprintf("it started on line %d", s.Line))
	} else if p.plan != nil {
		p.checkDependencies(e)
	}
	s.Open, s.Started, s.Line, s.Idx = true, true, int64(e.Line.Number), e.Idx
	if len(p.state.Names) < fault.MaxNames {
		p.state.Names[e.Step.Key] = fault.Preview(e.Step.Bytes)
	}
}

func (p *steps) outside(e *format.Event, s step) {
	message := fmt.Sprintf("the event belongs to step %q, which has not started", fault.Preview(e.Step.Bytes))
	if s.Finished {
		message = fmt.Sprintf("the event belongs to step %q, which has finished", fault.Preview(e.Step.Bytes))
	}
	p.fault(e, rule.OrderEventOutsideStep, message)
}

// checkDependencies requires that all dependencies of a step have finished before it starts.
func (p *steps) checkDependencies(e *format.Event) {
	for _, i := range p.plan.Dependencies(e.Step.Bytes) {
		id := p.plan.Nodes[i].ID
		if !p.state.Steps[p.keys.Sum64([]byte(id))].Finished {
			p.fault(e, rule.OrderDependency,
				fmt.Sprintf("step %q starts before step %q, which it depends on, has finished", fault.Preview(e.Step.Bytes), fault.Preview(id)))
		}
	}
}

func (p *steps) fault(e *format.Event, id rule.ID, message string, notes ...string) {
	if len(notes) > 0 {
		p.sink.Event(&e.Where, id, p.sink.Path("step_id"), e.Step.At, message, fault.Noted(notes[0]))
		return
	}
	p.sink.Event(&e.Where, id, p.sink.Path("step_id"), e.Step.At, message)
}

// Finish reports steps that never finished and plan nodes that never ran.
func (p *steps) Finish() error {
	type open struct {
		step
		name string
	}
	var unfinished []open
	for key, s := range p.state.Steps {
		if s.Open {
			unfinished = append(unfinished, open{s, p.state.Names[key]})
		}
	}
	slices.SortFunc(unfinished, func(a, b open) int { return cmp.Compare(a.Line, b.Line) })
	for _, s := range unfinished {
		f := rule.OrderStepUnfinished.New(named("the step that starts here", "step", s.name) + " is never finished")
		f.Line, f.Index, f.Path = int(s.Line), &s.Idx, p.sink.Path("step_id")
		f.Notes = []string{"the end of the trace may be missing"}
		p.sink.Add(f)
	}
	if p.plan == nil {
		return nil
	}
	var idle []int
	for i, node := range p.plan.Nodes {
		if !p.state.Steps[p.keys.Sum64([]byte(node.ID))].Started {
			idle = append(idle, i)
		}
	}
	p.plan.NotExecuted(p.sink, idle...)
	return nil
}

// named returns a name for a finding at the end: the id if it is still known.
func named(here, what, id string) string {
	if id == "" {
		return here
	}
	return fmt.Sprintf("%s %q", what, id)
}
