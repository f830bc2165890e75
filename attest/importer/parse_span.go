package importer

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// parseSpan parses a span with the table of dialects.
func (r *record) parseSpan(s *span) spanContent {
	t := spanContent{node: r.node, scope: r.scope, status: r.status, failed: r.failed}
	if t.status == "" {
		t.status = "unset"
	}
	if t.failed.Missing() {
		t.failed = r.get(failures...)
	}
	t.model = r.get(models...)
	t.usage = r.usage(s.kind)
	if n := r.number(costs...); n.Is(strictjson.Number) {
		t.cost = n
	}
	if id, ok := r.get(responseIDs...).Text(); ok {
		t.responseID = id
	}
	switch s.kind {
	case answering, embedding:
		r.tellAnswer(&t, s.kind)
	case calling:
		r.tellCall(&t)
	case fetching:
		t.name, t.as = r.get("gen_ai.data_source.id"), r.afterOperation()
		t.members = []namedNode{{"query", r.get("gen_ai.retrieval.query.text")}, {"top_k", r.get("gen_ai.request.top_k")}}
		t.args, t.result = r.structured(lostArgs, argPlaces...), r.structured(lostResults, append([]string{"gen_ai.retrieval.documents"}, results...)...)
		if t.args.Is(strictjson.String) || len(t.members) > 0 && !t.members[0].node.Missing() {
			t.members[0].node = firstNode(t.members[0].node, t.args)
			t.args = strictjson.Node{}
		}
		if t.result.Missing() {
			t.result = r.numbered("retrieval.documents.")
		}
	case agent:
		t.agent, t.as = r.get(agentNames...), r.afterOperation()
		t.name = t.agent
		r.tellAgent(&t)
	default:
		t.agent = r.get("agent.name", "gen_ai.agent.name", "graph.node.id")
		r.tellAgent(&t)
	}
	if !r.get("gen_ai.system_instructions").Missing() {
		instructions := r.m.hear(r.get("gen_ai.system_instructions"), "system")
		if says := instructions.system(); len(says) > 0 {
			t.system = says
		}
	}
	t.lost = append(t.lost, r.lost...)
	if s.from > 0 && s.to > 0 && s.to < s.from {
		t.lost = append(t.lost, loss{what: lostTimes, why: "the span ends before it begins", node: r.node})
	}
	return t
}

func firstNode(list ...strictjson.Node) strictjson.Node {
	for _, n := range list {
		if !n.Missing() {
			return n
		}
	}
	return strictjson.Node{}
}

func (r *record) tellAnswer(t *spanContent, k kind) {
	t.as = r.operation()
	if k == embedding {
		t.as = "embeddings"
	}
	t.settings = r.settings()
	t.in, t.messages = r.speech(inputs, "user", "gen_ai.input.messages")
	t.out, _ = r.speech(outputs, "assistant", "gen_ai.output.messages")
	r.eventSpeech(t)
	t.user, t.system = t.in.user(), t.in.system()
	answer := t.out.answers()
	t.said, t.thought, t.finish = answer.text, answer.thought, answer.finish
	t.asks(answer.calls)
	for _, result := range answer.results { // of tools that ran where the model does
		for _, c := range t.calls {
			if sameText(c.id, result.id) && c.result.result.Missing() {
				c.result = result
			}
		}
	}
	if reasons := r.m.parsed(r.get(finishes...)); t.finish.Missing() {
		if t.finish = reasons; reasons.Is(strictjson.Array) {
			t.finish = reasons.At(0)
		}
	}
	if !t.usage.known {
		t.usage = answer.usage
	}
	if t.model.Missing() {
		t.model = answer.model
	}
	if t.responseID == "" {
		t.responseID, _ = r.m.parsed(r.get("output.value")).Last("id").Text()
	}
	t.lost = append(append(t.lost, t.in.lost...), t.out.lost...)
	if saysTools(t.finish) && len(t.calls) == 0 && t.answered() {
		t.lost = append(t.lost, loss{what: lostCalls, why: "the model stopped for tool calls, but its message has no tool call", node: r.node})
	}
}

