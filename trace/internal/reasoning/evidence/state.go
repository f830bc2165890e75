package evidence

import (
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
)

// State is the registered evidence: at most 32 bytes per id, plus the most recent paths.
type State struct {
	ByID    map[uint64]uint32 `json:"by_id,omitempty"` // key of the id → its number
	Extents []extent          `json:"extents,omitempty"`
	Paths   paths             `json:"paths"`
	Recent  []recent          `json:"recent,omitempty"`  // the last MaxSearched, the latest at the end
	Damaged map[uint32]string `json:"damaged,omitempty"` // fault of a file as "rule@line", by evidence number
	Cited   fault.Pending     `json:"cited"`
}

// extent is the valid support range in an evidence file: 16 bytes, 28 with key and number.
type extent struct {
	From uint48 `json:"from"`
	To   uint48 `json:"to"`
	Form uint32 `json:"form"`
}

// unusable marks evidence without bytes to check against, which was already reported.
const unusable = ^uint32(0)

// uint48 is an offset in a file, up to 256 TiB.
type uint48 [6]byte

func newUint48(n int64) (u uint48) {
	for i := range u {
		u[i] = byte(n >> (8 * i))
	}
	return u
}

func (u uint48) int64() (n int64) {
	for i, b := range u {
		n |= int64(b) << (8 * i)
	}
	return n
}

// MaxSearched limits the recent evidence files that are searched for a support without reference.
const MaxSearched = 1_024

// recent is an evidence that a support without a reference can mean.
type recent struct {
	Number uint32 `json:"number"`
	ID     string `json:"id"`
	Path   string `json:"path"`
}

// ready allocates nil maps.
func (s *State) ready() {
	if s.ByID == nil {
		s.ByID = map[uint64]uint32{}
	}
	if s.Damaged == nil {
		s.Damaged = map[uint32]string{}
	}
	s.Paths.ready()
}

// add assigns a number to a new id. Its file is unusable until it is read.
func (s *State) add(key uint64) (number uint32) {
	number = uint32(len(s.Extents))
	s.ByID[key] = number
	s.Extents = append(s.Extents, extent{Form: unusable})
	return number
}

// settle stores the result of reading a file.
func (s *State) settle(t *file) {
	id := t.event.ID.String()
	s.Extents[t.number] = extent{newUint48(t.from), newUint48(t.to), s.Paths.form(t.number, t.path, id)}
	s.Recent = append(s.Recent, recent{t.number, id, t.path})
	if t.damaged != "" && len(s.Damaged) < fault.MaxNames {
		s.Damaged[t.number] = t.damaged
	}
}

// forget keeps only the latest evidence for searches, and one more as a mark that older evidence existed.
func (s *State) forget() {
	if n := len(s.Recent) - (MaxSearched + 1); n > 0 {
		s.Recent = slices.Delete(s.Recent, 0, n)
	}
}

// usable returns the range for supports in an evidence's file. ok is false if there are no bytes to check against.
func (s *State) usable(number uint32) (from, to int64, ok bool) {
	where := s.Extents[number]
	return where.From.int64(), where.To.int64(), where.Form != unusable
}

func (s *State) path(number uint32, id string) string {
	return s.Paths.of(number, s.Extents[number].Form, id)
}
