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
	others  []int // checks of expressions and semantic matches
}

// target is a target that patterns of the same envelope share.
type target struct {
	path     primitive.Path
	envelope string
	resolved bool // it has led to something
	text     bool // and that was a text
	tests    []test
}

// test is a condition that patterns of the same target share.
type test struct {
	*pattern
	checks []int
}

// class finds what applies to a message.
func (r *BatchRun) class(m *capture.Message) *class {
	key := circumstances{m.Protocol, m.Kind, m.Direction, m.Actor, m.Phase}
	if c := r.classes.known[key]; c != nil {
		return c
	}
	applying, name := r.applying(m)
	c := r.classes.shared[name]
	if c == nil {
		c = r.newClass(applying)
		r.classes.add(name, c, len(applying))
	}
	if len(r.classes.known) < mostCircumstances && len(m.Protocol)+len(m.Kind.Method)+len(m.Actor)+len(m.Phase) <= mostNames {
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
func (r *BatchRun) applying(m *capture.Message) (list []int, name string) {
	var text []byte
	for i := range r.batch.checks {
		k := &r.batch.checks[i]
		if k.fault != nil || k.absent != "" || !k.covers(k.cast.complete(m)) {
			continue
		}
		r.states[i].applied = true
		list = append(list, i)
		text = binary.AppendUvarint(text, uint64(i))
	}
	return list, string(text)
}

// newClass puts checks together that look for the same.
func (r *BatchRun) newClass(applying []int) *class {
	c := &class{}
	type place struct{ target, envelope string }
	type looking struct {
		place
		condition string
	}
	targets, tests := map[place]*target{}, map[looking]int{}
	for _, i := range applying {
		k := &r.batch.checks[i]
		if k.Method != Pattern {
			c.others = append(c.others, i)
			continue
		}
		at := place{*k.Target, k.Envelope}
		t := targets[at]
		if t == nil {
			t = &target{path: k.path, envelope: k.Envelope}
			targets[at] = t
			c.targets = append(c.targets, t)
		}
		n, shared := tests[looking{at, k.key}]
		if !shared {
			n = len(t.tests)
			tests[looking{at, k.key}] = n
			t.tests = append(t.tests, test{pattern: &k.pattern})
		}
		t.tests[n].checks = append(t.tests[n].checks, i)
	}
	return c
}
