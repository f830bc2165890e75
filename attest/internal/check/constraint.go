package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// operators are the comparisons of layer 2 (§4). All but between and in take one number, "value".
var operators = []struct {
	name  string
	holds func(order int) bool // of field against value: -1, 0, 1
}{
	{"lt", func(o int) bool { return o < 0 }},
	{"lte", func(o int) bool { return o <= 0 }},
	{"gt", func(o int) bool { return o > 0 }},
	{"gte", func(o int) bool { return o >= 0 }},
	{"eq", func(o int) bool { return o == 0 }},
	{"!=", func(o int) bool { return o != 0 }},
	{"between", nil},
	{"in", nil},
}

type constraint struct {
	field field
	comparison
}

type comparison struct {
	limit     string // as the explanation names it: "lte 0.01"
	satisfied func(decimal.Number) bool

	// grows reports whether the result for a count also holds for higher counts. nil means unknown.
	grows func(n decimal.Number, held bool) bool
}

// field is the operand of a constraint: a number in the trace, a count, or the sum, minimum or maximum of several
// numbers.
type field struct {
	target.Target
	whole   target.Target // expression with its last name, which can be a member
	reduced string        // "length", "sum", "min" or "max"; "" for the numbers themselves
}

// reductions are the last names in a field path that denote a computation.
var reductions = []string{"length", "sum", "min", "max"}

func compileConstraint(s *spec) Check {
	return &constraint{newField(s.target("field")), compileComparison(s)}
}

// signs are operators as other languages write them.
var signs = map[string]string{
	"<": "lt", "<=": "lte", ">": "gt", ">=": "gte", "=": "eq", "==": "eq", "===": "eq", "ne": "!=", "neq": "!=", "<>": "!=",
	"≤": "lte", "≥": "gte", "≠": "!=", "le": "lte", "ge": "gte",
}

func compileComparison(s *spec) (c comparison) {
	names := make([]string, len(operators))
	for i, o := range operators {
		names[i] = o.name
	}
	if n := s.node.Last("operator"); n.Is(strictjson.String) {
		sign, _ := n.Text()
		if meant := signs[sign]; meant != "" {
			s.fail(n, fmt.Sprintf("Use one of %s.", strings.Join(names, ", ")), "unknown operator '%s'%s", sign, wording.Meant(meant))
			s.problem.Meant = meant
		}
	}
	name := s.choose("operator", "operator", names)
	switch name {
	case "between":
		c.between(s)
	case "in":
		c.oneOf(s)
	default:
		if i := slices.Index(names, name); i >= 0 {
			c.compare(s, name, operators[i].holds)
		}
	}
	return c
}

// compare compares with one value; eq takes a tolerance.
func (c *comparison) compare(s *spec, name string, holds func(int) bool) {
	value := s.needNumber("value")
	c.limit = name + " " + value.Text
	c.satisfied = func(n decimal.Number) bool { return holds(n.Compare(value)) }
	switch name {
	case "lt", "lte":
		c.grows = func(_ decimal.Number, held bool) bool { return !held }
	case "gt", "gte":
		c.grows = func(_ decimal.Number, held bool) bool { return held }
	case "eq":
		c.grows = func(n decimal.Number, _ bool) bool { return n.Compare(value) > 0 }
	}
	tolerance, ok := s.number("tolerance")
	switch {
	case !ok:
	case name != "eq":
		s.fail(s.node.Last("tolerance"), `Remove "tolerance", or use the operator eq.`, "tolerance needs the operator eq, got %s", name)
	case tolerance.Compare(decimal.Number{}) < 0:
		s.fail(s.node.Last("tolerance"), "Use a tolerance of 0 or more.", "tolerance %s is negative", tolerance.Text)
	default:
		c.limit += " ± " + tolerance.Text
		c.satisfied = func(n decimal.Number) bool { return n.Near(value, tolerance) }
	}
}

func (s *spec) minAboveMax(low, high string) {
	s.fail(s.node.Last("min"), "Swap min and max: no value is between them.", "min %s is greater than max %s", low, high)
}

// between compares with two inclusive bounds.
func (c *comparison) between(s *spec) {
	low, high := s.needNumber("min"), s.needNumber("max")
	if s.problem != nil {
		return
	}
	if low.Compare(high) > 0 {
		s.minAboveMax(low.Text, high.Text)
	}
	c.limit = fmt.Sprintf("between %s and %s", low.Text, high.Text)
	c.satisfied = func(n decimal.Number) bool { return n.Compare(low) >= 0 && n.Compare(high) <= 0 }
	c.grows = func(n decimal.Number, _ bool) bool { return n.Compare(high) > 0 }
}

// oneOf compares with a list of values.
func (c *comparison) oneOf(s *spec) {
	list, ok := s.member("values", strictjson.Array)
	if !ok || list.Len() == 0 {
		s.required("values", "a list of numbers with at least one element")
		return
	}
	var values []decimal.Number
	var texts []string
	for n := range list.Children() {
		v, ok := decimal.Parse(n.Raw())
		if !n.Is(strictjson.Number) || !ok {
			s.fail(n, `Write only numbers in "values", without quotes.`, "values[%d] must be a number", len(values))
			return
		}
		values, texts = append(values, v), append(texts, v.Text)
	}
	c.limit = "in [" + strings.Join(texts[:min(len(texts), wording.MaxListed)], ", ") + "]"
	c.satisfied = func(n decimal.Number) bool {
		return slices.ContainsFunc(values, func(v decimal.Number) bool { return n.Compare(v) == 0 })
	}
}

