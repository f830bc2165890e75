package tree

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"

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
// member or an element at any depth that is equal to it as JSON. The zero Node: there is none.
func (t *Tree) Given(a *Agent, value strictjson.Node) strictjson.Node {
	if a.inputs == nil {
		a.inputs = newInputs(t.Inputs(a))
	}
	return a.inputs.find(value)
}

// inputs are the values that an agent was given, by their hashes: a look-up takes no longer
// the more there are.
type inputs struct{ values []hashed }

type hashed struct {
	hash  uint64
	index int32 // of the node
}

func newInputs(list []strictjson.Node) *inputs {
	size := 0
	for _, n := range list {
		size += n.Size()
	}
	in := &inputs{values: make([]hashed, 0, size)}
	for _, n := range list {
		for i, hash := range hashes(n) {
			in.values = append(in.values, hashed{hash, int32(n.Index() + i)})
		}
	}
	slices.SortFunc(in.values, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.index, b.index)) })
	return in
}

func (in *inputs) find(value strictjson.Node) strictjson.Node {
	wanted := hashes(value)[0]
	i, _ := slices.BinarySearchFunc(in.values, wanted, func(v hashed, hash uint64) int { return cmp.Compare(v.hash, hash) })
	for ; i < len(in.values) && in.values[i].hash == wanted; i++ {
		if n := value.Document().Node(int(in.values[i].index)); Equal(n, value) {
			return n
		}
	}
	return strictjson.Node{}
}

// Equal says whether two values are the same JSON: numbers by their values, objects whatever
// the order of their members. Of a repeated member the last one counts.
func Equal(a, b strictjson.Node) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case strictjson.String:
		return bytes.Equal(a.TextBytes(nil), b.TextBytes(nil))
	case strictjson.Number:
		return bytes.Equal(appendNumber(nil, a.Raw()), appendNumber(nil, b.Raw()))
	case strictjson.Array:
		return a.Len() == b.Len() && slices.EqualFunc(slices.Collect(a.Children()), slices.Collect(b.Children()), Equal)
	case strictjson.Object:
		return maps.EqualFunc(members(a), members(b), Equal)
	}
	return true
}

func members(n strictjson.Node) map[string]strictjson.Node {
	m := make(map[string]strictjson.Node, n.Len())
	for member := range n.Children() {
		m[member.Key()] = member
	}
	return m
}

// hashSeed is random, so that no input can aim for collisions.
var hashSeed = maphash.MakeSeed()

// hashes returns the hash of a value and of each below it, in document order. Values that
// are equal have the same.
func hashes(n strictjson.Node) []uint64 {
	h := hasher{first: n.Index(), list: make([]uint64, n.Size())}
	for i := len(h.list) - 1; i >= 0; i-- { // what a value holds stands behind it
		h.list[i] = h.hash(n.Document().Node(h.first + i))
	}
	return h.list
}

type hasher struct {
	first int // index of the first node
	list  []uint64
	text  []byte // scratch
	names [][2]uint64
}

func (h *hasher) hash(n strictjson.Node) uint64 {
	h.text = append(h.text[:0], byte(n.Kind()))
	switch n.Kind() {
	case strictjson.String:
		if !n.Escaped() {
			return maphash.Bytes(hashSeed, n.Raw()) // the quotes tell it from the other kinds
		}
		h.text = append(append(append(h.text[:0], '"'), n.TextBytes(nil)...), '"')
	case strictjson.Number:
		h.text = appendNumber(h.text, n.Raw())
	case strictjson.Array:
		for element := range n.Children() {
			h.text = binary.LittleEndian.AppendUint64(h.text, h.list[element.Index()-h.first])
		}
	case strictjson.Object:
		h.addMembers(n)
	}
	return maphash.Bytes(hashSeed, h.text)
}

// addMembers adds the members of an object in an order that does not depend on theirs.
func (h *hasher) addMembers(n strictjson.Node) {
	h.names = h.names[:0]
	for member := range n.Children() {
		h.names = append(h.names, [2]uint64{maphash.Bytes(hashSeed, member.KeyBytes(nil)), h.list[member.Index()-h.first]})
	}
	slices.SortStableFunc(h.names, func(a, b [2]uint64) int { return cmp.Compare(a[0], b[0]) })
	for i, member := range h.names {
		if i+1 < len(h.names) && h.names[i+1][0] == member[0] {
			continue // the last of a name counts
		}
		h.text = binary.LittleEndian.AppendUint64(h.text, member[0])
		h.text = binary.LittleEndian.AppendUint64(h.text, member[1])
	}
}

// appendNumber appends the one spelling of a number's value: 1.0, 1 and 10e-1 are the same.
func appendNumber(dst, raw []byte) []byte {
	mantissa, power, _ := bytes.Cut(bytes.ToLower(raw), []byte("e"))
	exponent := 0
	if len(power) > 0 {
		var err error
		if exponent, err = strconv.Atoi(string(power)); err != nil {
			return append(dst, raw...) // beyond all bounds: equal when spelled alike
		}
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits, negative := bytes.CutPrefix(whole, []byte("-"))
	digits = append(slices.Clone(digits), fraction...)
	exponent -= len(fraction)
	length := len(digits)
	if digits = bytes.TrimRight(digits, "0"); len(digits) == 0 {
		return append(dst, '0')
	}
	exponent += length - len(digits)
	if negative {
		dst = append(dst, '-')
	}
	dst = append(dst, bytes.TrimLeft(digits, "0")...)
	return strconv.AppendInt(append(dst, 'e'), int64(exponent), 10)
}
