package envelope

import "github.com/cupel-dev/cupel/evidence"

// Placer places what is found in an event when its text alone is still there: it reads the
// event again.
type Placer struct {
	limits evidence.Limits
	hasher *evidence.Hasher // nil until the first event
}

// NewPlacer returns a placer of events that were read under limits.
func NewPlacer(limits evidence.Limits) Placer { return Placer{limits: limits} }

// Place places a finding at a value of the event of a result, which at chooses. Start is the
// byte of the event's text that this is. The place of an event that cannot be read is its
// first byte.
func (p *Placer) Place(f *evidence.Finding, r *evidence.Result, at func(*evidence.Event) evidence.Value) (start int) {
	if p.hasher == nil {
		p.hasher = evidence.NewHasher(evidence.Options{Limits: p.limits, MaxFindings: 1})
	}
	f.Line, f.Column = r.Line, 1
	again, err := p.hasher.Hash(r.Text())
	if err != nil || again.Event == nil {
		return 0
	}
	f.Line = 0
	start = again.Event.Locate(f, at(again.Event))
	f.Line += r.Line - 1
	if f.EndLine > 0 {
		f.EndLine += r.Line - 1
	}
	return start
}
