package fault

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Pending are references to ids that have not come yet, by the key of the id. Whether an
// id is unknown or comes too late is known only when it comes, or at the end.
type Pending struct {
	Waiting map[uint64][]*Reference `json:"waiting,omitempty"`
	Count   int                     `json:"count,omitempty"` // references that wait
	Held    int                     `json:"held,omitempty"`  // references that were ever held in full
}

// Reference is one reference to an id, as a finding about it says it. Those beyond what a
// report keeps are held as nil, and counted.
type Reference struct {
	Spot Spot   `json:"spot"`
	Idx  int64  `json:"idx"`
	Path string `json:"path"`
	ID   string `json:"id"` // cut to what a message repeats
}

// Verdict is what a reference turns out to be: a rule, and a message with a %q for the id.
type Verdict struct {
	Rule    rule.ID
	Message string
}

// Wait keeps a reference that stands at a place of an event. At most the given number of
// them is held in full.
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

// Came settles what waited for an id that comes now, and says whether anything did.
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

// Never settles at the end what still waits.
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
