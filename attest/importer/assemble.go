package importer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// assemble makes the trace of its spans, which are in order.
func (im *importing) assemble(spans []*span) Trace {
	top, err := link(spans)
	if err == nil {
		w := &assembling{maker: im.newMaker(), limits: im.limits, speak: im.format.speak, scanner: im.newScanner(), said: map[*span]*told{}}
		if err = w.write(spans, top); err == nil {
			return im.made(w.maker, w.sources(im.values > 1))
		}
	}
	at := &spanFault{span: spans[0]}
	_ = errors.As(err, &at)
	refused := attest.NewError(attest.CodeInvalidTrace, err.Error(), at.detail)
	refused.Offset = int(at.begin)
	return Trace{TraceText: attest.TraceText{Raw: at.in.text, Line: at.in.line}, Refused: refused}
}

// assembling writes the trace that spans make.
type assembling struct {
	*maker
	limits  attest.Limits
	scanner *strictjson.Scanner // for spans
	speak   func(*maker, *span, strictjson.Node) told
	said    map[*span]*told
	spans   []*span // whose words are known, as the parts of the source

	recorded map[string]bool       // the ids of calls that have a span
	asked    map[string]toldCall   // calls that answers ask for
	twice    map[string]bool       // ids that several of them have
	back     map[string]toldResult // what came back, by what later answers were told
}

// sources are the spans as parts of the source.
func (w *assembling) sources(numbered bool) []part {
	parts := make([]part, len(w.spans))
	for i, s := range w.spans {
		parts[i] = part{value: s.in, start: int(s.begin), end: int(s.end), pointer: s.pointer(numbered)}
	}
	return parts
}

// pointer leads to the span: from the number of its value, where there are several.
func (s *span) pointer(numbered bool) string {
	if numbered {
		return "/" + strconv.Itoa(s.in.index) + s.place()
	}
	return s.place()
}

// level is a trace or a sub-trace: an agent, or what stands for one, with what it did.
type level struct {
	of         *span  // nil: no span tells of it
	id, parent string // of the traces
	below      []*span
	depth      int
}

func (w *assembling) write(spans, top []*span) error {
	l := level{id: spans[0].trace, below: steps(top)}
	switch {
	case len(l.below) == 1 && l.below[0].kind == agent:
		l.of = l.below[0]
		l.below = steps(l.of.children)
	case len(top) == 1 && top[0].kind == other:
		l.of = top[0]
	}
	if err := w.hear(l); err != nil {
		return err
	}
	w.join(spans)
	w.level(l)
	return nil
}

// hear reads what the spans say that the trace is made of.
func (w *assembling) hear(l level) error {
	bytes := 0
	for todo := []level{l}; len(todo) > 0; {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.of != nil && w.said[l.of] == nil {
			l.below = append([]*span{l.of}, l.below...)
		}
		switch {
		case l.depth > w.limits.SubTraceDepth:
			return &spanFault{
				l.of, fmt.Sprintf("trace nesting depth %d exceeds maximum %d", l.depth, w.limits.SubTraceDepth),
				fmt.Sprintf("Agents may call each other %d levels deep at most.", w.limits.SubTraceDepth),
			}
		case len(l.below) > w.limits.Steps+1:
			return &spanFault{
				l.below[0], fmt.Sprintf("trace exceeds max steps: %d > %d", len(l.below), w.limits.Steps),
				fmt.Sprintf("Record fewer spans. Max allowed: %d steps.", w.limits.Steps),
			}
		}
		for _, s := range l.below {
			if w.said[s] != nil {
				continue
			}
			if bytes += len(s.bytes()); bytes > heard*w.limits.TraceBytes {
				return &spanFault{
					s, fmt.Sprintf("trace exceeds max size: its spans take more than %d bytes", heard*w.limits.TraceBytes),
					fmt.Sprintf("Record less. Max allowed: %d bytes.", w.limits.TraceBytes),
				}
			}
			if err := w.listen(s); err != nil {
				return err
			}
			if s.kind == agent && s != l.of {
				todo = append(todo, level{of: s, below: steps(s.children), depth: l.depth + 1})
			}
		}
	}
	return nil
}

// heard is how many times the size of a trace its spans may take: they say more than it.
const heard = 2

// listen reads what a span says.
func (w *assembling) listen(s *span) error {
	doc, err := w.scanner.Scan(s.bytes())
	if err != nil {
		return &spanFault{s, "the span cannot be read: " + err.Error(), "Each span is an object of JSON."}
	}
	if w.fits(doc) {
		kept, _ := doc.Copy(nil)
		w.parts[&kept] = int32(len(w.spans))
		w.spans = append(w.spans, s)
		says := w.speak(w.maker, s, kept.Root())
		w.said[s] = &says
	}
	if w.crowded {
		return &spanFault{
			s, fmt.Sprintf("trace cannot be read: its spans have more than %d JSON values", w.limits.Values),
			"Record less, or raise --max-values.",
		}
	}
	return nil
}

// join finds the calls that answers ask for and no span tells of, and what came back.
func (w *assembling) join(spans []*span) {
	w.recorded, w.asked, w.twice, w.back = map[string]bool{}, map[string]toldCall{}, map[string]bool{}, map[string]toldResult{}
	for _, s := range spans {
		says := w.said[s]
		if says == nil {
			continue
		}
		if id, ok := says.callID.Text(); ok && s.kind == calling {
			w.recorded[id] = true
		}
		for _, c := range says.calls {
			if id, ok := c.id.Text(); ok {
				_, known := w.asked[id]
				w.twice[id] = known
				w.asked[id] = c
			}
		}
		for _, r := range says.results {
			id, _ := r.id.Text()
			if _, known := w.back[id]; !known {
				w.back[id] = r
			}
		}
	}
}

