package stream

import (
	"cmp"
	"container/heap"

	"github.com/cupel-dev/cupel/finding"
)

// Room limits the findings of many logs in one input like those of a single log: each stage keeps the first errors
// and notes by position. The second-stage findings of a rejected log are dropped only when the room is closed, and
// displaced ones are not restored, so that the result does not depend on timing.
type Room struct {
	max  int
	kept [2][2]lastOnTop // by stage, notes and errors
}

func NewRoom(max int) *Room { return &Room{max: max} }

// Findings returns a collector for a log that starts at line. owner identifies the log.
func (r *Room) Findings(owner, line int) *Findings {
	return &Findings{max: r.max, share: &share{r, owner, line}}
}

// Counts returns the number of findings per stage and severity.
func (c *Findings) Counts() (counts [2][3]int) {
	for which := range c.stages {
		counts[which] = c.stages[which].count
	}
	return counts
}

// Recount sets the counts to those returned by Counts.
func (c *Findings) Recount(counts [2][3]int) {
	for which := range c.stages {
		c.stages[which].count = counts[which]
	}
}

// NewLasting returns a collector that keeps second-stage findings despite structural faults, because it will be
// merged into another, which decides.
func NewLasting(max int) *Findings { return &Findings{max: max, lasting: true} }

func (c *Findings) Lasting() bool { return c.lasting }

// share is a log's part of a room.
type share struct {
	room  *Room
	owner int
	line  int // of the log's first
}

// ownedFinding is a finding with position and owner. A finding about a whole log has the position of its start.
type ownedFinding struct {
	Finding
	line  int
	owner int
}

func (s *share) class(which int, severity finding.Severity) *lastOnTop {
	if severity == finding.Error {
		return &s.room.kept[which][1]
	}
	return &s.room.kept[which][0]
}

func (s *share) add(which int, f Finding) {
	kept := s.class(which, f.Severity)
	o := ownedFinding{f, cmp.Or(f.Line, s.line), s.owner}
	switch {
	case s.room.max <= 0:
	case len(*kept) < s.room.max:
		heap.Push(kept, o)
	case compareOwned(o, (*kept)[0]) < 0:
		(*kept)[0] = o
		heap.Fix(kept, 0)
	}
}

func (s *share) full(which int, severity finding.Severity, l Line) bool {
	kept := s.class(which, severity)
	return s.room.max <= 0 || len(*kept) == s.room.max && (*kept)[0].line < l.Number
}

func (s *share) list(which int) (list []Finding) {
	for class := range s.room.kept[which] {
		for _, o := range s.room.kept[which][class] {
			if o.owner == s.owner {
				list = append(list, o.Finding)
			}
		}
	}
	return list
}

func compareOwned(a, b ownedFinding) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.owner, b.owner), compare(a.Finding, b.Finding))
}

// lastOnTop is a heap with the last finding by position on top.
type lastOnTop []ownedFinding

func (h lastOnTop) Len() int           { return len(h) }
func (h lastOnTop) Less(i, j int) bool { return compareOwned(h[i], h[j]) > 0 }
func (h lastOnTop) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *lastOnTop) Push(x any)        { *h = append(*h, x.(ownedFinding)) }

func (h *lastOnTop) Pop() any { panic("stream.lastOnTop.Pop: nothing is taken out of a room") }
