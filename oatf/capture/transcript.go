package capture

import (
	"cmp"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// ofTranscript reads records of the coding agents Claude Code and Codex.
func ofTranscript(r *collector, n strictjson.Node, c context) bool {
	kind, ok := n.Get("type").Text()
	if !ok {
		return false
	}
	c.time, c.node = textOf(n, "timestamp"), n
	switch {
	case isOneOf(n, "type", "user", "assistant", "system", "result") && (n.Get("session_id").Exists() || n.Get("sessionId").Exists()):
		r.found(ClaudeCode)
		readClaudeCode(r, n, kind, c)
		return true
	case n.Get("payload").Is(strictjson.Object) && n.Get("timestamp").Exists() &&
		isOneOf(n, "type", "session_meta", "response_item", "event_msg", "turn_context", "compacted"):
		r.found(Codex)
		readCodexRecord(r, n.Get("payload"), c)
		return true
	case strings.HasPrefix(kind, "thread.") || strings.HasPrefix(kind, "turn.") || strings.HasPrefix(kind, "item."):
		if kind == "thread.started" && n.Get("thread_id").Exists() || strings.HasPrefix(kind, "turn.") || n.Get("item").Is(strictjson.Object) {
			r.found(Codex)
			if kind == "item.completed" {
				readCodexItem(r, n.Get("item"), c)
			}
			return true
		}
	}
	// Other records of both agents in a transcript: attachments, summaries, snapshots.
	return (r.format == ClaudeCode || r.format == Codex) && c.depth == 1
}

// toolOfServer splits an MCP tool name: mcp__SERVER__TOOL.
func toolOfServer(name string) (server, tool string, ok bool) {
	rest, is := strings.CutPrefix(name, "mcp__")
	if !is {
		return "", "", false
	}
	return strings.Cut(rest, "__")
}

// readClaudeCode reads a Claude Code record. Calls of built-in tools are not messages.
func readClaudeCode(r *collector, n strictjson.Node, kind string, c context) {
	if kind == "system" && isOneOf(n, "subtype", "init") {
		for server := range n.Get("mcp_servers").Children() {
			if !isOneOf(server, "status", "failed", "disabled", "needs-auth", "pending") {
				r.chats.tools = true
			}
		}
	}
	if kind == "result" && r.chats.tools && r.chats.first("servers listed") {
		r.marker("mcp", Client, c)
	}
	toolBlocks(r, n.Get("message").Get("content"), c, toolOfServer)
}

// readCodexRecord reads the content of a rollout line.
func readCodexRecord(r *collector, n strictjson.Node, c context) {
	c.node = n
	switch textOf(n, "type") {
	case "function_call":
		server, tool, ok := codexTool(n)
		if !ok {
			r.stats.Builtin++
			return
		}
		c.connection = "\x01" + server
		r.toolCall(textOf(n, "call_id"), tool, r.jsonIn(n.Get("arguments"), c), c)
	case "function_call_output":
		r.toolAnswer(textOf(n, "call_id"), r.jsonIn(n.Get("output"), c), false, c)
	case "mcp_tool_call_begin":
		codexInvocation(r, n, c)
	case "mcp_tool_call_end":
		codexInvocation(r, n, c)
		result, failed := n.Get("result").Get("Ok"), false
		if !result.Exists() {
			result, failed = n.Get("result").Get("Err"), true
		}
		r.toolAnswer(textOf(n, "call_id"), r.valueOf(result), failed, c)
	}
}

// codexTool returns a call's server and tool: mcp__SERVER__TOOL, SERVER__TOOL, or a name with a separate server.
func codexTool(n strictjson.Node) (server, tool string, ok bool) {
	name := textOf(n, "name")
	if server, tool, ok = toolOfServer(name); ok {
		return server, tool, true
	}
	if space := textOf(n, "namespace"); space != "" {
		server, _, _ = toolOfServer(space + "__")
		return cmp.Or(server, space), name, server != ""
	}
	server, tool, ok = strings.Cut(name, "__")
	return server, tool, ok && server != "" && tool != ""
}

func codexInvocation(r *collector, n strictjson.Node, c context) {
	of := n.Get("invocation")
	c.connection = "\x01" + textOf(of, "server")
	r.toolCall(textOf(n, "call_id"), textOf(of, "tool"), r.jsonIn(of.Get("arguments"), c), c)
}

func readCodexItem(r *collector, n strictjson.Node, c context) {
	c.node = n
	if !isOneOf(n, "type", "mcp_tool_call") {
		if isOneOf(n, "type", "command_execution", "file_change", "web_search") {
			r.stats.Builtin++
		}
		return
	}
	id := textOf(n, "id")
	c.connection = "\x01" + textOf(n, "server")
	r.toolCall(id, textOf(n, "tool"), r.jsonIn(n.Get("arguments"), c), c)
	switch result, failure := n.Get("result"), n.Get("error"); {
	case !result.Missing():
		r.toolAnswer(id, r.jsonIn(result, c), false, c)
	case !failure.Missing():
		r.toolAnswer(id, model.Value(cmp.Or(textOf(failure, "message"), scalar(failure))), true, c)
	}
}
