package importer

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

type partReader struct {
	m      *maker
	said   *chatMessage
	speech *speech
}

func (c *partReader) lose(what lossKind, why string, at strictjson.Node) {
	c.speech.lost = append(c.speech.lost, loss{what: what, why: why, node: at})
}

func (c *partReader) members(n strictjson.Node) {
	if c.said.role == "tool" && (n.Last("content").Exists() || n.Last("tool_call_id").Exists()) && !holdsParts(n) {
		c.said.results = append(c.said.results, resultPart{
			n, firstOf(n, "tool_call_id", "toolCallId", "call_id", "id"), firstOf(n, "name", "tool_name", "toolName"), flat(n.Last("content")), failedOf(n),
		})
		c.masked(n.Last("content"))
		return
	}
	content := firstOf(n, "content", "parts", "contents")
	switch {
	case content.Is(strictjson.String):
		if c.said.role != "tool" {
			c.plain(content)
		}
	case content.Is(strictjson.Array):
		c.parts(content)
	}
	if parts := n.Last("parts"); parts.Is(strictjson.Array) && content != parts {
		c.parts(parts)
	}
	if contents := n.Last("contents"); contents.Is(strictjson.Array) && content != contents && len(c.said.text) == 0 {
		c.parts(contents)
	}
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if thought := n.Last(name); thought.Is(strictjson.String) {
			c.said.thought = append(c.said.thought, readText(thought, nil)...)
		}
	}
	if refusal := n.Last("refusal"); refusal.Is(strictjson.String) {
		c.said.text = append(c.said.text, readText(refusal, nil)...)
	}
	for _, name := range []string{"tool_calls", "toolCalls"} {
		for one := range n.Last(name).Children() {
			c.call(one)
		}
	}
	if len(c.said.calls) == 0 {
		for one := range n.Last("additional_kwargs").Last("tool_calls").Children() {
			c.call(one)
		}
		if one := firstOf(n, "function_call"); one.Is(strictjson.Object) {
			c.call(one)
		}
	}
	for part := range n.Last("invalid_tool_calls").Children() {
		c.call(part)
	}
	info := n.Last("response_metadata")
	c.said.finish = firstOf(n, "finish_reason", "finishReason", "stop_reason", "stopReason")
	if c.said.finish.Missing() {
		c.said.finish = firstOf(info, "finish_reason", "stop_reason", "stopReason")
	}
	c.said.model = firstOf(info, "model_name", "model")
	for _, u := range []strictjson.Node{n.Last("usage_metadata"), info.Last("token_usage"), info.Last("usage"), n.Last("usage"), n.Last("models_usage")} {
		if !c.said.usage.known {
			c.said.usage = usageOfNode(u)
		}
	}
}

// holdsParts reports whether a message's content is a list whose parts are themselves results.
func holdsParts(n strictjson.Node) bool {
	for _, list := range []strictjson.Node{n.Last("content"), n.Last("parts")} {
		for part := range list.Children() {
			typ, _ := part.Last("type").Text()
			if isResultType(typ) || part.Last("toolResult").Exists() || part.Last("functionResponse").Exists() || part.Last("function_response").Exists() {
				return true
			}
		}
	}
	return n.Last("parts").Is(strictjson.Array) && !n.Last("content").Exists()
}

func failedOf(n strictjson.Node) strictjson.Node {
	if n.Last("status").TextIs("error") || n.Last("status").TextIs("failed") {
		return n.Last("status")
	}
	if failed, ok := firstOf(n, "is_error", "isError").Bool(); ok && failed {
		return firstOf(n, "is_error", "isError")
	}
	return strictjson.Node{}
}

func (c *partReader) plain(n strictjson.Node) {
	c.said.text = append(c.said.text, readText(n, nil)...)
	c.masked(n)
}

func (c *partReader) masked(n strictjson.Node) {
	c.speech.masked(n)
}

func (c *partReader) parts(list strictjson.Node) {
	for part := range list.Children() {
		if inner := part.Last("message_content"); inner.Is(strictjson.Object) {
			if typ, _ := inner.Last("type").Text(); typ == "tool_use" || typ == "tool_result" {
				continue // it repeats a call or a result of the message
			}
			part = inner
		}
		if part.Is(strictjson.String) {
			c.plain(part)
			continue
		}
		c.part(part)
	}
}

func (c *partReader) part(part strictjson.Node) {
	typ, _ := part.Last("type").Text()
	if one, ok := callOf(part, typ); ok {
		c.add(one)
		return
	}
	if result, ok := resultOf(part, typ); ok {
		c.said.results = append(c.said.results, result)
		c.masked(result.result)
		return
	}
	piece := firstOf(part, "text", "content")
	switch {
	case typ == "reasoning" || typ == "thinking" || part.Last("reasoningContent").Exists():
		inner := part
		if block := part.Last("reasoningContent").Last("reasoningText"); block.Exists() {
			inner = block
		}
		c.said.thought = append(c.said.thought, readText(firstOf(inner, "text", "thinking", "content", "summary"), []string{"summary_text", "text", "reasoning_text"})...)
	case isThought(part):
		c.said.thought = append(c.said.thought, readText(piece, nil)...)
	case piece.Is(strictjson.String) && (typ == "" || strings.HasSuffix(typ, "text")):
		c.plain(piece)
	case isKnownPart(typ):
		c.said.text = append(c.said.text, readText(part.Last("refusal"), nil)...)
	case looksLikeCall(part, typ):
		c.lose(lostCalls, "a part of the unknown type '"+typ+"' looks like a tool call", part)
	}
}

func isThought(part strictjson.Node) bool {
	thought, ok := part.Last("thought").Bool()
	return ok && thought
}

