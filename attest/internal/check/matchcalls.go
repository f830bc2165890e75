package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// matchCalls is the check "calls": it compares the calls in a trace with a list of expectations.
type matchCalls struct {
	expect    []expectation
	order     string // any, in_order or strict
	extra     bool   // calls that nothing expects are allowed
	depth     depth
	share     bool    // the score is the share of the expectations that hold …
	threshold float64 // … which has to be as high
}

func compileMatchCalls(s *spec) Check {
	c := &matchCalls{order: "any", extra: true, depth: s.levels(), threshold: 1}
	list, ok := s.member("expect", strictjson.Array)
	if !ok || list.Len() == 0 || list.Len() > maxExpected {
		s.required("expect", fmt.Sprintf("a list of 1 to %d expectations", maxExpected))
		return nil
	}
	for n := range list.Children() {
		c.expect = append(c.expect, compileExpectation(s, n))
	}
	if !s.node.Last("order").Missing() {
		c.order = s.choose("order", "order", []string{"any", "in_order", "strict"})
	}
	if !s.node.Last("extra").Missing() {
		c.extra = s.choose("extra", "value of extra", []string{"allow", "forbid"}) == "allow"
	}
	if c.order == "strict" {
		c.extra = false
	}
	if !s.node.Last("score").Missing() {
		c.share = s.choose("score", "score", []string{"share"}) == "share"
	}
	if n := s.node.Last("threshold"); !n.Missing() {
		f, number := n.Float()
		if !number || f < 0 || f > 1 || !c.share {
			s.fail(n, `Give a number from 0 to 1, next to "score": "share".`, "threshold must be a number from 0 to 1, with score: share")
		}
		c.threshold = f
	}
	if s.problem != nil {
		return nil
	}
	for i := range c.expect {
		if e := &c.expect[i]; e.max < 0 && !c.extra && !e.each {
			e.max = max(e.min, 1)
		}
	}
	return c
}

type oneCall struct {
	name         string
	node         strictjson.Node
	args, result strictjson.Node
	failed       bool
}

// callsIn lists the calls in a trace, or on all its levels.
func callsIn(t *trace.Trace, all bool) (list []oneCall) {
	for level := range t.Levels() {
		for i := range level.Steps {
			s := &level.Steps[i]
			if !s.Call {
				continue
			}
			metadata := s.Node.Last("metadata")
			failed, _ := metadata.Last("is_error").Bool()
			list = append(list, oneCall{level.Names[s.Name], s.Node, s.Args, s.Node.Last("result"), failed || !metadata.Last("error").Missing()})
		}
		if !all {
			break
		}
	}
	return list
}

// maxPairs limits the product of calls and expectations in a check.
const maxPairs = 1_000_000

func (c *matchCalls) evaluate(ctx context.Context, x *Subject) Verdict {
	calls := callsIn(x.Trace, c.depth.all(x))
	steps := x.Trace.Members[trace.Steps]
	if len(calls)*len(c.expect) > maxPairs {
		return broken(fmt.Sprintf("Not evaluated: %d calls against %d expectations are more than %d comparisons.", len(calls), len(c.expect), maxPairs))
	}
	fits := make([][]bool, len(c.expect)) // by expectation and call
	for i := range c.expect {
		e := &c.expect[i]
		fits[i] = make([]bool, len(calls))
		for k, call := range calls {
			ok := e.means(call.name)
			fits[i][k] = ok && e.args.hold(ctx, x, call.args) && e.result.hold(ctx, x, call.result) && (e.status == "" || (e.status == "error") == call.failed)
			if ok && e.each && !fits[i][k] {
				return found(call.node, "Calls: the call of "+wording.Quote(call.name)+" does not satisfy the expectation for each call.", e.label(), "another call")
			}
		}
		if n := countOf(fits[i]); n > e.max && (e.max == 0 || e.max > 0 && c.extra) {
			return found(steps, fmt.Sprintf("Calls: %s called %d times, expected at most %d.", wording.Quote(e.label()), n, e.max), fmt.Sprintf("%s at most %d times", e.label(), e.max), fmt.Sprintf("%d times", n))
		}
	}
	if c.order != "any" {
		return c.sequence(steps, calls, fits)
	}
	return c.set(ctx, steps, calls, fits)
}

func countOf(list []bool) (n int) {
	for _, ok := range list {
		if ok {
			n++
		}
	}
	return n
}

// found returns a failure that lost data cannot explain.
func found(at strictjson.Node, explanation, wanted, got string) Verdict {
	v := failed(at, explanation).because(callsDiffer, wanted, got)
	v.Found = true
	return v
}

