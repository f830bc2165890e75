package strictjson

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"strconv"
)

// fewMembers is the object size up to which member names are compared pair by pair:
// cheaper than hashing for the objects that events are made of, and bounded.
const fewMembers = 16

// checkNames refuses an object two of whose members have the same name after
// unescaping.
func (s *Scanner) checkNames(src []byte, object int32) error {
	var repeated int32
	if s.doc.Values[object].Count <= fewMembers {
		repeated = s.repeatedOfFew(src, object)
	} else {
		repeated = s.repeatedOfMany(src, object)
	}
	if repeated == 0 {
		return nil
	}
	v := s.doc.Values[repeated]
	s.key = keySpan{v.KeyStart, v.KeyEnd, v.KeyEscaped}
	name := text(src[v.KeyStart:v.KeyEnd], v.KeyEscaped)
	if len(name) > maxPointerKey {
		name = name[:maxPointerKey]
	}
	return s.fail(DuplicateKey, int(v.KeyStart)-1, "member name "+strconv.Quote(name)+" occurs twice", true)
}

// repeatedOfFew compares every pair through a fingerprint of each name: its first
// eight bytes and its length. It returns the index of the later member of a pair, 0
// when there is none.
func (s *Scanner) repeatedOfFew(src []byte, object int32) int32 {
	var prints [fewMembers]uint64
	var index [fewMembers]int32
	values := s.doc.Values
	n := 0
	for i, end := object+1, values[object].Next; i < end; i = values[i].Next {
		v := &values[i]
		if v.KeyEscaped {
			return s.repeatedOfMany(src, object)
		}
		print := fingerprint(src, int(v.KeyStart), int(v.KeyEnd))
		for j := range n {
			if prints[j] == print && bytes.Equal(src[values[index[j]].KeyStart:values[index[j]].KeyEnd], src[v.KeyStart:v.KeyEnd]) {
				return i
			}
		}
		prints[n], index[n] = print, i
		n++
	}
	return 0
}

// fingerprint packs the first eight bytes of a name and its length into a word.
func fingerprint(src []byte, start, end int) uint64 {
	size := end - start
	var w uint64
	if start+8 <= len(src) {
		w = binary.LittleEndian.Uint64(src[start:])
		if size < 8 {
			w &= 1<<(8*size) - 1
		}
	} else {
		for i, c := range src[start:end] {
			w |= uint64(c) << (8 * i)
		}
	}
	return w ^ uint64(size)<<56
}

// nameSet is an open-addressing table of member indexes, reused between objects.
// Its seed is random, so that no input can aim for collisions.
type nameSet struct {
	seed  maphash.Seed
	slots []int32
	a, b  []byte // unescaped names under comparison
}

// repeatedOfMany finds a repeated name by hashing. It returns the index of the
// later member, 0 when there is none.
func (s *Scanner) repeatedOfMany(src []byte, object int32) int32 {
	set := &s.names
	if set.slots == nil {
		set.seed = maphash.MakeSeed()
	}
	values := s.doc.Values
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
		set.a = s.appendName(set.a[:0], src, i)
		for slot := maphash.Bytes(set.seed, set.a) & mask; ; slot = (slot + 1) & mask {
			other := slots[slot]
			if other == 0 {
				slots[slot] = i
				break
			}
			set.b = s.appendName(set.b[:0], src, other)
			if bytes.Equal(set.a, set.b) {
				return i
			}
		}
	}
	return 0
}

func (s *Scanner) appendName(dst, src []byte, member int32) []byte {
	v := &s.doc.Values[member]
	raw := src[v.KeyStart:v.KeyEnd]
	if !v.KeyEscaped {
		return append(dst, raw...)
	}
	return AppendUnescaped(dst, raw)
}
