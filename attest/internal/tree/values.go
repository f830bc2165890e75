package tree

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Inputs lists what an agent was given: the input of each of its traces, or, where a trace
// has none, the args of the agent_call that holds it.
func (t *Tree) Inputs(a *Agent) (list []strictjson.Node) {
	for _, l := range a.Levels {
		level := &t.Levels[l]
		n := level.Trace.Members[trace.Input]
		if n.Missing() && level.Caller != nowhere {
			n = t.Step(level.Caller).Args
		}
		if !n.Missing() {
			list = append(list, n)
		}
	}
	return list
}

// Given returns the first place in what an agent was given that holds a value: the whole, a
// member or an element at any depth that is equal to it as JSON. Numbers are equal by their
// values, objects whatever the order of their members; of a repeated member the last one
// counts. The zero Node: there is none. The value is part of the output of a trace.
func (t *Tree) Given(a *Agent, output, value strictjson.Node) strictjson.Node {
	if a.inputs == nil {
		a.inputs = t.newInputs(a)
	}
	wanted := t.digests(output)[value.Index()-output.Index()]
	i, found := slices.BinarySearchFunc(a.inputs, wanted, func(in given, d digest) int { return compareDigests(in.digest, d) })
	if !found {
		return strictjson.Node{}
	}
	return value.Document().Node(int(a.inputs[i].index))
}

// given is a value that an agent was given. By their digests a look-up takes no longer the
// more there are.
type given struct {
	digest digest
	index  int32 // of the node
}

func (t *Tree) newInputs(a *Agent) []given {
	list := []given{}
	for _, n := range t.Inputs(a) {
		list = slices.Grow(list, n.Size())
		for i, d := range digestsOf(n) {
			list = append(list, given{d, int32(n.Index() + i)})
		}
	}
	slices.SortFunc(list, func(a, b given) int { return cmp.Or(compareDigests(a.digest, b.digest), cmp.Compare(a.index, b.index)) })
	return list
}

// digests returns the digests of a value and of each below it, in document order.
func (t *Tree) digests(n strictjson.Node) []digest {
	key := int32(n.Index())
	if t.digested[key] == nil {
		if t.digested == nil {
			t.digested = map[int32][]digest{}
		}
		t.digested[key] = digestsOf(n)
	}
	return t.digested[key]
}

// digest stands for a value: equal values have the same, and others differ, but for a chance
// that is far below that of a fault of the machine. The seeds are random, so that no input
// can aim for it.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digestOf(text []byte) digest {
	return digest{maphash.Bytes(seeds[0], text), maphash.Bytes(seeds[1], text)}
}

func compareDigests(a, b digest) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

func digestsOf(n strictjson.Node) []digest {
	d := digester{first: n.Index(), list: make([]digest, n.Size())}
	for i := len(d.list) - 1; i >= 0; i-- { // what a value holds stands behind it
		d.list[i] = d.digest(n.Document().Node(d.first + i))
	}
	return d.list
}

type digester struct {
	first   int // index of the first node
	list    []digest
	text    []byte // scratch
	members []member
}

type member struct{ name, value digest }

// digest returns the digest of a value whose parts have theirs.
func (d *digester) digest(n strictjson.Node) digest {
	d.text = append(d.text[:0], byte(n.Kind()))
	switch n.Kind() {
	case strictjson.String:
		if !n.Escaped() {
			return digestOf(n.Raw()) // its quotes tell it from the other kinds
		}
		d.text = append(append(append(d.text[:0], '"'), n.TextBytes(nil)...), '"')
	case strictjson.Number:
		d.text = decimal.AppendValue(d.text, n.Raw())
	case strictjson.Array:
		for element := range n.Children() {
			d.add(d.list[element.Index()-d.first])
		}
	case strictjson.Object:
		d.addMembers(n)
	}
	return digestOf(d.text)
}

func (d *digester) add(part digest) {
	d.text = binary.LittleEndian.AppendUint64(d.text, part[0])
	d.text = binary.LittleEndian.AppendUint64(d.text, part[1])
}

// addMembers adds the members of an object in an order that does not depend on theirs.
func (d *digester) addMembers(n strictjson.Node) {
	d.members = d.members[:0]
	for m := range n.Children() {
		d.members = append(d.members, member{digestOf(m.KeyBytes(nil)), d.list[m.Index()-d.first]})
	}
	slices.SortStableFunc(d.members, func(a, b member) int { return compareDigests(a.name, b.name) })
	for i, m := range d.members {
		if i+1 == len(d.members) || d.members[i+1].name != m.name { // the last of a name counts
			d.add(m.name)
			d.add(m.value)
		}
	}
}
