package session

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// damages lists damage in the order of detection.
type damages struct {
	Damage []stream.Damage
	Reach  int64 // rank of the record that the last one ends with
}

// stretch is the range of records affected by a damage. Neighbors are found by rank, not line: with JSON arrays, a
// line can hold several records and a record several lines.
type stretch struct{ from, to position }

func at(e *event) stretch { return stretch{positionOf(e), positionOf(e)} }

// maxDamage limits the list. Later damage is reported only as findings.
const maxDamage = 1000

// add appends a damage and returns its index, or -1 if the list is full. Adjacent edited records are merged.
func (d *damages) add(kind stream.DamageKind, s stretch, count uint64) int {
	next := s.from.Rank == d.Reach+1
	d.Reach = s.to.Rank
	if n := len(d.Damage); n > 0 && kind == stream.DamageEdited && d.Damage[n-1].Kind == kind && next {
		d.Damage[n-1].To = int64(s.to.Line)
		d.Damage[n-1].Count += int64(count)
		return n - 1
	}
	if len(d.Damage) >= maxDamage {
		return -1
	}
	d.Damage = append(d.Damage, stream.Damage{Kind: kind, From: int64(s.from.Line), To: int64(s.to.Line), Count: int64(count)})
	return len(d.Damage) - 1
}

// extend adds lines and events to the last damage, a repetition or insertion.
func (d *damages) extend(line, events int) {
	n := len(d.Damage)
	if n == 0 {
		return
	}
	if last := &d.Damage[n-1]; last.Kind == stream.DamageRepeated || last.Kind == stream.DamageInserted {
		last.To = int64(line)
		last.Count += int64(events)
	}
}

// replaceLast replaces the last damage by a better explanation.
func (d *damages) replaceLast(by stream.Damage) {
	if n := len(d.Damage); n > 0 {
		d.Damage[n-1] = by
	}
}

// numberGap is a range of missing sequence numbers.
type numberGap struct {
	From, To uint64
	Left     uint64
	Line     int // of the event that skipped it
	Rank     int64
	Damage   int // its index in damages, -1 for none
	Open     bool
	Root     string
}

func (h *numberGap) holds(at position) bool {
	return h.Open && at.Numbered && at.Number >= h.From && at.Number <= h.To
}

// cause returns the finding that reported the gap, or "" if the gap is filled.
func (h *numberGap) cause() string {
	if h.Open && h.Left > 0 {
		return h.Root
	}
	return ""
}

// recent holds the hashes of the last events, to recognize repeated events.
type recent struct {
	Count  int
	Recent []link // a ring once it is full
	past   *past  // of a session that was put away: of hashes that are zero in Recent; nil: of none
}

// maxRecent is the maximum distance, in events, at which a repeated event is recognized.
const maxRecent = 256

func (r *recent) remember(hash link) {
	if len(r.Recent) < maxRecent {
		r.Recent = append(r.Recent, hash)
	} else {
		r.Recent[r.Count%maxRecent] = hash
	}
	r.Count++
}

// skip adds n unknown hashes. At least maxRecent known hashes must follow.
func (r *recent) skip(n int) {
	r.Recent = append(r.Recent, make([]link, maxRecent-len(r.Recent))...)
	r.Count += n
}

func (r *recent) repeats(hash link) bool {
	return slices.Contains(r.Recent, hash) || r.past.has(r.Recent, hash)
}

// past holds the keys of recent hashes that were restored without the full hashes.
type past struct {
	keys siphash.Key
	of   []uint64 // 0: forgotten
}

// has reports whether a hash is in past, for entries that are zero in list.
func (p *past) has(list []link, hash link) bool {
	if p == nil {
		return false
	}
	key := hash.key(p.keys)
	for i, k := range p.of {
		if k == key && list[i] == (link{}) {
			return true
		}
	}
	return false
}

func (p *past) key(list []link, i int, keys siphash.Key) uint64 {
	switch {
	case list[i] != link{}:
		return list[i].key(keys)
	case p != nil && i < len(p.of):
		return p.of[i]
	}
	return 0
}
