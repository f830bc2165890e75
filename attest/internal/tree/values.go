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

// Inputs returns an agent's inputs: that of each trace, or the args of the enclosing agent_call.
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

// Given returns the first position in an agent's inputs with a value equal to value, at any depth, or the zero
// Node. Numbers are compared by value, objects regardless of order; the last of repeated members counts. value is
// part of a trace's output.
func (t *Tree) Given(a *Agent, output, value strictjson.Node) strictjson.Node {
	if a.inputs == nil {
		a.inputs = t.newInputs(a)
	}
	wanted := t.digests(output)[value.Index()-output.Index()]
	i, found := slices.BinarySearchFunc(a.inputs, wanted, func(in givenValue, d digest) int { return compareDigests(in.digest, d) })
	if !found {
		return strictjson.Node{}
	}
	return value.Document().Node(int(a.inputs[i].index))
}

// givenValue is a value in an agent's inputs. Values are looked up by digest, to be fast for many values.
type givenValue struct {
	digest digest
	index  int32 // of the node
}

func (t *Tree) newInputs(a *Agent) []givenValue {
	list := []givenValue{}
	for _, n := range t.Inputs(a) {
		list = slices.Grow(list, n.Size())
		for i, d := range digestsOf(n) {
			list = append(list, givenValue{d, int32(n.Index() + i)})
		}
	}
	slices.SortFunc(list, func(a, b givenValue) int {
		return cmp.Or(compareDigests(a.digest, b.digest), cmp.Compare(a.index, b.index))
	})
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

// digest identifies a value with negligible collision probability. Random seeds prevent attacks.
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
	for i := len(d.list) - 1; i >= 0; i-- { // a value's content comes after it
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

// digest returns the digest of a value whose parts already have digests.
func (d *digester) digest(n strictjson.Node) digest {
	d.text = append(d.text[:0], byte(n.Kind()))
	switch n.Kind() {
	case strictjson.String:
		if !n.Escaped() {
			return digestOf(n.Raw()) // quotes distinguish it from other kinds
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

// addMembers adds the members of an object independently of their order.
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
