package session

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/cupel-dev/cupel/internal/digest"
)

// toolID is a stored tool call: 96 bits of the digest of its id (or 64 bits of a key), 31 bits of the tool name's
// digest, and whether it was answered.
type toolID [16]byte

// toolIDOf builds a toolID from the digest or key of the call's id and the digest of the tool name.
func toolIDOf(id, name digest.Sum) (t toolID) {
	copy(t[:12], id[:])
	copy(t[12:], name[:4])
	t[12] &= 0x7f
	if t == (toolID{}) {
		t[11] = 1 // the zero value marks a free slot
	}
	return t
}

// lastSum caches the digest of the last text, because agents repeat tools and most results follow their call
// directly.
type lastSum struct {
	known bool // there is a last one
	text  []byte
	sum   digest.Sum
}

func (m *lastSum) of(text []byte) digest.Sum {
	if !m.known || !bytes.Equal(text, m.text) {
		m.known, m.text, m.sum = true, append(m.text[:0], text...), digest.Of(text)
	}
	return m.sum
}

func (t toolID) sameID(u toolID) bool { return string(t[:12]) == string(u[:12]) }

func (t toolID) sameCall(u toolID) bool {
	u[12] = u[12]&0x7f | t[12]&0x80
	return t == u
}

// A small set has one shard, because there can be many small sets.
const (
	callShards = 1 << 8
	smallCalls = 4 * callShards // of the largest small set
)

// toolIDs is a set of calls in independently growing shards: 16 to 28 bytes per call.
type toolIDs struct {
	shards   []shard // one for a small set; nil if empty
	size     int
	answered int
}

type shard struct {
	slots []toolID
	used  int
}

func (s *toolIDs) add(t toolID) {
	if len(s.shards) == 0 || s.size == smallCalls && len(s.shards) == 1 {
		s.split()
	}
	if s.shard(t).add(t) {
		s.size++
	}
}

func (sh *shard) add(t toolID) bool {
	if sh.used*8 >= len(sh.slots)*7 {
		sh.grow()
	}
	i, found := sh.find(t, toolID.sameCall)
	if !found {
		sh.slots[i] = t
		sh.used++
	}
	return !found
}

func (s *toolIDs) shard(t toolID) *shard { return &s.shards[int(t[0])&(len(s.shards)-1)] }

// split creates the first shard of an empty set, or many shards for a small one.
func (s *toolIDs) split() {
	before := s.shards
	if len(before) == 0 {
		s.shards = make([]shard, 1)
		return
	}
	s.shards = make([]shard, callShards)
	for _, t := range before[0].slots {
		if t != (toolID{}) {
			s.shard(t).add(t)
		}
	}
}

func (s *toolIDs) expect(calls int) {
	if calls <= smallCalls {
		return
	}
	s.shards = make([]shard, callShards)
	for i := range s.shards {
		s.shards[i].slots = cleared[toolID](roomy(calls, callShards) * 8 / 7)
	}
}

// answer marks the call that a result belongs to as answered. call reports whether it was found, and id whether any
// tool was called with this id.
func (s *toolIDs) answer(t toolID) (call, id bool) {
	if s.size == 0 {
		return false, false
	}
	sh := s.shard(t)
	if len(sh.slots) == 0 {
		return false, false
	}
	if i, found := sh.find(t, toolID.sameCall); found {
		if sh.slots[i][12]&0x80 == 0 {
			sh.slots[i][12] |= 0x80
			s.answered++
		}
		return true, true
	}
	_, id = sh.find(t, toolID.sameID)
	return false, id
}

// look reads the first slot to be searched, to prefetch it.
func (s *toolIDs) look(t *toolID) uint64 {
	if s.size == 0 {
		return 0
	}
	slots := s.shard(*t).slots
	if len(slots) == 0 {
		return 0
	}
	return uint64(slots[start(t, len(slots))][0])
}

// start returns the first slot of n to probe.
func start(t *toolID, n int) int {
	high, _ := bits.Mul64(binary.LittleEndian.Uint64(t[:]), uint64(n)) // t[0], which selects the shard, matters least
	return int(high)
}

// find returns the slot of an equal entry, or the free slot for a new one. A shard always has a free slot.
func (sh *shard) find(t toolID, same func(toolID, toolID) bool) (slot int, found bool) {
	for i := start(&t, len(sh.slots)); ; {
		if sh.slots[i] == (toolID{}) {
			return i, false
		}
		if same(sh.slots[i], t) {
			return i, true
		}
		if i++; i == len(sh.slots) {
			i = 0
		}
	}
}

func (sh *shard) grow() {
	old := sh.slots
	sh.slots = cleared[toolID](max(8, len(old)*3/2))
	for _, t := range old {
		if t != (toolID{}) {
			i, _ := sh.find(t, func(a, b toolID) bool { return a == b })
			sh.slots[i] = t
		}
	}
}

func (s *toolIDs) bytes() []byte {
	list := make([]byte, 0, s.size*len(toolID{}))
	for i := range s.shards {
		for _, t := range s.shards[i].slots {
			if t != (toolID{}) {
				list = append(list, t[:]...)
			}
		}
	}
	return list
}

func (s *toolIDs) load(list []byte) error {
	if len(list)%len(toolID{}) != 0 {
		return errors.New("the state cannot be used: its tool ids are truncated")
	}
	for ; len(list) > 0; list = list[len(toolID{}):] {
		t := toolID(list[:16])
		s.add(t)
		if t[12]&0x80 != 0 {
			s.answered++
		}
	}
	return nil
}
