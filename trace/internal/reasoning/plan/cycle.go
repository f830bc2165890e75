package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
)

// findCycle removes nodes without remaining dependencies. The rest is on or after a cycle. It keeps one cycle.
func (p *Plan) findCycle() {
	waiting := make([]int, len(p.Nodes))
	behind := make([][]int, len(p.Nodes))
	var free []int
	for i, n := range p.Nodes {
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
	for len(free) > 0 {
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
		return
	}
	p.cycle = p.walkCycle(start, waiting)
}

// walkCycle follows dependencies among the remaining nodes until a node repeats.
func (p *Plan) walkCycle(i int, waiting []int) []int {
	var way []int
	seenAt := map[int]int{}
	for {
		if from, seen := seenAt[i]; seen {
			return way[from:]
		}
		seenAt[i] = len(way)
		way = append(way, i)
		for _, need := range p.Nodes[i].needs {
			if at, ok := p.byID[need.id]; ok && waiting[at] > 0 {
				i = at
				break
			}
		}
	}
}

// maxSpelled limits the nodes of a cycle in a message.
const maxSpelled = 8

// spell names the nodes of the cycle.
func (p *Plan) spell() string {
	var names []string
	for _, i := range p.cycle[:min(len(p.cycle), maxSpelled)] {
		names = append(names, fmt.Sprintf("%q", fault.Preview(p.Nodes[i].ID)))
	}
	if len(p.cycle) > maxSpelled {
		names = append(names, "…")
	}
	return strings.Join(append(names, names[0]), " needs ")
}
