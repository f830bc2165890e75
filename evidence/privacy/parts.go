package privacy

import (
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
)

// Part is a value of an event with its class: one that holds no others, or one that a policy
// removes as a whole.
type Part struct {
	At    evidence.Value
	Class Class  // of what was found in it, else of the last row that fits its place
	Rule  string // what was found; "": nothing
}

// Private says whether the value is one that should not be shared.
func (p Part) Private() bool { return p.Rule != "" && p.Class != Public }

// Shared says whether a redaction leaves the value as it is wherever the event has others that
// it hides: it is public, or it is a number, a boolean or null in which nothing was found.
func (p Part) Shared() bool {
	return p.Class == Public || p.Rule == "" && p.At.Kind() < evidence.KindString
}

// Parts yields the parts of an event in the order of its text, once and before the redactor is used
// again. Each stands for its class alone: names of members and what binds values together have none.
// Private says that one of them is. An event may have millions of parts: none is kept.
//
// The error is a [SweepError]: nothing of the event should be shared then.
func (r *Redactor) Parts(e *evidence.Event) (parts iter.Seq[Part], private bool, err error) {
	_, changes, err := r.Event(nil, e)
	if err != nil {
		return nil, true, err
	}
	private = slices.ContainsFunc(changes, func(c Change) bool { return c.Class != Public })
	return func(yield func(Part) bool) {
		r.places = r.policy.places.enter(r.places[:0], r.texts.of(e.Get(evidence.AttrType)))
		p := parting{Redactor: r, changes: changes, yield: yield}
		p.children(e.Root(), 0)
	}, private, nil
}

// parting goes through an event a second time, when it is known what is found in it.
type parting struct {
	*Redactor
	changes []Change // those that are ahead
	yield   func(Part) bool
}

// children takes the members or elements of a value whose places begin at start. It returns false
// when no more are wanted.
func (p *parting) children(v evidence.Value, start int) bool {
	named, end := v.Kind() == evidence.KindObject, len(p.places)
	for child := range v.Children() {
		var name []byte
		if named {
			name = child.NameBytes(p.texts.key[:0])
		}
		for i := start; i < end; i++ {
			p.places = p.places[i].step(p.places, end, name, named)
		}
		if !p.part(child, end) {
			return false
		}
		p.places = p.places[:end]
	}
	return true
}

// part takes a value whose places begin at start.
func (p *parting) part(v evidence.Value, start int) bool {
	part := Part{At: v, Class: p.class(start)}
	found := false
	for len(p.changes) > 0 && p.changes[0].At == v {
		if c := &p.changes[0]; c.Name && v.Kind() > evidence.KindString && v.Len() > 0 { // what is in it is looked at for itself
		} else if !found || c.Class > part.Class {
			part.Class, part.Rule, found = c.Class, c.Rule, true
		}
		p.changes = p.changes[1:]
	}
	if !found && v.Kind() > evidence.KindString && v.Len() > 0 {
		return p.children(v, start)
	}
	return p.yield(part)
}

// class is that of the last row of those at the places from start on. What no row names may be
// anything.
func (p *parting) class(start int) Class {
	last := 0
	for _, at := range p.places[start:] {
		last = max(last, at.row)
	}
	if last == 0 {
		return Sensitive
	}
	return p.policy.rows[last-1].Class
}