func newField(t target.Target) field {
	f := field{Target: t, whole: t}
	if len(t.Path) == 0 {
		return f
	}
	last := t.Path[len(t.Path)-1]
	several := slices.ContainsFunc(t.Path, func(s target.Segment) bool { return s.Kind == target.Every })
	if last.Kind == target.Key && slices.Contains(reductions, last.Name) && (last.Name == "length" || several) {
		f.reduced = last.Name
		f.Path = t.Path[:len(t.Path)-1]
	}
	return f
}

func (c *constraint) evaluate(_ context.Context, s *Subject) Verdict {
	var first, bad decimal.Number
	count, holds := 0, true
	node, problem := c.field.numbers(s, func(n decimal.Number) {
		if count++; count == 1 {
			first = n
		}
		if holds && !c.satisfied(n) {
			bad, holds = n, false
		}
	})
	switch {
	case problem != "":
		return broken(c.field.Shown+" "+problem+".").because(constraintUnanswerable, c.field.Shown, strings.TrimPrefix(problem, "= "))
	case !holds:
		return failed(node, c.field.Shown+" = "+bad.Text+", constraint "+c.limit+" violated.").because(constraintViolated, c.limit, bad.Text)
	}
	shown := first.Text
	if count > 1 {
		shown += fmt.Sprintf(" (and %d more)", count-1)
	}
	return passed(node, c.field.Shown+" = "+shown+", constraint "+c.limit+" satisfied.")
}

// numbers passes the field's numbers to take. It returns the node of the first, or a problem if there are none.
func (f *field) numbers(s *Subject, take func(decimal.Number)) (from strictjson.Node, problem string) {
	if n, ok := f.countSteps(s.Trace); ok {
		take(decimal.FromInt(n))
		return s.Trace.Members[trace.Steps], ""
	}
	if total, ok, missing := f.treeTotal(s); missing != "" {
		return from, missing
	} else if ok {
		take(total)
		return s.Trace.Members[trace.Metadata], ""
	}
	if f.reduced == "length" {
		if list, m := f.Resolve(&s.Targets); m == nil && len(list.Nodes) == 1 && list.Nodes[0].Is(strictjson.Array) {
			take(decimal.FromInt(list.Nodes[0].Len()))
			return list.Nodes[0], ""
		}
	}
	var values target.Found
	var m *target.Missing
	if f.reduced == "" || f.reduced == "length" {
		values, m = f.whole.Resolve(&s.Targets)
	} else {
		values, m = f.ResolveSome(&s.Targets)
	}
	if m != nil {
		return from, "is not set in the trace: " + m.Reason
	}
	return f.each(values.Nodes, take)
}

// treeTotal returns the tokens of an imported trace including its sub-traces, because importers count each
// separately.
func (f *field) treeTotal(s *Subject) (total decimal.Number, ok bool, missing string) {
	if s.coverage == nil || f.Root != trace.Metadata || f.reduced != "" || len(f.Path) != 1 || f.Path[0].Kind != target.Key || f.Path[0].Name != "total_tokens" {
		return total, false, ""
	}
	var sum decimal.Sum
	levels, counted := 0, 0
	for level := range s.Trace.Levels() {
		levels++
		own := level.Members[trace.Metadata].Last("total_tokens")
		number, valid := decimal.Parse(own.Raw())
		switch {
		case valid && own.Is(strictjson.Number):
			counted++
			sum.Add(number)
		case level.CountOfType(trace.LLMCall) > 0:
			return total, false, "is not set in the trace: a model answer does not report its tokens"
		}
	}
	return sum.Number(), levels > 1 && counted > 0, ""
}

func (f *field) each(nodes []strictjson.Node, take func(decimal.Number)) (from strictjson.Node, problem string) {
	each, reduced := f.reduction(take)
	for _, n := range nodes {
		if n.Is(strictjson.Null) {
			return n, "is not set in the trace: it is null"
		}
		number, ok := decimal.Parse(n.Raw())
		if !ok || !n.Is(strictjson.Number) {
			return n, "= " + wording.ShowValue(n) + " is not a number that can be compared"
		}
		each(number)
	}
	reduced()
	return nodes[0], ""
}

// countSteps counts the steps for steps.length and steps[?…].length by the index.
func (f *field) countSteps(t *trace.Trace) (int, bool) {
	if f.reduced != "length" || f.Root != trace.Steps || len(f.Path) > 1 {
		return 0, false
	}
	if len(f.Path) == 0 {
		return len(t.Steps), true
	}
	switch s := f.Path[0]; s.Kind {
	case target.StepByName:
		return len(t.StepsNamed(s.Name)), true
	case target.StepByType:
		return t.CountOfType(s.Name), true
	case target.Every:
		return len(t.Steps), true
	}
	return 0, false
}

// reduction returns a function that takes numbers and passes on each, or at the end their reduction.
func (f *field) reduction(take func(decimal.Number)) (each func(decimal.Number), end func()) {
	var sum decimal.Sum
	var best *decimal.Number
	better := func(order int) func(decimal.Number) {
		return func(n decimal.Number) {
			if best == nil || n.Compare(*best) == order {
				best = &n
			}
		}
	}
	extreme := func() { take(*best) }
	switch f.reduced {
	case "sum":
		return sum.Add, func() { take(sum.Number()) }
	case "min":
		return better(-1), extreme
	case "max":
		return better(1), extreme
	}
	return take, func() {}
}