// set matches calls with expectations one to one, in any order.
func (c *matchCalls) set(ctx context.Context, steps strictjson.Node, calls []oneCall, fits [][]bool) Verdict {
	var slots []int // of the expectations that calls are required for
	for i, e := range c.expect {
		for range e.min {
			slots = append(slots, i)
		}
	}
	of := matching(ctx, len(slots), len(calls), func(slot, call int) bool { return fits[slots[slot]][call] })
	missing := map[int]bool{}
	for slot, call := range of {
		if call < 0 {
			missing[slots[slot]] = true
		}
	}
	held := len(c.expect) - len(missing)
	if len(missing) > 0 {
		var names []string
		for i := range c.expect {
			if missing[i] {
				names = append(names, c.expect[i].label())
			}
		}
		return c.partial(steps, held, "Calls: expected but not made: "+wording.QuoteList(names)+".", wording.QuoteList(names), "no such call")
	}
	if !c.extra {
		var room []int
		for i, e := range c.expect {
			for range capacity(e, len(calls)) {
				room = append(room, i)
			}
		}
		for call, slot := range matching(ctx, len(calls), len(room), func(call, slot int) bool { return fits[room[slot]][call] }) {
			if slot < 0 {
				return found(calls[call].node, "Calls: "+wording.Quote(calls[call].name)+" is not expected.", "no other call", calls[call].name)
			}
		}
	}
	return c.passed(steps, calls)
}

func capacity(e expectation, calls int) int {
	if e.max < 0 {
		return calls
	}
	return min(e.max, calls)
}

// matching computes a maximum matching of n with m elements (Kuhn). -1 means unmatched.
func matching(ctx context.Context, n, m int, fits func(i, k int) bool) []int {
	partner := make([]int, m) // of m
	for k := range partner {
		partner[k] = -1
	}
	var seen []bool
	var try func(i int) bool
	try = func(i int) bool {
		for k := range m {
			if seen[k] || !fits(i, k) {
				continue
			}
			seen[k] = true
			if partner[k] < 0 || try(partner[k]) {
				partner[k] = i
				return true
			}
		}
		return false
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		seen = make([]bool, m)
		try(i)
	}
	of := make([]int, n)
	for i := range of {
		of[i] = -1
	}
	for k, i := range partner {
		if i >= 0 {
			of[i] = k
		}
	}
	return of
}

// sequence matches calls with expectations in order. reached[j] means that the expectations before j are satisfied
// by the calls so far; used[j] is the minimum number of calls for expectation j.
func (c *matchCalls) sequence(steps strictjson.Node, calls []oneCall, fits [][]bool) Verdict {
	type state struct{ expectation, used int }
	now := map[state]bool{{}: true}
	best := 0 // expectations that held
	advance := func(states map[state]bool) {
		for more := true; more; {
			more = false
			for s := range states {
				if s.expectation < len(c.expect) && s.used >= c.expect[s.expectation].min {
					if next := (state{s.expectation + 1, 0}); !states[next] {
						states[next], more = true, true
					}
				}
			}
		}
		for s := range states {
			best = max(best, s.expectation)
		}
	}
	advance(now)
	for k := range calls {
		next := map[state]bool{}
		for s := range now {
			if c.extra {
				next[s] = true
			}
			if s.expectation < len(c.expect) && fits[s.expectation][k] {
				e := c.expect[s.expectation]
				if e.max < 0 || s.used < e.max {
					next[state{s.expectation, min(s.used+1, max(e.min, e.max, 1))}] = true
				}
			}
		}
		if advance(next); len(next) == 0 {
			return c.partial(calls[k].node, best, fmt.Sprintf("Calls: %s at call %d is not expected there.", wording.Quote(calls[k].name), k), c.labels(), calls[k].name)
		}
		now = next
	}
	if now[state{len(c.expect), 0}] {
		return c.passed(steps, calls)
	}
	missing := c.expect[min(best, len(c.expect)-1)].label()
	return c.partial(steps, best, "Calls: expected in order but not made: "+wording.Quote(missing)+".", c.labels(), "no call of "+missing)
}

func (c *matchCalls) labels() string {
	names := make([]string, len(c.expect))
	for i := range c.expect {
		names[i] = c.expect[i].label()
	}
	return wording.QuoteList(names)
}

// partial returns the verdict if only some expectations are satisfied.
func (c *matchCalls) partial(at strictjson.Node, held int, explanation, wanted, got string) Verdict {
	score := float64(held) / float64(len(c.expect))
	if c.share && score >= c.threshold {
		v := passed(at, fmt.Sprintf("%s %d of %d expectations hold, %v or more.", strings.TrimSuffix(explanation, "."), held, len(c.expect), c.threshold))
		v.Score = score
		return v
	}
	v := failed(at, explanation).because(callsDiffer, wanted, got)
	if c.share {
		v.Score = score
	}
	return v
}

func (c *matchCalls) passed(at strictjson.Node, calls []oneCall) Verdict {
	return passed(at, fmt.Sprintf("Calls as expected: %s (%d calls).", c.labels(), len(calls)))
}

// doubts implements doubtful. Lost data can explain missing and surplus calls.
func (c *matchCalls) doubts(s *Subject, v Verdict) *coverage.Loss {
	bounded := !c.extra
	for _, e := range c.expect {
		bounded = bounded || e.max >= 0 || e.each || e.args != nil || e.result != nil || e.status != ""
	}
	if v.outcome == held && !bounded {
		return nil
	}
	return s.coverage.First(coverage.Calls, coverage.Spans)
}