// level writes a trace or a sub-trace.
func (w *assembling) level(l level) {
	says := w.said[l.of]
	if says == nil { // no span tells of it
		says = &told{node: w.said[l.below[0]].node}
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

// optional writes a member unless there is none.
func (m *maker) optional(name string, n strictjson.Node) {
	if !n.Missing() {
		m.member(name)
		m.copy(n)
	}
}

// spoken writes a text as a member unless it is empty.
func (m *maker) spoken(name string, says text) {
	if len(says) > 0 {
		m.member(name)
		m.joined(says)
	}
}

// members writes the members of an object, but for some names.
func (m *maker) members(n strictjson.Node, but ...string) {
	if !n.Is(strictjson.Object) {
		return
	}
	for member := range n.Children() {
		if name := member.Key(); !slices.Contains(but, name) {
			m.optional(name, member)
		}
	}
}

func (w *assembling) input(l level, says *told, at strictjson.Node) {
	user, system := says.user, says.system
	for _, s := range l.below {
		if own := w.said[s]; s.kind == answering {
			first(&user, own.user)
			first(&system, own.system)
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

func (w *assembling) output(l level, says *told, at strictjson.Node) {
	said, calls := says.said, []toldCall(nil)
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

// last is the last answer of some steps: that of a model, or of an agent, who may leave the
// word to its own steps.
func (w *assembling) last(below []*span) *told {
	for _, s := range slices.Backward(below) {
		switch says := w.said[s]; {
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

func (w *assembling) calls(at strictjson.Node, calls []toldCall) {
	w.open('[', at)
	for _, c := range calls {
		w.copy(c.node)
	}
	w.close(']')
}

// metadata writes what a trace took: tokens are those of its own answers, for sub-traces
// tell theirs.
func (w *assembling) metadata(l level, says *told, at strictjson.Node) {
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
		own := w.said[s]
		if !own.model.Missing() && s.kind == answering {
			model = own.model
		}
		if answers++; answers == 1 {
			total = own.usage
		} else {
			total = total.plus(own.usage)
		}
	}
	if answers == 0 {
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

// step writes a step, and behind it the calls that it asks for and no span tells of.
func (w *assembling) step(l level, s *span) {
	says := w.said[s]
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
	w.optional("tool_call_id", says.callID)
	if s.from > 0 && s.to >= s.from {
		w.member("duration_ms")
		w.number(at, (s.to - s.from).ms())
	}
	w.optional("error", says.failed)
	w.close('}')
	w.times(s, at)
	w.close('}')
	for _, c := range says.calls {
		if id, _ := c.id.Text(); s.kind == answering && !w.recorded[id] {
			w.unrecorded(c, id)
		}
	}
}

// name writes the name of a step: a node's text, or another one.
func (m *maker) name(n strictjson.Node, as string, at strictjson.Node, typ attest.StepType) {
	m.member("name")
	switch {
	case n.Is(strictjson.String) && !n.TextIs(""):
		m.copy(n)
	case as != "":
		m.text(at, as)
	default:
		m.text(at, string(typ))
	}
}

func (w *assembling) times(s *span, at strictjson.Node) {
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

func (w *assembling) answer(says *told) {
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

// call writes the args and the result of a call. What its span leaves out, the messages of
// the model may say.
func (w *assembling) call(s *span, says *told) {
	id, _ := says.callID.Text()
	args, result, name := says.args, says.result, "content"
	if args.Missing() && id != "" && !w.twice[id] {
		args = w.asked[id].args
	}
	if result.Missing() && id != "" && !w.twice[id] {
		result = w.back[id].result
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

// unrecorded writes a step for a call that only the messages of the model tell of.
func (w *assembling) unrecorded(c toldCall, id string) {
	w.open('{', c.node)
	w.member("type")
	w.text(c.node, string(attest.StepToolCall))
	w.name(c.name, "", c.node, attest.StepToolCall)
	w.member("args")
	if c.args.Missing() {
		w.open('{', c.node)
		w.close('}')
	} else {
		w.object(c.args, "arguments")
	}
	if r, ok := w.back[id]; ok && id != "" && !w.twice[id] {
		w.member("result")
		w.object(r.result, "content")
	}
	w.member("metadata")
	w.open('{', c.node)
	w.optional("tool_call_id", c.id)
	w.close('}')
	w.close('}')
}

// agent writes the args, the result and the sub-trace of a call of an agent.
func (w *assembling) agent(l level, s *span, says *told) {
	w.member("args")
	w.open('{', says.node)
	w.spoken("user_message", says.user)
	w.members(says.inputs, "user_message")
	w.close('}')
	w.member("result")
	w.open('{', says.node)
	below, said := steps(s.children), says.said
	if last := w.last(below); len(said) == 0 && says.outputs.Len() == 0 && last != nil {
		said = last.said
	}
	w.spoken("message", said)
	w.members(says.outputs, "message")
	w.close('}')
	w.member("sub_trace")
	w.level(level{of: s, id: l.id + "/" + s.id, parent: l.id, below: below, depth: l.depth + 1})
}
