package importer

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// link builds the tree of a trace's spans. unique omits duplicates. top are the spans whose parent is not recorded.
func (w *assembler) link(spans []*span) (unique, top []*span, err error) {
	byID := make(map[string]*span, len(spans))
	for _, s := range spans {
		known := byID[s.id]
		switch {
		case known == nil:
			byID[s.id] = s
			unique = append(unique, s)
		case w.sameSpan(known, s):
			w.account.Spans.Merged++
		default:
			return nil, nil, &spanFault{
				s, fmt.Sprintf("the trace has two spans with the id '%s'", wording.Preview(s.id)),
				"Give each span a unique id: overlapping files that are joined contain a span twice.",
			}
		}
	}
	for _, s := range unique {
		if s.up = byID[s.parent]; s.up != nil {
			s.up.children = append(s.up.children, s)
		} else {
			top = append(top, s)
		}
	}
	return unique, top, reach(unique, top)
}

// sameSpan reports whether two spans are equal, except for the order of members.
func (w *assembler) sameSpan(s, t *span) bool {
	if bytes.Equal(s.bytes(), t.bytes()) {
		return true
	}
	return reflect.DeepEqual(plainText(s.bytes()), plainText(t.bytes()))
}

// reach returns an error if spans form a cycle.
func reach(spans, top []*span) error {
	reached := make(map[*span]bool, len(spans))
	for pending := slices.Clone(top); len(pending) > 0; {
		s := pending[len(pending)-1]
		pending = append(pending[:len(pending)-1], s.children...)
		reached[s] = true
	}
	for _, s := range spans {
		if !reached[s] {
			return &spanFault{s, fmt.Sprintf("the span '%s' is its own ancestor", wording.Preview(s.id)), "Check the parents of this span: they must lead to a span without a parent."}
		}
	}
	return nil
}

// orphans finds agent spans with missing parents. A single missing parent above all others is outside the input,
// such as an incoming request. Any other was lost.
func (w *assembler) orphans(top []*span) {
	parents := map[string]bool{}
	roots := 0
	var first *span
	for _, s := range top {
		switch {
		case s.kind == other:
		case s.parent == "":
			roots++
		default:
			if first == nil || first.parent == s.parent && len(parents) == 0 {
				first = s
			}
			parents[s.parent] = true
		}
	}
	if len(parents) > 1 || len(parents) == 1 && roots > 0 {
		w.lose(loss{what: lostSpans, why: fmt.Sprintf("%d parents of spans are missing", len(parents)), span: first})
	}
}

// steps returns the spans that become steps, in order. Other spans are replaced by their children. Children of a
// step that is not an agent follow it.
func steps(below []*span) (list []*span) {
	for pending := slices.Clone(below); len(pending) > 0; {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if s.kind.isStep() && s.merged == nil {
			list = append(list, s)
		}
		if s.kind != aside && (s.kind != agent || s.merged != nil) {
			pending = append(pending, s.children...)
		}
	}
	slices.SortFunc(list, (*span).compare)
	return list
}

// mergeSpans merges spans of the same model or tool call.
func (w *assembler) mergeSpans(spans []*span) {
	byResponse := map[string]*span{}
	for _, s := range spans {
		if s.says == nil || s.merged != nil {
			continue
		}
		switch s.kind {
		case answering:
			into := above(s, answering, func(t *span) bool { return w.sameAnswer(t.says, s.says) })
			if known := byResponse[s.says.responseID]; into == nil && s.says.responseID != "" && known != nil && known.merged == nil {
				into = known
			}
			if into == nil {
				into = w.streamed(s)
			}
			if into != nil {
				w.mergeAnswer(into, s)
			} else if s.says.responseID != "" {
				byResponse[s.says.responseID] = s
			}
		case calling:
			same := func(t *span) bool { return sameName(t, s) }
			if into := above(s, calling, same); into != nil {
				w.mergeCall(into, s)
			} else if into := w.twin(s); into != nil {
				w.mergeCall(into, s)
			}
		}
	}
}

// above returns the nearest ancestor of a kind that satisfies wanted, not beyond the agent.
func above(s *span, k kind, wanted func(*span) bool) *span {
	for up := s.up; up != nil && up.kind != agent; up = up.up {
		if up.kind == k {
			if up.merged != nil {
				up = up.merged
			}
			if wanted == nil || wanted(up) {
				return up
			}
			return nil
		}
		if k == answering && up.kind == calling {
			return nil
		}
	}
	return nil
}

func sameName(s, t *span) bool { return toolName(s) == toolName(t) }

