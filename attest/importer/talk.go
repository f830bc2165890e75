package importer

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// messagesIn returns the messages of a value: the value itself or a member.
func messagesIn(root strictjson.Node) strictjson.Node {
	if root.Is(strictjson.Array) {
		return root
	}
	for _, name := range []string{"messages", "contents", "events"} {
		if list := root.Last(name); list.Is(strictjson.Array) {
			return list
		}
	}
	if request := body(root.Last("request")); request.Is(strictjson.Object) {
		return messagesIn(request)
	}
	return strictjson.Node{}
}

// anyPart reports whether any message in a list has a part that satisfies is.
func anyPart(list strictjson.Node, is func(part strictjson.Node) bool) bool {
	for message := range list.Children() {
		inner := message
		if content := message.Last("content"); content.Is(strictjson.Object) {
			inner = content
		}
		for _, name := range []string{"content", "parts"} {
			for part := range inner.Last(name).Children() {
				if is(part) {
					return true
				}
			}
		}
	}
	return false
}

func hasMember(names ...string) func(strictjson.Node) bool {
	return func(part strictjson.Node) bool {
		return slices.ContainsFunc(names, func(name string) bool { return part.Last(name).Is(strictjson.Object) })
	}
}

// fitsADK reports whether a value has events of Google's Agent Development Kit.
func fitsADK(root strictjson.Node) bool {
	list := messagesIn(root)
	first := list.At(0)
	return first.Last("author").Is(strictjson.String) && (first.Last("content").Is(strictjson.Object) || first.Last("invocation_id").Exists() || first.Last("invocationId").Exists())
}

// autoGenTypes maps AutoGen's message types to roles.
var autoGenTypes = map[string]string{
	"TextMessage": "", "MultiModalMessage": "", "ToolCallRequestEvent": "assistant", "ToolCallExecutionEvent": "tool", "ToolCallSummaryMessage": "summary",
	"HandoffMessage": "assistant", "StopMessage": "assistant", "ThoughtEvent": "thought", "UserInputRequestedEvent": "none", "ModelClientStreamingChunkEvent": "none", "MemoryQueryEvent": "none",
}

func fitsAutoGen(root strictjson.Node) bool {
	typ, _ := messagesIn(root).At(0).Last("type").Text()
	_, ok := autoGenTypes[typ]
	return ok
}

// fitsBedrock reports whether a value is a request or reply of the Converse API.
func fitsBedrock(root strictjson.Node) bool {
	if root.Last("output").Last("message").Is(strictjson.Object) {
		return true
	}
	list := messagesIn(root)
	return anyPart(list, hasMember("toolUse", "toolResult")) || anyPart(list, func(part strictjson.Node) bool {
		return part.Last("text").Is(strictjson.String) && !part.Last("type").Exists() && !root.Last("contents").Exists() && part.Len() == 1 && list.At(0).Last("content").Exists()
	})
}

func fitsGemini(root strictjson.Node) bool {
	if root.Last("candidates").Is(strictjson.Array) || root.Last("contents").Is(strictjson.Array) || body(root.Last("request")).Last("contents").Is(strictjson.Array) {
		return true
	}
	list := messagesIn(root)
	return anyPart(list, hasMember("functionCall", "functionResponse", "function_call", "function_response")) ||
		list.At(0).Last("parts").Is(strictjson.Array) && list.At(0).Last("parts").At(0).Last("text").Exists() && !list.At(0).Last("parts").At(0).Last("type").Exists()
}

// fitsOllama reports whether a value is a conversation whose calls have objects as arguments and do not have ids.
func fitsOllama(root strictjson.Node) bool {
	list := messagesIn(root)
	for message := range list.Children() {
		if message.Last("tool_name").Exists() {
			return true
		}
		for one := range message.Last("tool_calls").Children() {
			return !one.Last("id").Exists() && one.Last("function").Exists()
		}
	}
	reply := body(root.Last("response"))
	if !reply.Exists() {
		reply = root
	}
	return reply.Last("message").Last("role").Exists() && reply.Last("done").Exists()
}

// fitsVercel reports whether a value has messages of the AI SDK: of models, of user interfaces, or results with
// steps.
func fitsVercel(root strictjson.Node) bool {
	if steps := root.Last("steps"); steps.Is(strictjson.Array) && (steps.At(0).Last("toolCalls").Exists() || steps.At(0).Last("finishReason").Exists() || steps.At(0).Last("content").Exists()) {
		return true
	}
	list := messagesIn(root)
	return anyPart(list, func(part strictjson.Node) bool {
		typ, _ := part.Last("type").Text()
		return part.Last("toolCallId").Exists() || typ == "tool-call" || typ == "tool-result" || typ == "dynamic-tool" || typ == "step-start"
	}) || list.At(0).Last("parts").Is(strictjson.Array) && list.At(0).Last("parts").At(0).Last("type").Exists() && list.At(0).Last("role").Exists()
}

