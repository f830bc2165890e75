package stream

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Findings collects an input's findings in two stages. Structural faults reject the input. Other findings belong to
// the second stage, which is dropped if the input is rejected. Each stage keeps the first max errors and the first
// max notes by position, in any order of arrival, and counts the rest. It is not safe for concurrent use: each
// worker has its own, and they are merged.
type Findings struct {
	// Emit, if set, receives each kept finding when its block is complete. Second-stage findings are provisional
	// until the end, and an earlier finding can still displace any.
	Emit func(f Finding, provisional bool)

	max     int
	lasting bool     // structural faults do not drop other findings
	share   *share   // shared storage with other collectors, or nil
	stages  [2]stage // structural, second
}

type stage struct {
	kept  [2]firsts // notes, errors
	fresh []Finding // since the end of the last block; only for Emit
	count [3]int    // by severity: info, warning, error
}

func (s *stage) class(severity finding.Severity) *firsts {
	if severity == finding.Error {
		return &s.kept[1]
	}
	return &s.kept[0]
}

func (s *stage) list() []Finding { return slices.Concat(s.kept[0].list, s.kept[1].list) }

const (
	structural = iota
	second
)

// NewFindings returns a collector that keeps at most max errors and max notes of each stage.
func NewFindings(max int) *Findings { return &Findings{max: max} }

// Reject adds a structural fault, which rejects the input.
func (c *Findings) Reject(f Finding) {
	f.Severity = finding.Error
	c.add(structural, f)
}

// Add adds a second-stage finding. With severity Error it makes the input invalid.
func (c *Findings) Add(f Finding) { c.add(second, f) }

// Full reports whether a second-stage finding at an offset would be dropped. If so, it counts the finding, and the
// caller need not build its message. Near the last kept finding it returns false, because the column decides.
func (c *Findings) Full(s finding.Severity, l Line, offset int) bool {
	if c.share != nil {
		return c.share.full(second, s, l)
	}
	return c.drops() || c.max <= 0 || c.stages[second].class(s).endBefore(l, offset)
}

// FullOfRejections is Full for structural faults.
func (c *Findings) FullOfRejections(l Line, offset int) bool {
	if c.share != nil {
		return c.share.full(structural, finding.Error, l)
	}
	return c.max <= 0 || c.stages[structural].class(finding.Error).endBefore(l, offset)
}

// CountRejection counts a structural fault without adding it.
func (c *Findings) CountRejection() { c.stages[structural].count[finding.Error]++ }

// Most returns the maximum number of errors, and of notes, per stage.
func (c *Findings) Most() int { return c.max }

// Count counts second-stage findings without adding them.
func (c *Findings) Count(s finding.Severity, n int) { c.stages[second].count[s] += n }

func (c *Findings) add(which int, f Finding) {
	s := &c.stages[which]
	s.count[f.Severity]++
	if c.share != nil {
		c.share.add(which, f)
		return
	}
	if which == second && c.drops() {
		return
	}
	if s.class(f.Severity).add(f, c.max) && c.Emit != nil {
		s.fresh = append(s.fresh, f)
	}
}

// Merge moves all findings of other to c.
func (c *Findings) Merge(other *Findings) {
	for which := range other.stages {
		from := &other.stages[which]
		for class := range from.kept {
			for _, f := range from.kept[class].list {
				c.add(which, f)
				from.count[f.Severity]--
			}
			from.kept[class].empty()
		}
		for severity, n := range from.count {
			c.stages[which].count[severity] += n
		}
		from.count = [3]int{}
	}
}

// EndBlock calls Emit for findings that were added since the last call and are still kept, in order.
func (c *Findings) EndBlock() {
	if c.drops() {
		c.stages[second].kept, c.stages[second].fresh = [2]firsts{}, nil
	}
	if c.Emit == nil {
		return
	}
	type item struct {
		Finding
		provisional bool
	}
	var fresh []item
	for which := range c.stages {
		s := &c.stages[which]
		for _, f := range s.fresh {
			if k := s.class(f.Severity); k.reaches(f) || compare(f, k.list[0]) == 0 {
				fresh = append(fresh, item{f, which == second})
			}
		}
		clear(s.fresh)
		s.fresh = s.fresh[:0]
	}
	slices.SortStableFunc(fresh, func(a, b item) int { return compare(a.Finding, b.Finding) })
	for _, f := range fresh {
		c.Emit(f.Finding, f.provisional)
	}
}

// drops reports whether second-stage findings are no longer kept.
func (c *Findings) drops() bool { return !c.lasting && c.Rejected() }

func (c *Findings) list(which int) []Finding {
	switch {
	case c.share == nil:
		return c.stages[which].list()
	case c.stages[which].count == [3]int{}:
		return nil
	}
	return c.share.list(which)
}

// Rejected reports whether there is a structural fault.
func (c *Findings) Rejected() bool { return c.stages[structural].count[finding.Error] > 0 }

func (c *Findings) Invalid() bool { return c.Rejected() || c.stages[second].count[finding.Error] > 0 }

// Close returns the final findings in order, and the numbers per severity, including dropped ones.
func (c *Findings) Close() (list []Finding, info, warnings, errors int) {
	c.EndBlock()
	list = c.list(structural)
	count := c.stages[structural].count
	if !c.Rejected() {
		list = append(list, c.list(second)...)
		for severity, n := range c.stages[second].count {
			count[severity] += n
		}
	}
	slices.SortStableFunc(list, compare)
	return list, count[finding.Info], count[finding.Warning], count[finding.Error]
}
