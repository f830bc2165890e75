// Package plan parses a run's plan, the graph of steps that its trace must follow: an object with
// nodes and their dependencies:
//
//	{"id":"p1","nodes":[{"id":"s1"},{"id":"s2","dependencies":["s1"]}]}
package plan

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Plan is the graph of steps. It is immutable after Read.
type Plan struct {
	ID     string
	SpecID string // spec that the plan solves, or ""
	Nodes  []Node

	file  fault.Companion
	byID  map[string]int
	loose []need // edges without a node
	cycle []int  // nodes that wait for each other, or nil
}

// Node is one step of the plan.
type Node struct {
	ID        string
	at        fault.Place
	needs     []need // dependencies, those of edges included
	duplicate bool
}

// need is one dependency of a node.
type need struct {
	id   string
	at   fault.Place
	path string
}

// Read parses a plan. finding is the reason why it is unusable; the error is a *folder.RefusedError.
func Read(r io.Reader, name string, limits strictjson.Limits) (*Plan, *finding.Finding, error) {
	p := &Plan{file: fault.Companion{Name: name}, byID: map[string]int{}}
	var refused *folder.RefusedError
	switch err := p.read(r, limits); {
	case errors.As(err, &refused):
		return nil, nil, refused
	case err != nil:
		f := p.unreadable(err)
		return nil, &f, nil
	}
	return p, nil, nil
}

func (p *Plan) read(r io.Reader, limits strictjson.Limits) (err error) {
	if p.file.Source, err = source.ReadBeyond(r, limits.TextBytes); err != nil {
		p.file.Source = nil
		return err
	}
	doc, err := strictjson.NewScanner(limits).Scan(p.file.Source)
	if err != nil {
		return err
	}
	return p.fill(doc.Root())
}

func (p *Plan) unreadable(err error) finding.Finding {
	var shape *shapeError
	var bad *strictjson.Error
	switch {
	case errors.As(err, &shape):
		return p.file.At(rule.PlanUnreadable, shape.at, shape.path, shape.message)
	case errors.As(err, &bad):
		at := fault.Place{Start: int32(bad.Offset), End: int32(bad.Offset)}
		return p.file.At(rule.PlanUnreadable, at, "", unreadable+bad.Message)
	}
	f := rule.PlanUnreadable.New(unreadable + err.Error())
	f.File = p.file.Name
	return f
}

// Has reports whether a step is in the plan.
func (p *Plan) Has(id []byte) bool {
	_, ok := p.byID[string(id)]
	return ok
}

// Dependencies returns a step's existing dependencies, each once.
func (p *Plan) Dependencies(id []byte) (list []int) {
	i, ok := p.byID[string(id)]
	if !ok {
		return nil
	}
	for _, n := range p.Nodes[i].needs {
		if at, exists := p.byID[n.id]; exists {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Report adds the plan's faults.
func (p *Plan) Report(sink *fault.Sink) {
	var list []planFault
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.duplicate {
			list = append(list, planFault{rule.PlanDuplicateNode, n.at, fmt.Sprintf("plan.nodes[%d].id", i), fmt.Sprintf("node %q occurs twice", fault.Preview(n.ID))})
		}
		for _, need := range n.needs {
			if _, ok := p.byID[need.id]; !ok {
				list = append(list, planFault{
					rule.PlanDepMissing, need.at, need.path,
					fmt.Sprintf("node %q depends on %q, which is not in the plan", fault.Preview(n.ID), fault.Preview(need.id)),
				})
			}
		}
	}
	for _, n := range p.loose {
		list = append(list, planFault{rule.PlanDepMissing, n.at, n.path, fmt.Sprintf("an edge leads to %q, which is not in the plan", fault.Preview(n.id))})
	}
	if p.cycle != nil {
		first := p.cycle[0]
		list = append(list, planFault{rule.PlanCycle, p.Nodes[first].at, fmt.Sprintf("plan.nodes[%d]", first), "dependencies form a cycle: " + p.spell()})
	}
	p.report(sink, list)
}

// NotExecuted reports that nodes never ran.
func (p *Plan) NotExecuted(sink *fault.Sink, nodes ...int) {
	list := make([]planFault, len(nodes))
	for i, node := range nodes {
		n := &p.Nodes[node]
		list[i] = planFault{rule.PlanNodeNotExecuted, n.at, fmt.Sprintf("plan.nodes[%d]", node), fmt.Sprintf("step %q of the plan never ran", fault.Preview(n.ID))}
	}
	p.report(sink, list)
}

// Name returns the plan's display name.
func (p *Plan) Name() string { return p.file.Name }

// planFault is a fault of the plan that may not be reported.
type planFault struct {
	id      rule.ID
	at      fault.Place
	path    string
	message string
}

// report adds the first faults by position and counts the rest, because finding each line takes quadratic time.
func (p *Plan) report(sink *fault.Sink, list []planFault) {
	slices.SortStableFunc(list, func(a, b planFault) int {
		return cmp.Or(cmp.Compare(a.at.Start, b.at.Start), cmp.Compare(a.id.String(), b.id.String()), cmp.Compare(a.path, b.path))
	})
	made := map[bool]int{}
	for _, f := range list {
		severity := f.id.Severity()
		class := severity == finding.Error
		if made[class]++; made[class] > sink.Most() {
			sink.Count(severity, 1)
			continue
		}
		sink.Add(p.file.At(f.id, f.at, f.path, f.message))
	}
}

const unreadable = "the plan cannot be read: "
