package tree

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Times is when an agent worked, in milliseconds of the trace's clock.
type Times struct {
	Start, End Instant         // of its first step, of its last
	First      strictjson.Node // the step that starts first

	Problem string          // why its times are not known; "" when they are
	Place   strictjson.Node // the step that the problem is about

	union []interval // disjoint, in order; none without a duration
	wall  *decimal.Number
}

// Instant is a time.
type Instant struct{ decimal.Number }

// Compare returns -1, 0 or 1.
func (i Instant) Compare(j Instant) int { return i.Number.Compare(j.Number) }

func (i Instant) String() string { return wording.Preview(i.Text) }

// interval is the time of a step, or of several without a gap.
type interval struct{ start, end Instant }

// Times returns when an agent worked: during steps with its id or, if there are none, during steps without another
// id in its traces.
func (t *Tree) Times(a *Agent) *Times {
	if a.times == nil {
		a.times = t.times(a)
	}
	return a.times
}

func (t *Tree) times(a *Agent) *Times {
	steps := t.stepsOf(a)
	if len(steps) == 0 {
		return &Times{Problem: "the agent has no steps"}
	}
	times := &Times{}
	for i, at := range steps {
		n := t.Step(at).Node
		span, problem := readInterval(n)
		if problem != "" {
			return &Times{Problem: t.StepName(at) + " " + problem, Place: n}
		}
		if i == 0 || span.start.Compare(times.Start) < 0 {
			times.Start, times.First = span.start, n
		}
		if i == 0 || span.end.Compare(times.End) > 0 {
			times.End = span.end
		}
		if span.start.Compare(span.end) < 0 {
			times.union = append(times.union, span)
		}
	}
	times.union = unite(times.union)
	return times
}

// stepsOf returns the steps that determine an agent's times.
func (t *Tree) stepsOf(a *Agent) []StepRef {
	t.label()
	if len(a.Steps) > 0 {
		return a.Steps
	}
	var steps []StepRef
	for _, l := range a.Levels {
		for i := range t.Levels[l].Trace.Steps {
			at := StepRef{int32(l), int32(i)}
			if t.agent(t.Step(at).Node.Last("agent_id")) == nil {
				steps = append(steps, at)
			}
		}
	}
	return steps
}

// readInterval returns a step's times or the problem.
func readInterval(step strictjson.Node) (span interval, problem string) {
	if span.start, problem = readInstant(step, "started_at_ms"); problem != "" {
		return span, problem
	}
	if span.end, problem = readInstant(step, "ended_at_ms"); problem != "" {
		return span, problem
	}
	if span.end.Compare(span.start) < 0 {
		return span, fmt.Sprintf("ends before it starts: ended_at_ms %s, started_at_ms %s",
			span.end, span.start)
	}
	return span, ""
}

func readInstant(step strictjson.Node, name string) (at Instant, problem string) {
	n := step.Last(name)
	if n.Missing() {
		return at, "has no " + name
	}
	number, ok := decimal.Parse(n.Raw())
	if !ok || !n.Is(strictjson.Number) {
		return at, fmt.Sprintf("has %s = %s, which is not a number that can be compared", name, wording.ShowValue(n))
	}
	return Instant{number}, ""
}

// unite joins intervals that overlap or touch, in place.
func unite(list []interval) []interval {
	slices.SortFunc(list, func(a, b interval) int { return a.start.Compare(b.start) })
	united := list[:0]
	for _, next := range list {
		last := len(united) - 1
		switch {
		case last < 0 || united[last].end.Compare(next.start) < 0:
			united = append(united, next)
		case united[last].end.Compare(next.end) < 0:
			united[last].end = next.end
		}
	}
	return united
}

// Wall returns the length of the union of the intervals.
func (x *Times) Wall() decimal.Number {
	if x.wall == nil {
		var sum decimal.Sum
		for _, i := range x.union {
			sum.Add(i.end.Number)
			sum.Subtract(i.start.Number)
		}
		wall := sum.Number()
		x.wall = &wall
	}
	return *x.wall
}

// Overlaps reports whether two agents worked at the same time for more than an instant, and the first such
// interval.
func (x *Times) Overlaps(y *Times) (from, to Instant, ok bool) {
	for i, j := 0, 0; i < len(x.union) && j < len(y.union); {
		a, b := &x.union[i], &y.union[j]
		from, to = a.start, a.end
		if b.start.Compare(from) > 0 {
			from = b.start
		}
		first := b.end.Compare(to) < 0
		if first {
			to = b.end
		}
		if from.Compare(to) < 0 {
			return from, to, true
		}
		if first {
			j++
		} else {
			i++
		}
	}
	return from, to, false
}
