package plan

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
)

// shapeError is the error for JSON that is not a plan.
type shapeError struct {
	at      fault.Place
	path    string
	message string
}

func (e *shapeError) Error() string { return e.message }

// fill reads the plan from its document. Some writers put it in "data".
func (p *Plan) fill(root strictjson.Node) error {
	if inner := root.Get("data"); inner.Is(strictjson.Object) && !root.Get("nodes").Exists() {
		root = inner
	}
	p.ID, _ = root.Get("id").Text()
	p.SpecID, _ = root.Get("spec_id").Text()
	nodes := root.Get("nodes")
	if !nodes.Is(strictjson.Array) {
		return &shapeError{fault.Opening(root), "plan.nodes", "the plan has no array \"nodes\""}
	}
	for n := range nodes.Children() {
		if err := p.addNode(n); err != nil {
			return err
		}
	}
	if err := p.addEdges(root.Get("edges")); err != nil {
		return err
	}
	p.findCycle()
	return nil
}

func (p *Plan) addNode(n strictjson.Node) error {
	path := fmt.Sprintf("plan.nodes[%d]", len(p.Nodes))
	id, ok := n.Get("id").Text()
	if !ok || id == "" {
		return &shapeError{fault.Opening(n), path + ".id", "a node of the plan has no \"id\""}
	}
	next := Node{ID: id, at: fault.PlaceOf(n.Get("id"))}
	if needs := n.Get("dependencies"); !needs.Missing() {
		if !allStrings(needs) {
			return &shapeError{fault.PlaceOf(needs), path + ".dependencies", "\"dependencies\" is not an array of strings"}
		}
		i := 0
		for dependency := range needs.Children() {
			id, _ := dependency.Text()
			next.needs = append(next.needs, need{id, fault.PlaceOf(dependency), fmt.Sprintf("%s.dependencies[%d]", path, i)})
			i++
		}
	}
	if _, next.duplicate = p.byID[id]; !next.duplicate {
		p.byID[id] = len(p.Nodes)
	}
	p.Nodes = append(p.Nodes, next)
	return nil
}

// addEdges adds edges, pairs [from, to], as dependencies of to.
func (p *Plan) addEdges(edges strictjson.Node) error {
	if edges.Missing() {
		return nil
	}
	if !edges.Is(strictjson.Array) {
		return &shapeError{fault.PlaceOf(edges), "plan.edges", "\"edges\" is not an array"}
	}
	i := 0
	for edge := range edges.Children() {
		path := fmt.Sprintf("plan.edges[%d]", i)
		if !allStrings(edge) || edge.Len() != 2 {
			return &shapeError{fault.PlaceOf(edge), path, "an edge is not a pair of node ids"}
		}
		from, _ := edge.At(0).Text()
		to, _ := edge.At(1).Text()
		if at, ok := p.byID[to]; ok {
			p.Nodes[at].needs = append(p.Nodes[at].needs, need{from, fault.PlaceOf(edge), path})
		} else {
			p.loose = append(p.loose, need{to, fault.PlaceOf(edge), path})
		}
		i++
	}
	return nil
}

func allStrings(n strictjson.Node) bool {
	if !n.Is(strictjson.Array) {
		return false
	}
	for element := range n.Children() {
		if !element.Is(strictjson.String) {
			return false
		}
	}
	return true
}
