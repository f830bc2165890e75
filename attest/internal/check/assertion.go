package check

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/drift"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Assertion is a compiled assertion of a request or suite.
type Assertion struct {
	ID        string
	RequestID string
	Layer     int
	Node      strictjson.Node
	Compiled
}

// Compiled is a compiled spec, independent of trace and request.
type Compiled struct {
	Type  int // index into types
	Soft  bool
	Check Check
}

// Evaluate evaluates the assertion on a trace.
func (a *Assertion) Evaluate(ctx context.Context, s *Subject) Verdict {
	if c, ok := a.Check.(pluginCheck); ok {
		c.assertionID = a.ID
		return c.evaluate(ctx, s)
	}
	return doubted(a.Check, s, a.Check.evaluate(ctx, s))
}

// Dynamic reports whether the assertion's threshold depends on its earlier scores.
func (a *Assertion) Dynamic() bool {
	c, ok := a.Check.(pastCheck)
	return ok && c.dynamic()
}

// Against sets the threshold of a dynamic assertion from its earlier scores.
func (a *Assertion) Against(past drift.Stats) {
	if c, ok := a.Check.(pastCheck); ok {
		a.Check = c.against(past)
	}
}

// Prepare registers the words that the assertion searches for.
func (a *Assertion) Prepare(s *Subject) {
	if c, ok := a.Check.(preparedCheck); ok {
		c.prepare(s)
	}
}

// Question returns the question to ask about the trace, or nil if Evaluate does not wait for a service.
func (a *Assertion) Question(s *Subject) *Question {
	c, slow := a.Check.(slowCheck)
	if !slow {
		return nil
	}
	q, _ := c.question(s)
	return q
}

const maxAssertionID = 256

// TooLongID returns a problem if an assertion id exceeds the limit.
func TooLongID(n strictjson.Node) (id string, p *Problem) {
	member := n.Last("assertion_id")
	if len(member.Raw()) <= maxAssertionID {
		return "", nil
	}
	if id, _ = member.Text(); utf8.RuneCountInString(id) <= maxAssertionID {
		return "", nil
	}
	return id, &Problem{
		Reason: fmt.Sprintf("assertion_id exceeds %d characters", maxAssertionID),
		Detail: fmt.Sprintf("Shorten the assertion_id to at most %d characters.", maxAssertionID), Node: member,
	}
}

// read reads the members of the assertion object. It returns the index of its type and its spec.
func (a *Assertion) read(n strictjson.Node) (typ int, specNode strictjson.Node, problem *Problem) {
	s := spec{node: n}
	if !n.Is(strictjson.Object) {
		s.fail(n, "Send every assertion as an object with assertion_id, type and spec.", "must be object, got %s", n.Kind())
		return 0, n, s.problem
	}
	a.ID = s.need("assertion_id")
	name := s.node.Last("type")
	typ = slices.IndexFunc(types, func(t assertionType) bool { return name.TextIs(t.name) })
	if typ < 0 {
		s.need("type")
	}
	a.RequestID = s.text("request_id")
	if s.problem != nil {
		s.problem.Detail = "Every assertion needs the strings assertion_id and type and the object spec; request_id is a string when present."
		return 0, n, s.problem
	}
	if typ < 0 {
		unknown, _ := name.Text()
		s.unknown(name, "assertion type", unknown, fmt.Sprintf("Use one of %s.", wording.JoinNames(TypeNames())), TypeNames())
		return 0, n, s.problem
	}
	n, ok := s.member("spec", strictjson.Object)
	if !ok {
		s.required("spec", "an object")
		s.problem.Detail = "Add the object spec with the parameters of the assertion; see section 4 of the protocol."
	}
	return typ, n, s.problem
}

// LastFreeLayer is the last layer that does not call a provider (§4).
const LastFreeLayer = 4

// Costly reports whether the evaluation calls a provider.
func (a *Assertion) Costly() bool {
	_, off := a.Check.(unavailable)
	return a.Layer > LastFreeLayer && !off
}

// Unavailable reports why the assertion cannot be evaluated on any trace (its model is not configured) and how to
// configure it.
func (a *Assertion) Unavailable() (reason, action string, off bool) {
	u, off := a.Check.(unavailable)
	if !off {
		return "", "", false
	}
	return u.reason, failureReasons[u.failing].action, true
}

type Kind struct {
	Type  string
	Layer int // 1 to 6; 7 for trace trees, 8 for plugins; 0: unknown type
}

func (a *Assertion) Kind() Kind {
	if a.Layer == 0 {
		return Kind{}
	}
	t := types[a.Type]
	switch t.name {
	case "trace_tree":
		return Kind{t.name, 7}
	case "plugin":
		return Kind{t.name, 8}
	}
	return Kind{t.name, t.layer}
}
