package eval

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/cel/program"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

// Batch evaluates several documents on the same messages. Equal targets and conditions are evaluated once per
// message. A Batch is safe for concurrent use with separate runs.
type Batch struct {
	evaluators []*Evaluator
	checks     []check // the indicators of each document, and then those of aliases
	documents  []int   // end index of each document's checks

	operations bool            // surfaces are operations of some document
	streams    map[string]bool // methods whose items have separate names
	payloads   payloads        // payloads sent by the documents
}

type check struct {
	*indicator
	of    int            // its document
	alias protocol.Alias // examine only the value that the known runner's name refers to
	twin  int            // of an indicator whose target is such a name: the check that looks at that; 0 for none
}

func NewBatch(evaluators ...*Evaluator) *Batch {
	b := &Batch{evaluators: evaluators, streams: map[string]bool{}}
	for _, e := range evaluators {
		b.operations = b.operations || e.profile.Evaluation.Operations
		for _, method := range e.profile.Evaluation.Streams {
			b.streams[method] = true
		}
		for i := range e.indicators {
			b.checks = append(b.checks, check{indicator: &e.indicators[i], of: len(b.documents)})
		}
		b.documents = append(b.documents, len(b.checks))
	}
	for i := range b.checks {
		k := &b.checks[i]
		if k.Target == nil {
			continue
		}
		if alias, works := protocol.AliasOf(k.Protocol, *k.Target); works && alias != protocol.CallOfTool {
			k.twin = len(b.checks)
			b.checks = append(b.checks, check{indicator: k.indicator, of: k.of, alias: alias})
		}
	}
	b.payloads = payloadsOf(evaluators)
	return b
}

// Reading returns reader options that satisfy the documents' requirements: messages of both sides, joined streams,
// params of requests.
func (b *Batch) Reading(o capture.Options) capture.Options {
	if o.Directions == capture.IncomingOnly {
		o.Directions = capture.BothDirections
	}
	o.Known, o.Join = true, true
	for _, e := range b.evaluators {
		o.KeepParams = o.KeepParams || e.profile.Evaluation.AsTriggers && e.cast.hasClient()
	}
	return o
}

func (b *Batch) itemKind(m *capture.Message) string {
	if m.Item != "" {
		return m.Item
	}
	if !b.streams[m.Method] && !b.streams[m.Kind.Method] {
		return ""
	}
	object, _ := m.Value.(oatf.Object)
	kind, _ := object.Get("kind")
	text, _ := kind.(string)
	return text
}

// Start starts a run, the evaluation of a sequence of messages.
func (b *Batch) Start() *BatchRun {
	r := &BatchRun{batch: b, states: make([]state, len(b.checks)), heard: b.hearings(), reached: make([]reach, len(b.evaluators))}
	most := int64(0)
	for i, e := range b.evaluators {
		r.reached[i].delivery.payload = b.payloads.of[i]
		most = max(most, e.opt.MaxSteps)
	}
	r.steps = program.NewSteps(most)
	for i := range r.states {
		r.states[i].noted = &r.noted
	}
	r.visit = r.look
	return r
}

// BatchRun evaluates the documents of a Batch on one sequence of messages. It is not safe for concurrent use.
type BatchRun struct {
	batch   *Batch
	states  []state // of the checks
	heard   []toolCalls
	reached []reach // by the capture, for each document
	classes classes
	steps   *program.Steps
	broken  error // the context's, when a message was not evaluated for its sake
	noted   int

	// The current message and target.
	ctx    context.Context //nolint:containedctx // of the call of Take, which calls Each, which calls look
	m      *capture.Message
	target *target
	found  bool // the target leads to something in it
	sieve  sieve
	visit  func(oatf.Value, *primitive.Trail) bool // look

	from  perspective  // the last one that was taken of the message
	roots []oatf.Value // root values and their views; nil before
	one   [1]oatf.Value

	scratch []byte // a value as text
}

// Take evaluates the indicators that apply to a message (see [Run.Take]).
func (r *BatchRun) Take(ctx context.Context, m *capture.Message) error {
	if err := ctx.Err(); err != nil {
		r.broken = err
		return err
	}
	c := r.class(m)
	r.ctx, r.m, r.from, r.roots = ctx, m, perspective{}, nil
	if m.Marker {
		return nil
	}
	for i := range r.heard {
		r.heard[i].take(m)
	}
	if !m.Synthetic {
		if err := r.evaluate(ctx, c); err != nil {
			return err
		}
	}
	deliver(r, m)
	forget(r)
	return nil
}

