package reasoning

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// linkState remembers which calls and claims there were, and what refers to ids that
// have not come yet.
type linkState struct {
	calls   map[uint64]call
	names   map[uint64]string // of unanswered calls, for findings; at most maxNames
	claims  map[uint64]struct{}
	results waiting // results whose call has not come
	cited   struct{ evidence, claims waiting }
}

// call is a tool call so far: 24 bytes beside its key.
type call struct {
	step uint64 // key of its step
	line int64  // negative once it is answered
	idx  int64
}

func (c call) answered() bool { return c.line < 0 }

func (c call) number() int64 { return max(c.line, -c.line) }

func newLinks() linkState {
	l := linkState{calls: map[uint64]call{}, names: map[uint64]string{}, claims: map[uint64]struct{}{}}
	for _, w := range []*waiting{&l.results, &l.cited.evidence, &l.cited.claims} {
		w.byKey = map[uint64][]*Finding{}
	}
	return l
}

// size is how many ids are remembered.
func (l *linkState) size() int {
	return len(l.calls) + len(l.claims) + l.results.count + l.cited.evidence.count + l.cited.claims.count
}

// waiting holds findings about ids that have not come yet. Whether the id is unknown
// or comes later is known only when it comes, or at the end. Findings beyond what a
// report keeps are held as nil and counted.
type waiting struct {
	byKey map[uint64][]*Finding
	count int
	held  int
}

// wait adds a finding that is right if the id never comes.
func (c *Checker) wait(w *waiting, key uint64, make func() Finding) {
	var f *Finding
	if w.held < c.limits.Findings {
		made := make()
		f = &made
		w.held++
	}
	w.byKey[key] = append(w.byKey[key], f)
	w.count++
}

// came settles what was waiting for an id: it comes too late. rule and message
// replace those of the finding.
func (c *Checker) came(w *waiting, key uint64, rule, message string) (any bool) {
	for _, f := range w.byKey[key] {
		any = true
		w.count--
		if f == nil {
			c.findings.Count(severityOf(rule), 1)
			continue
		}
		f.Rule, f.Severity, f.Message = rule, severityOf(rule), fmt.Sprintf(message, f.Found)
		f.Found = ""
		c.findings.Add(*f)
	}
	delete(w.byKey, key)
	return any
}

// never settles what is still waiting at the end.
func (c *Checker) never(w *waiting, rule string) {
	var list []Finding
	for _, findings := range w.byKey {
		for _, f := range findings {
			if f == nil {
				c.findings.Count(severityOf(rule), 1)
				continue
			}
			f.Found = ""
			list = append(list, *f)
		}
	}
	slices.SortFunc(list, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Path, b.Path)) })
	for _, f := range list {
		c.findings.Add(f)
	}
}

// checkCall takes a tool call: its id is new and its step is the event's.
func (c *Checker) checkCall(e *event) {
	if s := e.callStep; s.bytes != nil && string(s.bytes) != string(e.step.bytes) {
		c.fault(e, "ref.step_mismatch", c.path("call.step_id"), s.at, "the call names another step than its event",
			compared(preview(e.step.bytes), preview(s.bytes)))
	}
	key := c.key(e.id.bytes)
	if first, ok := c.links.calls[key]; ok {
		c.fault(e, "ref.call_duplicate", c.path("call.id"), e.id.at, fmt.Sprintf("a second call with the id %q", preview(e.id.bytes)),
			func(f *Finding) { f.Notes = []string{fmt.Sprintf("the first stands on line %d", first.number())} })
		return
	}
	early := c.came(&c.links.results, key, "ref.result_before_call", "the result of call %q stands before the call")
	made := call{step: c.key(e.step.bytes), line: int64(e.line.Number), idx: e.idx}
	if early {
		made.line = -made.line
	}
	c.links.calls[key] = made
	if !early && len(c.links.names) < maxNames {
		c.links.names[key] = preview(e.id.bytes)
	}
}

// checkResult takes a result: exactly one for each call, after it, in the same step.
func (c *Checker) checkResult(e *event) {
	key := c.key(e.id.bytes)
	asked, ok := c.links.calls[key]
	path := c.path("result.call_id")
	if !ok {
		c.wait(&c.links.results, key, func() Finding {
			f := c.eventFinding(e, "ref.call_unknown", path, e.id.at, fmt.Sprintf("the result answers call %q, which is never made", preview(e.id.bytes)))
			f.Found = preview(e.id.bytes)
			return f
		})
		return
	}
	switch {
	case asked.answered():
		c.fault(e, "ref.result_duplicate", path, e.id.at, fmt.Sprintf("a second result of call %q", preview(e.id.bytes)))
	case asked.step != c.key(e.step.bytes):
		c.fault(e, "ref.step_mismatch", c.path("step_id"), e.step.at, fmt.Sprintf("the result of call %q stands in another step than the call", preview(e.id.bytes)),
			func(f *Finding) { f.Notes = []string{fmt.Sprintf("the call stands on line %d", asked.number())} })
	}
	asked.line = -asked.number()
	c.links.calls[key] = asked
	delete(c.links.names, key)
}

// finishLinks reports what only the end can tell.
func (c *Checker) finishLinks() {
	c.never(&c.links.results, "ref.call_unknown")
	c.never(&c.links.cited.evidence, "ref.evidence_unknown")
	c.never(&c.links.cited.claims, "ref.claim_unknown")
	var unanswered []uint64
	for key := range maps.Keys(c.links.calls) {
		if !c.links.calls[key].answered() {
			unanswered = append(unanswered, key)
		}
	}
	slices.SortFunc(unanswered, func(a, b uint64) int {
		return cmp.Compare(c.links.calls[a].line, c.links.calls[b].line)
	})
	for _, key := range unanswered {
		asked := c.links.calls[key]
		idx := asked.idx
		c.findings.Add(Finding{
			Rule: "ref.call_unanswered", Severity: severityOf("ref.call_unanswered"), Line: int(asked.number()), Index: &idx, Path: c.path("call.id"),
			Message: named("the call on this line", "call", c.links.names[key]) + " has no result",
		})
	}
}
