package eval

import (
	"context"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

// Batch is several documents that are evaluated on the same messages. Indicators with the
// same target find it in a message once, and those with the same condition try it once.
// Several goroutines may use a Batch, each with a run of its own.
type Batch struct {
	evaluators []*Evaluator
	checks     []check

	operations bool            // surfaces are operations of some document
	streams    map[string]bool // the methods whose items have names of their own
}

// check is one indicator of one of the documents.
type check struct{ *indicator }

// NewBatch puts evaluators together.
func NewBatch(evaluators ...*Evaluator) *Batch {
	b := &Batch{evaluators: evaluators, streams: map[string]bool{}}
	for _, e := range evaluators {
		b.operations = b.operations || e.profile.Evaluation.Operations
		for _, method := range e.profile.Evaluation.Streams {
			b.streams[method] = true
		}
		for i := range e.indicators {
			b.checks = append(b.checks, check{&e.indicators[i]})
		}
	}
	return b
}

// Reading returns the options of a reader with what the documents need of it: the messages of
// both sides, and the params of requests, under the revision 2026-03.
func (b *Batch) Reading(o capture.Options) capture.Options {
	if b.operations && o.Directions == capture.IncomingOnly {
		o.Directions = capture.BothDirections
	}
	for _, e := range b.evaluators {
		o.KeepParams = o.KeepParams || e.profile.Evaluation.AsTriggers && e.cast.hasClient()
	}
	return o
}

// itemKind is what tells the items of streams apart; "" for what is none.
func (b *Batch) itemKind(m *capture.Message) string {
	if !b.streams[m.Method] && !b.streams[m.Kind.Method] {
		return ""
	}
	object, _ := m.Value.(oatf.Object)
	kind, _ := object.Get("kind")
	text, _ := kind.(string)
	return text
}

// Start begins a run of messages.
func (b *Batch) Start() *BatchRun {
	r := &BatchRun{batch: b, states: make([]state, len(b.checks)), heard: b.hearings()}
	for i := range r.states {
		r.states[i].noted = &r.noted
	}
	r.visit = r.look
	return r
}

// BatchRun is the evaluation of the documents of a Batch on one run of messages. It is for
// one goroutine.
type BatchRun struct {
	batch   *Batch
	states  []state // of the checks
	heard   []hearing
	classes classes
	broken  error // the context's, when a message was not evaluated for its sake
	noted   int

	// The message that is being looked at, and the target that is looked for.
	ctx    context.Context //nolint:containedctx // of the call of Take, which calls Each, which calls look
	m      *capture.Message
	target *target
	found  bool // the target leads to something in it
	sieve  sieve
	visit  func(oatf.Value, *primitive.Trail) bool // look

	from perspective // the last one that was taken of the message
	root oatf.Value  // and what is seen from there; nil before

	scratch []byte // a value as text
}

// Take evaluates the indicators that apply to a message, see [Run.Take].
func (r *BatchRun) Take(ctx context.Context, m *capture.Message) error {
	if err := ctx.Err(); err != nil {
		r.broken = err
		return err
	}
	c := r.class(m)
	r.ctx, r.m, r.from, r.root = ctx, m, perspective{}, nil
	for i := range r.heard {
		r.heard[i].take(m)
	}
	for _, t := range c.targets {
		if len(t.tests) > 0 {
			r.takeTarget(t)
		}
		if r.broken != nil {
			return r.broken
		}
	}
	open := c.others[:0]
	for _, a := range c.others {
		if err := r.takeOther(ctx, a); err != nil {
			r.broken = err
			return err
		}
		if !r.states[a.check].matched {
			open = append(open, a)
		}
	}
	c.others = open
	r.forget()
	return nil
}

// forget lets go of a message, which may be large, before the next one is read.
func (r *BatchRun) forget() {
	r.root = nil
	for i := range r.heard {
		r.heard[i].message = nil
	}
}

// takeTarget looks at the values of a target.
func (r *BatchRun) takeTarget(t *target) {
	r.target, r.found = t, false
	t.path.Each(r.rootFrom(t.from), r.visit)
	if t.envelope != "" && len(t.tests) > 0 {
		t.path.Each(enveloped(r.m, t.envelope), r.visit)
	}
	if t.absence && !r.found {
		r.miss(t)
	}
}

// rootFrom is the message as it is seen.
func (r *BatchRun) rootFrom(p perspective) oatf.Value {
	if p.profile == nil {
		return r.m.Value
	}
	if r.from != p {
		r.from, r.root = p, r.seen(p)
	}
	return r.root
}

// miss takes over for those who ask for it that a target leads to nothing in the message.
func (r *BatchRun) miss(t *target) {
	for i := range t.tests {
		if k := &t.tests[i]; k.absence {
			for _, c := range k.checks {
				r.states[c].miss(&r.batch.checks[c], r.m)
			}
			t.tests = slices.Delete(t.tests, i, i+1)
			return // conditions that are the same share a test
		}
	}
}

// look tries the open conditions on one value at the target. It returns whether any are
// left.
func (r *BatchRun) look(v oatf.Value, at *primitive.Trail) bool {
	t := r.target
	r.found = true
	text, ok := v.(string)
	if !t.resolved || ok && !t.text {
		r.resolve(t, ok)
	}
	if !ok && t.coerced {
		text = r.textOf(v)
	}
	sieved := (ok || t.coerced) && len(t.tests) >= worthSieving
	if sieved {
		r.sieve.fill(text)
	}
	for i := 0; i < len(t.tests); {
		k := &t.tests[i]
		isText := ok || k.condition.Coerced()
		steps := 0
		if isText {
			steps = k.steps(text)
		}
		switch {
		case sieved && !r.sieve.passes(&k.needle):
			i++
		case steps > expression.MaxSteps:
			r.fail(k, k.tooLong(text), at.String())
			i++
		case steps > patientSteps && r.interrupted():
			return false
		case !k.condition.MatchText(v, text, isText):
			i++
		default:
			shown := v
			if isText {
				shown = text // what matched, also of what is no string
			}
			r.match(k, shown, at.String())
			t.tests = slices.Delete(t.tests, i, i+1)
		}
	}
	return len(t.tests) > 0
}

// mostScratch is how many bytes are kept for the next value as text.
const mostScratch = 1 << 20

// textOf is what the operators on strings see of a value that is none.
func (r *BatchRun) textOf(v oatf.Value) string {
	r.scratch = value.Sorted(r.scratch[:0], v)
	text := string(r.scratch)
	if cap(r.scratch) > mostScratch {
		r.scratch = nil
	}
	return text
}

// resolve notes for all indicators that wait at a target that there is a value, or a text.
func (r *BatchRun) resolve(t *target, text bool) {
	t.resolved, t.text = true, t.text || text
	for i := range t.tests {
		for _, c := range t.tests[i].checks {
			s := &r.states[c]
			s.resolved, s.text = true, s.text || text
		}
	}
}

// interrupted says whether the context is done, in the middle of a message.
func (r *BatchRun) interrupted() bool {
	if err := r.ctx.Err(); err != nil && r.broken == nil {
		r.broken = err
	}
	return r.broken != nil
}

// fail takes an error over for all indicators that wait for a condition.
func (r *BatchRun) fail(t *test, err error, path string) {
	for _, i := range t.checks {
		r.states[i].fail(&r.batch.checks[i], r.m, Place{Path: path, Operator: "regex"}, err)
	}
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
func (r *BatchRun) takeOther(ctx context.Context, a applied) error {
	c, s := &r.batch.checks[a.check], &r.states[a.check]
	if s.matched {
		return nil // in other circumstances
	}
	roots := [2]oatf.Value{r.rootFrom(a.from)}
	count := 1
	if c.Envelope != "" {
		roots[1], count = enveloped(r.m, c.Envelope), 2
	}
	if c.Method == Expression {
		return r.takeExpression(ctx, c, s, roots[:count])
	}
	return r.takeSemantic(ctx, c, s, roots[:count])
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

// Noted counts how often an indicator has found something in a message so far: a match, an
// error, a higher score. A verdict names none of the messages during whose Take it stayed the
// same, so that a caller who shows messages beside verdicts need not keep those.
func (r *BatchRun) Noted() int { return r.noted }

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
