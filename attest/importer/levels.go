package importer

import (
	"slices"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func (w *assembler) level(l level) {
	says := &spanContent{}
	switch {
	case l.of != nil && l.of.says != nil:
		says = l.of.says
	case len(l.below) > 0: // no span
		says.node = l.below[0].says.node
	case len(w.top) > 0 && w.top[0].says != nil:
		says.node = w.top[0].says.node
	}
	at := says.node
	w.open('{', at)
	w.member("schema_version")
	w.int(at, attest.SchemaVersion)
	w.member("trace_id")
	w.text(at, l.id)
	w.optional("agent_id", says.agent)
	if l.parent != "" {
		w.member("parent_trace_id")
		w.text(at, l.parent)
	}
	w.input(l, says, at)
	w.member("steps")
	w.open('[', at)
	for _, s := range l.below {
		w.step(l, s)
	}
	w.close(']')
	w.output(l, says, at)
	w.metadata(l, says, at)
	w.close('}')
}

func (w *assembler) input(l level, says *spanContent, at strictjson.Node) {
	user, system := says.user, says.system
	for pending := l.below; len(pending) > 0; { // of several agents the first was asked
		s := pending[0]
		pending = pending[1:]
		if s.kind == answering || s.kind == agent {
			first(&user, s.says.user)
			first(&system, s.says.system)
		}
		if s.kind == agent && len(user) == 0 {
			pending = append(steps(w.inner(s).children), pending...)
		}
	}
	if len(user)+len(system) == 0 && says.inputs.Len() == 0 {
		return
	}
	w.member("input")
	w.open('{', at)
	w.spoken("user_message", user)
	w.spoken("system", system)
	w.members(says.inputs, "user_message", "system")
	w.close('}')
}

func (w *assembler) output(l level, says *spanContent, at strictjson.Node) {
	said, calls := says.said, []*askedCall(nil)
	if last := w.last(l.below); len(said) == 0 && says.outputs.Len() == 0 && last != nil {
		said, calls = last.said, last.calls
	}
	w.member("output")
	w.open('{', at)
	w.spoken("message", said)
	if len(said) == 1 {
		if inner, kind := w.held(said[0]); kind == strictjson.Object {
			w.member("structured")
			w.begins(said[0], 0)
			w.put(inner)
		}
	}
	w.members(says.outputs, "message", "structured")
	switch {
	case len(said) > 0 || says.outputs.Len() > 0:
	case len(calls) > 0:
		w.member("tool_calls")
		w.calls(at, calls)
	default:
		w.member("status")
		w.text(at, orUnset(says.status))
	}
	w.close('}')
}

// last returns the last answer among steps. An agent without an answer is searched for the last answer in its
// steps.
func (w *assembler) last(below []*span) *spanContent {
	for _, s := range slices.Backward(below) {
		if s.kind == agent {
			s = w.inner(s)
		}
		switch says := s.says; {
		case s.kind == agent && len(says.said) == 0 && says.outputs.Len() == 0:
			return w.last(steps(s.children))
		case s.kind == agent || s.kind == answering:
			return says
		}
	}
	return nil
}

func orUnset(status string) string {
	if status == "" {
		return "unset"
	}
	return status
}

func (w *assembler) calls(at strictjson.Node, calls []*askedCall) {
	w.open('[', at)
	for _, c := range calls {
		w.copy(c.node)
	}
	w.close(']')
}

// metadata writes a trace's totals. Tokens do not include sub-traces.
func (w *assembler) metadata(l level, says *spanContent, at strictjson.Node) {
	var total usage
	answers, model := 0, says.model
	from, to := instant(0), instant(0)
	for _, s := range l.below {
		if s.from > 0 && (from == 0 || s.from < from) {
			from = s.from
		}
		to = max(to, s.to)
		if s.kind != answering && s.kind != embedding {
			continue
		}
		own := s.says
		if !own.model.Missing() && s.kind == answering {
			model = own.model
		}
		if !own.usage.known && !own.failed.Missing() {
			continue // a call that failed took no tokens
		}
		if answers++; answers == 1 {
			total = own.usage
		} else {
			total = total.plus(own.usage)
		}
	}
	if answers == 0 && len(l.below) == 0 {
		total = says.usage
	}
	if l.of != nil && l.of.from > 0 {
		from, to = l.of.from, l.of.to
	}
	w.member("metadata")
	w.open('{', at)
	if total.known {
		w.member("total_tokens")
		w.int(total.node, total.total)
	}
	if l.depth == 0 {
		w.optional("cost_usd", says.cost)
	}
	if from > 0 && to >= from {
		w.member("latency_ms")
		w.number(at, (to - from).ms())
	}
	w.optional("model", model)
	if from > 0 {
		w.member("timestamp")
		w.text(at, time.Unix(0, int64(from)).UTC().Format(time.RFC3339Nano))
	}
	w.optional("error", says.failed)
	w.close('}')
}

// step writes a step, followed by its calls without a span.
func (w *assembler) step(l level, s *span) {
	if s.kind == agent {
		s = w.inner(s)
	}
	says := s.says
	for _, c := range says.earlier {
		if c.by == nil {
			w.unrecorded(c)
		}
	}
	at := says.node
	w.open('{', at)
	w.member("type")
	w.text(at, string(stepTypes[s.kind]))
	w.name(says.name, says.as, at, stepTypes[s.kind])
	switch s.kind {
	case calling, fetching:
		w.call(s, says)
	case agent:
		w.agent(l, s, says)
	default:
		w.answer(says)
	}
	w.member("metadata")
	w.open('{', at)
	says.usage.write(w.maker)
	w.optional("cost_usd", says.cost)
	w.optional("model", says.model)
	if s.by != nil && says.callID.Missing() {
		w.optional("tool_call_id", s.by.id)
	} else {
		w.optional("tool_call_id", says.callID)
	}
	if s.from > 0 && s.to >= s.from {
		w.member("duration_ms")
		w.number(at, (s.to - s.from).ms())
	}
	w.optional("error", says.failed)
	w.close('}')
	w.times(s, at)
	w.close('}')
	for _, c := range says.calls {
		if s.kind == answering && c.by == nil {
			w.unrecorded(c)
		}
	}
}

func (w *assembler) times(s *span, at strictjson.Node) {
	for _, t := range []struct {
		name string
		at   instant
	}{{"started_at_ms", s.from}, {"ended_at_ms", s.to}} {
		if t.at > 0 {
			w.member(t.name)
			w.number(at, t.at.ms())
		}
	}
}

func (w *assembler) answer(says *spanContent) {
	w.member("args")
	w.open('{', says.node)
	for _, setting := range says.settings {
		w.optional(setting.name, setting.node)
	}
	w.optional("messages", says.messages)
	w.close('}')
	w.member("result")
	w.open('{', says.node)
	w.spoken("completion", says.said)
	w.spoken("reasoning", says.thought)
	if len(says.calls) > 0 {
		w.member("tool_calls")
		w.calls(says.node, says.calls)
	}
	w.optional("finish_reason", says.finish)
	w.close('}')
}

// call writes the args and result of a call, from its span or else from messages.
func (w *assembler) call(s *span, says *spanContent) {
	args, result, name := says.args, says.result, "content"
	if s.by != nil {
		if asked := w.parsed(s.by.args); args.Missing() || !args.Is(strictjson.Object) && asked.Is(strictjson.Object) {
			args = asked
		}
		if result.Missing() {
			result = s.by.result.result
		}
	}
	if s.kind == fetching {
		name = "documents"
	}
	w.member("args")
	if !args.Missing() {
		w.object(args, "arguments")
	} else {
		w.open('{', says.node)
		for _, one := range says.members {
			w.optional(one.name, one.node)
		}
		w.close('}')
	}
	if !result.Missing() {
		w.member("result")
		w.object(result, name)
	}
}

func (w *assembler) unrecorded(c *askedCall) {
	w.open('{', c.node)
	w.member("type")
	w.text(c.node, string(attest.StepToolCall))
	w.name(c.name, c.typ, c.node, attest.StepToolCall)
	w.member("args")
	if c.args.Missing() {
		w.open('{', c.node)
		w.close('}')
	} else {
		w.object(c.args, "arguments")
	}
	if !c.result.result.Missing() {
		w.member("result")
		w.object(c.result.result, "content")
	}
	w.member("metadata")
	w.open('{', c.node)
	w.optional("tool_call_id", c.id)
	w.optional("error", c.result.failed)
	w.close('}')
	w.close('}')
}

// inner returns the agent that does the work if s is only a call of it.
func (w *assembler) inner(s *span) *span {
	for w.skipped[s] {
		s = steps(s.children)[0]
	}
	return s
}

// agent writes the args, result and sub-trace of an agent call.
func (w *assembler) agent(l level, s *span, says *spanContent) {
	w.member("args")
	w.open('{', says.node)
	w.spoken("user_message", says.user)
	w.members(says.inputs, "user_message")
	w.close('}')
	w.member("result")
	w.open('{', says.node)
	inside := level{of: s, id: l.id + "/" + s.id, parent: l.id, below: steps(s.children), depth: l.depth + 1}
	w.fromMessages(&inside)
	below, said := inside.below, says.said
	if last := w.last(below); len(said) == 0 && says.outputs.Len() == 0 && last != nil {
		said = last.said
	}
	w.spoken("message", said)
	w.members(says.outputs, "message")
	w.close('}')
	w.member("sub_trace")
	w.level(inside)
}
