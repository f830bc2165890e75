// Package ids keeps what is known of each id of a large file in little memory. Columns have no pointers,
// so that the garbage collector does not read them.
package ids

import "math/bits"

const (
	chunkLen  = 256
	firstSlot = 64
	absent    = -1
)

// Column is a growing list. It grows by chunks, so that no element is copied.
type Column[V any] struct {
	chunks []*[chunkLen]V
	n      int
}

func (c *Column[V]) Len() int { return c.n }

func (c *Column[V]) Append(v V) {
	if c.n%chunkLen == 0 {
		c.chunks = append(c.chunks, new([chunkLen]V))
	}
	*c.At(c.n) = v
	c.n++
}

func (c *Column[V]) At(i int) *V { return &c.chunks[i/chunkLen][i%chunkLen] }

// Set numbers keys from 0 in the order of their addition. Keys are hashes. It takes 14 bytes per key.
type Set struct {
	keys  Column[uint64]
	slots []uint32 // open addressing: number of a key and 1, or 0
}

func (s *Set) Len() int { return s.keys.Len() }

// Key returns the key with a number.
func (s *Set) Key(n int) uint64 { return *s.keys.At(n) }

// Find returns a key's number, or -1.
func (s *Set) Find(key uint64) int {
	if len(s.slots) == 0 {
		return absent
	}
	return int(s.slots[s.slot(key)]) - 1
}

// Add returns a key's number, and whether the key is new.
func (s *Set) Add(key uint64) (n int, fresh bool) {
	if s.keys.n >= len(s.slots)/5*4 {
		s.grow()
	}
	at := s.slot(key)
	if n := s.slots[at]; n != 0 {
		return int(n) - 1, false
	}
	s.keys.Append(key)
	s.slots[at] = uint32(s.keys.n)
	return s.keys.n - 1, true
}

// slot returns the key's slot, or the free one for it.
func (s *Set) slot(key uint64) int {
	high, _ := bits.Mul64(key, uint64(len(s.slots)))
	at := int(high)
	for s.slots[at] != 0 && *s.keys.At(int(s.slots[at]) - 1) != key {
		if at++; at == len(s.slots) {
			at = 0
		}
	}
	return at
}

// grow makes room for half as many keys more.
func (s *Set) grow() {
	s.slots = make([]uint32, max(firstSlot, len(s.slots)*3/2))
	for n := range s.keys.n {
		s.slots[s.slot(*s.keys.At(n))] = uint32(n) + 1
	}
}

// Numbers is a list of natural numbers that usually rise from one to the next, as line numbers do. It takes two bytes
// for such a number.
type Numbers struct {
	base  []int32 // of each chunk, 0 before its first number
	steps Column[uint16]
	far   map[int32]int32 // numbers that are not close to their base
}

const (
	farStep = 1<<16 - 1
	slack   = 1 << 10 // how far a number can be below the first one of its chunk
)

func (c *Numbers) Append(v int) {
	if c.steps.n%chunkLen == 0 {
		c.base = append(c.base, 0)
	}
	c.steps.Append(0)
	if v != 0 {
		c.Set(c.steps.n-1, v)
	}
}

func (c *Numbers) At(i int) int {
	switch step := *c.steps.At(i); step {
	case 0:
		return 0
	case farStep:
		return int(c.far[int32(i)])
	default:
		return int(c.base[i/chunkLen]) + int(step) - 1
	}
}

func (c *Numbers) Set(i, v int) {
	at, base := c.steps.At(i), &c.base[i/chunkLen]
	if *base == 0 {
		*base = int32(max(v-slack, 1))
	}
	step := v - int(*base) + 1
	switch {
	case v == 0:
		*at = 0
	case 0 < step && step < farStep:
		*at = uint16(step)
	default:
		if c.far == nil {
			c.far = map[int32]int32{}
		}
		*at, c.far[int32(i)] = farStep, int32(v)
	}
}
