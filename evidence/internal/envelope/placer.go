package envelope

import "github.com/cupel-dev/cupel/evidence"

// Placer locates faults by rereading an event's text.
type Placer struct {
	limits evidence.Limits
	hasher *evidence.Hasher // nil until the first event
}

// NewPlacer returns a placer of events that were read under limits.
func NewPlacer(limits evidence.Limits) Placer { return Placer{limits: limits} }

// Event parses a result's event again. It returns nil for an unreadable event.
func (p *Placer) Event(r *evidence.Result) *evidence.Event {
	if p.hasher == nil {
		p.hasher = evidence.NewHasher(evidence.Options{Limits: p.limits, MaxFindings: 1})
	}
	again, err := p.hasher.Hash(r.Text())
	if err != nil {
		return nil
	}
	return again.Event
}

// Place sets a finding's position to the value that at selects in a result's event. start is its offset in the
// event's text. For an unreadable event it is the first byte.
func (p *Placer) Place(f *evidence.Finding, r *evidence.Result, at func(*evidence.Event) evidence.Value) (start int) {
	f.Line, f.Column = r.Line, 1
	e := p.Event(r)
	if e == nil {
		return 0
	}
	f.Line = 0
	start = e.Locate(f, at(e))
	f.Line += r.Line - 1
	if f.EndLine > 0 {
		f.EndLine += r.Line - 1
	}
	return start
}
