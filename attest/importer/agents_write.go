package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
)

// trace returns the session's trace, or the reason why it has none.
func (s *session) trace() Trace {
	m := s.im.newMaker()
	root := strictjson.Node{}
	for i := range s.kept {
		if s.kept[i].Root.Exists() {
			m.parts[s.kept[i].Root.Document()] = int32(s.kept[i].part)
			if !root.Exists() {
				root = s.kept[i].Root
			}
		}
	}
	if refused := s.unmade(); refused != nil {
		return Trace{From: s.im.format.name, Refused: refused}
	}
	w := &agentWriter{maker: m, session: s}
	w.level(s.main, root, s.name(), "")
	made := s.im.made(m, s.parts)
	made.Line = 1
	made.Weight += s.size
	made.Refused = s.lost()
	made.Coverage = &attest.Coverage{Complete: made.Refused == nil}
	return made
}

// unmade returns why the session cannot be converted, or nil.
func (s *session) unmade() *attest.Error {
	steps := 0
	for _, t := range s.main.steps {
		steps += 1 + len(t.calls)
	}
	switch {
	case steps == 0:
		return attest.NewError(attest.CodeInvalidTrace, "the transcript has no response of the model", "A trace must contain the agent's answer.")
	case steps > s.im.limits.Steps:
		return attest.NewError(attest.CodeInvalidTrace, fmt.Sprintf("trace exceeds max steps: %d", steps), fmt.Sprintf("Max allowed: %d steps. Raise limits.steps in the engine's configuration.", s.im.limits.Steps))
	}
	return nil
}

func (s *session) name() string {
	if id := idText(s.id); id != "" {
		return id
	}
	for i := range s.kept {
		if id := idText(s.kept[i].Session); id != "" {
			return id
		}
	}
	return "trc_" + string(s.kind.Format)
}

type agentWriter struct {
	*maker
	session *session
	depth   int
}

// level writes a trace or a subagent's sub-trace.
func (w *agentWriter) level(t *thread, at strictjson.Node, id, parent string) {
	w.open('{', at)
	w.member("schema_version")
	w.int(at, attest.SchemaVersion)
	w.member("trace_id")
	w.text(at, id)
	if parent != "" {
		w.member("parent_trace_id")
		w.text(at, parent)
	}
	if t.prompt != nil {
		if says := words(t.prompt); len(says) > 0 {
			w.member("input")
			w.open('{', t.prompt.Root)
			w.member("user_message")
			w.lines(says)
			w.close('}')
		}
	}
	w.member("steps")
	w.open('[', at)
	for _, s := range t.steps {
		w.step(s, id)
	}
	w.close(']')
	w.output(t, at)
	w.metadata(t, at, parent == "")
	w.close('}')
}

func (w *agentWriter) step(s *agentStep, id string) {
	if s.answers {
		w.answer(s)
	}
	for _, c := range s.calls {
		w.call(c, id)
	}
}

func (w *agentWriter) answer(s *agentStep) {
	w.open('{', s.at)
	w.member("type")
	w.text(s.at, string(attest.StepLLMCall))
	w.member("name")
	w.text(s.at, "chat")
	w.member("args")
	w.open('{', s.at)
	w.close('}')
	w.member("result")
	w.open('{', s.at)
	if len(s.said) > 0 {
		w.member("completion")
		w.lines(s.said)
	}
	if says := onlyStrings(s.thought); len(says) > 0 {
		w.member("reasoning")
		w.lines(says)
	}
	if len(s.calls) > 0 {
		w.member("tool_calls")
		w.open('[', s.at)
		for _, c := range s.calls {
			w.open('{', c.Node)
			w.member("id")
			w.idOf(c)
			w.member("name")
			w.nameOf(c)
			w.close('}')
		}
		w.close(']')
	}
	w.close('}')
	w.member("metadata")
	w.open('{', s.at)
	if s.usage.Known && s.usage.Total > 0 {
		own := usage{known: true, node: s.at, input: s.usage.Input + s.usage.CacheRead + s.usage.CacheWrite, output: s.usage.Output, total: s.usage.Total}
		if cachedInside(w.session.kind.Format) {
			own.input = s.usage.Input
		}
		own.write(w.maker)
	}
	w.optional("model", s.model)
	w.close('}')
	w.close('}')
}

// cachedInside reports whether a format's input tokens include cached ones.
func cachedInside(f transcript.Format) bool {
	return f == transcript.Codex || f == transcript.Gemini || f == transcript.ATIF || f == transcript.Copilot
}

