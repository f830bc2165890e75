package target

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Missing explains why a valid target finds nothing in a trace.
type Missing struct {
	Target string // as it was written
	Reason string
}

func (m *Missing) Sentence() string {
	return wording.Preview(m.Target) + " not found: " + m.Reason + "."
}

// Found is a target's values in a trace, valid until the next resolution.
type Found struct {
	Nodes []strictjson.Node // one, or with [*] at least one
	Note  string            // " (1 of 3 matching steps)", or ""
}

// Resolver finds the values of targets in one trace.
type Resolver struct {
	trace    *trace.Trace
	Nodes    []strictjson.Node // values of the last resolved target
	compared int               // names compared for suggestions
}

// Reset sets the trace and reuses memory.
func (r *Resolver) Reset(t *trace.Trace) { *r = Resolver{trace: t, Nodes: r.Nodes[:0]} }

// Resolve finds the target's values; each of them must exist.
func (tg *Target) Resolve(r *Resolver) (Found, *Missing) { return tg.find(r, false) }

// ResolveSome returns the existing values, at least one.
func (tg *Target) ResolveSome(r *Resolver) (Found, *Missing) { return tg.find(r, true) }

func (tg *Target) find(r *Resolver, some bool) (Found, *Missing) {
	t := r.trace
	root := t.Members[tg.Root]
	if !root.Exists() {
		return Found{}, &Missing{tg.text, "the trace has no '" + trace.MemberNames[tg.Root] + "'"}
	}
	f := Found{}
	r.Nodes = r.Nodes[:0]
	path := tg.Path
	if tg.Root == trace.Steps && len(path) > 0 {
		var m *Missing
		if f, path, m = tg.resolveSteps(r); m != nil {
			return Found{}, m
		}
	} else {
		f.Nodes = r.keep(root)
	}
	for i, s := range path {
		start := len(r.Nodes)
		var without strictjson.Node
		for _, n := range f.Nodes {
			before := len(r.Nodes)
			if r.Nodes = s.apply(r.Nodes, n); len(r.Nodes) == before && !without.Exists() {
				without = n
			}
		}
		f.Nodes = r.Nodes[start:len(r.Nodes):len(r.Nodes)]
		if without.Exists() && !(some && len(f.Nodes) > 0) {
			return Found{}, &Missing{tg.text, tg.where(len(tg.Path)-len(path)+i) + " " + s.whyNot(r, without)}
		}
	}
	return f, nil
}

// keep returns a list of one node in reused memory.
func (r *Resolver) keep(n strictjson.Node) []strictjson.Node {
	r.Nodes = append(r.Nodes, n)
	return r.Nodes[len(r.Nodes)-1 : len(r.Nodes) : len(r.Nodes)]
}

// resolveSteps applies the part of the path that selects steps through the trace's
// index and returns the rest of the path.
func (tg *Target) resolveSteps(r *Resolver) (Found, []Segment, *Missing) {
	t, path := r.trace, tg.Path
	size := len(t.Steps)
	step := func(i int) strictjson.Node { return t.Steps[i].Node }
	matches, filtered := matching(t, path[0])
	if filtered {
		if len(matches) == 0 {
			return Found{}, nil, &Missing{tg.text, r.noSuchStep(path[0])}
		}
		path, size = path[1:], len(matches)
		step = func(i int) strictjson.Node { return t.Steps[matches[i]].Node }
	}
	var f Found
	switch {
	case len(path) > 0 && path[0].Kind == element:
		i, ok := within(path[0].index, size)
		if !ok {
			return Found{}, nil, &Missing{tg.text, "only " + countOf(size, filtered)}
		}
		f.Nodes, path = r.keep(step(i)), path[1:]
	case len(path) > 0 && path[0].Kind == Every:
		if size == 0 {
			return Found{}, nil, &Missing{tg.text, "the trace has no steps"}
		}
		for i := range size {
			f.Nodes = append(f.Nodes, step(i))
		}
		path = path[1:]
	case filtered:
		f.Nodes = r.keep(step(0))
		if size > 1 {
			f.Note = fmt.Sprintf(" (1 of %d matching steps)", size)
		}
	default:
		f.Nodes = r.keep(t.Members[trace.Steps])
	}
	return f, path, nil
}

