package eval

import (
	"context"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
)

// Batch is several documents that are evaluated on the same messages. Indicators with the
// same target find it in a message once, and those with the same condition try it once.
// Several goroutines may use a Batch, each with a run of its own.
type Batch struct {
	evaluators []*Evaluator
	checks     []check
}

// check is one indicator of one of the documents.
type check struct {
	*indicator
	cast cast
}

// NewBatch puts evaluators together.
func NewBatch(evaluators ...*Evaluator) *Batch {
	b := &Batch{evaluators: evaluators}
	for _, e := range evaluators {
		for i := range e.indicators {
			b.checks = append(b.checks, check{&e.indicators[i], e.cast})
		}
	}
	return b
}

// Start begins a run of messages.
func (b *Batch) Start() *BatchRun {
	r := &BatchRun{batch: b, states: make([]state, len(b.checks)), classes: map[circumstances]*class{}}
	r.visit = r.look
	return r
}

// BatchRun is the evaluation of the documents of a Batch on one run of messages. It is for
// one goroutine.
type BatchRun struct {
	batch   *Batch
	states  []state // of the checks
	classes map[circumstances]*class
	broken  error // the context's, when a message was not evaluated for its sake

	// The message that is being looked at, and the target that is looked for.
	m      *capture.Message
	target *target
	sieve  sieve
	visit  func(oatf.Value, *primitive.Trail) bool // look
}

// circumstances are what decides which indicators apply to a message.
type circumstances struct {
	protocol     oatf.Protocol
	kind         oatf.MessageKind
	direction    capture.Direction
	actor, phase string
}

// A message has circumstances of its own choice: as many are remembered as there are in
// honest runs, and none with long names.
const (
	mostClasses    = 1 << 10
	mostClassBytes = 256
)

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
	tests    []test
}

// test is a condition that patterns of the same target share.
type test struct {
	condition *primitive.Condition
	needle    needle
	checks    []int
}

// Take evaluates the indicators that apply to a message, see [Run.Take].
func (r *BatchRun) Take(ctx context.Context, m *capture.Message) error {
	if err := ctx.Err(); err != nil {
		r.broken = err
		return err
	}
	c := r.class(m)
	r.m = m
	for _, t := range c.targets {
		if len(t.tests) > 0 {
			r.takeTarget(t)
		}
	}
	open := c.others[:0]
	for _, i := range c.others {
		if err := r.takeOther(ctx, i); err != nil {
			r.broken = err
			return err
		}
		if !r.states[i].matched {
			open = append(open, i)
		}
	}
	c.others = open
	return nil
}

// takeTarget looks at the values of a target.
func (r *BatchRun) takeTarget(t *target) {
	r.target = t
	t.path.Each(r.m.Value, r.visit)
	if t.envelope != "" && len(t.tests) > 0 {
		t.path.Each(enveloped(r.m, t.envelope), r.visit)
	}
}

// look tries the open conditions on one value at the target. It returns whether any are
// left.
func (r *BatchRun) look(v oatf.Value, at *primitive.Trail) bool {
	t := r.target
	if !t.resolved {
		t.resolved = true
		for i := range t.tests {
			for _, c := range t.tests[i].checks {
				r.states[c].resolved = true
			}
		}
	}
	text, ok := v.(string)
	sieved := ok && len(t.tests) >= worthSieving
	if sieved {
		r.sieve.fill(text)
	}
	for i := 0; i < len(t.tests); {
		if sieved && !r.sieve.passes(&t.tests[i].needle) || !t.tests[i].condition.Match(v) {
			i++
			continue
		}
		r.match(&t.tests[i], v, at.String())
		t.tests = slices.Delete(t.tests, i, i+1)
	}
	return len(t.tests) > 0
}

// match takes a match over for all indicators that wait for it, but for those that have
// matched in other circumstances.
func (r *BatchRun) match(t *test, v oatf.Value, path string) {
	operator, start, end := t.condition.Why(v)
	if operator == primitive.Equality {
		operator = "equals"
	}
	for _, i := range t.checks {
		if s := &r.states[i]; !s.matched {
			s.match(&r.batch.checks[i], r.m, Place{Path: path, Operator: operator}, v, start, end)
		}
	}
}

// takeOther tries an expression or a semantic match on the message. The error is that of
// the context.
func (r *BatchRun) takeOther(ctx context.Context, i int) error {
	c, s := &r.batch.checks[i], &r.states[i]
	if s.matched {
		return nil // in other circumstances
	}
	roots := [2]oatf.Value{r.m.Value}
	count := 1
	if c.Envelope != "" {
		roots[1], count = enveloped(r.m, c.Envelope), 2
	}
	if c.Method == Expression {
		return r.takeExpression(ctx, c, s, roots[:count])
	}
	return r.takeSemantic(ctx, c, s, roots[:count])
}

// class finds what applies to a message.
func (r *BatchRun) class(m *capture.Message) *class {
	key := circumstances{m.Protocol, m.Kind, m.Direction, m.Actor, m.Phase}
	if c := r.classes[key]; c != nil {
		return c
	}
	c := r.newClass(m)
	if len(r.classes) < mostClasses && len(m.Protocol)+len(m.Kind.Method)+len(m.Actor)+len(m.Phase) <= mostClassBytes {
		r.classes[key] = c
	}
	return c
}

func (r *BatchRun) newClass(m *capture.Message) *class {
	c := &class{}
	type place struct{ target, envelope string }
	type looking struct {
		place
		condition string
	}
	targets, tests := map[place]*target{}, map[looking]int{}
	for i := range r.batch.checks {
		k, s := &r.batch.checks[i], &r.states[i]
		if s.matched || k.fault != nil || k.absent != "" || !k.covers(k.cast.complete(m)) {
			continue
		}
		s.applied = true
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
			t.tests = append(t.tests, test{condition: k.condition, needle: k.needle})
		}
		t.tests[n].checks = append(t.tests[n].checks, i)
	}
	return c
}

// enveloped is the value of a message in its envelope; that of a plain payload is made for
// it.
func enveloped(m *capture.Message, member string) oatf.Value {
	role := oatf.RoleRequest
	if member == "result" {
		role = oatf.RoleResponse
	}
	if root, ok := m.Wrapped(role); ok {
		return root
	}
	return oatf.Object{{Key: member, Value: m.Value}}
}

// Unread tells the run of a part of it that cannot be read, such as a line that is cut off.
// It counts as a message on which every indicator fails: nobody knows what it says. why is
// what is wrong with it; only the first such part is told of.
func (r *BatchRun) Unread(at Place, why string) {
	for i := range r.states {
		if s := &r.states[i]; s.unread == "" {
			s.unread, s.gap = escaped(say.Preview(why, mostDiagnostic)), at
		}
	}
}

// Finish gives the verdicts on the messages that were taken, in the order of the
// evaluators; see [Run.Finish].
func (r *BatchRun) Finish() []AttackVerdict {
	verdicts := make([]AttackVerdict, len(r.batch.evaluators))
	first := 0
	for i, e := range r.batch.evaluators {
		verdicts[i] = e.finish(r.states[first:first+len(e.indicators)], r.broken)
		first += len(e.indicators)
	}
	return verdicts
}