// readTalk reads a conversation in a format that speech can read.
func readTalk(c *conversation, root strictjson.Node) error {
	t := &talk{conversation: c, open: map[string][]string{}}
	if root.Is(strictjson.Array) && root.At(0).Is(strictjson.Object) && (root.At(0).Last("request").Exists() || root.At(0).Last("response").Exists()) {
		for one := range root.Children() {
			if err := t.exchange(one); err != nil {
				return err
			}
		}
		return nil
	}
	return t.exchange(root)
}

// talk builds a conversation from messages that can lack ids.
type talk struct {
	*conversation
	open  map[string][]string // calls without a result, by name: their keys
	order []string            // all of them
	keys  int
}

func (t *talk) exchange(root strictjson.Node) error {
	t.conversation.exchange()
	request, reply := body(root.Last("request")), body(root.Last("response"))
	if !request.Exists() && !reply.Exists() {
		request = root
	}
	for _, part := range []strictjson.Node{request, reply} {
		if !part.Exists() {
			continue
		}
		role := "user"
		if part == reply && reply.Exists() {
			role = "assistant"
			t.replied(part, "created_at", &replyInfo{request: request})
		}
		if err := t.value(part, role); err != nil {
			return err
		}
	}
	return nil
}

func (t *talk) value(root strictjson.Node, role string) error {
	if steps := root.Last("steps"); steps.Is(strictjson.Array) && !messagesIn(root).Exists() {
		for step := range steps.Children() {
			if err := t.step(step); err != nil {
				return err
			}
		}
		return nil
	}
	list := messagesIn(root)
	if typ, _ := list.At(0).Last("type").Text(); list.Exists() {
		if _, ok := autoGenTypes[typ]; ok {
			return t.autoGen(list)
		}
	}
	if list.Exists() {
		if system := firstOf(root, "system", "system_instruction", "systemInstruction"); !system.Missing() {
			heard := t.m.hear(system, "system")
			t.instructed(system, heard.system())
		}
		for n := range list.Children() {
			inner, role := n, ""
			if content := n.Last("content"); content.Is(strictjson.Object) && n.Last("author").Exists() {
				inner = content
				if partial, ok := n.Last("partial").Bool(); ok && partial {
					continue
				}
			}
			heard := speech{}
			heard.hear(t.m, inner, role)
			if err := t.messages(heard, n); err != nil {
				return err
			}
		}
		return nil
	}
	return t.messages(t.m.hear(root, role), root)
}

// step reads a step in a result of the AI SDK.
func (t *talk) step(n strictjson.Node) error {
	one := chatMessage{node: n, role: "assistant", text: readText(n.Last("text"), nil), finish: n.Last("finishReason"), usage: usageOfNode(n.Last("usage"))}
	s := speech{}
	c := partReader{m: t.m, said: &one, speech: &s}
	for call := range n.Last("toolCalls").Children() {
		c.call(call)
	}
	for result := range n.Last("toolResults").Children() {
		one.results = append(one.results, resultPart{node: result, id: result.Last("toolCallId"), name: result.Last("toolName"), result: firstOf(result, "output", "result")})
	}
	if len(one.calls) == 0 && len(one.text) == 0 {
		c.parts(n.Last("content"))
	}
	s.add(one)
	return t.messages(s, n)
}

func (t *talk) autoGen(list strictjson.Node) error {
	for n := range list.Children() {
		typ, _ := n.Last("type").Text()
		role, known := autoGenTypes[typ]
		content := n.Last("content")
		one := chatMessage{node: n, role: role, usage: usageOfNode(n.Last("models_usage"))}
		s := speech{}
		c := partReader{m: t.m, said: &one, speech: &s}
		switch {
		case !known:
			s.lost = append(s.lost, loss{what: lostCalls, why: "a message of the unknown type '" + typ + "' was not read", node: n})
		case role == "none" || role == "summary" || role == "thought":
			continue
		case typ == "ToolCallRequestEvent":
			for call := range content.Children() {
				c.call(call)
			}
		case typ == "ToolCallExecutionEvent":
			for result := range content.Children() {
				one.results = append(one.results, resultPart{node: result, id: result.Last("call_id"), name: result.Last("name"), result: result.Last("content"), failed: failedOf(result)})
			}
		default:
			if one.text = readText(content, chatText); role == "" {
				one.role = "assistant"
				if n.Last("source").TextIs("user") {
					one.role = "user"
				}
			}
		}
		s.add(one)
		if err := t.messages(s, n); err != nil {
			return err
		}
	}
	return nil
}

