package importer

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// agentsSDK is the scope of spans written by the OpenAI Agents SDK itself.
const agentsSDK = "openai-agents"

// OpenAI Agents SDK: {"object":"trace.span"}, one per line, in a list, or in {"data":[…]}.
func agentsSpans(root strictjson.Node) (list strictjson.Node, under string, ok bool) {
	is := func(n strictjson.Node) bool {
		object, _ := n.Last("object").Text()
		return object == "trace" || object == "trace.span"
	}
	switch {
	case is(root):
		return root, "", true
	case root.Is(strictjson.Array) && is(root.At(0)):
		return root, "", true
	case is(root.Last("data").At(0)):
		return root.Last("data"), "/data", true
	}
	return list, "", false
}

func fitsAgents(root strictjson.Node) bool {
	_, _, ok := agentsSpans(root)
	return ok
}

func gatherAgents(g *spanBuffer, v *value, root strictjson.Node) error {
	list, under, _ := agentsSpans(root)
	if !list.Is(strictjson.Array) {
		return g.addAgents(v, list, "", -1)
	}
	i := int32(0)
	for n := range list.Children() {
		if err := g.addAgents(v, n, under, i); err != nil {
			return err
		}
		i++
	}
	return nil
}

func (g *spanBuffer) addAgents(v *value, n strictjson.Node, under string, index int32) (err error) {
	if n.Last("object").TextIs("trace") {
		return nil
	}
	s := span{in: v, under: under, index: index, scope: agentsSDK, form: tellAgents}
	begin, end := n.Span()
	s.begin, s.end = int32(begin), int32(end)
	var ok bool
	if s.id, ok = n.Last("id").Text(); !ok || s.id == "" {
		return refuse(n, "Every span has an id (a string).", "the span has no id")
	}
	if s.trace, ok = n.Last("trace_id").Text(); !ok || s.trace == "" {
		return refuse(n, "Every span has a trace_id (a string).", "the span has no trace_id")
	}
	s.parent, _ = n.Last("parent_id").Text()
	if s.from, err = readTime(n.Last("started_at")); err != nil {
		return err
	}
	if s.to, err = readTime(n.Last("ended_at")); err != nil {
		return err
	}
	typ, _ := n.Last("span_data").Last("type").Text()
	s.kind = kindOfAgents(typ)
	return g.add(s)
}

func kindOfAgents(typ string) kind {
	switch typ {
	case "agent":
		return agent
	case "generation", "response":
		return answering
	case "function":
		return calling
	case "guardrail":
		return aside
	case "handoff", "mcp_tools", "custom", "turn", "task", "transcription", "speech", "speech_group":
		return wrapper
	}
	return unread
}

func tellAgents(m *maker, s *span, n strictjson.Node) spanContent {
	data := n.Last("span_data")
	t := spanContent{node: n, scope: s.scope, status: "ok", name: data.Last("name"), as: "chat"}
	if failed := n.Last("error"); !failed.Missing() {
		t.status, t.failed = "error", firstNode(firstOf(failed, "message"), failed)
	}
	switch s.kind {
	case answering:
		t.name = strictjson.Node{}
		t.usage, t.model = usageOfNode(data.Last("usage")), data.Last("model")
		t.responseID, _ = data.Last("response_id").Text()
		t.in, t.out = m.hear(data.Last("input"), "user"), m.hear(data.Last("output"), "assistant")
		t.messages = m.parsed(data.Last("input"))
		t.user, t.system = t.in.user(), t.in.system()
		answer := t.out.answers()
		t.said, t.thought, t.finish = answer.text, answer.thought, answer.finish
		t.asks(answer.calls)
		t.lost = append(append(t.lost, t.in.lost...), t.out.lost...)
	case calling:
		t.args, t.result = m.parsed(data.Last("input")), m.parsed(data.Last("output"))
	case agent:
		t.agent = data.Last("name")
	}
	return t
}

// Langfuse: a trace from the API, with its observations.
func langfuseTraces(root strictjson.Node) (list []strictjson.Node) {
	is := func(n strictjson.Node) bool {
		first := n.Last("observations").At(0)
		return n.Last("observations").Is(strictjson.Array) && (first.Last("type").Is(strictjson.String) && first.Last("id").Exists() || n.Last("observations").Len() == 0 && n.Last("projectId").Exists())
	}
	holder := root
	if data := root.Last("data"); data.Is(strictjson.Array) {
		holder = data
	}
	if is(root) {
		return []strictjson.Node{root}
	}
	if holder.Is(strictjson.Array) && is(holder.At(0)) {
		return slices.Collect(holder.Children())
	}
	return nil
}

func fitsLangfuse(root strictjson.Node) bool { return len(langfuseTraces(root)) > 0 }

func gatherLangfuse(g *spanBuffer, v *value, root strictjson.Node) error {
	for _, one := range langfuseTraces(root) {
		list := one.Last("observations")
		id, _ := one.Last("id").Text()
		read := func(n strictjson.Node) (span, error) { return readObservation(n, id) }
		if err := g.gatherList(v, list, list.Pointer(), "langfuse", read, byTable(recordObservation)); err != nil {
			return err
		}
	}
	return nil
}

func readObservation(n strictjson.Node, trace string) (s span, err error) {
	var ok bool
	if s.id, ok = n.Last("id").Text(); !ok || s.id == "" {
		return s, refuse(n, "Every observation has an id (a string).", "the observation has no id")
	}
	if s.trace, ok = n.Last("traceId").Text(); !ok || s.trace == "" {
		s.trace = trace
	}
	s.parent, _ = n.Last("parentObservationId").Text()
	if s.from, err = readTime(n.Last("startTime")); err != nil {
		return s, err
	}
	if s.to, err = readTime(n.Last("endTime")); err != nil {
		return s, err
	}
	var e evidence
	typ, _ := n.Last("type").Text()
	e.see("langfuse.observation.type", strings.ToLower(typ))
	name, _ := n.Last("name").Text()
	s.kind = e.kind(name, "")
	if s.kind == wrapper && !n.Last("model").Missing() && strings.EqualFold(typ, "span") {
		s.kind = answering
	}
	return s, nil
}

func recordObservation(m *maker, s *span, n strictjson.Node) *record {
	r := &record{m: m, node: n, scope: s.scope}
	r.name, _ = n.Last("name").Text()
	for _, one := range [][2]string{
		{"input", "langfuse.observation.input"},
		{"output", "langfuse.observation.output"},
		{"model", "langfuse.observation.model.name"},
		{"usageDetails", "langfuse.observation.usage_details"},
		{"usage", "langfuse.observation.usage_details"},
		{"statusMessage", "langfuse.observation.status_message"},
	} {
		if value := n.Last(one[0]); !value.Missing() && !r.attrs[one[1]].Exists() {
			r.set(one[1], value)
		}
	}
	if n.Last("level").TextIs("ERROR") {
		r.status, r.failed = "error", firstOf(n, "statusMessage", "level")
	}
	return r
}
