package privacy

import (
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
)

// Part is a value of an event with its class: a scalar, or a container that a policy removes as a whole.
type Part struct {
	At    evidence.Value
	Class Class  // of the finding, else of the last matching row
	Rule  string // rule of the finding, or ""
}

// Private reports whether the value should not be shared.
func (p Part) Private() bool { return p.Rule != "" && p.Class != Public }

// Shared reports whether redaction keeps the value wherever it occurs: it is public, or a number, boolean or null
// without findings.
func (p Part) Shared() bool {
	return p.Class == Public || p.Rule == "" && p.At.Kind() < evidence.KindString
}

// Parts yields an event's parts in text order, before the next use of the redactor. Each has a single class; names
// and punctuation are not included. private means that a part is private. Parts are not stored, because there can
// be millions. If it returns a [SweepError], nothing of the event should be shared.
func (r *Redactor) Parts(e *evidence.Event) (parts iter.Seq[Part], private bool, err error) {
	_, changes, err := r.Event(nil, e)
	if err != nil {
		return nil, true, err
	}
	private = slices.ContainsFunc(changes, func(c Change) bool { return c.Class != Public })
	return func(yield func(Part) bool) {
		p := secondPass{Redactor: r, changes: changes, yield: yield}
		p.children(e.Root(), r.wheres.enter(r.texts.of(e.Get(evidence.AttrType))))
	}, private, nil
}

// secondPass repeats the pass over an event with known findings.
type secondPass struct {
	*Redactor
	changes []Change // those that are ahead
	yield   func(Part) bool
}

// children yields the parts in a container. It returns false to stop.
func (p *secondPass) children(v evidence.Value, at *where) bool {
	if v.Kind() != evidence.KindObject {
		elements := p.wheres.elements(at)
		for child := range v.Children() {
			if !p.part(child, elements) {
				return false
			}
		}
		return true
	}
	position := 0
	for child := range v.Children() {
		if !p.part(child, p.wheres.member(at, child.NameBytes(p.texts.key[:0]), position).at) {
			return false
		}
		position++
	}
	return true
}

func (p *secondPass) part(v evidence.Value, at *where) bool {
	part := Part{At: v, Class: at.class}
	found := false
	for len(p.changes) > 0 && p.changes[0].At == v {
		if c := &p.changes[0]; c.Name && v.Kind() > evidence.KindString && v.Len() > 0 { // its content is checked separately
		} else if !found || c.Class > part.Class {
			part.Class, part.Rule, found = c.Class, c.Rule, true
		}
		p.changes = p.changes[1:]
	}
	if !found && v.Kind() > evidence.KindString && v.Len() > 0 {
		return p.children(v, at)
	}
	return p.yield(part)
}