func toolName(s *span) string {
	if name, ok := s.says.name.Text(); ok && name != "" {
		return name
	}
	return s.says.as
}

func (w *assembler) siblings(s *span) []*span {
	if s.up == nil {
		return w.top
	}
	return s.up.children
}

// twin returns an adjacent span of the same tool call, written by a second instrumentation, or nil.
func (w *assembler) twin(s *span) *span {
	for _, t := range w.siblings(s) {
		if t == s || t.from > s.from {
			break
		}
		if t.kind == calling && t.merged == nil && t.says != nil && t.scope != s.scope && sameName(t, s) && sameText(t.says.callID, s.says.callID) && s.from <= t.to && t.from <= s.to {
			return t
		}
	}
	return nil
}

// streamed returns the request whose streamed answer is in an adjacent span: one with the same messages but without
// answer and tokens.
func (w *assembler) streamed(s *span) *span {
	if !s.says.answered() || !s.says.messages.Exists() {
		return nil
	}
	siblings := w.siblings(s)
	for i := slices.Index(siblings, s) - 1; i >= 0; i-- {
		t := siblings[i]
		if t.kind != answering || t.says == nil || t.merged != nil {
			continue
		}
		if !t.says.answered() && !t.says.usage.known && t.says.failed.Missing() && bytes.Equal(t.says.messages.Raw(), s.says.messages.Raw()) {
			return t
		}
		return nil
	}
	return nil
}

// sameAnswer reports whether two spans can have the same answer: one lacks it, or both are equal.
func (w *assembler) sameAnswer(t, u *spanContent) bool {
	if !t.answered() || !u.answered() {
		return true
	}
	if len(t.calls) != len(u.calls) || len(t.calls) == 0 && len(t.said) > 0 && len(u.said) > 0 && !bytes.Equal(bytes.TrimSpace(t.said.bytes()), bytes.TrimSpace(u.said.bytes())) {
		return false
	}
	for i, c := range t.calls {
		if !sameText(c.name, u.calls[i].name) || !w.sameArgs(c.args, u.calls[i].args) {
			return false
		}
	}
	return true
}

// mergeAnswer adds the data of another span of the same model call.
func (w *assembler) mergeAnswer(into, s *span) {
	s.merged = into
	w.account.Spans.Merged++
	t, u := into.says, s.says
	if !t.in.says() {
		t.in, t.messages, t.user, t.system = u.in, u.messages, u.user, u.system
	}
	if !t.answered() {
		t.out, t.said, t.thought, t.calls = u.out, u.said, u.thought, u.calls
	}
	t.finish, t.model, t.cost = firstNode(t.finish, u.finish), firstNode(t.model, u.model), firstNode(t.cost, u.cost)
	if !t.usage.known {
		t.usage = u.usage
	}
	if t.responseID == "" {
		t.responseID = u.responseID
	}
	t.failed = firstNode(t.failed, u.failed)
	t.lost = append(t.lost, u.lost...)
	if into.up == s.up {
		into.to = max(into.to, s.to)
	}
	if len(t.settings) == 0 {
		t.settings = u.settings
	}
}

// mergeCall adds the data of another span of the same tool call.
func (w *assembler) mergeCall(into, s *span) {
	s.merged = into
	w.account.Spans.Merged++
	t, u := into.says, s.says
	t.args, t.result, t.callID = firstNode(t.args, u.args), firstNode(t.result, u.result), firstNode(t.callID, u.callID)
	t.failed = firstNode(t.failed, u.failed)
	t.lost = append(t.lost, u.lost...)
}

// innermost skips agents whose only child is an agent.
func (w *assembler) innermost(s *span) *span {
	for {
		below := steps(s.children)
		if len(below) != 1 || below[0].kind != agent {
			return s
		}
		outer, inner := s.says, below[0].says
		first(&inner.user, outer.user)
		first(&inner.system, outer.system)
		first(&inner.said, outer.said)
		if inner.inputs.Missing() {
			inner.inputs = outer.inputs
		}
		if inner.outputs.Missing() {
			inner.outputs = outer.outputs
		}
		if inner.agent.Missing() {
			inner.agent, inner.name = outer.agent, outer.name
		}
		if !inner.usage.known {
			inner.usage = outer.usage
		}
		inner.failed = firstNode(inner.failed, outer.failed)
		if name, _ := outer.agent.Text(); name != "" && !inner.agent.TextIs(name) {
			w.account.Agents = append(w.account.Agents, name)
		}
		w.account.Spans.Merged++
		w.skipped[s] = true
		s = below[0]
	}
}
