package attest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// missing says why a target that is well-formed finds nothing in a trace.
type missing struct {
	target string
	reason string
}

func (m *missing) sentence() string { return preview(m.target) + " not found: " + m.reason + "." }

// found is what a target stands for in one trace. It is valid until the next target is
// resolved in the trace.
type found struct {
	nodes []strictjson.Node // one, or with [*] at least one
	note  string            // " (1 of 3 matching steps)", or ""
}

// resolve finds the values that the target stands for; each of them must be there.
func (tg *target) resolve(t *trace) (found, *missing) { return tg.find(t, false) }

// resolveSome finds those values that are there, at least one.
func (tg *target) resolveSome(t *trace) (found, *missing) { return tg.find(t, true) }

func (tg *target) find(t *trace, some bool) (found, *missing) {
	root := t.members[tg.root]
	if !root.Exists() {
		return found{}, &missing{tg.text, "the trace has no '" + memberNames[tg.root] + "'"}
	}
	f := found{}
	t.found = t.found[:0]
	path := tg.path
	if tg.root == mSteps && len(path) > 0 {
		var m *missing
		if f, path, m = tg.resolveSteps(t); m != nil {
			return found{}, m
		}
	} else {
		f.nodes = t.keep(root)
	}
	for i, s := range path {
		start := len(t.found)
		var without strictjson.Node
		for _, n := range f.nodes {
			before := len(t.found)
			if t.found = s.apply(t.found, n); len(t.found) == before && !without.Exists() {
				without = n
			}
		}
		f.nodes = t.found[start:len(t.found):len(t.found)]
		if without.Exists() && !(some && len(f.nodes) > 0) {
			return found{}, &missing{tg.text, tg.where(len(tg.path)-len(path)+i) + " " + s.whyNot(t, without)}
		}
	}
	return f, nil
}

// keep returns a list of one node, in the memory that the trace has for such lists.
func (t *trace) keep(n strictjson.Node) []strictjson.Node {
	t.found = append(t.found, n)
	return t.found[len(t.found)-1 : len(t.found) : len(t.found)]
}

// resolveSteps applies the part of the path that selects steps through the trace's
// index and returns the rest of the path.
func (tg *target) resolveSteps(t *trace) (found, []segment, *missing) {
	path := tg.path
	size := len(t.steps)
	step := func(i int) strictjson.Node { return t.steps[i].node }
	matches, filtered := t.matching(path[0])
	if filtered {
		if len(matches) == 0 {
			return found{}, nil, &missing{tg.text, t.noSuchStep(path[0])}
		}
		path, size = path[1:], len(matches)
		step = func(i int) strictjson.Node { return t.steps[matches[i]].node }
	}
	var f found
	switch {
	case len(path) > 0 && path[0].kind == element:
		i, ok := within(path[0].index, size)
		if !ok {
			return found{}, nil, &missing{tg.text, "only " + countOf(size, filtered)}
		}
		f.nodes, path = t.keep(step(i)), path[1:]
	case len(path) > 0 && path[0].kind == every:
		if size == 0 {
			return found{}, nil, &missing{tg.text, "the trace has no steps"}
		}
		for i := range size {
			f.nodes = append(f.nodes, step(i))
		}
		path = path[1:]
	case filtered:
		f.nodes = t.keep(step(0))
		if size > 1 {
			f.note = fmt.Sprintf(" (1 of %d matching steps)", size)
		}
	default:
		f.nodes = t.keep(t.members[mSteps])
	}
	return f, path, nil
}

// matching returns the steps that a filter selects; filtered is false for a segment
// that is no filter.
func (t *trace) matching(s segment) (steps []int32, filtered bool) {
	switch s.kind {
	case stepByName:
		return t.stepsNamed(s.name), true
	case stepByType:
		return t.stepsOfType(s.name), true
	}
	return nil, false
}

// countOf is "2 steps match", "1 step is there".
func countOf(n int, filtered bool) string {
	switch {
	case filtered && n == 1:
		return "1 step matches"
	case filtered:
		return strconv.Itoa(n) + " steps match"
	case n == 1:
		return "1 step is there"
	}
	return strconv.Itoa(n) + " steps are there"
}

