package reasoning

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// plan is the graph of steps that a trace must follow.
type plan struct {
	name   string
	source []byte
	id     string
	nodes  []node
	byID   map[string]int
	loose  []need // ends of edges that are no node
}

// node is one step of the plan.
type node struct {
	id        string
	at        place
	needs     []need // dependencies, those of edges included
	inCycle   bool
	duplicate bool
}

// need is one dependency of a node.
type need struct {
	id   string
	at   place
	path string
}

// readPlan reads the plan, reports its faults and returns it; nil when there is none
// that can be used.
func (c *Checker) readPlan() *plan {
	if c.opt.Plan == nil {
		return nil
	}
	p := &plan{name: c.opt.PlanName, byID: map[string]int{}}
	if err := p.read(c.opt.Plan, strictjson.Limits{TextBytes: c.limits.LineBytes, Depth: c.limits.Depth, Keys: c.limits.Keys}); err != nil {
		c.findings.Add(p.unreadable(err))
		return nil
	}
	for i := range p.nodes {
		if p.nodes[i].duplicate {
			c.planFault(p, "plan.duplicate_node", p.nodes[i].at, fmt.Sprintf("plan.nodes[%d].id", i),
				fmt.Sprintf("node %q occurs twice", preview([]byte(p.nodes[i].id))))
		}
		for _, n := range p.nodes[i].needs {
			if _, ok := p.byID[n.id]; !ok {
				c.planFault(p, "plan.dep_missing", n.at, n.path,
					fmt.Sprintf("node %q depends on %q, which is not in the plan", preview([]byte(p.nodes[i].id)), preview([]byte(n.id))))
			}
		}
	}
	for _, n := range p.loose {
		c.planFault(p, "plan.dep_missing", n.at, n.path, fmt.Sprintf("an edge leads to %q, which is not in the plan", preview([]byte(n.id))))
	}
	if cycle := p.findCycle(); cycle != nil {
		c.planFault(p, "plan.cycle", p.nodes[cycle[0]].at, fmt.Sprintf("plan.nodes[%d]", cycle[0]),
			"dependencies form a cycle: "+p.spell(cycle))
	}
	return p
}

// shapeError is a plan that is JSON, but no plan.
type shapeError struct {
	at      place
	path    string
	message string
}

func (e *shapeError) Error() string { return e.message }

func (p *plan) read(r io.Reader, limits strictjson.Limits) error {
	data, err := readAll(r, sizeOf(r), limits.TextBytes)
	if err != nil {
		return err
	}
	p.source = data
	doc, err := strictjson.NewScanner(limits).Scan(data)
	if err != nil {
		return err
	}
	root := doc.Root()
	if inner := root.Get("data"); inner.Is(strictjson.Object) && !root.Get("nodes").Exists() {
		root = inner
	}
	p.id, _ = root.Get("id").Text()
	nodes := root.Get("nodes")
	if !nodes.Is(strictjson.Array) {
		return &shapeError{opening(root), "plan.nodes", "the plan has no array \"nodes\""}
	}
	for n := range nodes.Children() {
		if err := p.addNode(n); err != nil {
			return err
		}
	}
	return p.addEdges(root.Get("edges"))
}

func (p *plan) addNode(n strictjson.Node) error {
	path := fmt.Sprintf("plan.nodes[%d]", len(p.nodes))
	id, ok := n.Get("id").Text()
	if !ok || id == "" {
		return &shapeError{opening(n), path + ".id", "a node of the plan has no \"id\""}
	}
	next := node{id: id, at: placeOf(n.Get("id"))}
	if needs := n.Get("dependencies"); !needs.Missing() {
		if !strings_.fits(needs) {
			return &shapeError{placeOf(needs), path + ".dependencies", "\"dependencies\" is no array of strings"}
		}
		i := 0
		for dependency := range needs.Children() {
			id, _ := dependency.Text()
			next.needs = append(next.needs, need{id, placeOf(dependency), fmt.Sprintf("%s.dependencies[%d]", path, i)})
			i++
		}
	}
	if _, next.duplicate = p.byID[id]; !next.duplicate {
		p.byID[id] = len(p.nodes)
	}
	p.nodes = append(p.nodes, next)
	return nil
}

// addEdges takes edges, pairs [from, to], as dependencies of to.
func (p *plan) addEdges(edges strictjson.Node) error {
	if edges.Missing() {
		return nil
	}
	if !edges.Is(strictjson.Array) {
		return &shapeError{placeOf(edges), "plan.edges", "\"edges\" is no array"}
	}
	i := 0
	for edge := range edges.Children() {
		path := fmt.Sprintf("plan.edges[%d]", i)
		if !strings_.fits(edge) || edge.Len() != 2 {
			return &shapeError{placeOf(edge), path, "an edge is no pair of node ids"}
		}
		from, _ := edge.At(0).Text()
		to, _ := edge.At(1).Text()
		if at, ok := p.byID[to]; ok {
			p.nodes[at].needs = append(p.nodes[at].needs, need{from, placeOf(edge), path})
		} else {
			p.loose = append(p.loose, need{to, placeOf(edge), path})
		}
		i++
	}
	return nil
}

