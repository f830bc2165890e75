package reasoning

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/finding"
)

// orderState is where the trace stands: the highest idx, and each step's life.
type orderState struct {
	last  int64
	steps map[uint64]step   // by key of the step id
	names map[uint64]string // of open steps, for findings; at most maxNames
}

// step is a step's life so far: 24 bytes beside its key.
type step struct {
	line     int64 // of its start
	idx      int64
	open     bool // started and not finished
	finished bool
	known    bool // it is in the plan, or there is no plan
	started  bool
}

// maxNames bounds the ids that are remembered in full, for findings at the end.
const maxNames = 1_000

// event findings

// fault adds a finding about an event, unless it would only be counted anyway.
func (c *Checker) fault(e *event, rule, path string, at place, message string, more ...func(*Finding)) {
	severity := severityOf(rule)
	if c.findings.Full(severity) {
		c.findings.Count(severity, 1)
		return
	}
	f := c.eventFinding(e, rule, path, at, message)
	for _, add := range more {
		add(&f)
	}
	c.findings.Add(f)
}

func (c *Checker) eventFinding(e *event, rule, path string, at place, message string) Finding {
	f := point(e.line, rule, path, at, message)
	idx := e.idx
	f.Index = &idx
	return f
}

// compared adds the two sides of a comparison.
func compared(expected, found string) func(*Finding) {
	return func(f *Finding) { f.Expected, f.Found = expected, found }
}

func (c *Checker) path(name string) string {
	if c.wrapped {
		return "event." + name
	}
	return name
}

// checkIdx holds idx strictly increasing, from 0 up.
func (c *Checker) checkIdx(e *event) {
	last := c.order.last
	switch {
	case e.idx < 0:
		c.fault(e, "order.idx_negative", c.path("idx"), e.idxAt, fmt.Sprintf("idx %d is negative", e.idx))
		return
	case e.idx <= last:
		c.fault(e, "order.idx_not_increasing", c.path("idx"), e.idxAt, fmt.Sprintf("idx %d does not increase", e.idx),
			compared(fmt.Sprintf("more than %d", last), fmt.Sprint(e.idx)))
	case e.idx != last+1:
		c.checkGap(e, last)
	}
	c.order.last = max(last, e.idx)
}

func (c *Checker) checkGap(e *event, last int64) {
	f := c.eventFinding(e, "order.idx_gap", c.path("idx"), e.idxAt, fmt.Sprintf("idx jumps from %d to %d", last, e.idx))
	if last < 0 {
		f.Message = fmt.Sprintf("idx starts at %d, not at 0", e.idx)
	}
	f.Expected, f.Found = fmt.Sprint(last+1), fmt.Sprint(e.idx)
	f.Notes = []string{"an event may have been removed here"}
	if c.opt.Contiguous {
		f.Severity = finding.Error
	}
	c.findings.Add(f)
}

// checkStep follows the life of the event's step: it starts once, after all steps it
// depends on have finished, owns its events while it is open, and finishes once.
func (c *Checker) checkStep(e *event) {
	key := c.key(e.step.bytes)
	s, seen := c.order.steps[key]
	if !seen {
		s.known = c.plan == nil || c.plan.has(e.step.bytes)
		if !s.known {
			c.fault(e, "ref.step_unknown", c.path("step_id"), e.step.at, fmt.Sprintf("step %q is not in the plan", preview(e.step.bytes)))
		}
	}
	switch e.kind {
	case stepStarted:
		c.startStep(e, key, &s)
	case stepFinished:
		if !s.open {
			c.fault(e, "order.finish_without_start", c.path("step_id"), e.step.at, fmt.Sprintf("step %q finishes, but it is not running", preview(e.step.bytes)))
		}
		s.open, s.finished = false, true
		delete(c.order.names, key)
	default:
		if !s.open && (s.known || s.started) {
			c.outsideStep(e, s)
		}
	}
	c.order.steps[key] = s
}

func (c *Checker) startStep(e *event, key uint64, s *step) {
	if s.started {
		c.fault(e, "order.step_restarted", c.path("step_id"), e.step.at, fmt.Sprintf("step %q starts a second time", preview(e.step.bytes)),
			func(f *Finding) { f.Notes = []string{fmt.Sprintf("it started on line %d", s.line)} })
	} else if c.plan != nil {
		c.checkDependencies(e)
	}
	s.open, s.started, s.line, s.idx = true, true, int64(e.line.Number), e.idx
	if len(c.order.names) < maxNames {
		c.order.names[key] = preview(e.step.bytes)
	}
}

func (c *Checker) outsideStep(e *event, s step) {
	message := fmt.Sprintf("the event belongs to step %q, which has not started", preview(e.step.bytes))
	if s.finished {
		message = fmt.Sprintf("the event belongs to step %q, which has finished", preview(e.step.bytes))
	}
	c.fault(e, "order.event_outside_step", c.path("step_id"), e.step.at, message)
}

// checkDependencies demands that all dependencies of a step have finished before it
// starts.
func (c *Checker) checkDependencies(e *event) {
	for _, i := range c.plan.dependencies(e.step.bytes) {
		dependency := []byte(c.plan.nodes[i].id)
		if !c.order.steps[c.key(dependency)].finished {
			c.fault(e, "order.dependency", c.path("step_id"), e.step.at,
				fmt.Sprintf("step %q starts before step %q, which it depends on, has finished", preview(e.step.bytes), preview(dependency)))
		}
	}
}

// finishOrder reports the steps that never finished and the nodes that never ran.
func (c *Checker) finishOrder() {
	type open struct {
		step
		name string
	}
	var unfinished []open
	for key, s := range c.order.steps {
		if s.open {
			unfinished = append(unfinished, open{s, c.order.names[key]})
		}
	}
	slices.SortFunc(unfinished, func(a, b open) int { return cmp.Compare(a.line, b.line) })
	for _, s := range unfinished {
		idx := s.idx
		c.findings.Add(Finding{
			Rule: "order.step_unfinished", Severity: severityOf("order.step_unfinished"), Line: int(s.line), Index: &idx, Path: c.path("step_id"),
			Message: fmt.Sprintf("%s is never finished", named("the step that starts here", "step", s.name)),
			Notes:   []string{"the end of the trace may be missing"},
		})
	}
	if c.plan == nil {
		return
	}
	for i, node := range c.plan.nodes {
		if !c.order.steps[c.key([]byte(node.id))].started {
			c.planFault(c.plan, "plan.node_not_executed", node.at, fmt.Sprintf("plan.nodes[%d]", i), fmt.Sprintf("step %q of the plan never ran", preview([]byte(node.id))))
		}
	}
}

// named is how a finding at the end calls something: by its id when that is still
// known.
func named(here, what, id string) string {
	if id == "" {
		return here
	}
	return fmt.Sprintf("%s %q", what, id)
}
