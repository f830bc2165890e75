package stream

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/internal/finding"
)

// Findings collects the findings of one input in two stages. Structural faults make
// the input rejected. Everything else is the second stage: it is held and, once a
// structural fault is known, dropped, because a rejected input is not processed.
//
// Of each stage at most max errors and max notes are kept; the rest is counted. It
// is not safe for concurrent use: a worker fills one of its own and its flush
// function merges that.
type Findings struct {
	// Emit, when set, gets each kept finding once its block is complete. A finding of
	// the second stage is provisional until the input's end.
	Emit func(f Finding, provisional bool)

	max     int
	stages  [2]stage // structural, second
	emitted [2]int
}

type stage struct {
	list  []Finding
	kept  [3]int // by severity: info, warning, error
	count [3]int
}

const (
	structural = iota
	second
)

// NewFindings returns a collector that keeps at most max errors and max notes of
// each stage.
func NewFindings(max int) *Findings { return &Findings{max: max} }

// Reject adds a structural fault: the input is rejected.
func (c *Findings) Reject(f Finding) {
	f.Severity = finding.Error
	c.add(structural, f)
}

// Add adds a finding of the second stage. At severity Error it makes the input
// invalid.
func (c *Findings) Add(f Finding) { c.add(second, f) }

// Full says whether a further finding of the second stage at this severity would
// only be counted, so that a caller can spare itself the work of explaining it.
func (c *Findings) Full(s finding.Severity) bool { return c.full(&c.stages[second], s) }

// Count counts n findings of the second stage that the caller did not make.
func (c *Findings) Count(s finding.Severity, n int) { c.stages[second].count[s] += n }

func (c *Findings) full(s *stage, severity finding.Severity) bool {
	if severity == finding.Error {
		return s.kept[finding.Error] >= c.max
	}
	return s.kept[finding.Info]+s.kept[finding.Warning] >= c.max
}

func (c *Findings) add(which int, f Finding) {
	s := &c.stages[which]
	s.count[f.Severity]++
	if c.full(s, f.Severity) || which == second && c.Rejected() {
		return
	}
	s.kept[f.Severity]++
	s.list = append(s.list, f)
}

// Merge takes over all findings of other and empties it.
func (c *Findings) Merge(other *Findings) {
	for which := range other.stages {
		from := &other.stages[which]
		for _, f := range from.list {
			c.add(which, f)
			from.count[f.Severity]--
		}
		for severity, n := range from.count {
			c.stages[which].count[severity] += n
		}
		*from = stage{list: from.list[:0]}
	}
}

// endBlock passes on the findings that came since the last call, in order.
func (c *Findings) endBlock() {
	if c.Rejected() {
		c.stages[second].list = nil
		c.emitted[second] = 0
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
		for _, f := range c.stages[which].list[c.emitted[which]:] {
			fresh = append(fresh, item{f, which == second})
		}
		c.emitted[which] = len(c.stages[which].list)
	}
	slices.SortStableFunc(fresh, func(a, b item) int { return compare(a.Finding, b.Finding) })
	for _, f := range fresh {
		c.Emit(f.Finding, f.provisional)
	}
}

// compare orders findings by place. Those about a companion file, which name it, come
// after those about the input.
func compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.File, b.File), finding.Compare(a, b))
}

// Rejected says whether there is a structural fault.
func (c *Findings) Rejected() bool { return c.stages[structural].count[finding.Error] > 0 }

// Invalid says whether there is any error at all.
func (c *Findings) Invalid() bool { return c.Rejected() || c.stages[second].count[finding.Error] > 0 }

// Close returns the findings that stand, in order, and how many there were of each
// severity, the ones beyond the limit included.
func (c *Findings) Close() (list []Finding, info, warnings, errors int) {
	c.endBlock()
	list = slices.Clone(c.stages[structural].list)
	count := c.stages[structural].count
	if !c.Rejected() {
		list = append(list, c.stages[second].list...)
		for severity, n := range c.stages[second].count {
			count[severity] += n
		}
	}
	slices.SortStableFunc(list, compare)
	return list, count[finding.Info], count[finding.Warning], count[finding.Error]
}
