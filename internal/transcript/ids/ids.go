// Package ids keeps what is known of each id of a large file in little memory. Columns have no pointers,
// so that the garbage collector does not read them.
package ids

const (
	chunkLen = 256
	absent   = -1
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

// Set numbers keys from 0 in the order of their addition. Keys are hashes. It takes about 11 bytes per key: the first
// byte of a key selects a shard, the next two are in the shard's slots, and the rest is in a column.
type Set struct {
	rests  Column[[5]byte]
	shards []shard // small ones, so that growth copies little
}

// shard is a hash table with open addressing.
type shard struct {
	slots []slot
	high  []byte // fourth byte of the number in each slot; nil: all are 0
	used  int
}

// slot has the number of a key and 1 in its first three bytes, or 0, and the key's second and third byte.
type slot [5]byte

const (
	shardShift = 56
	markShift  = 40
	restMask   = 1<<markShift - 1
	firstSlots = 8
)

// narrow is the largest number that fits in three bytes. It is a variable for tests.
var narrow = 1<<24 - 1

func (s *Set) Len() int { return s.rests.Len() }

// Keys returns the keys by number.
func (s *Set) Keys() []uint64 {
	keys := make([]uint64, s.Len())
	for i := range s.shards {
		t := &s.shards[i]
		for at := range t.slots {
			if n := t.number(at); n >= 0 {
				keys[n] = uint64(i)<<shardShift | uint64(t.mark(at))<<markShift | s.rest(n)
			}
		}
	}
	return keys
}

func (s *Set) rest(n int) uint64 {
	b := s.rests.At(n)
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32
}

// Find returns a key's number, or -1.
func (s *Set) Find(key uint64) int {
	if s.shards == nil {
		return absent
	}
	t := &s.shards[key>>shardShift]
	if len(t.slots) == 0 {
		return absent
	}
	return t.number(s.slot(t, key))
}

// Add returns a key's number, and whether the key is new.
func (s *Set) Add(key uint64) (n int, fresh bool) {
	if s.shards == nil {
		s.shards = make([]shard, 1<<(64-shardShift))
	}
	t := &s.shards[key>>shardShift]
	if t.used >= len(t.slots)/8*7 {
		t.grow()
	}
	at := s.slot(t, key)
	if n := t.number(at); n >= 0 {
		return n, false
	}
	n = s.rests.Len()
	s.rests.Append([5]byte{byte(key), byte(key >> 8), byte(key >> 16), byte(key >> 24), byte(key >> 32)})
	t.put(at, n, uint16(key>>markShift))
	t.used++
	return n, true
}

// slot returns the slot of a key, or the free one for it.
func (s *Set) slot(t *shard, key uint64) int {
	mark := uint16(key >> markShift)
	for at := t.home(mark); ; at = t.after(at) {
		n := t.number(at)
		if n < 0 || t.mark(at) == mark && s.rest(n) == key&restMask {
			return at
		}
	}
}

// home is the first slot for keys with a mark.
func (t *shard) home(mark uint16) int { return int(uint64(mark) * uint64(len(t.slots)) >> 16) }

func (t *shard) after(at int) int {
	if at++; at == len(t.slots) {
		return 0
	}
	return at
}

func (t *shard) mark(at int) uint16 { return uint16(t.slots[at][3]) | uint16(t.slots[at][4])<<8 }

// number returns the number in a slot, or -1.
func (t *shard) number(at int) int {
	b := &t.slots[at]
	n := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	if t.high != nil {
		n |= int(t.high[at]) << 24
	}
	return n - 1
}

func (t *shard) put(at, n int, mark uint16) {
	n++
	if n > narrow && t.high == nil {
		t.high = make([]byte, len(t.slots))
	}
	t.slots[at] = slot{byte(n), byte(n >> 8), byte(n >> 16), byte(mark), byte(mark >> 8)}
	if t.high != nil {
		t.high[at] = byte(n >> 24)
	}
}

// grow makes room for an eighth more. It needs no keys, because a mark decides where a search begins.
func (t *shard) grow() {
	old := *t
	*t = shard{slots: make([]slot, max(firstSlots, (len(old.slots)*9/8+7)/8*8)), used: old.used}
	if old.high != nil {
		t.high = make([]byte, len(t.slots))
	}
	for i := range old.slots {
		n := old.number(i)
		if n < 0 {
			continue
		}
		at := t.home(old.mark(i))
		for t.number(at) >= 0 {
			at = t.after(at)
		}
		t.put(at, n, old.mark(i))
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