// messages adds messages. reply contains token counts and similar data.
func (t *talk) messages(s speech, reply strictjson.Node) error {
	t.lost = append(t.lost, s.lost...)
	for _, one := range s.list {
		if err := t.message(one, reply); err != nil {
			return err
		}
	}
	return nil
}

func (t *talk) message(one chatMessage, n strictjson.Node) error {
	for _, r := range one.results {
		if one.role != "assistant" {
			if err := t.result(r, false); err != nil {
				return err
			}
		}
	}
	switch one.role {
	case "system":
		t.instructed(one.node, one.text)
	case "user":
		if len(one.text) > 0 || len(one.results) == 0 {
			t.asked(one.node, one.text)
		}
	case "assistant":
		return t.answerOf(one, n)
	case "tool":
	default:
		if len(one.results) == 0 {
			return noRole(one.node)
		}
	}
	return nil
}

func (t *talk) answerOf(one chatMessage, n strictjson.Node) error {
	t.answering = false
	r := &replyInfo{finish: one.finish, usage: one.usage, model: one.model}
	if !r.usage.known {
		r.usage = usageOfNode(firstOf(n, "usage_metadata", "usageMetadata", "usage"))
	}
	if r.finish.Missing() {
		r.finish = firstOf(n, "finish_reason", "finishReason", "stopReason")
	}
	if r.model.Missing() {
		r.model = firstOf(n, "model_version", "modelVersion", "model", "modelId")
	}
	if r.usage.known || !r.finish.Missing() || t.reply != nil {
		if t.reply != nil {
			r.request = t.reply.request
		}
		t.next = r
	}
	t.answered(one.node, message{said: one.text, thought: one.thought})
	for _, c := range one.calls {
		id, _ := c.id.Text()
		if id == "" {
			t.keys++
			id = fmt.Sprintf("call %d", t.keys)
		}
		if _, twice := t.conversation.open[id]; twice {
			t.keys++
			id = fmt.Sprintf("%s (%d)", id, t.keys)
			c.id = strictjson.Node{}
		}
		name, _ := c.name.Text()
		if name == "" {
			name = c.typ
		}
		t.open[name] = append(t.open[name], id)
		t.order = append(t.order, id)
		if err := t.called(one.node, call{node: c.node, typ: attest.StepToolCall, id: c.id, name: c.name, fallback: c.typ, args: c.args, key: id}); err != nil {
			return err
		}
		if !c.result.Missing() {
			if err := t.returned(callResult{node: c.node, id: c.id, key: id, result: c.result, failed: c.failed, inside: true}); err != nil {
				return err
			}
		}
	}
	for _, r := range one.results {
		if err := t.result(r, true); err != nil {
			return err
		}
	}
	return nil
}

// result assigns a result to its call: by id, else by tool name, else in order.
func (t *talk) result(r resultPart, inside bool) error {
	key, _ := r.id.Text()
	if _, open := t.conversation.open[key]; !open && !t.closed[key] {
		name, _ := r.name.Text()
		key = ""
		for _, id := range append(slices.Clone(t.open[name]), t.order...) {
			if _, open := t.conversation.open[id]; open && (name == "" || slices.Contains(t.open[name], id)) {
				key = id
				break
			}
		}
		r.id = strictjson.Node{}
	}
	if key == "" {
		t.lost = append(t.lost, loss{what: lostCalls, why: "a tool result does not belong to any call of the conversation", node: r.node})
		return nil
	}
	return t.returned(callResult{node: r.node, id: r.id, key: key, result: r.result, failed: r.failed, inside: inside})
}

func (c *conversation) account() *coverage.Record {
	r := &coverage.Record{}
	for i := range c.steps {
		r.Spans.Total++
		r.Spans.Read++
		if c.steps[i].typ == attest.StepLLMCall {
			r.ModelCalls.Seen++
			if len(c.steps[i].said)+len(c.steps[i].calls) > 0 {
				r.ModelCalls.WithContents++
			}
		}
	}
	for _, l := range c.lost {
		node := l.node
		for holder, held := c.m.inside[node.Document()]; held; holder, held = c.m.inside[node.Document()] {
			node = holder
		}
		r.Add(coverage.Loss{What: l.what, Why: l.why, Pointer: node.Pointer()})
	}
	r.Complete = len(r.Lost) == 0
	return r
}