// matching returns the steps that a filter selects; filtered is false for other segments.
func matching(t *trace.Trace, s Segment) (steps []int32, filtered bool) {
	switch s.Kind {
	case StepByName:
		return t.StepsNamed(s.Name), true
	case StepByType:
		return t.StepsOfType(s.Name), true
	}
	return nil, false
}

// countOf returns "2 steps match" or "the trace has 1 step".
func countOf(n int, filtered bool) string {
	switch {
	case filtered && n == 1:
		return "1 step matches"
	case filtered:
		return strconv.Itoa(n) + " steps match"
	case n == 1:
		return "the trace has 1 step"
	}
	return strconv.Itoa(n) + " steps exist"
}

// noSuchStep returns a message that no step matches a filter, with the most similar name.
func (r *Resolver) noSuchStep(s Segment) string {
	if s.Kind == StepByType {
		return "no step has type " + wording.Quote(s.Name)
	}
	return "no step is named " + wording.Quote(s.Name) + r.DidYouMean(s.Name, r.trace.Names)
}

// within converts an index from either end to one from the start.
func within(i, size int) (int, bool) {
	if i < 0 {
		i += size
	}
	return i, i >= 0 && i < size
}

// apply appends the nodes that a segment selects in n.
func (s Segment) apply(below []strictjson.Node, n strictjson.Node) []strictjson.Node {
	isArray := n.Is(strictjson.Array)
	switch {
	case isArray && s.Kind == Every:
		return slices.AppendSeq(slices.Grow(below, n.Len()), n.Children())
	case isArray:
		if i, ok := s.position(n); ok {
			below = append(below, n.At(i))
		}
	case s.Kind == Key:
		if member := n.Last(s.Name); member.Exists() {
			below = append(below, member)
		}
	}
	return below
}

func (s Segment) position(n strictjson.Node) (int, bool) {
	index := s.index
	if s.Kind == Key {
		var err error
		if index, err = strconv.Atoi(s.Name); err != nil {
			return 0, false
		}
	}
	return within(index, n.Len())
}

// whyNot returns why apply finds nothing in n.
func (s Segment) whyNot(r *Resolver, n strictjson.Node) string {
	kind := say.Article(n.Kind().String())
	switch {
	case n.Is(strictjson.Array) && n.Len() == 0:
		return "is empty"
	case n.Is(strictjson.Array):
		return fmt.Sprintf("has %d elements and no %s", n.Len(), wording.Quote(strings.TrimPrefix(s.String(), ".")))
	case s.Kind != Key:
		return "is " + kind + ", not an array"
	case n.Is(strictjson.Object):
		return "has no field " + wording.Quote(s.Name) + r.nearestField(n, s.Name)
	}
	return "is " + kind + " and has no field " + wording.Quote(s.Name)
}

// where returns the expression up to segment i of the path.
func (tg *Target) where(i int) string {
	var b strings.Builder
	b.WriteString(trace.MemberNames[tg.Root])
	for _, s := range tg.Path[:i] {
		b.WriteString(s.String())
	}
	return wording.Preview(b.String())
}

func (s Segment) String() string {
	switch s.Kind {
	case element:
		return "[" + strconv.Itoa(s.index) + "]"
	case Every:
		return "[*]"
	case StepByName:
		return "[?name=='" + s.Name + "']"
	case StepByType:
		return "[?type=='" + s.Name + "']"
	}
	if strings.ContainsAny(s.Name, ".[]") {
		return "['" + s.Name + "']"
	}
	return "." + s.Name
}

// maxFields limits the member names that a suggestion compares and lists.
const maxFields = 8

// nearestField suggests a member of n, or lists them if none is similar.
func (r *Resolver) nearestField(n strictjson.Node, name string) string {
	var names []string
	for member := range n.Children() {
		if names = append(names, member.Key()); len(names) == 1000 {
			break
		}
	}
	if near := r.DidYouMean(name, names); near != "" || len(names) == 0 {
		return near
	}
	if len(names) > maxFields {
		names = append(names[:maxFields], "…")
	}
	return "; it has " + strings.Join(names, ", ")
}

// maxCompared limits the names compared for a batch's suggestions: 1,000 mistyped names in 10,000 steps would take
// seconds.
const maxCompared = 50_000

// DidYouMean returns the suggestion for a name of the trace, while the batch has compared few enough.
func (r *Resolver) DidYouMean(name string, candidates []string) string {
	if r.compared += len(candidates); r.compared > maxCompared {
		return ""
	}
	return wording.DidYouMean(name, candidates)
}
