package fault

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Pending stores references to ids not seen yet, by key. At the end of the trace they are unknown.
type Pending struct {
	Waiting map[uint64][]*Reference `json:"waiting,omitempty"`
	Count   int                     `json:"count,omitempty"` // references that wait
	Held    int                     `json:"held,omitempty"`  // references that were ever held in full
}

// Reference is a reference to an id. Those beyond the report's limit are nil and only counted.
type Reference struct {
	Spot Spot   `json:"spot"`
	Idx  int64  `json:"idx"`
	Path string `json:"path"`
	ID   string `json:"id"` // truncated for messages
}

// Verdict is the result for a reference: a rule and a message with %q for the id.
type Verdict struct {
	Rule    rule.ID
	Message string
}

// Wait stores a reference. At most most references are stored in full.
func (p *Pending) Wait(sink *Sink, key uint64, most int, w *Where, path string, at Place, id []byte) {
	var r *Reference
	if p.Held < most {
		r = &Reference{sink.Spot(w.Line, at), w.Idx, path, Preview(id)}
		p.Held++
	}
	if p.Waiting == nil {
		p.Waiting = map[uint64][]*Reference{}
	}
	p.Waiting[key] = append(p.Waiting[key], r)
	p.Count++
}

// Came reports references that waited for an id that arrives now. It returns false if there were none.
func (p *Pending) Came(sink *Sink, key uint64, late Verdict) bool {
	list, waited := p.Waiting[key]
	if !waited {
		return false
	}
	p.Count -= len(list)
	delete(p.Waiting, key)
	for _, r := range list {
		late.add(sink, r)
	}
	return true
}

// Never reports the remaining references at the end.
func (p *Pending) Never(sink *Sink, unknown Verdict) {
	var list []*Reference
	for _, waiting := range p.Waiting {
		for _, r := range waiting {
			if r == nil {
				unknown.add(sink, nil)
			} else {
				list = append(list, r)
			}
		}
	}
	slices.SortFunc(list, func(a, b *Reference) int {
		return cmp.Or(cmp.Compare(a.Spot.Line, b.Spot.Line), cmp.Compare(a.Path, b.Path))
	})
	for _, r := range list {
		unknown.add(sink, r)
	}
}

func (v Verdict) add(sink *Sink, r *Reference) {
	if r == nil {
		sink.Count(v.Rule.Severity(), 1)
		return
	}
	f := v.Rule.New(fmt.Sprintf(v.Message, r.ID))
	f.Path = r.Path
	r.Spot.Mark(&f)
	idx := r.Idx
	f.Index = &idx
	sink.Add(f)
}
