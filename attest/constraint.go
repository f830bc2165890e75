package attest

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// operators compare a field with the numbers of the spec (§4, layer 2). All but
// between and in take one number, "value".
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

// constraint is a check of layer 2.
type constraint struct {
	field     field
	limit     string // as the explanation names it: "lte 0.01"
	satisfied func(number) bool
}

// field is what a constraint compares: a number in the trace, a count of steps or of
// elements, or the sum, the least or the greatest of several numbers.
type field struct {
	target
	whole   target // the expression with its last name, which may be a member's name
	reduced string // "length", "sum", "min" or "max"; "" for the numbers themselves
}

// reductions are the last names of a field that stand for a computation.
var reductions = []string{"length", "sum", "min", "max"}

func compileConstraint(s *spec) check {
	c := &constraint{field: newField(s.target("field"))}
	names := make([]string, len(operators))
	for i, o := range operators {
		names[i] = o.name
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

// compare makes the comparison with one value; eq takes a tolerance.
func (c *constraint) compare(s *spec, name string, holds func(int) bool) {
	value := s.needNumber("value")
	c.limit = name + " " + value.text
	c.satisfied = func(n number) bool { return holds(n.compare(value)) }
	tolerance, ok := s.number("tolerance")
	switch {
	case !ok:
	case name != "eq":
		s.fail(s.node.Last("tolerance"), "Remove 'tolerance', or use the operator eq.", "tolerance needs the operator eq, got %s", name)
	case tolerance.compare(number{}) < 0:
		s.fail(s.node.Last("tolerance"), "Use a tolerance of 0 or more.", "tolerance %s is negative", tolerance.text)
	default:
		c.limit += " ± " + tolerance.text
		c.satisfied = func(n number) bool {
			distance := new(big.Rat).Sub(n.rat(), value.rat())
			return distance.Abs(distance).Cmp(tolerance.rat()) <= 0
		}
	}
}

// between makes the comparison with two bounds, both inclusive.
func (c *constraint) between(s *spec) {
	low, high := s.needNumber("min"), s.needNumber("max")
	if s.problem != nil {
		return
	}
	if low.compare(high) > 0 {
		s.fail(s.node.Last("min"), "Swap min and max: nothing lies between them.", "min %s is greater than max %s", low.text, high.text)
	}
	c.limit = fmt.Sprintf("between %s and %s", low.text, high.text)
	c.satisfied = func(n number) bool { return n.compare(low) >= 0 && n.compare(high) <= 0 }
}

// oneOf makes the comparison with a list of values.
func (c *constraint) oneOf(s *spec) {
	list, ok := s.member("values", strictjson.Array)
	if !ok || list.Len() == 0 {
		s.required("values", "a list of numbers with at least one element")
		return
	}
	var values []number
	var texts []string
	for n := range list.Children() {
		v, ok := parseNumber(n.Raw())
		if !n.Is(strictjson.Number) || !ok {
			s.fail(n, "Every element of 'values' must be a number.", "values[%d] must be a number", len(values))
			return
		}
		values, texts = append(values, v), append(texts, v.text)
	}
	c.limit = "in [" + strings.Join(texts[:min(len(texts), maxListed)], ", ") + "]"
	c.satisfied = func(n number) bool {
		return slices.ContainsFunc(values, func(v number) bool { return n.compare(v) == 0 })
	}
}

// newField splits a reduction off a target.
func newField(t target) field {
	f := field{target: t, whole: t}
	if len(t.path) == 0 {
		return f
	}
	last := t.path[len(t.path)-1]
	several := slices.ContainsFunc(t.path, func(s segment) bool { return s.kind == every })
	if last.kind == key && slices.Contains(reductions, last.name) && (last.name == "length" || several) {
		f.reduced = last.name
		f.path = t.path[:len(t.path)-1]
	}
	return f
}

func (c *constraint) evaluate(_ context.Context, t *trace) verdict {
	numbers, node, problem := c.field.numbers(t)
	if problem != "" {
		return broken(c.field.shown + " " + problem + ".")
	}
	for _, n := range numbers {
		if !c.satisfied(n) {
			return failed(node, c.field.shown+" = "+n.text+", constraint "+c.limit+" violated.")
		}
	}
	shown := numbers[0].text
	if len(numbers) > 1 {
		shown += fmt.Sprintf(" (and %d more)", len(numbers)-1)
	}
	return passed(node, c.field.shown+" = "+shown+", constraint "+c.limit+" satisfied.")
}

// numbers resolves the field in a trace: at least one number, and the node that the
// first one comes from; or why there is none.
func (f *field) numbers(t *trace) (list []number, from strictjson.Node, problem string) {
	if n, ok := f.countSteps(t); ok {
		return []number{intNumber(n)}, t.members[mSteps], ""
	}
	if f.reduced == "length" {
		if list, m := f.resolve(t); m == nil && len(list.nodes) == 1 && list.nodes[0].Is(strictjson.Array) {
			return []number{intNumber(list.nodes[0].Len())}, list.nodes[0], ""
		}
	}
	var values found
	var m *missing
	if f.reduced == "" || f.reduced == "length" {
		values, m = f.whole.resolve(t)
	} else {
		values, m = f.resolveSome(t)
	}
	if m != nil {
		return nil, from, "is not set in the trace: " + m.reason
	}
	list = make([]number, len(values.nodes))
	for i, n := range values.nodes {
		if n.Is(strictjson.Null) {
			return nil, n, "is not set in the trace: it is null"
		}
		var ok bool
		if list[i], ok = parseNumber(n.Raw()); !ok || !n.Is(strictjson.Number) {
			return nil, n, "= " + showValue(n) + " is not a number that can be compared"
		}
	}
	return f.reduce(list), values.nodes[0], ""
}

// countSteps answers steps.length and steps[?…].length from the index; no match is 0.
func (f *field) countSteps(t *trace) (int, bool) {
	if f.reduced != "length" || f.root != mSteps || len(f.path) > 1 {
		return 0, false
	}
	if len(f.path) == 0 {
		return len(t.steps), true
	}
	switch s := f.path[0]; s.kind {
	case stepByName:
		return len(t.stepsNamed(s.name)), true
	case stepByType:
		return t.countOfType(s.name), true
	case every:
		return len(t.steps), true
	}
	return 0, false
}

// reduce computes sum, min and max.
func (f *field) reduce(list []number) []number {
	switch f.reduced {
	case "sum":
		sum, digits := new(big.Rat), 0
		for _, n := range list {
			sum.Add(sum, n.rat())
			digits = max(digits, len(n.text))
		}
		return []number{{exact: sum, text: plain(sum, digits)}}
	case "min":
		return []number{slices.MinFunc(list, number.compare)}
	case "max":
		return []number{slices.MaxFunc(list, number.compare)}
	}
	return list
}
