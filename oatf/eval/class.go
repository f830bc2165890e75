package eval

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
)

// circumstances are the properties of a message that decide which indicators apply.
type circumstances struct {
	protocol     oatf.Protocol
	kind         oatf.MessageKind
	direction    capture.Direction
	actor, phase string
	failed       bool

	// Set if a document's surfaces are operations.
	method, item string // the member kind of an item of a stream
	enveloped    bool

	sender   capture.Side
	recorded string // recorded part of a partial message, or ""
	marks    marks
}

// marks are boolean properties of a message, one bit each.
type marks uint8

func marksOf(m *capture.Message) (list marks) {
	for i, has := range []bool{m.Variant, m.Repeats, m.Marker, m.Synthetic, m.Partial, m.Ambiguous != nil, m.Answers != nil} {
		if has {
			list |= 1 << i
		}
	}
	return list
}

// Limits of cached classes. They suffice for real runs; crafted messages could create any number. Classes of this
// many indicators take about 50 MB.
const (
	mostCircumstances = 1 << 10
	mostNames         = 256
	mostHeld          = 1 << 18
)

// classes caches the classes of earlier messages.
type classes struct {
	known  map[circumstances]*class
	shared map[string]*class // by the indicators that apply
	held   int               // how many those are, over all classes
}

// class lists the open checks for messages with the same circumstances.
type class struct {
	targets []*target
	others  []appliedCheck // expressions and semantic matches
	torn    []int          // checks that depend on the ambiguous request
}

// appliedCheck is a check that applies to a message, with its perspective.
type appliedCheck struct {
	check int
	from  perspective
}

// target is a target shared by patterns with the same envelope and perspective.
type target struct {
	path     primitive.Path
	envelope string
	from     perspective
	resolved bool // it has led to something
	text     bool // and that was a text
	coerced  bool // a condition sees non-string values as text
	absence  bool // a condition asks for nothing to be there
	tests    []test
}

// test is a condition shared by patterns with the same target.
type test struct {
	*pattern
	checks []int
}

func (t *target) add(k test) {
	t.coerced = t.coerced || k.condition.Coerced()
	t.absence = t.absence || k.absence
	t.tests = append(t.tests, k)
}

func (r *BatchRun) class(m *capture.Message) *class {
	key := circumstances{protocol: m.Protocol, kind: m.Kind, direction: m.Direction, actor: m.Actor, phase: m.Phase, failed: m.IsError, sender: m.Sender, marks: marksOf(m)}
	if m.Partial {
		key.recorded = strings.Join(m.Recorded, ",")
	}
	if r.batch.operations {
		key.method, key.item, key.enveloped = m.Method, r.batch.itemKind(m), m.Enveloped()
	}
	if c := r.classes.known[key]; c != nil {
		return c
	}
	found, name := r.applying(m)
	c := r.classes.shared[name]
	if c == nil {
		c = r.newClass(found)
		r.classes.add(name, c, len(found.checks))
	}
	if len(r.classes.known) < mostCircumstances && len(m.Protocol)+len(m.Kind.Method)+len(m.Actor)+len(m.Phase)+len(key.method)+len(key.item)+len(key.recorded) <= mostNames {
		r.classes.known[key] = c
	}
	return c
}

func (k *classes) add(name string, c *class, indicators int) {
	if k.held += indicators; k.held > mostHeld || k.known == nil {
		*k = classes{known: map[circumstances]*class{}, shared: map[string]*class{}, held: indicators}
	}
	k.shared[name] = c
}

type findings struct {
	checks []appliedCheck
	torn   []int
}

// applying returns the checks that apply to a message and the name of their class. It records what the capture
// shows.
func (r *BatchRun) applying(m *capture.Message) (found findings, name string) {
	var text []byte
	sights := make([]messageView, len(r.batch.evaluators))
	for i, e := range r.batch.evaluators {
		sights[i] = e.sees(m)
		r.reached[i].note(e, m, &sights[i])
	}
	if m.Marker || m.Synthetic {
		return found, ""
	}
	for i := range r.batch.checks {
		k := &r.batch.checks[i]
		seen := &sights[k.of]
		if seen.unseen || k.fault != nil || k.absent != "" || !k.covers(seen) {
			continue
		}
		from := seen.from
		if k.alias != protocol.NoAlias {
			if k.alias == protocol.AnswerText && m.Answers == nil || k.alias == protocol.TaskMessage && !seen.task {
				continue
			}
			from = perspective{alias: k.alias}
		} else if m.Repeats {
			continue
		}
		s := &r.states[i]
		switch {
		case m.Partial && !k.within(m.Recorded):
			s.unrecorded = true
			continue
		case m.Ambiguous != nil && k.asksRequest(m):
			found.torn = append(found.torn, i)
			text = binary.AppendUvarint(append(text, 0xff), uint64(i))
			continue
		}
		s.applied = true
		if seen.blank {
			continue
		}
		found.checks = append(found.checks, appliedCheck{i, from})
		text = from.appendName(binary.AppendUvarint(text, uint64(i)))
	}
	return found, string(text)
}

// within reports whether an indicator only examines some of the given members.
func (c *indicator) within(members []string) bool {
	if c.Target == nil {
		return false
	}
	first, _, _ := strings.Cut(*c.Target, ".")
	return slices.Contains(members, strings.TrimSuffix(first, "[*]"))
}

func (c *indicator) asksRequest(m *capture.Message) bool {
	switch {
	case m.Kind.Method == "":
		return true
	case c.Method == Expression:
		return strings.Contains(c.expression.CEL, "params") ||
			slices.ContainsFunc(c.expression.Variables, func(v oatf.Variable) bool { return strings.HasPrefix(v.Path, "params") })
	}
	return c.Target == nil || *c.Target == "" || c.within([]string{"params"})
}

// newClass groups checks by target and condition.
func (r *BatchRun) newClass(found findings) *class {
	c := &class{torn: found.torn}
	type place struct {
		target, envelope string
		from             perspective
	}
	type conditionKey struct {
		place
		condition string
	}
	targets, tests := map[place]*target{}, map[conditionKey]int{}
	for _, a := range found.checks {
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
		n, shared := tests[conditionKey{at, k.key}]
		if !shared {
			n = len(t.tests)
			tests[conditionKey{at, k.key}] = n
			t.add(test{pattern: &k.pattern})
		}
		t.tests[n].checks = append(t.tests[n].checks, a.check)
	}
	return c
}