// looksLikeCall reports whether a part of unknown type is probably a tool call.
func looksLikeCall(part strictjson.Node, typ string) bool {
	if strings.Contains(typ, "tool") || strings.Contains(typ, "call") {
		return true
	}
	return part.Last("name").Is(strictjson.String) && !firstOf(part, "arguments", "args", "input", "parameters").Missing()
}

func (c *partReader) call(n strictjson.Node) {
	if inner := n.Last("tool_call"); inner.Is(strictjson.Object) {
		n = inner
	}
	one := callPart{node: n, id: firstOf(n, "id", "toolCallId", "tool_call_id", "call_id")}
	one.name, one.args = namedCall(n)
	c.add(one)
}

func (c *partReader) add(one callPart) {
	if name, ok := one.name.Text(); (!ok || name == "") && one.typ == "" {
		c.lose(lostCalls, "a call in a message has no name", one.node)
		return
	}
	c.said.calls = append(c.said.calls, one)
}

// namedCall returns a call's name and arguments, which can be in a member "function".
func namedCall(n strictjson.Node) (name, args strictjson.Node) {
	for _, inner := range []strictjson.Node{n.Last("function"), n.Last("custom"), n} {
		if name = firstOf(inner, "name", "toolName", "tool_name"); name.Is(strictjson.String) {
			return name, firstOf(inner, "arguments", "args", "input", "parameters")
		}
	}
	return strictjson.Node{}, firstOf(n.Last("function"), "arguments")
}

// callTypes are the types of parts that are tool calls.
var callTypes = []string{"tool_call", "tool_use", "tool-call", "function_call", "functionCall", "server_tool_call", "server_tool_use", "mcp_tool_use", "custom_tool_call", "invalid_tool_call", "tool_call_chunk"}

func callOf(part strictjson.Node, typ string) (one callPart, ok bool) {
	for _, name := range []string{"toolUse", "functionCall", "function_call"} {
		if inner := part.Last(name); inner.Is(strictjson.Object) {
			one := callPart{node: part, id: firstOf(inner, "toolUseId", "id")}
			one.name, one.args = namedCall(inner)
			return one, true
		}
	}
	kindOfTool, ui := strings.CutPrefix(typ, "tool-")
	switch {
	case slices.Contains(callTypes, typ):
		one = callPart{node: part, id: firstOf(part, "call_id", "id", "toolCallId", "tool_call_id")}
		one.name, one.args = namedCall(part)
		if inner := part.Last("server_tool_call"); one.args.Missing() && inner.Exists() {
			one.args = inner
		}
		return one, true
	case ui && kindOfTool != "result" && kindOfTool != "error" && part.Last("toolCallId").Exists(), typ == "dynamic-tool":
		one = callPart{
			node: part, id: part.Last("toolCallId"), name: part.Last("toolName"), args: firstOf(part, "input", "args"), typ: kindOfTool,
			result: firstOf(part, "output", "result", "errorText"), failed: firstOf(part, "errorText"),
		}
		return one, true
	case strings.HasSuffix(typ, "_call") && !part.Last("role").Exists(): // an item of the Responses API
		one = callPart{node: part, id: firstOf(part, "call_id", "id"), typ: strings.TrimSuffix(typ, "_call"), result: firstOf(part, "results", "outputs", "output", "error")}
		one.name, one.args = part.Last("name"), firstOf(part, "arguments", "input", "action", "operation", "code", "queries")
		return one, true
	case typ == "" && part.Last("toolCallId").Is(strictjson.String) && part.Last("toolName").Is(strictjson.String) && !part.Last("output").Exists() && !part.Last("result").Exists():
		one = callPart{node: part, id: part.Last("toolCallId"), name: part.Last("toolName"), args: firstOf(part, "input", "args")}
		return one, true
	}
	return one, false
}

func isResultType(typ string) bool {
	switch typ {
	case "tool_call_response", "server_tool_call_response", "tool-result", "tool-error", "tool_response":
		return true
	}
	return strings.HasSuffix(typ, "tool_result") || strings.HasSuffix(typ, "_call_output")
}

func resultOf(part strictjson.Node, typ string) (r resultPart, ok bool) {
	for _, name := range []string{"toolResult", "functionResponse", "function_response"} {
		if inner := part.Last(name); inner.Is(strictjson.Object) {
			return resultPart{part, firstOf(inner, "toolUseId", "id"), inner.Last("name"), unblocked(firstOf(inner, "content", "response", "result")), failedOf(inner)}, true
		}
	}
	if !isResultType(typ) {
		return r, false
	}
	r = resultPart{
		part, firstOf(part, "tool_use_id", "toolCallId", "call_id", "tool_call_id", "id"), firstOf(part, "toolName", "name"),
		unblocked(firstOf(part, "response", "result", "output", "content", "error", "server_tool_call_response")), failedOf(part),
	}
	if value := r.result.Last("value"); r.result.Is(strictjson.Object) && value.Exists() && r.result.Last("type").Is(strictjson.String) {
		if kind, _ := r.result.Last("type").Text(); strings.HasPrefix(kind, "error") {
			r.failed = r.result.Last("type")
		}
		r.result = value
	}
	if typ == "tool-error" {
		r.failed = firstOf(part, "error")
	}
	return r, true
}

// unblocked returns the content of a list with one block: its text or JSON.
func unblocked(n strictjson.Node) strictjson.Node {
	if n.Is(strictjson.Array) && n.Len() == 1 && n.At(0).Is(strictjson.Object) {
		if inner := firstOf(n.At(0), "json"); inner.Exists() {
			return inner
		}
		if inner := n.At(0).Last("text"); inner.Is(strictjson.String) {
			return inner
		}
	}
	return n
}
