package importer

import (
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/coverage"
)

// fromMessages builds the steps of a root span from messages alone, for traces without child spans.
func (w *assembler) fromMessages(l *level) {
	if l.of == nil || l.of.says == nil || len(l.below) > 0 {
		return
	}
	if made, ok := w.unfolded[l.of]; ok {
		l.below = made
		return
	}
	defer func() { w.unfolded[l.of] = l.below }()
	own := l.of.says
	list := own.out.list
	if len(own.out.calls()) == 0 && own.scope != "langchain" {
		return
	}
	for i := range list {
		one := &list[i]
		if one.role != "assistant" {
			continue
		}
		t := &spanContent{node: one.node, as: "chat", said: one.text, thought: one.thought, finish: one.finish, usage: one.usage, model: one.model, scope: own.scope}
		t.asks(one.calls)
		t.in.list = append(append([]chatMessage(nil), own.in.list...), list[:i]...)
		l.below = append(l.below, &span{kind: answering, in: l.of.in, begin: l.of.begin, end: l.of.end, under: l.of.under, index: l.of.index, up: l.of, says: t})
	}
}

// audit counts the imported spans and finds gaps.
func (w *assembler) audit(levels []level, spans []*span) {
	models, tools, agents := 0, 0, 0
	contents := false // some answer is recorded: contents are not switched off
	for _, l := range levels {
		for _, s := range l.below {
			switch s.kind {
			case answering:
				models++
				if s.says.answered() {
					contents = true
					w.account.ModelCalls.WithContents++
				}
			case calling, fetching:
				tools++
			case agent:
				agents++
			}
		}
	}
	if len(levels) > 0 && levels[0].of != nil && levels[0].of.kind == agent {
		agents++
	}
	w.account.ModelCalls.Seen = models
	w.countSpans(levels, spans)
	if models == 0 && agents > 0 {
		w.lose(loss{what: lostModelCalls, why: "no model call is recorded", span: w.firstRead(spans)})
	}
	for _, l := range levels {
		for i, s := range l.below {
			if s.kind == answering && w.mayHaveCalled(l, i, contents) {
				w.lose(loss{what: lostCalls, why: "a model's answer is not recorded, and may have called tools", node: s.says.node})
			}
		}
	}
	for _, s := range spans {
		if s.says == nil || w.below(s, aside) {
			continue
		}
		for _, l := range s.says.lost {
			if !(s.merged != nil && s.kind == answering && s.merged.says.answered()) {
				w.lose(l)
			}
		}
	}
}

// mayHaveCalled reports whether the answer at step i can have requested tools that are not recorded.
func (w *assembler) mayHaveCalled(l level, i int, contents bool) bool {
	s := l.below[i]
	t := s.says
	if t.answered() || !t.failed.Missing() {
		return false
	}
	ran := false // a tool ran before the next answer
	for _, next := range l.below[i+1:] {
		if next.kind == answering {
			break
		}
		ran = ran || next.kind == calling || next.kind == agent || next.kind == fetching
	}
	switch {
	case saysTools(t.finish):
		return !ran || contents
	case hasScope(t.scope, toolScopes):
		return false
	case ran:
		return contents && t.in.says() || contents
	}
	return t.finish.Missing() || contents || hasScope(t.scope, stopMeansNothing)
}

func (w *assembler) below(s *span, k kind) bool {
	for up := s; up != nil; up = up.up {
		if up.kind == k {
			return true
		}
	}
	return false
}

func (w *assembler) firstRead(spans []*span) *span {
	for _, s := range spans {
		if s.kind.isStep() {
			return s
		}
	}
	return spans[0]
}

// countSpans counts the spans with and without a step.
func (w *assembler) countSpans(levels []level, spans []*span) {
	read := map[*span]bool{}
	for _, l := range levels {
		for _, s := range append(l.below, l.of) {
			if s != nil && s.kind.isStep() && s.merged == nil {
				read[s] = true
			}
		}
	}
	at := map[string]int{}
	for _, s := range spans {
		switch {
		case read[s]:
			w.account.Spans.Read++
		case s.kind == unread || s.kind == unknown:
			name := s.label()
			i, known := at[name]
			if !known {
				i = len(w.account.Spans.Unread)
				at[name] = i
				w.account.Spans.Unread = append(w.account.Spans.Unread, coverage.Unread{Kind: name, Example: s.pointer(w.numbered)})
			}
			w.account.Spans.Unread[i].Count++
			if s.kind == unread && !w.below(s, aside) {
				w.lose(loss{what: lostCalls, why: fmt.Sprintf("the span %q has attributes of a model or a tool, but in an unknown form", name), span: s})
			}
		case s.kind != other && s.merged == nil && !w.skipped[s]:
			w.account.Spans.Wrappers++
		}
	}
}

func (s *span) label() string {
	if s.says != nil {
		if name, ok := firstOf(s.says.node, "name", "operationName").Text(); ok && name != "" {
			const most = 60
			if len(name) > most {
				name = name[:most]
			}
			return name
		}
	}
	return "span"
}

// accounted returns the coverage record, with losses located in the input.
func (w *assembler) accounted() *coverage.Record {
	r := &w.account
	for _, l := range w.losses {
		r.Add(coverage.Loss{What: l.what, Why: l.why, Pointer: w.pointerOf(l)})
	}
	r.Complete = len(r.Lost) == 0
	return r
}

func (w *assembler) pointerOf(l loss) string {
	if l.span != nil {
		return l.span.pointer(w.numbered)
	}
	if !l.node.Exists() {
		return ""
	}
	node := l.node
	for holder, held := w.inside[node.Document()]; held; holder, held = w.inside[node.Document()] {
		node = holder
	}
	if i, ok := w.parts[node.Document()]; ok && int(i) < len(w.sources) {
		return w.sources[i].pointer + node.Pointer()
	}
	return node.Pointer()
}
