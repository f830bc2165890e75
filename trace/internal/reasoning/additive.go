package reasoning

import (
	"fmt"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// additive reports each unknown member once, at its first occurrence.
type additive struct {
	sink  *fault.Sink
	limit int // members that are remembered
	state *additiveState
}

type additiveState struct {
	Seen map[uint64]struct{} `json:"seen,omitempty"` // by key
}

func newAdditive(sink *fault.Sink, limit int, state *additiveState) *additive {
	if state.Seen == nil {
		state.Seen = map[uint64]struct{}{}
	}
	return &additive{sink, limit, state}
}

// take processes the unknown members in a block. It only counts those beyond the findings limit.
func (p *additive) take(b *format.Block) {
	severity := rule.FieldUnknown.Severity()
	for i := range b.Additive {
		m := &b.Additive[i]
		if _, seen := p.state.Seen[m.Key]; seen || len(p.state.Seen) >= p.limit {
			continue
		}
		p.state.Seen[m.Key] = struct{}{}
		switch {
		case p.sink.Rejected():
		case !p.sink.Spare(severity, b.Line(m), m.At):
			p.sink.Add(b.Explain(p.sink.Log, m))
		}
	}
}

// notCovered returns a limitation if there were too many unknown members to track.
func (p *additive) notCovered() []string {
	if len(p.state.Seen) < p.limit {
		return nil
	}
	return []string{fmt.Sprintf("members that the format does not know, after the first %d: the limit of remembered ids was reached", p.limit)}
}
