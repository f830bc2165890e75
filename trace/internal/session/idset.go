package session

import (
	"math"
	"math/bits"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
)

// idSet is a set of id keys, optimized for new keys and sets larger than the caches. A filter of two to four bytes
// per key recognizes most new keys. The keys are in append-only lists, which are searched only if the filter is
// inconclusive. A key takes 10 to 17 bytes. Positions depend on a per-process secret, to prevent crafted
// collisions.
type idSet struct {
	filter []uint64   // each key sets bits of one word; a power of two of them
	lists  [][]uint64 // of keys; a power of two of them
	size   int
	secret siphash.Key
}

// A small set has one list, because there can be many small sets.
const (
	idLists     = 1 << 10
	smallIDs    = 1 << 10 // keys of the largest small set
	keysPerWord = 4       // at most, for a false positive rate of 1 in 200
)

func newIDSet() *idSet {
	return &idSet{filter: make([]uint64, 1), lists: make([][]uint64, 1), secret: siphash.NewKey()}
}

// mix maps a key to a position that depends on the secret.
func (s *idSet) mix(key uint64) uint64 {
	high, low := bits.Mul64(key^s.secret[0], s.secret[1]|1)
	return high ^ low
}

func (s *idSet) word(mixed uint64) *uint64 { return &s.filter[mixed>>34&uint64(len(s.filter)-1)] }

func (s *idSet) list(mixed uint64) *[]uint64 { return &s.lists[mixed>>24&uint64(len(s.lists)-1)] }

func bitsOf(mixed uint64) uint64 {
	return 1<<(mixed&63) | 1<<(mixed>>6&63) | 1<<(mixed>>12&63) | 1<<(mixed>>18&63)
}

func (s *idSet) add(key uint64) (before bool) {
	mixed := s.mix(key)
	word, list, set := s.word(mixed), s.list(mixed), bitsOf(mixed)
	if *word&set == set && slices.Contains(*list, key) {
		return true
	}
	if s.size == keysPerWord*len(s.filter) {
		s.grow(2 * s.size)
		word, list = s.word(mixed), s.list(mixed)
	}
	*word |= set
	*list = append(*list, key)
	s.size++
	return false
}

func (s *idSet) has(key uint64) bool {
	mixed := s.mix(key)
	set := bitsOf(mixed)
	return *s.word(mixed)&set == set && slices.Contains(*s.list(mixed), key)
}

// grow creates a filter for the given number of keys, and several lists if it is large.
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
			mixed := s.mix(key)
			*s.word(mixed) |= bitsOf(mixed)
		}
	}
}

// split divides the list of a small set into many.
func (s *idSet) split() {
	small := s.lists[0]
	s.lists = make([][]uint64, idLists)
	for _, key := range small {
		list := s.list(s.mix(key))
		*list = append(*list, key)
	}
}

func (s *idSet) expect(keys int) {
	if keys <= smallIDs {
		return
	}
	s.grow(keys)
	for i := range s.lists {
		s.lists[i] = make([]uint64, 0, roomy(keys, idLists))
	}
}

// roomy returns the capacity for a list when keys are spread over the given number of lists.
func roomy(keys, lists int) int {
	each := keys / lists
	return each + 4*int(math.Sqrt(float64(each))) + 8
}

// cleared returns zeroed memory that was written to, because fresh memory that is read first costs a second page
// fault.
func cleared[T any](n int) []T {
	slots := make([]T, n)
	clear(slots)
	return slots
}

func (s *idSet) sorted() []uint64 {
	list := slices.Concat(s.lists...)
	slices.Sort(list)
	return list
}
