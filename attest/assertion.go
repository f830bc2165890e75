package attest

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// assertion is one assertion of a request or a suite, ready to be evaluated on any
// trace.
type assertion struct {
	id        string
	requestID string
	layer     int
	node      strictjson.Node
	compiledSpec
}

// compiledSpec is what a spec says; it depends on no trace and no request.
type compiledSpec struct {
	typ   int // index into assertionTypes
	soft  bool
	check check
}

// evaluate evaluates the assertion on a trace. A plugin's result belongs to an
// assertion; all other checks depend on their spec alone.
func (a *assertion) evaluate(ctx context.Context, t *trace) verdict {
	if c, ok := a.check.(pluginCheck); ok {
		c.assertionID = a.id
		return c.evaluate(ctx, t)
	}
	return a.check.evaluate(ctx, t)
}

// check is the compiled spec of an assertion.
type check interface {
	// evaluate checks a trace. It ends early when the context is done; the verdict is
	// worthless then.
	evaluate(ctx context.Context, t *trace) verdict
}

// preparedCheck is a check that tells the trace what it will look for, so that the
// checks on one text share one pass over it: all checks of a batch are prepared before
// the first is evaluated.
type preparedCheck interface {
	check
	prepare(t *trace)
}

// verdict is the outcome of one check.
type verdict struct {
	outcome     outcome
	explanation string
	node        strictjson.Node // the place in the trace; may be absent
	hard        bool            // a failure that "soft" does not soften
	fleeting    bool            // not to be remembered: another time may answer otherwise
	given       *pluginResult   // set: a plugin's status and score stand as they are
}

type outcome uint8

const (
	held outcome = iota
	violated
	unanswerable // the check cannot be answered on this trace: a hard failure always
)

func passed(n strictjson.Node, explanation string) verdict {
	return verdict{outcome: held, node: n, explanation: explanation}
}

func failed(n strictjson.Node, explanation string) verdict {
	return verdict{outcome: violated, node: n, explanation: explanation}
}

func broken(explanation string) verdict {
	return verdict{outcome: unanswerable, explanation: explanation}
}

// status is the protocol's status of a verdict on a soft or a hard assertion.
func (v verdict) status(soft bool) string {
	switch {
	case v.outcome == held:
		return Pass
	case v.outcome == violated && soft && !v.hard:
		return SoftFail
	}
	return HardFail
}

// result is the outcome on the wire, without what the assertion itself brings.
func (v verdict) result(soft bool) Result {
	if v.given != nil {
		return Result{Status: v.given.status, Score: v.given.score, Explanation: v.explanation}
	}
	r := Result{Status: v.status(soft), Explanation: v.explanation}
	if v.outcome == held {
		r.Score = 1
	}
	return r
}

// assertionType is one value of an assertion's "type".
type assertionType struct {
	name    string
	layer   int
	compile func(*spec) check
	keys    []string // members of the spec, for suites: there an unknown one is an error
}

// assertionTypes lists the types of §2.2 and those that the published SDKs send.
var assertionTypes = []assertionType{
	{"schema", 1, compileSchema, []string{"target", "schema", "format"}},
	{"constraint", 2, compileConstraint, []string{"field", "operator", "value", "min", "max", "values", "tolerance", "soft"}},
	{"trace", 3, compileTraceCheck, []string{"check", "tools", "tool", "max_repetitions", "transitions", "depth", "soft"}},
	{"content", 4, compileContent, []string{"target", "check", "value", "values", "soft", "case_sensitive", "word", "normalize"}},
	{"embedding", 5, without("no embedding provider is configured (capability layers_5_6)"), []string{"target", "reference", "threshold", "model", "soft"}},
	{"llm_judge", 6, without("no judge provider is configured (capability layers_5_6)"), []string{"target", "rubric", "prompt", "criteria", "threshold", "model", "soft", "samples", "meta_eval"}},
	{"trace_tree", 3, without("this engine does not evaluate trace trees (capability multi_agent)"), nil},
	{"plugin", 4, compilePlugin, []string{"plugin_id", "config", "soft"}},
}

// namedCheck is one value of the member "check" of a spec.
type namedCheck struct {
	name    string
	compile func(*spec) check
}

func namesOf(list []namedCheck) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.name
	}
	return names
}

// chosen compiles the check that the spec names.
func chosen(s *spec, what string, list []namedCheck) check {
	name := s.choose("check", what, namesOf(list))
	for _, c := range list {
		if c.name == name {
			return c.compile(s)
		}
	}
	return nil
}