// sameText reports whether two nodes are equal, nonempty texts.
func sameText(a, b strictjson.Node) bool {
	x, ok := a.Text()
	return ok && x != "" && b.TextIs(x)
}

// saysTools reports whether a finish reason means tool calls.
func saysTools(finish strictjson.Node) bool {
	reason, _ := finish.Text()
	reason = strings.ToLower(reason)
	return strings.Contains(reason, "tool") || strings.Contains(reason, "function_call")
}

// speech reads messages from the first nonempty attribute in names. plain is an attribute to keep as the model's
// input.
func (r *record) speech(names []string, role, plain string) (s speech, kept strictjson.Node) {
	for _, name := range names {
		var n strictjson.Node
		switch {
		case strings.HasSuffix(name, "."):
			n = r.numbered(name)
		case name == "events":
			if n = r.m.parsed(r.get(name)); n.Exists() {
				if s := r.m.hearEvents(n, role); len(s.list) > 0 {
					return s, strictjson.Node{}
				}
			}
			continue
		case name == "ai.response.toolCalls":
			n = r.m.parsed(r.get(name))
			if n.Is(strictjson.Array) && n.Len() > 0 {
				one := chatMessage{node: n, role: role, text: readText(r.get("ai.response.text"), nil)}
				c := partReader{m: r.m, said: &one, speech: &s}
				for call := range n.Children() {
					c.call(call)
				}
				s.add(one)
				return s, n
			}
			continue
		default:
			n = r.structured(lostMessages, name)
			if n.Is(strictjson.String) && isCut(n.TextBytes(nil)) {
				r.loseCut(lostCalls, name, n)
				continue
			}
		}
		if n.Missing() || name == "mlflow.spanInputs" && !n.Is(strictjson.Object) {
			continue
		}
		heard := r.m.hear(n, role)
		if role == "assistant" {
			for i := range heard.list { // a model's answer is its own, regardless of the role
				if heard.list[i].role == "" || heard.list[i].role == "user" && len(heard.list) == 1 {
					heard.list[i].role = role
				}
			}
		}
		s.lost = append(s.lost, heard.lost...)
		if !heard.says() {
			continue
		}
		s.list = heard.list
		if name != plain && strings.HasSuffix(name, "value") {
			n = strictjson.Node{}
		}
		return s, n
	}
	return s, strictjson.Node{}
}

func (s *speech) says() bool {
	for _, one := range s.list {
		if len(one.text)+len(one.calls)+len(one.results)+len(one.thought) > 0 {
			return true
		}
	}
	return false
}

func (r *record) tellCall(t *spanContent) {
	t.name, t.as = r.get(toolNames...), r.afterOperation()
	if t.name.Missing() && (t.as == "ai.toolCall" || t.as == "running tool" || t.as == "execute_tool") {
		t.lost = append(t.lost, loss{what: lostCalls, why: "the name of a tool is missing", node: r.node})
	}
	t.callID = r.get(callIDs...)
	t.args, t.result = r.structured(lostArgs, argPlaces...), r.structured(lostResults, results...)
	if t.args.Missing() {
		t.args = r.numbered("mcp.request.argument.")
	}
	r.callEvents(t)
	t.args = toolArgs(r.m, t.args)
	result, id, failed := toolResultOf(t.result)
	if t.result = result; t.callID.Missing() {
		t.callID = id
	}
	if t.failed.Missing() {
		t.failed = failed
	}
	if isMasked(t.args) || isMasked(t.result) {
		t.lost = append(t.lost, loss{what: lostResults, why: "a value was redacted or cut by its writer", node: r.node})
	}
}

// toolArgs returns the arguments in a tool's input as frameworks record it.
func toolArgs(m *maker, n strictjson.Node) strictjson.Node {
	if !n.Is(strictjson.Object) {
		return n
	}
	kwargs, list := n.Last("kwargs"), n.Last("args")
	switch {
	case kwargs.Is(strictjson.Object) && (n.Len() == 1 || n.Len() == 2 && list.Is(strictjson.Array)) && (list.Missing() || list.Len() == 0 || kwargs.Len() > 0):
		return kwargs
	case n.Last("input_str").Exists():
		if inner := m.parsed(n.Last("inputs")); inner.Is(strictjson.Object) {
			return inner
		}
		return m.parsed(n.Last("input_str"))
	}
	return n
}

