package transcript

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Copilot CLI writes events {type, data, id, timestamp, parentId}, each linked to the previous one.

// copilotFamilies are prefixes of event types; copilotTypes are types without a dot.
var (
	copilotFamilies = set("session", "user", "assistant", "tool", "hook", "subagent", "skill", "permission", "external_tool", "system", "elicitation", "user_input", "exit_plan_mode", "sampling", "mcp", "command", "model", "capabilities", "auto_mode_switch")
	copilotTypes    = set("abort", "pending_messages")
	copilotKnown    = set("session.start", "session.resume", "session.shutdown", "session.info", "session.warning", "session.error", "session.model_change",
		"session.mode_changed", "session.plan_changed", "session.context_changed", "session.truncation", "session.compaction_start", "session.compaction_complete",
		"session.handoff", "session.task_complete", "session.usage_checkpoint", "session.binary_asset", "session.title_changed", "session.workspace_file_changed",
		"session.snapshot_rewind", "session.usage_info", "session.idle", "session.import_legacy", "session.background_tasks_changed", "session.skills_loaded",
		"session.mcp_servers_loaded", "session.mcp_server_status_changed", "session.tools_updated", "session.custom_agents_updated", "session.remote_steerable_changed", "session.schedule_created", "session.extensions_loaded",
		"user.message", "assistant.turn_start", "assistant.turn_end", "assistant.message", "assistant.reasoning", "assistant.intent", "assistant.usage",
		"tool.execution_start", "tool.execution_complete", "tool.user_requested", "tool.execution_progress", "subagent.started", "subagent.completed",
		"subagent.failed", "subagent.selected", "subagent.deselected", "skill.invoked", "hook.start", "hook.end", "permission.requested", "permission.completed",
		"external_tool.requested", "external_tool.completed", "system.message", "system.notification", "abort")
)

func isCopilot(root strictjson.Node) bool {
	typ := text(root.Last("type"))
	family, _, pointed := strings.Cut(typ, ".")
	return (pointed && copilotFamilies[family] || copilotTypes[typ]) && isString(root.Last("id")) && root.Last("parentId").Exists() &&
		isObject(root.Last("data")) && root.Last("timestamp").Exists() && !root.Last("specversion").Exists() && !root.Last("source").Exists()
}

func provesCopilot(root strictjson.Node) bool {
	switch text(root.Last("type")) {
	case "session.start", "user.message", "assistant.message", "tool.execution_complete":
		return isCopilot(root)
	}
	return false
}

func readCopilot(_ string, root strictjson.Node, r *Record) {
	data := root.Last("data")
	r.Type = text(root.Last("type"))
	r.ID, r.Parent, r.Time = root.Last("id"), root.Last("parentId"), root.Last("timestamp")
	r.Flags |= Chained
	r.set(Known, copilotKnown[r.Type])
	r.Agent = root.Last("agentId")
	if r.Agent.Missing() {
		r.Agent = data.Last("parentToolCallId")
	}
	r.set(Side, !r.Agent.Missing())
	if !isObject(data) {
		r.fault("shape", data, "data is %s, expected an object", article(data))
		return
	}
	switch r.Type {
	case "session.start":
		r.Flags |= Header
		r.Session, r.Model, r.Folder = data.Last("sessionId"), data.Last("selectedModel"), data.Last("context").Last("cwd")
	case "session.resume":
		r.Flags |= Resumed
	case "session.shutdown":
		r.Flags |= Ended
		r.Sum = r.copilotUsage(data.Last("modelMetrics"))
	case "session.model_change":
		r.Model = data.Last("newModel")
	case "session.compaction_complete", "session.truncation":
		r.Flags |= Compacted
	case "user.message":
		r.Role = User
		r.set(Prompt, !r.Has(Side) && (isString(data.Last("content")) || data.Last("attachments").Len() > 0))
		r.Parts = append(r.Parts, Part{Kind: Text, Node: data, Value: data.Last("content")})
		for a := range children(data.Last("attachments")) {
			value := a.Last("data")
			inline := a.Last("type").TextIs("blob") || a.Last("type").TextIs("image")
			r.Parts = append(r.Parts, Part{Kind: Media, Node: a, Value: value, Empty: inline && text(value) == "" && a.Last("assetId").Missing() && a.Last("omittedReason").Missing()})
		}
	case "assistant.message":
		copilotAnswer(data, r)
	case "tool.execution_start":
		r.Parts = append(r.Parts, Part{Kind: Call, Node: data, ID: data.Last("toolCallId"), Name: data.Last("toolName"), Value: data.Last("arguments"), Echo: true})
	case "tool.execution_complete":
		copilotResult(data, r)
	case "abort":
		r.Flags |= Abort
	}
}

func copilotAnswer(data strictjson.Node, r *Record) {
	r.Role = Assistant
	r.Flags |= Model
	r.Model = data.Last("model")
	if r.Response = data.Last("apiCallId"); r.Response.Missing() {
		r.Response = r.ID
	}
	out, ok := count(data, "outputTokens")
	r.Usage = Usage{Node: data.Last("outputTokens"), Output: out, Known: ok && data.Last("outputTokens").Exists()}
	if says := data.Last("reasoningText"); isString(says) {
		r.Parts = append(r.Parts, Part{Kind: Thought, Node: says, Value: says})
	}
	if says := data.Last("content"); isString(says) {
		r.Parts = append(r.Parts, Part{Kind: Text, Node: data, Value: says})
	}
	for c := range children(data.Last("toolRequests")) {
		name := c.Last("name")
		r.Parts = append(r.Parts, Part{Kind: Call, Node: c, ID: c.Last("toolCallId"), Name: name, Value: c.Last("arguments"), Sub: name.TextIs("task")})
	}
}

func copilotResult(data strictjson.Node, r *Record) {
	p := Part{Kind: Result, Node: data, ID: data.Last("toolCallId"), Value: data.Last("result").Last("content")}
	if success := data.Last("success"); success.Is(strictjson.False) {
		p.Error = success
		if message := data.Last("error").Last("message"); message.Exists() {
			p.Error = message
			if p.Value.Missing() {
				p.Value = message
			}
		}
	}
	r.Parts = append(r.Parts, p)
	for b := range children(data.Last("result").Last("binaryResultsForLlm")) {
		r.Parts = append(r.Parts, Part{Kind: Media, Node: b, Value: b.Last("data"), Empty: text(b.Last("data")) == "" && b.Last("assetId").Missing() && b.Last("omittedReason").Missing()})
	}
}

// copilotUsage sums the models of a segment.
func (r *Record) copilotUsage(metrics strictjson.Node) Usage {
	sum := Usage{Node: metrics, Known: isObject(metrics)}
	for m := range children(metrics) {
		u := usage(m.Last("usage"), "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens", "")
		u.Total = u.Input + u.Output
		sum = sum.Plus(u) // without the cost: premium requests, not dollars
		sum.Node = metrics
		r.part(m, u)
	}
	return sum
}

// children yields the children of a container.
func children(n strictjson.Node) func(yield func(strictjson.Node) bool) {
	if !n.Is(strictjson.Array) && !n.Is(strictjson.Object) {
		return func(func(strictjson.Node) bool) {}
	}
	return n.Children()
}