func (p *plan) has(id []byte) bool {
	_, ok := p.byID[string(id)]
	return ok
}

// dependencies returns the nodes that must have finished before a step starts, each
// once, without what is a fault of the plan itself.
func (p *plan) dependencies(id []byte) (list []int) {
	i, ok := p.byID[string(id)]
	if !ok {
		return nil
	}
	for _, n := range p.nodes[i].needs {
		if at, exists := p.byID[n.id]; exists && !(p.nodes[at].inCycle && p.nodes[i].inCycle) {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// findCycle removes the nodes whose dependencies are all removed until none is left
// to remove; what remains is on a cycle or behind one. It returns one cycle.
func (p *plan) findCycle() []int {
	waiting := make([]int, len(p.nodes))
	behind := make([][]int, len(p.nodes))
	var free []int
	for i, n := range p.nodes {
		for _, need := range n.needs {
			if at, ok := p.byID[need.id]; ok {
				waiting[i]++
				behind[at] = append(behind[at], i)
			}
		}
		if waiting[i] == 0 {
			free = append(free, i)
		}
	}
	for left := len(p.nodes); len(free) > 0; left-- {
		i := free[len(free)-1]
		free = free[:len(free)-1]
		for _, next := range behind[i] {
			if waiting[next]--; waiting[next] == 0 {
				free = append(free, next)
			}
		}
	}
	start := slices.IndexFunc(waiting, func(n int) bool { return n > 0 })
	if start < 0 {
		return nil
	}
	return p.walkCycle(start, waiting)
}

// walkCycle follows dependencies within what remains until a node comes again.
func (p *plan) walkCycle(i int, waiting []int) []int {
	var way []int
	seenAt := map[int]int{}
	for {
		if from, seen := seenAt[i]; seen {
			way = way[from:]
			break
		}
		seenAt[i] = len(way)
		way = append(way, i)
		for _, need := range p.nodes[i].needs {
			if at, ok := p.byID[need.id]; ok && waiting[at] > 0 {
				i = at
				break
			}
		}
	}
	for _, at := range way {
		p.nodes[at].inCycle = true
	}
	return way
}

// maxSpelled bounds the nodes of a cycle that a message names.
const maxSpelled = 8

func (p *plan) spell(cycle []int) string {
	var names []string
	for _, i := range cycle[:min(len(cycle), maxSpelled)] {
		names = append(names, fmt.Sprintf("%q", preview([]byte(p.nodes[i].id))))
	}
	if len(cycle) > maxSpelled {
		names = append(names, "…")
	}
	return strings.Join(append(names, names[0]), " needs ")
}

// checkPlanID compares the plan that the header names with the one that is there.
func (c *Checker) checkPlanID(r *record, h *header) {
	if c.plan == nil || c.plan.id == "" || h.planID.bytes == nil || string(h.planID.bytes) == c.plan.id {
		return
	}
	f := point(r.line, "plan.id_mismatch", "plan_id", h.planID.at, "the trace was made for another plan than "+c.plan.name)
	f.Expected, f.Found = c.plan.id, h.planID.String()
	c.findings.Add(f)
}

// planFault adds a finding about the plan, unless it would only be counted anyway.
func (c *Checker) planFault(p *plan, rule string, at place, path, message string) {
	if severity := severityOf(rule); c.findings.Full(severity) {
		c.findings.Count(severity, 1)
		return
	}
	c.findings.Add(p.finding(rule, at, path, message))
}

// finding makes a finding at a place of the plan's own file.
func (p *plan) finding(rule string, at place, path, message string) Finding {
	f := Finding{Rule: rule, Severity: severityOf(rule), File: p.name, Path: path, Message: message}
	pointInFile(&f, p.source, at)
	return f
}

func (p *plan) unreadable(err error) Finding {
	var shape *shapeError
	var fault *strictjson.Error
	switch {
	case errors.As(err, &shape):
		return p.finding("plan.unreadable", shape.at, shape.path, shape.message)
	case errors.As(err, &fault):
		return p.finding("plan.unreadable", place{fault.Offset, fault.Offset}, "", "the plan cannot be read: "+fault.Message)
	}
	return Finding{Rule: "plan.unreadable", Severity: severityOf("plan.unreadable"), File: p.name, Message: "the plan cannot be read: " + err.Error()}
}

// pointInFile places a finding in a file of several lines.
func pointInFile(f *Finding, data []byte, at place) {
	at.start, at.end = min(at.start, len(data)), min(at.end, len(data))
	begin := bytes.LastIndexByte(data[:at.start], '\n') + 1
	line, _, _ := bytes.Cut(data[begin:], []byte{'\n'})
	number := bytes.Count(data[:begin], []byte{'\n'}) + 1
	source.Point(f, source.Line{Number: number, Bytes: line}, at.start-begin, at.end-begin)
}