// toolResultOf returns the result in a tool's output as frameworks record it: the content of a serialized message
// or the text of a block.
func toolResultOf(n strictjson.Node) (result, id, failed strictjson.Node) {
	if inner := n.Last("output"); inner.Is(strictjson.Object) && (inner.Last("kwargs").Exists() || inner.Last("lc").Exists() || n.Last("kwargs").Exists()) {
		n = inner
	}
	if n.Is(strictjson.Object) && (n.Last("lc").Exists() || n.Last("type").TextIs("tool")) {
		if message := constructed(n); message.Last("content").Exists() {
			return flat(message.Last("content")), message.Last("tool_call_id"), failedOf(message)
		}
	}
	if inner := n.Last("raw_output"); inner.Exists() {
		return inner, id, failed
	}
	if status := failedOf(n); n.Is(strictjson.Object) && n.Last("toolUseId").Exists() {
		return unblocked(n.Last("content")), n.Last("toolUseId"), status
	}
	return unblocked(n), id, failed
}

// tellAgent reads the messages of an agent span and its ancestors.
func (r *record) tellAgent(t *spanContent) {
	t.in, _ = r.speech(inputs, "user", "")
	t.out, _ = r.speech(outputs, "assistant", "")
	r.eventSpeech(t)
	t.user, t.system = t.in.user(), t.in.system()
	t.said = t.out.answers().text
	if final := r.get("final_result"); len(t.said) == 0 && final.Is(strictjson.String) {
		t.said = text{final}
	}
	t.lost, r.lost = nil, nil // what an agent says repeats what its steps say
}

// number is get for numbers, which some formats write as text.
func (r *record) number(names ...string) strictjson.Node {
	n := r.get(names...)
	if text := n.TextBytes(nil); n.Is(strictjson.String) && isNumber(text) {
		return r.m.read(n, text)
	}
	return n
}

func (r *record) operation() string {
	if name, ok := r.get("gen_ai.operation.name").Text(); ok {
		return name
	}
	if typ, ok := r.get("llm.request.type").Text(); ok {
		return typ
	}
	return "chat"
}

// afterOperation returns a span's name without the operation, which precedes a tool's or agent's name by
// convention.
func (r *record) afterOperation() string {
	operation, _ := r.get("gen_ai.operation.name").Text()
	prefixes := []string{operation, "execute_tool", "invoke_agent", "running tool:", "tools/call"}
	for _, prefix := range prefixes {
		if rest := strings.TrimSpace(strings.TrimPrefix(r.name, prefix)); prefix != "" && rest != "" && rest != r.name {
			return rest
		}
	}
	if operation != "" && (r.name == "" || r.name == operation) {
		return operation
	}
	return r.name
}

// settings returns the request's parameters, such as the temperature.
func (r *record) settings() (list []namedNode) {
	for _, key := range r.keys {
		if name, ok := strings.CutPrefix(key, "gen_ai.request."); ok {
			if value := r.m.unwrapped(r.attrs[key]); !value.Missing() {
				list = append(list, namedNode{name, value})
			}
		}
	}
	sortNamed(list)
	return list
}

// usage reads a span's tokens. For an agent, they can be a sum.
func (r *record) usage(k kind) usage {
	in, out, all := r.number(tokensIn...), r.number(tokensOut...), r.number(tokensAll...)
	if k == agent && in.Missing() && out.Missing() {
		in, out = r.number("gen_ai.aggregated_usage.input_tokens"), r.number("gen_ai.aggregated_usage.output_tokens")
	}
	if k == embedding && all.Missing() {
		all = in // vectors have no output
	}
	if u := usageOf(in, out, all); u.known {
		return u
	}
	return usageOfNode(r.m.parsed(r.get(usages...)))
}