func (w *agentWriter) idOf(c *agentCall) {
	if c.ID.Is(strictjson.String) {
		w.copy(c.ID)
		return
	}
	w.text(c.Node, "")
}

func (w *agentWriter) nameOf(c *agentCall) {
	switch {
	case c.Name.Is(strictjson.String) && !c.Name.TextIs(""):
		w.copy(c.Name)
	case c.As != "":
		w.text(c.Node, c.As)
	default:
		w.text(c.Node, string(attest.StepToolCall))
	}
}

// call writes a tool call, or the call of a subagent with its sub-trace.
func (w *agentWriter) call(c *agentCall, id string) {
	typ := attest.StepToolCall
	sub := c.sub
	if w.depth >= w.session.im.limits.SubTraceDepth {
		sub = nil
	}
	if sub != nil {
		typ = attest.StepAgentCall
	}
	w.open('{', c.Node)
	w.member("type")
	w.text(c.Node, string(typ))
	w.member("name")
	w.nameOf(c)
	w.member("args")
	w.object(c.Value, "arguments")
	if c.done {
		w.member("result")
		w.resultOf(c)
	}
	if sub != nil {
		w.member("sub_trace")
		w.depth++
		w.level(sub, sub.at, id+"/"+idText(c.ID), id)
		w.depth--
	}
	w.member("metadata")
	w.open('{', c.Node)
	if c.ID.Is(strictjson.String) {
		w.member("tool_call_id")
		w.copy(c.ID)
	}
	if c.done && !c.result.Error.Missing() {
		w.member("is_error")
		w.text(c.result.Node, "true")
	}
	w.close('}')
	w.close('}')
}

// resultOf writes a tool's result as an object. Text stays text, even if it looks like JSON.
func (w *agentWriter) resultOf(c *agentCall) {
	v := c.result.Value
	if v.Is(strictjson.Object) {
		w.copy(v)
		return
	}
	w.open('{', c.result.Node)
	w.member("content")
	if v.Missing() {
		w.text(c.result.Node, "")
	} else {
		w.copy(v)
	}
	w.close('}')
}

// lines writes texts as one string, joined by line feeds.
func (w *agentWriter) lines(says text) {
	says = onlyStrings(says)
	if len(says) == 1 {
		w.copy(says[0])
		return
	}
	if len(says) == 0 {
		w.text(strictjson.Node{}, "")
		return
	}
	w.begins(says[0], 0)
	w.put([]byte{'"'})
	for i, piece := range says {
		if i > 0 {
			w.put([]byte(`\n`))
		}
		raw := piece.Raw()
		w.put(raw[1 : len(raw)-1])
	}
	w.put([]byte{'"'})
}

func onlyStrings(says text) (list text) {
	for _, n := range says {
		if n.Is(strictjson.String) {
			list = append(list, n)
		}
	}
	return list
}

// output writes the last message of the model.
func (w *agentWriter) output(t *thread, at strictjson.Node) {
	var last *agentStep
	for _, s := range t.steps {
		if len(onlyStrings(s.said)) > 0 && strings.TrimSpace(string(s.said.bytes())) != "" {
			last = s
		}
	}
	w.member("output")
	w.open('{', at)
	if last != nil {
		w.member("message")
		w.lines(last.said)
	} else {
		w.member("status")
		w.text(at, "unset")
	}
	w.close('}')
}

// metadata writes the totals: total_tokens of the main thread without sub-traces, and tokens_with_subagents of the
// whole file if different. Unknown totals are omitted.
func (w *agentWriter) metadata(t *thread, at strictjson.Node, whole bool) {
	s := w.session
	w.member("metadata")
	w.open('{', at)
	if total := s.outcome.Usage; whole && total.Unknown == "" && total.All.Known {
		w.member("total_tokens")
		w.int(at, total.Main.Total)
		if total.Main.Total != total.All.Total {
			w.member("tokens_with_subagents")
			w.int(at, total.All.Total)
		}
		if total.All.Cost > 0 {
			w.member("cost_usd")
			w.number(at, fmt.Sprintf("%.6f", total.All.Cost))
		}
	}
	if whole {
		w.optional("model", s.model)
		if s.left > 0 {
			w.member("subagent_steps_left_out")
			w.int(at, int64(s.left))
		}
		if s.rolled > 0 {
			w.member("records_taken_back")
			w.int(at, int64(s.rolled))
		}
	}
	if t.prompt != nil {
		if ms, ok := transcript.Millis(t.prompt.Time); ok {
			w.member("timestamp")
			w.text(at, time.UnixMilli(ms).UTC().Format(time.RFC3339))
		}
	}
	w.close('}')
}
