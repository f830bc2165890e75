package jsonpath

import (
	"fmt"

	"github.com/cupel-dev/cupel/oatf/model"
)

// The limits of an evaluation.
const (
	// MaxDepth limits the levels of a descendant segment.
	MaxDepth = 64
	// MaxSteps limits an evaluation: one step per visited node, and proportional steps for searches, comparisons
	// and patterns. It allows several descents through ten megabytes; nested descents and filters would take a
	// power of the size.
	MaxSteps = 20_000_000
)

// Each calls visit for each selected node in the order of RFC 9535 §2.1.2, with object members in order, until
// visit returns false. It is lazy. It returns an error beyond MaxDepth or MaxSteps.
func (q *Query) Each(value model.Value, visit func(model.Value) bool) error {
	_, err := q.eachWithin(MaxSteps, value, visit)
	return err
}

func (q *Query) eachWithin(limit int, value model.Value, visit func(model.Value) bool) (steps int, err error) {
	w := &walk{root: value, limit: limit, steps: limit}
	w.each(&q.query, value, visit)
	return limit - max(w.steps, 0), w.err
}

// First returns the first node of the query, and the steps that the search took.
func (q *Query) First(value model.Value) (node model.Value, found bool, steps int, err error) {
	steps, err = q.eachWithin(MaxSteps, value, func(v model.Value) bool {
		node, found = v, true
		return false
	})
	return node, found && err == nil, steps, err
}

// walk is one evaluation of a query.
type walk struct {
	root     model.Value
	limit    int
	steps    int   // that are left of them
	err      error // why the walk ended early; nothing that was found since means anything
	patterns map[patternKey]*pattern
}

// spend uses steps. It returns false if too few are left or the walk has ended.
func (w *walk) spend(steps int) bool {
	if w.steps -= steps; w.steps < 0 && w.err == nil {
		w.err = fmt.Errorf("the query takes more than %d steps on this value", w.limit)
	}
	return w.err == nil
}

// each visits the nodes of a query until visit returns false, or the walk has ended.
func (w *walk) each(q *query, current model.Value, visit func(model.Value) bool) {
	if !q.relative {
		current = w.root
	}
	w.follow(q.segments, current, visit)
}

// follow visits the nodes selected by segments, depth first, in nodelist order.
func (w *walk) follow(segments []segment, node model.Value, visit func(model.Value) bool) bool {
	if len(segments) == 0 {
		return visit(node)
	}
	if segments[0].descendant {
		return w.descend(segments, node, visit, 0)
	}
	return w.children(segments, node, visit)
}

// descend applies the first segment to a node and its descendants.
func (w *walk) descend(segments []segment, node model.Value, visit func(model.Value) bool, depth int) bool {
	if depth > MaxDepth {
		w.err = fmt.Errorf("the query is more than %d levels deep", MaxDepth)
		return false
	}
	return w.children(segments, node, visit) && w.eachChild(node, func(child model.Value) bool {
		switch child.(type) {
		case []model.Value, model.Object:
			return w.descend(segments, child, visit, depth+1)
		}
		return true
	})
}

// eachChild calls do for the elements of an array or the values of an object.
func (w *walk) eachChild(node model.Value, do func(model.Value) bool) bool {
	switch node := node.(type) {
	case []model.Value:
		for _, child := range node {
			if !w.spend(1) || !do(child) {
				return false
			}
		}
	case model.Object:
		for i := range node {
			if !w.spend(1) || !do(node[i].Value) {
				return false
			}
		}
	}
	return true
}

// children follows the other segments from each selected child.
func (w *walk) children(segments []segment, node model.Value, visit func(model.Value) bool) bool {
	rest := segments[1:]
	for i := range segments[0].selectors {
		if !w.selectFrom(&segments[0].selectors[i], node, func(child model.Value) bool { return w.follow(rest, child, visit) }) {
			return false
		}
	}
	return true
}

// selectFrom calls do for the children of one selector.
func (w *walk) selectFrom(s *selector, node model.Value, do func(model.Value) bool) bool {
	array, _ := node.([]model.Value)
	object, _ := node.(model.Object)
	if !w.spend(1) {
		return false
	}
	switch s.kind {
	case selectName:
		if !w.spend(len(object) / 4) {
			return false
		}
		child, found := object.Get(s.name)
		return !found || do(child)
	case selectIndex:
		i := s.index
		if i < 0 {
			i += int64(len(array))
		}
		return i < 0 || i >= int64(len(array)) || do(array[i])
	case selectSlice:
		return w.slice(s.slice, array, do)
	case selectFilter:
		return w.eachChild(node, func(child model.Value) bool {
			selected := s.filter.test(w, child)
			return w.err == nil && (!selected || do(child))
		})
	}
	return w.eachChild(node, do)
}

func (w *walk) slice(s slice, array []model.Value, do func(model.Value) bool) bool {
	first, stop, step := s.bounds(int64(len(array)))
	if step == 0 {
		return true
	}
	for i := first; step > 0 && i < stop || step < 0 && i > stop; i += step {
		if !w.spend(1) || !do(array[i]) {
			return false
		}
	}
	return true
}
