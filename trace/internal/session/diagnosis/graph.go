package diagnosis

import (
	"cmp"
	"slices"
)

// graph is the events of a log, each under the event before it.
type graph struct {
	nodes []node
	gaps  []gap
	first uint64 // number of the first event of a log

	parent   []int32 // -1: none of the events is the one before
	children [][]int32
	depth    []int32 // events from here to the end of the longest chain
	extra    []extra // events that no chain needs
}

// extra says why an event is not needed.
type extra uint8

const (
	needed   extra = iota
	repeated       // exists elsewhere in the text
	inserted       // nothing continues it
	branch         // it is on a branch of a fork
)

func newGraph(nodes []node, gaps []gap, first uint64) *graph {
	g := &graph{nodes: nodes, gaps: gaps, first: first, parent: make([]int32, len(nodes)), children: make([][]int32, len(nodes)), depth: make([]int32, len(nodes)), extra: make([]extra, len(nodes))}
	byHash := g.index()
	g.repetitions(byHash)
	g.link(byHash)
	g.measure()
	return g
}

// index lists the events by their hashes: as they state them, and as they are where that differs.
func (g *graph) index() map[key][]int32 {
	byHash := make(map[key][]int32, len(g.nodes))
	for i, n := range g.nodes {
		byHash[n.hash] = append(byHash[n.hash], int32(i))
		if n.computed != n.hash && n.broken {
			byHash[n.computed] = append(byHash[n.computed], int32(i))
		}
	}
	return byHash
}

// repetitions marks repeated events. The copy between its chain neighbors is the event, or else the
// first.
func (g *graph) repetitions(byHash map[key][]int32) {
	for i := range g.nodes {
		n := &g.nodes[i]
		list := byHash[n.hash]
		if len(list) < 2 || list[0] != int32(i) {
			continue
		}
		list = slices.DeleteFunc(slices.Clone(list), func(j int32) bool { return g.nodes[j].hash != n.hash })
		if len(list) < 2 {
			continue
		}
		best := slices.MaxFunc(list, func(a, b int32) int {
			return cmp.Or(cmp.Compare(g.fit(a), g.fit(b)), cmp.Compare(b, a))
		})
		for _, j := range list {
			switch {
			case j == best:
			case g.nodes[j].broken == g.nodes[best].broken:
				g.extra[j] = repeated
			default:
				g.extra[j] = inserted
			}
		}
	}
}

// fit rates how well an event fits its place between its predecessor and successor.
func (g *graph) fit(i int32) (points int) {
	n := g.nodes[i]
	if !n.broken {
		points += 4
	}
	if i > 0 && g.nodes[i-1].hash == n.prev || i == 0 && n.genesis {
		points += 2
	}
	if int(i)+1 < len(g.nodes) && g.nodes[i+1].prev == n.hash {
		points++
	}
	return points
}

// link finds the event before each.
func (g *graph) link(byHash map[key][]int32) {
	for i := range g.nodes {
		g.parent[i] = -1
		n := &g.nodes[i]
		if g.extra[i] != needed || n.genesis {
			continue
		}
		for _, j := range byHash[n.prev] {
			p := &g.nodes[j]
			switch {
			case int(j) == i || g.extra[j] != needed:
			case n.broken && !g.near(j, int32(i)): // its own link can be the edited part
			case g.parent[i] < 0 || p.hash == n.prev && g.nodes[g.parent[i]].hash != n.prev:
				g.parent[i] = j
			}
		}
		if p := g.parent[i]; p >= 0 {
			g.children[p] = append(g.children[p], int32(i))
		}
	}
}

// near says whether event i follows event j by its number, or else by its place.
func (g *graph) near(j, i int32) bool {
	if a, b := &g.nodes[j], &g.nodes[i]; a.numbered && b.numbered && b.number == a.number+1 {
		return true
	}
	for k := i - 1; k >= 0; k-- {
		if g.extra[k] == needed {
			return k == j
		}
	}
	return false
}

// measure computes the depths. What forged hashes tie into a ring is cut where the text begins it.
func (g *graph) measure() {
	order := make([]int32, 0, len(g.nodes))
	seen := make([]bool, len(g.nodes))
	walk := func(root int32) {
		seen[root] = true
		at := len(order)
		order = append(order, root)
		for ; at < len(order); at++ {
			g.children[order[at]] = slices.DeleteFunc(g.children[order[at]], func(c int32) bool { return seen[c] })
			for _, c := range g.children[order[at]] {
				seen[c] = true
				order = append(order, c)
			}
		}
	}
	for i := range g.nodes {
		if g.parent[i] < 0 {
			walk(int32(i))
		}
	}
	for i := range g.nodes {
		if !seen[i] {
			if p := g.parent[i]; p >= 0 {
				g.children[p] = slices.DeleteFunc(g.children[p], func(c int32) bool { return c == int32(i) })
			}
			g.parent[i] = -1
			walk(int32(i))
		}
	}
	for _, i := range slices.Backward(order) {
		g.depth[i] = 1
		for _, c := range g.children[i] {
			g.depth[i] = max(g.depth[i], g.depth[c]+1)
		}
	}
}

// main is the event that continues an event: the one with the most after it, then the first. -1:
// none does.
func (g *graph) main(i int32) int32 {
	best := int32(-1)
	for _, c := range g.children[i] {
		if best < 0 || g.depth[c] > g.depth[best] {
			best = c
		}
	}
	return best
}

// size is how many events there are from an event on, and the first and last of them by place.
func (g *graph) size(i int32) (n int, first, last int32) {
	first, last = i, i
	for list := []int32{i}; len(list) > 0; {
		at := list[len(list)-1]
		list = append(list[:len(list)-1], g.children[at]...)
		n++
		first, last = min(first, at), max(last, at)
	}
	return n, first, last
}

// fragment is a chain of events that follow one another, from one without a known event before.
type fragment []int32

// follow returns the fragment from an event on.
func (g *graph) follow(i int32) (f fragment) {
	for ; i >= 0; i = g.main(i) {
		f = append(f, i)
	}
	return f
}

// neighbour is the needed event before or after another in the text, -1 for none.
func (g *graph) neighbour(i int32, step int32) int32 {
	for i += step; i >= 0 && int(i) < len(g.nodes); i += step {
		if g.extra[i] == needed {
			return i
		}
	}
	return -1
}

// base returns the number of a fragment's first event, derived from the first intact one.
func (g *graph) base(f fragment) int64 {
	for i, at := range f {
		if n := g.nodes[at]; !n.broken {
			return int64(n.number) - int64(i)
		}
	}
	return int64(g.nodes[f[0]].number)
}

// intact says whether the events around a place link to each other.
func (g *graph) intact(rank int32) bool {
	after, _ := slices.BinarySearchFunc(g.nodes, rank, func(n node, rank int32) int { return cmp.Compare(n.rank, rank) })
	next := g.neighbour(int32(after)-1, 1)
	if next < 0 {
		return true
	}
	before := g.neighbour(next, -1)
	return before >= 0 && g.parent[next] == before || before < 0 && g.nodes[next].genesis
}
