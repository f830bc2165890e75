package naive

import (
	"context"
	"slices"
)

// Reasoning checks a run. The integrity of the answer is "rejected", "invalid" or "valid". The error is ErrNoTrace,
// ErrLarge, a read error or ctx's.
func Reasoning(ctx context.Context, run Run) (Answer, error) {
	records := readLines(run.Trace, run.Limits)
	first := firstReadable(records)
	if first < 0 || !isTrace(records[first].members) {
		return Answer{}, ErrNoTrace
	}
	if run.Versions == nil {
		run.Versions = []int64{1}
	}
	c := &reasoningCheck{ctx: ctx, run: run, noted: map[[2]string]bool{}}
	_, c.wrapped = records[first].members["record"]
	for _, r := range records {
		c.read(r)
	}
	if !c.wrapped && c.version == nil {
		if run.Strict {
			c.reject("version.assumed", 1)
		} else {
			c.warn("version.assumed", 1)
		}
	}
	if len(c.structure) == 0 {
		c.places = placesOf(c.events)
		c.beside = parsePlan(run.Plan, run.Limits)
		c.order()
		c.plan()
		c.spec()
		c.outputs()
		c.calls()
		c.evidence()
		c.identity()
		c.manifest()
		c.bytesOf(run.Trace, run.Expected)
	}
	if c.failed != nil {
		return Answer{}, c.failed
	}
	answer := Answer{Family: "reasoning", Integrity: "valid", Statements: c.all()}
	switch {
	case len(c.structure) > 0:
		answer.Integrity = "rejected"
	case slices.ContainsFunc(answer.Statements, func(s Statement) bool { return s.Severity == "error" }):
		answer.Integrity = "invalid"
	}
	return answer, nil
}