// evaluate evaluates all checks of a class on the current message.
func (r *BatchRun) evaluate(ctx context.Context, c *class) error {
	for _, i := range c.torn {
		r.states[i].fail(&r.batch.checks[i], r.m, Place{}, unclear(r.m))
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
	return nil
}

// unclear returns the error for an indicator that depends on an ambiguous request.
func unclear(m *capture.Message) error {
	lines := make([]string, len(m.Ambiguous))
	for i, at := range m.Ambiguous {
		lines[i] = strconv.Itoa(at.Line)
	}
	return &oatf.EvaluationError{Kind: oatf.EvaluationPathResolution, Message: fmt.Sprintf(
		"line %d answers one of the requests on lines %s: they have the same id on one connection, so it is unclear which", m.Line, strings.Join(lines, " and "))}
}

func forget(r *BatchRun) {
	r.roots, r.one[0] = nil, nil
	for i := range r.heard {
		r.heard[i].message = nil
	}
}

// takeTarget evaluates the conditions on the values of a target.
func (r *BatchRun) takeTarget(t *target) {
	r.target, r.found = t, false
	for _, root := range r.rootsFrom(t.from) {
		t.path.Each(root, r.visit)
	}
	if t.envelope != "" && len(t.tests) > 0 {
		t.path.Each(enveloped(r.m, t.envelope), r.visit)
	}
	if t.absence && !r.found && !r.m.Variant {
		r.miss(t)
	}
}

// rootsFrom returns the roots of a message as seen from a perspective: one value, or each answer by the agent.
func (r *BatchRun) rootsFrom(p perspective) []oatf.Value {
	if r.roots != nil && r.from == p {
		return r.roots
	}
	r.from, r.one[0] = p, r.m.Value
	r.roots = r.one[:]
	switch {
	case p.alias != protocol.NoAlias:
		r.roots = aliased(p.alias, r.m)
	case p.task:
		r.one[0] = asTask(r.m.Value)
	case p.profile != nil:
		r.one[0] = r.seen(p)
	}
	return r.roots
}

// miss records that a target does not exist in the message.
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

// look tests the open conditions on one value of the target. It reports whether any remain open.
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
		case sieved && !r.sieve.passes(&k.needle), isText && k.needles.Absent(text):
			i++
		case steps > expression.MaxSteps:
			r.fail(k, k.tooLong(text), at.String())
			i++
		case steps > patientSteps && r.interrupted():
			return false
		case isText && k.work > 0 && !r.steps.Take(int64(k.work)*int64(len(text))):
			r.steps.Over()
			r.fail(k, &oatf.EvaluationError{Kind: oatf.EvaluationRegexTimeout, Message: r.steps.Error(), Cause: ErrSteps}, at.String())
			i++
		case !k.condition.MatchText(v, text, isText):
			i++
		default:
			shown := v
			if isText {
				shown = text // matched text, also of other values
			}
			r.match(k, shown, at.String())
			t.tests = slices.Delete(t.tests, i, i+1)
		}
	}
	return len(t.tests) > 0
}

// mostScratch limits the text buffer that is kept for reuse.
const mostScratch = 1 << 20

// textOf returns a non-string value as the text that string operators are applied to.
func (r *BatchRun) textOf(v oatf.Value) string {
	r.scratch = value.Sorted(r.scratch[:0], v)
	text := string(r.scratch)
	if cap(r.scratch) > mostScratch {
		r.scratch = nil
	}
	return text
}

// resolve records for all indicators with this target that a value, or a text, exists.
func (r *BatchRun) resolve(t *target, text bool) {
	t.resolved, t.text = true, t.text || text
	for i := range t.tests {
		for _, c := range t.tests[i].checks {
			s := &r.states[c]
			s.resolved, s.text = true, s.text || text
		}
	}
}

func (r *BatchRun) interrupted() bool {
	if err := r.ctx.Err(); err != nil && r.broken == nil {
		r.broken = err
	}
	return r.broken != nil
}

// fail records an error for all indicators with a condition.
func (r *BatchRun) fail(t *test, err error, path string) {
	for _, i := range t.checks {
		r.states[i].fail(&r.batch.checks[i], r.m, Place{Path: path, Operator: "regex"}, err)
	}
}

// match records a match for all indicators with a condition, except those that have matched in another class.
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

// takeOther evaluates an expression or semantic match on the message. It returns ctx's error.
func (r *BatchRun) takeOther(ctx context.Context, a appliedCheck) error {
	c, s := &r.batch.checks[a.check], &r.states[a.check]
	if s.matched {
		return nil // in other circumstances
	}
	roots := r.rootsFrom(a.from)
	if c.Envelope != "" {
		roots = append(roots[:len(roots):len(roots)], enveloped(r.m, c.Envelope))
	}
	if c.Method == Expression {
		return r.takeExpression(program.WithSteps(ctx, r.steps), c, s, roots)
	}
	return r.takeSemantic(ctx, c, s, roots)
}

// enveloped returns a message with its envelope. It creates one for a plain payload.
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

// Noted counts significant events so far: matches, errors, higher scores. If Take does not change it, no verdict
// refers to that message, and the caller can release it.
func (r *BatchRun) Noted() int { return r.noted }

// Unread records an unreadable part of the input, such as a truncated line. Every indicator fails, because the
// content is unknown. why is the reason; only the first part is reported.
func (r *BatchRun) Unread(at Place, why string) {
	for i := range r.states {
		if s := &r.states[i]; s.unread == "" {
			s.unread, s.gap = escaped(say.Preview(why, mostDiagnostic)), at
		}
	}
}

// Finish returns the verdicts, in the order of the evaluators (see [Run.Finish]).
func (r *BatchRun) Finish() []AttackVerdict {
	for i := range r.batch.checks {
		if twin := r.batch.checks[i].twin; twin > 0 && !r.states[i].resolved {
			r.states[twin].applied = r.states[twin].applied || r.states[i].applied
			r.states[i] = r.states[twin]
		}
	}
	verdicts := make([]AttackVerdict, len(r.batch.evaluators))
	first := 0
	for i, e := range r.batch.evaluators {
		end := r.batch.documents[i]
		verdicts[i] = e.finish(r.states[first:end], &r.reached[i], r.broken)
		first = end
	}
	return verdicts
}
