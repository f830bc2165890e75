package strictjson

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"strconv"
)

// fewMembers is the object size up to which names are compared in pairs: cheaper than hashing for
// typical events (up to 22 members).
const fewMembers = 24

// nameSet is an open-addressing table of member indexes, reused between objects. Its random seed
// prevents collision attacks.
type nameSet struct {
	seed  maphash.Seed
	slots []int32
	a, b  []byte // unescaped names to compare
}

// repeated returns a member whose unescaped name occurred before in the object, or nil.
func (set *nameSet) repeated(src []byte, values []Value, object int32) *Value {
	var i int32
	if values[object].Count <= fewMembers {
		i = set.ofFew(src, values, object)
	} else {
		i = set.ofMany(src, values, object)
	}
	if i == 0 {
		return nil
	}
	return &values[i]
}

func duplicate(src []byte, v *Value) *Error {
	name := text(src[v.KeyStart:v.KeyEnd], v.Has(KeyEscaped))
	if len(name) > maxPointerKey {
		name = name[:maxPointerKey]
	}
	return fail(DuplicateKey, int(v.KeyStart)-1, "member name "+strconv.Quote(name)+" occurs twice")
}

// ofFew compares names by fingerprints of length and first eight bytes. A filter of 256 bits avoids
// most comparisons. It returns the index of the later member of a duplicate pair, or 0.
func (set *nameSet) ofFew(src []byte, values []Value, object int32) int32 {
	var seen [4]uint64
	for i, end := object+1, values[object].Next; i < end; i = values[i].Next {
		v := &values[i]
		if v.Has(KeyEscaped) {
			return set.ofMany(src, values, object)
		}
		mixed := fingerprint(src, int(v.KeyStart), int(v.KeyEnd)) * 0x9e3779b97f4a7c15
		word, bit := &seen[mixed>>62], uint64(1)<<(mixed>>56&63)
		if *word&bit != 0 && named(src, values, object, i) {
			return i
		}
		*word |= bit
	}
	return 0
}

// named reports whether an earlier member has the name of the last one; names have no escapes.
func named(src []byte, values []Value, object, last int32) bool {
	name := src[values[last].KeyStart:values[last].KeyEnd]
	for i := object + 1; i < last; i = values[i].Next {
		if v := &values[i]; int(v.KeyEnd-v.KeyStart) == len(name) && bytes.Equal(src[v.KeyStart:v.KeyEnd], name) {
			return true
		}
	}
	return false
}

// fingerprint packs a name's first eight bytes and length into a word.
func fingerprint(src []byte, start, end int) uint64 {
	size := end - start
	var w uint64
	if start+8 <= len(src) {
		w = binary.LittleEndian.Uint64(src[start:])
		if size < 8 {
			w &= 1<<(8*size&63) - 1
		}
	} else {
		for i, c := range src[start:end] {
			w |= uint64(c) << (8 * i)
		}
	}
	return w ^ uint64(size)<<56
}

// ofMany finds a repeated name by hashing and returns the index of the later member, or 0.
func (set *nameSet) ofMany(src []byte, values []Value, object int32) int32 {
	if set.slots == nil {
		set.seed = maphash.MakeSeed()
	}
	size := 32
	for size < 2*int(values[object].Count) {
		size *= 2
	}
	if cap(set.slots) < size {
		set.slots = make([]int32, size)
	}
	slots := set.slots[:size]
	clear(slots)
	mask := uint64(size - 1)
	for i, end := object+1, values[object].Next; i < end; i = values[i].Next {
		set.a = appendName(set.a[:0], src, &values[i])
		for slot := maphash.Bytes(set.seed, set.a) & mask; ; slot = (slot + 1) & mask {
			other := slots[slot]
			if other == 0 {
				slots[slot] = i
				break
			}
			set.b = appendName(set.b[:0], src, &values[other])
			if bytes.Equal(set.a, set.b) {
				return i
			}
		}
	}
	return 0
}

func appendName(dst, src []byte, v *Value) []byte {
	raw := src[v.KeyStart:v.KeyEnd]
	if !v.Has(KeyEscaped) {
		return append(dst, raw...)
	}
	return AppendUnescaped(dst, raw)
}
