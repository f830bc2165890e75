package capture

import (
	"cmp"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// chats is the state of conversations: the calls seen so far, because clients repeat the conversation in each
// request, and parts of streamed calls.
type chats struct {
	seen   map[string]bool
	parts  map[string]*callParts
	tools  bool   // a list of tools was recorded
	thread string // of the last AG-UI run
	agent  bool   // the agent has answered
}

// callParts collects a tool call from a stream.
type callParts struct {
	id, name  string
	arguments strings.Builder
	line      int
}

const (
	mostSeen  = 1 << 16
	mostParts = 1 << 10
)

// first reports whether a call or result is new.
func (s *chats) first(key string) bool {
	if s.seen[key] {
		return false
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if len(s.seen) < mostSeen {
		s.seen[key] = true
	}
	return true
}

// toolCall queues a tool call, once per id.
func (r *collector) toolCall(id, name string, arguments model.Value, c context) {
	if id != "" && !r.chats.first("call "+c.connection+"\x00"+id) {
		return
	}
	c.sender = Client
	params := model.Object{{Key: "name", Value: name}}
	if arguments != nil {
		params = append(params, model.Member{Key: "arguments", Value: arguments})
	}
	key := ""
	if id != "" {
		key = textKey("t", "", id)
	}
	r.call(call{method: "tools/call", role: model.RoleRequest, value: params, body: bodyParams, key: key}, c)
}

// toolAnswer queues the result of a call with a known id.
func (r *collector) toolAnswer(id string, result model.Value, failed bool, c context) {
	key := textKey("t", "", id)
	if id == "" || len(r.open.byID[key]) == 0 || !r.chats.first("answer "+c.connection+"\x00"+id) {
		return
	}
	c.sender = Server
	v := toolResult(result)
	if object, ok := v.(model.Object); ok && failed {
		if _, has := object.Get("isError"); !has {
			v = append(object[:len(object):len(object)], model.Member{Key: "isError", Value: true})
		}
	}
	r.answer(answer{key: key, value: v, body: bodyResult}, c)
}

// toolResult returns a call's result in MCP form, because agents record only the content.
func toolResult(v model.Value) model.Value {
	switch v := v.(type) {
	case model.Object:
		if _, is := v.Get("content"); is {
			return v
		}
		if _, is := v.Get("structuredContent"); is {
			return v
		}
		return model.Object{{Key: "content", Value: []model.Value{}}, {Key: "structuredContent", Value: v}}
	case []model.Value:
		return model.Object{{Key: "content", Value: v}}
	case string:
		return model.Object{{Key: "content", Value: []model.Value{model.Object{{Key: "type", Value: "text"}, {Key: "text", Value: v}}}}}
	}
	return model.Object{{Key: "content", Value: []model.Value{}}}
}

// ofChat reads conversations and streams of model APIs: an object with messages, choices or output, a message with
// a role, a block, or a stream chunk.
func ofChat(r *collector, n strictjson.Node, c context) bool {
	if ofDelta(r, n, c) {
		return true
	}
	known := false
	if tools := n.Get("tools"); tools.Is(strictjson.Array) && (n.Get("messages").Is(strictjson.Array) || n.Get("input").Exists()) {
		r.chats.tools = r.chats.tools || tools.Len() > 0
	}
	for _, name := range []string{"messages", "input", "output"} {
		list := n.Get(name)
		if !list.Is(strictjson.Array) {
			continue
		}
		for item := range list.Children() {
			known = chatItem(r, item, c) || known
		}
	}
	if choices := n.Get("choices"); choices.Is(strictjson.Array) {
		for choice := range choices.Children() {
			known = chatItem(r, choice.Get("message"), c) || known
		}
	}
	known = known || chatItem(r, n, c)
	if known && r.chats.tools && r.chats.agent && r.chats.first("tools offered") {
		r.marker("mcp", Client, c) // it could have called one
	}
	return known
}

// chatItem reads a message of a conversation, or an item of the Responses API.
func chatItem(r *collector, n strictjson.Node, c context) bool {
	if !n.Is(strictjson.Object) {
		return false
	}
	c.node = n
	switch kind := textOf(n, "type"); kind {
	case "function_call":
		r.found(OpenAI)
		r.toolCall(cmp.Or(textOf(n, "call_id"), textOf(n, "id")), textOf(n, "name"), r.jsonIn(n.Get("arguments"), c), c)
		return true
	case "function_call_output":
		r.found(OpenAI)
		r.toolAnswer(textOf(n, "call_id"), r.jsonIn(n.Get("output"), c), false, c)
		return true
	case "mcp_call":
		r.found(OpenAI)
		c.connection = "\x01" + textOf(n, "server_label")
		id := cmp.Or(textOf(n, "id"), textOf(n, "name"))
		r.toolCall(id, textOf(n, "name"), r.jsonIn(n.Get("arguments"), c), c)
		if output := n.Get("output"); !output.Missing() {
			r.toolAnswer(id, r.jsonIn(output, c), !n.Get("error").Missing(), c)
		}
		return true
	}
	role := textOf(n, "role")
	content, calls := n.Get("content"), n.Get("tool_calls")
	switch role {
	case "assistant":
		r.chats.agent = true
	case "user", "system", "developer":
	case "tool":
		if !n.Get("tool_call_id").Exists() {
			return false
		}
		r.found(OpenAI)
		r.toolAnswer(textOf(n, "tool_call_id"), r.jsonIn(content, c), false, c)
		return true
	default:
		return false
	}
	if !content.Exists() && !calls.Exists() {
		return false
	}
	for item := range calls.Children() {
		r.found(OpenAI)
		c.node = item
		function := item.Get("function")
		r.toolCall(textOf(item, "id"), textOf(function, "name"), r.jsonIn(function.Get("arguments"), c), c)
	}
	toolBlocks(r, content, c, nil)
	return true
}

// toolBlocks reads the blocks of an Anthropic message. rename, if set, returns a call's server and tool; ok is
// false if the call is not for an MCP server.
func toolBlocks(r *collector, list strictjson.Node, c context, rename func(name string) (server, tool string, ok bool)) {
	if !list.Is(strictjson.Array) {
		return
	}
	for block := range list.Children() {
		c := c
		c.node = block
		switch textOf(block, "type") {
		case "tool_use":
			name := textOf(block, "name")
			if rename != nil {
				server, tool, ok := rename(name)
				if !ok {
					r.stats.Builtin++
					continue
				}
				c.connection, name = "\x01"+server, tool
			}
			r.found(Anthropic)
			r.toolCall(textOf(block, "id"), name, r.valueOf(block.Get("input")), c)
		case "mcp_tool_use":
			r.found(Anthropic)
			c.connection = "\x01" + textOf(block, "server_name")
			r.toolCall(textOf(block, "id"), textOf(block, "name"), r.valueOf(block.Get("input")), c)
		case "tool_result", "mcp_tool_result":
			failed, _ := block.Get("is_error").Bool()
			r.toolAnswer(textOf(block, "tool_use_id"), r.valueOf(block.Get("content")), failed, c)
		}
	}
}

// ofDelta reads a chunk of a model API stream. Calls are queued when complete.
func ofDelta(r *collector, n strictjson.Node, c context) bool {
	switch kind := textOf(n, "type"); kind {
	case "content_block_start":
		block := n.Get("content_block")
		if isOneOf(block, "type", "tool_use", "mcp_tool_use") {
			r.found(Anthropic)
			beginPart(r, scalar(n.Get("index")), textOf(block, "id"), textOf(block, "name"), c)
		}
		return n.Get("index").Exists()
	case "content_block_delta":
		if parts := r.chats.parts[scalar(n.Get("index"))]; parts != nil {
			addPart(r, parts, textOf(n.Get("delta"), "partial_json"))
		}
		return n.Get("index").Exists()
	case "content_block_stop":
		endPart(r, scalar(n.Get("index")), c)
		return n.Get("index").Exists()
	case "message_start", "message_delta", "message_stop":
		return n.Get("message").Exists() || n.Get("delta").Exists() || n.Len() == 1
	}
	choices := n.Get("choices")
	if !choices.Is(strictjson.Array) || choices.Len() > 0 && !choices.At(0).Get("delta").Exists() {
		return false
	}
	r.found(OpenAI)
	for choice := range choices.Children() {
		index := scalar(choice.Get("index"))
		for item := range choice.Get("delta").Get("tool_calls").Children() {
			key := index + " " + scalar(item.Get("index"))
			function := item.Get("function")
			if id := textOf(item, "id"); id != "" && (r.chats.parts[key] == nil || r.chats.parts[key].id != id) {
				endPart(r, key, c)
				beginPart(r, key, id, textOf(function, "name"), c)
			}
			if parts := r.chats.parts[key]; parts != nil {
				addPart(r, parts, textOf(function, "arguments"))
			}
		}
		if choice.Get("finish_reason").Is(strictjson.String) {
			for key := range r.chats.parts {
				if strings.HasPrefix(key, index+" ") {
					endPart(r, key, c)
				}
			}
		}
	}
	return true
}

// beginPart starts a call in a stream.
func beginPart(r *collector, key, id, name string, c context) {
	if r.chats.parts == nil {
		r.chats.parts = map[string]*callParts{}
	}
	if len(r.chats.parts) < mostParts {
		r.chats.parts[key] = &callParts{id: id, name: name, line: r.frame.lineOf(c.place())}
	}
}

func addPart(r *collector, p *callParts, text string) {
	if p.arguments.Len()+len(text) > mostJoined {
		r.tooMuch(p.line)
		return
	}
	p.arguments.WriteString(text)
}

// endPart queues a completed call.
func endPart(r *collector, key string, c context) {
	p := r.chats.parts[key]
	if p == nil {
		return
	}
	delete(r.chats.parts, key)
	arguments := emptyObject
	if text := p.arguments.String(); text != "" {
		v, err := Decode([]byte(text), r.options.Limits)
		if arguments = v; err != nil {
			arguments = text
		}
	}
	r.toolCall(p.id, p.name, arguments, c)
}
