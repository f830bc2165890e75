package jsonpath

import (
	"cmp"
	"strconv"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// logical is a logical expression of a filter (RFC 9535 §2.3.5).
type logical interface {
	test(w *walk, current model.Value) bool
}

// operand is an operand of a comparison or an argument of a function. found is false for the special result
// Nothing.
type operand interface {
	value(w *walk, current model.Value) (v model.Value, found bool)
}

type (
	either     []logical // ||
	both       []logical // &&
	not        struct{ inner logical }
	comparison struct {
		left     operand
		operator string
		right    operand
	}
	literal  struct{ model.Value }
	function struct {
		name      string
		arguments []operand
	}
)

func (e either) test(w *walk, current model.Value) bool {
	for _, x := range e {
		if x.test(w, current) {
			return true
		}
	}
	return false
}

func (e both) test(w *walk, current model.Value) bool {
	for _, x := range e {
		if !x.test(w, current) {
			return false
		}
	}
	return true
}

func (e not) test(w *walk, current model.Value) bool { return !e.inner.test(w, current) }

func (q query) test(w *walk, current model.Value) bool {
	_, found := q.value(w, current)
	return found
}

// value returns the first node of a query.
func (q query) value(w *walk, current model.Value) (v model.Value, found bool) {
	w.each(&q, current, func(node model.Value) bool {
		v, found = node, true
		return false
	})
	return v, found
}

func (l literal) value(*walk, model.Value) (v model.Value, found bool) { return l.Value, true }

// test compares two values by RFC 9535 §2.3.5.2.2.
func (c comparison) test(w *walk, current model.Value) bool {
	left, foundLeft := c.left.value(w, current)
	right, foundRight := c.right.value(w, current)
	if !w.weigh(left) {
		return false
	}
	if !foundLeft || !foundRight {
		return nothing(c.operator, foundLeft == foundRight)
	}
	switch c.operator {
	case "==":
		return value.Equal(left, right)
	case "!=":
		return !value.Equal(left, right)
	case "<":
		return less(left, right)
	case ">":
		return less(right, left)
	case "<=":
		return less(left, right) || value.Equal(left, right)
	}
	return less(right, left) || value.Equal(left, right)
}

// nothing compares with Nothing, which is only equal to itself and has no order.
func nothing(operator string, equal bool) bool {
	switch operator {
	case "!=":
		return !equal
	case "<", ">":
		return false
	}
	return equal
}

// less compares two numbers, or two strings by code points. Other values have no order.
func less(a, b model.Value) bool {
	switch a := a.(type) {
	case model.Number:
		b, _ := b.(model.Number)
		order, ok := value.Compare(a, b)
		return ok && order < 0
	case string:
		b, ok := b.(string)
		return ok && cmp.Less(a, b)
	}
	return false
}

// weigh uses the steps for comparing a value.
func (w *walk) weigh(v model.Value) bool {
	const perStep = 64 // bytes
	switch v := v.(type) {
	case string:
		return w.spend(1 + len(v)/perStep)
	case model.Number:
		return w.spend(1 + len(v)/perStep)
	}
	return w.spend(1) && w.eachChild(v, w.weigh)
}

// functions are the functions of RFC 9535 §2.4.
var functions = []string{"length", "count", "value", "match", "search"}

func (f function) value(w *walk, current model.Value) (v model.Value, found bool) {
	if f.name == "length" {
		v, found = f.arguments[0].value(w, current)
		return length(w, v, found)
	}
	nodes, _ := f.arguments[0].(query)
	count := 0
	w.each(&nodes, current, func(node model.Value) bool {
		v, count = node, count+1
		return f.name == "count" || count == 1
	})
	if f.name == "count" {
		return number(count), true
	}
	return v, count == 1
}

func number(n int) model.Number { return model.Number(strconv.Itoa(n)) }

func length(w *walk, v model.Value, found bool) (n model.Value, ok bool) {
	switch v := v.(type) {
	case string:
		return number(utf8.RuneCountInString(v)), found && w.weigh(v)
	case []model.Value:
		return number(len(v)), found
	case model.Object:
		return number(len(v)), found
	}
	return nil, false
}

// test returns the result of match (the whole string) or search (any part).
func (f function) test(w *walk, current model.Value) bool {
	if len(f.arguments) < 2 {
		return false
	}
	subject, _ := f.arguments[0].value(w, current)
	pattern, _ := f.arguments[1].value(w, current)
	text, isText := subject.(string)
	regexText, isPattern := pattern.(string)
	if !isText || !isPattern {
		return false
	}
	regex := w.pattern(regexText, f.name == "match")
	return regex != nil && w.spend(len(text)*regex.perByte) && regex.MatchString(text)
}
