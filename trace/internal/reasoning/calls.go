package reasoning

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// calls matches tool calls with their results and with claims that cite them.
type calls struct {
	sink  *fault.Sink
	held  int // results that are held in full while their call has not come
	state *callsState
}

type callsState struct {
	Calls   map[uint64]call   `json:"calls,omitempty"` // by key of the call id
	Names   map[uint64]string `json:"names,omitempty"` // of unanswered calls, for findings; at most fault.MaxNames
	Results fault.Pending     `json:"results"`         // results whose call has not come
}

// call is the state of a tool call: 24 bytes plus its key.
type call struct {
	Step uint64 `json:"step"` // key of its step
	Line int64  `json:"line"` // negative once it is answered
	Idx  int64  `json:"idx"`
}

func (c call) answered() bool { return c.Line < 0 }

func (c call) number() int64 { return max(c.Line, -c.Line) }

func newCalls(sink *fault.Sink, held int, state *callsState) *calls {
	if state.Calls == nil {
		state.Calls = map[uint64]call{}
	}
	if state.Names == nil {
		state.Names = map[uint64]string{}
	}
	return &calls{sink, held, state}
}

func (p *calls) IDs() int { return len(p.state.Calls) + p.state.Results.Count }

func (p *calls) Take(e *format.Event) {
	switch e.Kind {
	case format.ToolCalled:
		p.called(e)
	case format.ToolReturned:
		p.returned(e)
	case format.ClaimEmitted:
		for i := range e.Claim.Cited {
			p.cited(e, &e.Claim.Cited[i])
		}
	}
}

// called checks a tool call: its id must be new and its step the event's.
func (p *calls) called(e *format.Event) {
	if s := e.CallStep; s.Bytes != nil && string(s.Bytes) != string(e.Step.Bytes) {
		p.sink.Event(&e.Where, rule.RefStepMismatch, p.sink.Path("call.step_id"), s.At, "the call names another step than its event",
			fault.Compared(fault.Preview(e.Step.Bytes), fault.Preview(s.Bytes)))
	}
	key := e.ID.Key
	if first, ok := p.state.Calls[key]; ok {
		p.sink.Event(&e.Where, rule.RefCallDuplicate, p.sink.Path("call.id"), e.ID.At, fmt.Sprintf("a second call with the id %q", fault.Preview(e.ID.Bytes)),
			fault.Noted(fmt.Sprintf("the first is on line %d", first.number())))
		return
	}
	early := p.state.Results.Came(p.sink, key, fault.Verdict{Rule: rule.RefResultBeforeCall, Message: "the result of call %q comes before the call"})
	made := call{Step: e.Step.Key, Line: int64(e.Line.Number), Idx: e.Idx}
	if early {
		made.Line = -made.Line
	}
	p.state.Calls[key] = made
	if !early && len(p.state.Names) < fault.MaxNames {
		p.state.Names[key] = fault.Preview(e.ID.Bytes)
	}
}

// returned checks a result: each call must have one, after it and in the same step.
func (p *calls) returned(e *format.Event) {
	key, path := e.ID.Key, p.sink.Path("result.call_id")
	asked, ok := p.state.Calls[key]
	if !ok {
		p.state.Results.Wait(p.sink, key, p.held, &e.Where, path, e.ID.At, e.ID.Bytes)
		return
	}
	switch {
	case asked.answered():
		p.sink.Event(&e.Where, rule.RefResultDuplicate, path, e.ID.At, fmt.Sprintf("a second result of call %q", fault.Preview(e.ID.Bytes)))
	case asked.Step != e.Step.Key:
		p.sink.Event(&e.Where, rule.RefStepMismatch, p.sink.Path("step_id"), e.Step.At, fmt.Sprintf("the result of call %q is in another step than the call", fault.Preview(e.ID.Bytes)),
			fault.Noted(fmt.Sprintf("the call is on line %d", asked.number())))
	}
	asked.Line = -asked.number()
	p.state.Calls[key] = asked
	delete(p.state.Names, key)
}

// cited checks that a cited call was made before.
func (p *calls) cited(e *format.Event, s *format.Support) {
	if s.Target != format.CitesCall {
		return
	}
	if _, known := p.state.Calls[s.Ref.Key]; !known {
		p.sink.Event(&e.Where, rule.RefCallUnknown, s.Path(p.sink, "ref_id"), s.RefAt(), fmt.Sprintf("the support cites call %q, which is not made before it", fault.Preview(s.Ref.Bytes)))
	}
}

// Finish reports results without a call and calls without a result.
func (p *calls) Finish() error {
	p.state.Results.Never(p.sink, fault.Verdict{Rule: rule.RefCallUnknown, Message: "the result answers call %q, which is never made"})
	type open struct {
		call
		name string
	}
	var unanswered []open
	for key, c := range p.state.Calls {
		if !c.answered() {
			unanswered = append(unanswered, open{c, p.state.Names[key]})
		}
	}
	slices.SortFunc(unanswered, func(a, b open) int { return cmp.Compare(a.Line, b.Line) })
	for _, c := range unanswered {
		f := rule.RefCallUnanswered.New(named("the call on this line", "call", c.name) + " has no result")
		f.Line, f.Index, f.Path = int(c.Line), &c.Idx, p.sink.Path("call.id")
		p.sink.Add(f)
	}
	return nil
}