// noSuchStep says that no step matches a filter, with the nearest name.
func (t *trace) noSuchStep(s segment) string {
	if s.kind == stepByType {
		return "no step has type " + quote(s.name)
	}
	return "no step is named " + quote(s.name) + t.didYouMean(s.name, t.names)
}

// within turns an index from either end into one from the start.
func within(i, size int) (int, bool) {
	if i < 0 {
		i += size
	}
	return i, i >= 0 && i < size
}

// apply appends to below what one segment of the path finds in n.
func (s segment) apply(below []strictjson.Node, n strictjson.Node) []strictjson.Node {
	isArray := n.Is(strictjson.Array)
	switch {
	case isArray && s.kind == every:
		return slices.AppendSeq(below, n.Children())
	case isArray:
		if i, ok := s.position(n); ok {
			below = append(below, n.At(i))
		}
	case s.kind == key:
		if member := n.Last(s.name); member.Exists() {
			below = append(below, member)
		}
	}
	return below
}

// position is the index that a segment means in an array.
func (s segment) position(n strictjson.Node) (int, bool) {
	index := s.index
	if s.kind == key {
		var err error
		if index, err = strconv.Atoi(s.name); err != nil {
			return 0, false
		}
	}
	return within(index, n.Len())
}

// whyNot says why apply finds nothing in n.
func (s segment) whyNot(t *trace, n strictjson.Node) string {
	kind := withArticle(n.Kind().String())
	switch {
	case n.Is(strictjson.Array) && n.Len() == 0:
		return "is empty"
	case n.Is(strictjson.Array):
		return fmt.Sprintf("has %d elements and no %s", n.Len(), quote(strings.TrimPrefix(s.String(), ".")))
	case s.kind != key:
		return "is " + kind + ", not an array"
	case n.Is(strictjson.Object):
		return "has no field " + quote(s.name) + t.nearestField(n, s.name)
	}
	return "is " + kind + " and has no field " + quote(s.name)
}

// where is the expression up to segment i of the path.
func (tg *target) where(i int) string {
	var b strings.Builder
	b.WriteString(memberNames[tg.root])
	for _, s := range tg.path[:i] {
		b.WriteString(s.String())
	}
	return preview(b.String())
}

func (s segment) String() string {
	switch s.kind {
	case element:
		return "[" + strconv.Itoa(s.index) + "]"
	case every:
		return "[*]"
	case stepByName:
		return "[?name=='" + s.name + "']"
	case stepByType:
		return "[?type=='" + s.name + "']"
	}
	if strings.ContainsAny(s.name, ".[]") {
		return "['" + s.name + "']"
	}
	return "." + s.name
}

// maxFields bounds how many member names a suggestion looks at and shows.
const maxFields = 8

// nearestField suggests a member of n, or lists them when none is near.
func (t *trace) nearestField(n strictjson.Node, name string) string {
	var names []string
	for member := range n.Children() {
		if names = append(names, member.Key()); len(names) == 1000 {
			break
		}
	}
	if near := t.didYouMean(name, names); near != "" || len(names) == 0 {
		return near
	}
	if len(names) > maxFields {
		names = append(names[:maxFields], "…")
	}
	return "; it has " + strings.Join(names, ", ")
}

// maxCompared bounds the names that one batch compares for its suggestions: 1,000
// mistyped names among 10,000 steps would take seconds.
const maxCompared = 50_000

// didYouMean is the suggestion for a name of the trace, while the batch has compared
// few enough.
func (t *trace) didYouMean(name string, candidates []string) string {
	if t.compared += len(candidates); t.compared > maxCompared {
		return ""
	}
	return didYouMean(name, candidates)
}

// didYouMean is the suggestion as a parenthesis, "" when nothing is near.
func didYouMean(name string, candidates []string) string {
	if near := suggest.Nearest(name, candidates); near != "" {
		return " (did you mean " + quote(near) + "?)"
	}
	return ""
}
