package transcript

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Codex writes {timestamp, ordinal?, type, payload}: conversation items (response_item), UI events
// (event_msg) and session metadata.

var codexTypes = set("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
	"inter_agent_communication", "inter_agent_communication_metadata", "token_usage_record", "retained_context",
	"security_risk_score", "realtime_item", "session_state", "ghost_snapshot")

// codexItems are types of response items, codexEvents types of events.
var (
	codexItems = set("message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
		"local_shell_call", "local_shell_call_output", "web_search_call", "tool_search_call", "tool_search_output", "tool_search_call_output",
		"image_generation_call", "agent_message", "compaction", "compaction_summary", "context_compaction", "ghost_snapshot", "mcp_tool_call_output")
	codexEvents = set("user_message", "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break",
		"item_started", "item_completed", "token_count", "task_started", "turn_started", "task_complete", "turn_complete", "turn_aborted", "thread_rolled_back",
		"context_compacted", "patch_apply_begin", "patch_apply_end", "exec_command_begin", "exec_command_end", "mcp_tool_call_begin", "mcp_tool_call_end",
		"web_search_begin", "web_search_end", "view_image_tool_call", "error", "warning", "stream_error", "background_event", "turn_diff", "plan_update",
		"thread_name_updated", "thread_goal_updated", "entered_review_mode", "exited_review_mode", "undo_started", "undo_completed", "session_configured",
		"dynamic_tool_call_request", "dynamic_tool_call_response", "image_generation_end", "model_reroute", "shutdown_complete", "hook_started", "hook_completed",
		"collab_agent_spawn_end", "collab_agent_interaction_end", "collab_waiting_end", "collab_close_end")
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

func isCodex(root strictjson.Node) bool {
	typ, payload := root.Last("type"), root.Last("payload")
	if !isString(typ) || !payload.Exists() || !root.Last("timestamp").Exists() || !codexTypes[text(typ)] {
		return false
	}
	members := 3
	if root.Last("ordinal").Exists() {
		members++
	}
	return root.Len() == members
}

func readCodex(_ string, root strictjson.Node, r *Record) {
	r.Type, r.Time, r.Ordinal = text(root.Last("type")), root.Last("timestamp"), root.Last("ordinal")
	r.set(Known, codexTypes[r.Type])
	payload := root.Last("payload")
	if !isObject(payload) {
		if r.Has(Known) {
			r.fault("shape", payload, "payload is %s, expected an object", article(payload))
		}
		return
	}
	switch r.Type {
	case "session_meta":
		codexHeader(payload, r)
	case "turn_context":
		r.Model, r.Folder = payload.Last("model"), payload.Last("cwd")
	case "response_item":
		r.Type += "/" + text(payload.Last("type"))
		r.set(Known, codexItems[text(payload.Last("type"))])
		codexItem(payload, r)
	case "event_msg":
		r.Type += "/" + text(payload.Last("type"))
		r.Flags &^= Known
		r.set(Known, codexEvents[text(payload.Last("type"))])
		codexEvent(payload, r)
	case "compacted":
		r.Flags |= Compacted
	}
}

func codexHeader(payload strictjson.Node, r *Record) {
	r.Flags |= Header
	r.Session = payload.Last("id")
	r.Folder = payload.Last("cwd")
	fork := payload.Last("forked_from_id")
	if fork.Missing() {
		fork = payload.Last("parent_thread_id")
	}
	if fork.Missing() {
		fork = payload.Last("source").Last("subagent").Last("thread_spawn").Last("parent_thread_id")
	}
	if !fork.Missing() {
		r.Flags |= Forked
		r.Parent = fork
	}
	r.set(Paginated, payload.Last("history_mode").TextIs("paginated"))
}

// codexInjected are prefixes of user texts written by Codex itself.
var codexInjected = [][]byte{
	[]byte("<environment_context>"), []byte("<user_instructions>"), []byte("<permissions instructions>"), []byte("<turn_context>"),
	[]byte("# AGENTS.md instructions"), []byte("<user_shell_command>"), []byte("<turn_aborted>"), []byte("<skill>"), []byte("<subagent_notification>"),
}

func codexItem(payload strictjson.Node, r *Record) {
	id := payload.Last("call_id")
	call := func(name strictjson.Node, as string, value strictjson.Node) {
		r.Flags |= Model
		r.Parts = append(r.Parts, Part{Kind: Call, Node: payload, ID: id, Name: name, As: as, Value: value})
	}
	switch text(payload.Last("type")) {
	case "message":
		codexMessage(payload, r)
	case "reasoning":
		r.Flags |= Model
		for piece := range payload.Last("summary").Children() {
			r.Parts = append(r.Parts, Part{Kind: Thought, Node: piece, Value: piece.Last("text")})
		}
	case "function_call":
		args := payload.Last("arguments")
		call(payload.Last("name"), "", args)
		codexArguments(payload, args, r)
	case "custom_tool_call":
		call(payload.Last("name"), "", payload.Last("input"))
	case "local_shell_call":
		if id.Missing() {
			id = payload.Last("id")
		}
		call(strictjson.Node{}, "local_shell", payload.Last("action"))
	case "web_search_call", "image_generation_call":
		as := "web_search"
		if !payload.Last("type").TextIs("web_search_call") {
			as = "image_generation"
		}
		r.Flags |= Model
		r.Parts = append(r.Parts, Part{Kind: Call, Node: payload, As: as, Value: payload.Last("action"), Server: true})
	case "tool_search_call":
		call(strictjson.Node{}, "tool_search", payload.Last("arguments"))
		r.Parts[len(r.Parts)-1].Server = id.Missing()
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "mcp_tool_call_output", "tool_search_output", "tool_search_call_output":
		codexOutput(payload, id, r)
	case "compaction", "context_compaction", "compaction_summary":
		r.Flags |= Compacted
	}
}

func codexMessage(payload strictjson.Node, r *Record) {
	content := payload.Last("content")
	if !isString(payload.Last("role")) || !content.Is(strictjson.Array) && !isString(content) {
		r.fault("shape", payload, "a message without role or content")
		return
	}
	switch text(payload.Last("role")) {
	case "user":
		r.Role = User
	case "assistant":
		r.Role = Assistant
		r.Flags |= Model
	default:
		r.Role = System
	}
	if isString(content) {
		r.Parts = append(r.Parts, Part{Kind: Text, Node: content, Value: content})
	}
	for piece := range children(content) {
		switch text(piece.Last("type")) {
		case "input_text", "output_text", "text":
			r.Parts = append(r.Parts, Part{Kind: Text, Node: piece, Value: piece.Last("text")})
		case "input_image":
			url := piece.Last("image_url")
			r.Parts = append(r.Parts, Part{Kind: Media, Node: piece, Value: url, Empty: url.TextIs("") || bytes.HasSuffix(url.TextBytes(nil), []byte(";base64,"))})
		}
	}
	words := false
	for i := range r.Parts {
		p := &r.Parts[i]
		words = words || p.Kind == Media || p.Kind == Text && !hasPrefix(p.Value.TextBytes(nil), codexInjected)
	}
	r.set(Prompt, r.Role == User && words)
}

// codexArguments checks the JSON in a function call's arguments string.
func codexArguments(payload, args strictjson.Node, r *Record) {
	inside := bytes.TrimSpace(args.TextBytes(nil))
	if len(inside) == 0 || inside[0] != '{' {
		return
	}
	w := strictjson.NewWalker(inside)
	err := w.End()
	if err == nil {
		return
	}
	how := "are not JSON: " + err.Message
	if err.Code == strictjson.Truncated {
		how = "end inside a value, after " + quotedEnd(inside)
	}
	f := r.fault("arguments", args, "the arguments of %s (%s) %s", text(payload.Last("name")), text(payload.Last("call_id")), how)
	f.IDs, f.Lost = append(f.IDs, text(payload.Last("call_id"))), true
}

func codexOutput(payload, id strictjson.Node, r *Record) {
	output := payload.Last("output")
	if isObject(output) && output.Last("content").Exists() {
		output = output.Last("content")
	}
	if output.Missing() {
		output = payload.Last("tools")
	}
	r.Parts = append(r.Parts, Part{Kind: Result, Node: payload, ID: id, Value: output, NoPair: id.Missing()})
	for piece := range children(output) {
		if url := piece.Last("image_url"); piece.Last("type").TextIs("input_image") {
			r.Parts = append(r.Parts, Part{Kind: Media, Node: piece, Value: url, Empty: url.TextIs("")})
		}
	}
}

func codexEvent(payload strictjson.Node, r *Record) {
	switch text(payload.Last("type")) {
	case "token_count":
		info := payload.Last("info")
		r.Sum, r.Usage = codexUsage(info.Last("total_token_usage")), codexUsage(info.Last("last_token_usage"))
	case "turn_aborted":
		r.Flags |= Abort
	case "thread_rolled_back":
		r.Back, _ = payload.Last("num_turns").Int()
	case "context_compacted":
		r.Flags |= Compacted
	case "task_complete", "turn_complete":
		r.Flags |= Ended
	}
}

// codexUsage reads usage: input includes cached tokens, output includes reasoning.
func codexUsage(n strictjson.Node) Usage {
	u := usage(n, "input_tokens", "cached_input_tokens", "", "output_tokens", "reasoning_output_tokens", "total_tokens")
	if n.Last("total_tokens").Missing() {
		u.Total = u.Input + u.Output
	}
	return u
}