func typeNames() []string {
	names := make([]string, len(assertionTypes))
	for i, t := range assertionTypes {
		names[i] = t.name
	}
	return names
}

// unavailable is the check of a known type whose capability is off: the assertion
// fails and says what is missing, the rest of the request is answered.
type unavailable string

func without(reason string) func(*spec) check {
	return func(*spec) check { return unavailable(reason) }
}

func (u unavailable) evaluate(context.Context, *trace) verdict {
	v := broken("Not evaluated: " + string(u) + ".")
	v.fleeting = true
	return v
}

// maxAssertionID is the length limit of assertion_id, in code points.
const maxAssertionID = 256

// tooLongID finds an assertion whose id exceeds the limit: that is refused before
// the trace is looked at.
func tooLongID(list strictjson.Node) *Error {
	i := 0
	for n := range list.Children() {
		id := n.Last("assertion_id")
		if len(id.Raw()) > maxAssertionID {
			if v, ok := id.Text(); ok && utf8.RuneCountInString(v) > maxAssertionID {
				return assertionError(v, i, &problem{
					fmt.Sprintf("assertion_id exceeds %d characters", maxAssertionID),
					fmt.Sprintf("Shorten the assertion_id to at most %d characters.", maxAssertionID), id})
			}
		}
		i++
	}
	return nil
}

// assertionError is a 1002 about assertion i.
func assertionError(id string, i int, p *problem) *Error {
	name := fmt.Sprintf("assertion '%s'", cut(oneLine(id), 64))
	if id == "" {
		name = fmt.Sprintf("assertion at index %d", i)
	}
	return at(p.node, NewError(CodeAssertion, name+" failed: "+p.reason, p.detail))
}

// compile reads assertion i of a list.
func (e *Engine) compile(n strictjson.Node, i int) (assertion, *Error) {
	a := assertion{node: n}
	typ, node, problem := a.read(n)
	if problem == nil {
		problem = a.compileSpec(e, typ, node)
	}
	if problem != nil {
		return a, assertionError(a.id, i, problem)
	}
	return a, nil
}

// read takes over the members of the assertion object and returns the index of its
// type and its spec.
func (a *assertion) read(n strictjson.Node) (typ int, specNode strictjson.Node, problem *problem) {
	s := spec{node: n}
	if !n.Is(strictjson.Object) {
		s.fail(n, "Send every assertion as an object with assertion_id, type and spec.", "must be object, got %s", n.Kind())
		return 0, n, s.problem
	}
	a.id = s.need("assertion_id")
	name := s.node.Last("type")
	typ = slices.IndexFunc(assertionTypes, func(t assertionType) bool { return name.TextIs(t.name) })
	if typ < 0 {
		s.need("type")
	}
	a.requestID = s.text("request_id")
	if s.problem != nil {
		s.problem.detail = "Every assertion needs the strings assertion_id and type and the object spec; request_id is a string when present."
		return 0, n, s.problem
	}
	if typ < 0 {
		unknown, _ := name.Text()
		s.fail(name, fmt.Sprintf("Use one of %s%s.", joinNames(typeNames()), didYouMean(unknown, typeNames())),
			"unknown assertion type '%s'", preview(unknown))
		return 0, n, s.problem
	}
	n, ok := s.member("spec", strictjson.Object)
	if !ok {
		s.required("spec", "an object")
		s.problem.detail = "Add the object spec with the parameters of the assertion; see section 4 of the protocol."
	}
	return typ, n, s.problem
}

// compileSpec compiles a spec, or takes it from the cache: the same specs come with
// every trace, so an engine keeps the compiled ones. It keeps one for equal bytes, which
// two types of assertions hardly ever share.
func (a *assertion) compileSpec(e *Engine, typ int, n strictjson.Node) *problem {
	a.layer = assertionTypes[typ].layer
	key := n.Raw()
	if known, ok := e.specs.get(key); ok && known.typ == typ {
		a.compiledSpec = known
		return nil
	}
	s := &spec{engine: e, node: n}
	a.typ = typ
	a.soft = s.flag("soft") && a.layer > 1 // layer 1 has no soft failures
	a.check = assertionTypes[typ].compile(s)
	if size := len(key); s.problem == nil && size <= maxKeptSpec {
		e.specs.put(key, a.compiledSpec, size+1024+s.weight)
	}
	return s.problem
}

// Bounds of the compiled specs that an engine keeps. A huge one would drive all others
// out.
const (
	specCacheBytes = 16 << 20
	maxKeptSpec    = 64 << 10
)
