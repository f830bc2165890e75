package session

import (
	"math"
	"math/bits"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
)

// idSet is a set of the keys of ids. Nearly every key is a new one, and those of a long log do
// not fit the caches of a processor. So a filter, which takes two to four bytes for each, says of
// nearly all keys that they are new; the keys stand in lists, which are only added to, and one of
// which is searched where the filter cannot tell. A key costs 10 to 17 bytes at any size.
//
// Where a key lies depends on a secret of the process: who can choose keys cannot make
// them crowd together.
type idSet struct {
	filter []uint64   // each key sets bits of one word; a power of two of them
	lists  [][]uint64 // of keys; a power of two of them
	size   int
	secret siphash.Key
}

// A small set is one list; there may be many of them.
const (
	idLists     = 1 << 10
	smallIDs    = 1 << 10 // keys of the largest small set
	keysPerWord = 4       // of the filter, at most: then it cannot tell of one new key in 200
)

func newIDSet() *idSet {
	return &idSet{filter: make([]uint64, 1), lists: make([][]uint64, 1), secret: siphash.NewKey()}
}

// home is where a key belongs.
type home struct {
	word, list int
	bits       uint64 // of the word
}

func (s *idSet) home(key uint64) home {
	high, low := bits.Mul64(key^s.secret[0], s.secret[1]|1)
	mixed := high ^ low
	return home{
		word: int(mixed >> 34 & uint64(len(s.filter)-1)),
		list: int(mixed >> 24 & uint64(len(s.lists)-1)),
		bits: 1<<(mixed&63) | 1<<(mixed>>6&63) | 1<<(mixed>>12&63) | 1<<(mixed>>18&63),
	}
}

// add puts a key into the set, and says whether it was there before.
func (s *idSet) add(key uint64) (before bool) {
	at := s.home(key)
	if s.holds(at, key) {
		return true
	}
	if s.size == keysPerWord*len(s.filter) {
		s.grow(2 * s.size)
		at = s.home(key)
	}
	s.filter[at.word] |= at.bits
	s.lists[at.list] = append(s.lists[at.list], key)
	s.size++
	return false
}

// has says whether a key is in the set.
func (s *idSet) has(key uint64) bool { return s.holds(s.home(key), key) }

func (s *idSet) holds(at home, key uint64) bool {
	return s.filter[at.word]&at.bits == at.bits && slices.Contains(s.lists[at.list], key)
}

// grow makes a filter that has room for so many keys, and many lists when they are many.
func (s *idSet) grow(keys int) {
	words := len(s.filter)
	for words*keysPerWord < keys {
		words *= 2
	}
	s.filter = cleared[uint64](words)
	if keys > smallIDs && len(s.lists) == 1 {
		s.split()
	}
	for _, list := range s.lists {
		for _, key := range list {
			at := s.home(key)
			s.filter[at.word] |= at.bits
		}
	}
}

// split makes of a small set one of many lists.
func (s *idSet) split() {
	small := s.lists[0]
	s.lists = make([][]uint64, idLists)
	for _, key := range small {
		list := &s.lists[s.home(key).list]
		*list = append(*list, key)
	}
}

// expect makes room for so many keys in an empty set.
func (s *idSet) expect(keys int) {
	if keys <= smallIDs {
		return
	}
	s.grow(keys)
	for i := range s.lists {
		s.lists[i] = make([]uint64, 0, roomy(keys, idLists))
	}
}

// roomy is how many of some keys a list has, if it is not one of very few.
func roomy(keys, lists int) int {
	each := keys / lists
	return each + 4*int(math.Sqrt(float64(each))) + 8
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
	list := slices.Concat(s.lists...)
	slices.Sort(list)
	return list
}
