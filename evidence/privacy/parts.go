package privacy

import "github.com/cupel-dev/cupel/evidence"

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

// Parts appends the parts of an event in the order of its text. Each stands for its class alone:
// names of members and what binds values together have none.
//
// The error is a [SweepError]: nothing of the event should be shared then.
func (r *Redactor) Parts(dst []Part, e *evidence.Event) ([]Part, error) {
	_, changes, err := r.Event(nil, e)
	if err != nil {
		return dst, err
	}
	r.places = r.policy.places.enter(r.places[:0], r.texts.of(e.Get(evidence.AttrType)))
	p := parting{Redactor: r, changes: changes, list: dst}
	p.children(e.Root(), 0)
	return p.list, nil
}

// parting goes through an event a second time, when it is known what is found in it.
type parting struct {
	*Redactor
	changes []Change // those that are ahead
	list    []Part
}

// children takes the members or elements of a value whose places begin at start.
func (p *parting) children(v evidence.Value, start int) {
	named, end := v.Kind() == evidence.KindObject, len(p.places)
	for child := range v.Children() {
		var name []byte
		if named {
			name = child.NameBytes(p.texts.key[:0])
		}
		for i := start; i < end; i++ {
			p.places = p.places[i].step(p.places, end, name, named)
		}
		p.part(child, end)
		p.places = p.places[:end]
	}
}

// part takes a value whose places begin at start.
func (p *parting) part(v evidence.Value, start int) {
	part := Part{At: v, Class: p.class(start)}
	found := false
	for len(p.changes) > 0 && p.changes[0].At == v {
		if c := &p.changes[0]; !found || c.Class > part.Class {
			part.Class, part.Rule, found = c.Class, c.Rule, true
		}
		p.changes = p.changes[1:]
	}
	if !found && v.Kind() > evidence.KindString && v.Len() > 0 {
		p.children(v, start)
		return
	}
	p.list = append(p.list, part)
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
