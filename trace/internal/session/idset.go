package session

import (
	"math"
	"math/bits"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
)

// idSet is a set of the keys of ids. It is cut into shards that grow each on its own, so
// that a key costs 11 to 22 bytes at any size, and a growing set little more.
//
// Where a key lies depends on a secret of the process: who can choose keys cannot make
// them crowd together.
type idSet struct {
	shards [][]uint64 // slots of keys; 0 is a free one
	used   []int
	size   int
	secret siphash.Key
}

// A small set is one shard; there may be many of them.
const (
	idShards = 1 << 8
	smallIDs = 4 * idShards // keys of the largest small set
)

func newIDSet() *idSet {
	return &idSet{shards: make([][]uint64, 1), used: make([]int, 1), secret: siphash.NewKey()}
}

// add puts a key into the set, and says whether it was there before.
func (s *idSet) add(key uint64) (before bool) {
	if s.size == smallIDs && len(s.shards) == 1 {
		s.split()
	}
	shard, i := s.find(key)
	if i >= 0 {
		slots := s.shards[shard]
		if slots[i] != 0 {
			return true
		}
		if 4*s.used[shard] < 3*len(slots) {
			s.put(shard, i, key)
			return false
		}
	}
	s.grow(shard)
	_, i = s.find(key)
	s.put(shard, i, key)
	return false
}

func (s *idSet) put(shard, i int, key uint64) {
	s.shards[shard][i] = nonzero(key)
	s.used[shard]++
	s.size++
}

// has says whether a key is in the set.
func (s *idSet) has(key uint64) bool {
	shard, i := s.find(key)
	return i >= 0 && s.shards[shard][i] != 0
}

// find returns the slot of a key, or the free one where it belongs; -1 in an empty shard.
func (s *idSet) find(key uint64) (shard, slot int) {
	key = nonzero(key)
	shard, slot = s.home(key)
	slots := s.shards[shard]
	if len(slots) == 0 {
		return shard, -1
	}
	for slots[slot] != 0 && slots[slot] != key {
		if slot++; slot == len(slots) {
			slot = 0
		}
	}
	return shard, slot
}

// home returns where the search for a key begins.
func (s *idSet) home(key uint64) (shard, slot int) {
	high, low := bits.Mul64(key^s.secret[0], s.secret[1]|1)
	mixed := high ^ low
	shard = int(mixed & uint64(len(s.shards)-1))
	at, _ := bits.Mul64(mixed, uint64(len(s.shards[shard])))
	return shard, int(at)
}

// look reads the slot where the search for a key will begin.
func (s *idSet) look(key uint64) uint64 {
	if shard, slot := s.home(nonzero(key)); slot < len(s.shards[shard]) {
		return s.shards[shard][slot]
	}
	return 0
}

// expect makes room for so many keys in an empty set.
func (s *idSet) expect(keys int) {
	if keys <= smallIDs {
		return
	}
	s.split()
	for i := range s.shards {
		s.shards[i] = cleared[uint64](roomy(keys, idShards) * 4 / 3)
	}
}

// roomy is how many of some keys a shard has, if it is not one of very few.
func roomy(keys, shards int) int {
	each := keys / shards
	return each + 4*int(math.Sqrt(float64(each))) + 8
}

// split makes of a small set one of many shards.
func (s *idSet) split() {
	small := s.shards[0]
	s.shards, s.used, s.size = make([][]uint64, idShards), make([]int, idShards), 0
	for _, key := range small {
		if key != 0 {
			s.add(key)
		}
	}
}

func (s *idSet) grow(shard int) {
	old := s.shards[shard]
	slots := cleared[uint64](max(16, 2*len(old)))
	s.shards[shard] = slots
	for _, key := range old {
		if key != 0 {
			_, i := s.find(key)
			s.shards[shard][i] = key
		}
	}
}

// cleared returns free slots that were written: fresh memory that is read before that costs a
// second page fault.
func cleared[T any](n int) []T {
	slots := make([]T, n)
	clear(slots)
	return slots
}

// sorted returns all keys in order.
func (s *idSet) sorted() []uint64 {
	list := make([]uint64, 0, s.size)
	for _, slots := range s.shards {
		for _, key := range slots {
			if key != 0 {
				list = append(list, key)
			}
		}
	}
	slices.Sort(list)
	return list
}

// nonzero makes room for the mark of a free slot: one key in 2^64 counts as another.
func nonzero(key uint64) uint64 {
	if key == 0 {
		return 1
	}
	return key
}
