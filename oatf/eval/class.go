package eval

import (
	"encoding/binary"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
)

// circumstances are what decides which indicators apply to a message.
type circumstances struct {
	protocol     oatf.Protocol
	kind         oatf.MessageKind
	direction    capture.Direction
	actor, phase string
	failed       bool

	// Where surfaces are operations of some document.
	method, item string // the member kind of an item of a stream
	enveloped    bool
}

// A message has circumstances of its own choice: as many are remembered as there are in
// honest runs, and none with long names. Classes of so many indicators take some 50 MB.
const (
	mostCircumstances = 1 << 10
	mostNames         = 256
	mostHeld          = 1 << 18
)

// classes are the classes of the messages that have been there.
type classes struct {
	known  map[circumstances]*class
	shared map[string]*class // by the indicators that apply
	held   int               // how many those are, over all classes
}

// class is what applies to the messages of the same circumstances, and is still open.
type class struct {
	targets []*target
	others  []applied // expressions and semantic matches
}

// applied is a check that applies to a message, and how it sees it.
type applied struct {
	check int
	from  perspective
}

// target is a target that patterns of the same envelope and perspective share.
type target struct {
	path     primitive.Path
	envelope string
	from     perspective
	resolved bool // it has led to something
	text     bool // and that was a text
	coerced  bool // a condition sees texts in values that are no strings
	absence  bool // a condition asks for nothing to be there
	tests    []test
}

// test is a condition that patterns of the same target share.
type test struct {
	*pattern
	checks []int
}

// add adds a test.
func (t *target) add(k test) {
	t.coerced = t.coerced || k.condition.Coerced()
	t.absence = t.absence || k.absence
	t.tests = append(t.tests, k)
}

// class finds what applies to a message.
func (r *BatchRun) class(m *capture.Message) *class {
	key := circumstances{protocol: m.Protocol, kind: m.Kind, direction: m.Direction, actor: m.Actor, phase: m.Phase, failed: m.IsError}
	if r.batch.operations {
		key.method, key.item, key.enveloped = m.Method, r.batch.itemKind(m), m.Enveloped()
	}
	if c := r.classes.known[key]; c != nil {
		return c
	}
	applying, name := r.applying(m)
	c := r.classes.shared[name]
	if c == nil {
		c = r.newClass(applying)
		r.classes.add(name, c, len(applying))
	}
	if len(r.classes.known) < mostCircumstances && len(m.Protocol)+len(m.Kind.Method)+len(m.Actor)+len(m.Phase)+len(key.method)+len(key.item) <= mostNames {
		r.classes.known[key] = c
	}
	return c
}

// add remembers a class of so many indicators.
func (k *classes) add(name string, c *class, indicators int) {
	if k.held += indicators; k.held > mostHeld || k.known == nil {
		*k = classes{known: map[circumstances]*class{}, shared: map[string]*class{}, held: indicators}
	}
	k.shared[name] = c
}

// applying lists the checks that apply to a message, and gives the list a name.
func (r *BatchRun) applying(m *capture.Message) (list []applied, name string) {
	var text []byte
	first := 0
	for _, e := range r.batch.evaluators {
		checks := r.batch.checks[first : first+len(e.indicators)]
		seen := e.sees(m)
		for i := range checks {
			if k := &checks[i]; seen.unseen || k.fault != nil || k.absent != "" || !k.covers(&seen) {
				continue
			}
			r.states[first+i].applied = true
			if seen.blank {
				continue
			}
			list = append(list, applied{first + i, seen.from})
			text = seen.from.appendName(binary.AppendUvarint(text, uint64(first+i)))
		}
		first += len(checks)
	}
	return list, string(text)
}

// newClass puts checks together that look for the same.
func (r *BatchRun) newClass(applying []applied) *class {
	c := &class{}
	type place struct {
		target, envelope string
		from             perspective
	}
	type looking struct {
		place
		condition string
	}
	targets, tests := map[place]*target{}, map[looking]int{}
	for _, a := range applying {
		k := &r.batch.checks[a.check]
		if k.Method != Pattern {
			c.others = append(c.others, a)
			continue
		}
		at := place{*k.Target, k.Envelope, a.from}
		t := targets[at]
		if t == nil {
			t = &target{path: k.path, envelope: k.Envelope, from: a.from}
			targets[at] = t
			c.targets = append(c.targets, t)
		}
		n, shared := tests[looking{at, k.key}]
		if !shared {
			n = len(t.tests)
			tests[looking{at, k.key}] = n
			t.add(test{pattern: &k.pattern})
		}
		t.tests[n].checks = append(t.tests[n].checks, a.check)
	}
	return c
}
