package diagnosis

import (
	"cmp"
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/session"
)

// graph is a tree of events, each below its predecessor. It takes at most 64 bytes per event.
type graph struct {
	nodes    []node
	gaps     []gap
	computed map[session.Key][]int32 // broken events by the hashes that they should have
	first    uint64                  // number of the first event of a log

	parent []int32 // -1: none of the events is the one before
	child  []int32 // the first event after each, -1 for none
	next   []int32 // the next event after the same one, -1 for none
	depth  []int32 // events from here to the end of the longest chain
	extra  []extra // events that no chain needs
	work   int     // steps of searches that are left
}

// maxWork limits the steps of all searches in a graph. Only a malicious log needs so many.
const maxWork = 200_000_000

// spend uses up a step of a search. It returns false if none is left.
func (g *graph) spend() bool {
	g.work--
	return g.work > 0
}

// extra is the reason why an event is superfluous.
type extra uint8

const (
	needed   extra = iota
	repeated       // exists elsewhere in the text
	inserted       // nothing continues it
	branch         // it is on a branch of a fork
)

func newGraph(nodes []node, gaps []gap, computed map[session.Key][]int32, first uint64) *graph {
	n := len(nodes)
	g := &graph{nodes: nodes, gaps: gaps, computed: computed, first: first, work: maxWork}
	g.parent, g.child, g.next = make([]int32, n), make([]int32, n), make([]int32, n)
	g.depth, g.extra = make([]int32, n), make([]extra, n)
	byHash := g.index()
	g.repetitions(byHash)
	g.link(slices.DeleteFunc(byHash, func(i int32) bool { return g.extra[i] != needed }))
	g.measure()
	return g
}

// index sorts the events by their recorded hashes, equal ones by position.
func (g *graph) index() []int32 {
	byHash := make([]int32, len(g.nodes))
	for i := range byHash {
		byHash[i] = int32(i)
	}
	slices.SortFunc(byHash, func(a, b int32) int {
		return cmp.Or(cmp.Compare(g.nodes[a].hash, g.nodes[b].hash), cmp.Compare(a, b))
	})
	return byHash
}

// stating returns the events of a list from index that state a hash.
func (g *graph) stating(byHash []int32, hash session.Key) []int32 {
	from, _ := slices.BinarySearchFunc(byHash, hash, func(i int32, hash session.Key) int {
		return cmp.Compare(g.nodes[i].hash, hash)
	})
	return g.same(byHash[from:], hash)
}

// same returns the first events of a list that state a hash.
func (g *graph) same(byHash []int32, hash session.Key) []int32 {
	n := 0
	for n < len(byHash) && g.nodes[byHash[n]].hash == hash {
		n++
	}
	return byHash[:n]
}

// after yields the successors of an event in text order.
func (g *graph) after(i int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for c := g.child[i]; c >= 0 && yield(c); c = g.next[c] {
		}
	}
}

// repetitions marks repeated events. The original is the copy between its chain neighbors, or else the first.
func (g *graph) repetitions(byHash []int32) {
	for len(byHash) > 0 {
		list := g.same(byHash, g.nodes[byHash[0]].hash)
		byHash = byHash[len(list):]
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

// fit rates how well an event fits between its predecessor and successor.
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
func (g *graph) link(byHash []int32) {
	for i := range g.nodes {
		g.parent[i], g.child[i], g.next[i] = -1, -1, -1
		if n := &g.nodes[i]; g.extra[i] == needed && !n.genesis {
			g.parent[i] = g.before(int32(i), byHash)
		}
	}
	for i := len(g.nodes) - 1; i >= 0; i-- {
		if p := g.parent[i]; p >= 0 {
			g.next[i], g.child[p] = g.child[p], int32(i)
		}
	}
}

// before returns the predecessor of an event: one with the linked hash as recorded, or else as recomputed, or -1.
func (g *graph) before(i int32, byHash []int32) int32 {
	n := &g.nodes[i]
	if i > 0 && g.extra[i-1] == needed && g.nodes[i-1].hash == n.prev {
		return i - 1
	}
	for _, list := range [][]int32{g.stating(byHash, n.prev), g.computed[n.prev]} {
		for _, j := range list {
			if !g.spend() {
				break
			}
			if j != i && g.extra[j] == needed && (!n.broken || g.near(j, i)) { // its own link can be the edited part
				return j
			}
		}
	}
	return -1
}

// near reports whether event i follows event j by its number, or else by its position.
func (g *graph) near(j, i int32) bool {
	if a, b := &g.nodes[j], &g.nodes[i]; a.numbered && b.numbered && b.number == a.number+1 {
		return true
	}
	for k := i - 1; k >= 0 && g.spend(); k-- {
		if g.extra[k] == needed {
			return k == j
		}
	}
	return false
}

// measure computes the depths. It cuts a cycle of forged hashes at its first event in the text.
func (g *graph) measure() {
	order := make([]int32, 0, len(g.nodes))
	seen := make([]bool, len(g.nodes))
	walk := func(root int32) {
		seen[root] = true
		at := len(order)
		order = append(order, root)
		for ; at < len(order); at++ {
			for c := range g.after(order[at]) {
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
			g.cut(int32(i))
			walk(int32(i))
		}
	}
	for _, i := range slices.Backward(order) {
		g.depth[i] = 1
		for c := range g.after(i) {
			g.depth[i] = max(g.depth[i], g.depth[c]+1)
		}
	}
}

// cut removes the link of an event to its predecessor.
func (g *graph) cut(i int32) {
	at := &g.child[g.parent[i]]
	for *at != i {
		at = &g.next[*at]
	}
	*at = g.next[i]
	g.parent[i], g.next[i] = -1, -1
}

// main returns the successor with the most events after it, then the first, or -1.
func (g *graph) main(i int32) int32 {
	best := int32(-1)
	for c := range g.after(i) {
		if best < 0 || g.depth[c] > g.depth[best] {
			best = c
		}
	}
	return best
}

// size returns the number of events from an event on, and their first and last positions.
func (g *graph) size(i int32) (n int, first, last int32) {
	first, last = i, i
	for list := []int32{i}; len(list) > 0 && g.spend(); {
		at := list[len(list)-1]
		list = slices.AppendSeq(list[:len(list)-1], g.after(at))
		n++
		first, last = min(first, at), max(last, at)
	}
	return n, first, last
}

// fragment is a chain of events whose first event has no known predecessor.
type fragment []int32

func (g *graph) follow(i int32) fragment {
	f := make(fragment, 0, g.depth[i])
	for ; i >= 0; i = g.main(i) {
		f = append(f, i)
	}
	return f
}

// neighbour returns the previous or next required event in the text, or -1.
func (g *graph) neighbour(i int32, step int32) int32 {
	for i += step; i >= 0 && int(i) < len(g.nodes) && g.spend(); i += step {
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

// intact reports whether the events around a place link to each other.
func (g *graph) intact(rank int32) bool {
	after, _ := slices.BinarySearchFunc(g.nodes, rank, func(n node, rank int32) int { return cmp.Compare(n.rank, rank) })
	next := g.neighbour(int32(after)-1, 1)
	if next < 0 {
		return true
	}
	before := g.neighbour(next, -1)
	return before >= 0 && g.parent[next] == before || before < 0 && g.nodes[next].genesis
}
