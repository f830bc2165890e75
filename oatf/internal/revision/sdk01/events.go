package sdk01

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

// events is the event-mode validity registry (§2.22).
var events = slices.Concat(
	profile.Events(profile.MCPServer|profile.MCPClient,
		"initialize", "tools/list", "tools/call", "resources/list", "resources/read",
	),
	profile.Events(profile.MCPServer, "resources/subscribe", "resources/unsubscribe"),
	profile.Events(profile.MCPServer|profile.MCPClient, "prompts/list", "prompts/get"),
	profile.Events(profile.MCPServer, "completion/complete"),
	profile.Events(profile.MCPServer|profile.MCPClient, "sampling/createMessage", "elicitation/create"),
	profile.Events(profile.MCPServer|profile.MCPClient|profile.A2AServer, "tasks/get"),
	profile.Events(profile.MCPServer|profile.MCPClient, "tasks/result"),
	profile.Events(profile.MCPServer, "tasks/list"),
	profile.Events(profile.MCPServer|profile.A2AServer, "tasks/cancel"),
	profile.Events(profile.MCPServer|profile.MCPClient, "roots/list", "ping"),
	profile.Events(profile.MCPClient,
		"notifications/tools/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated", "notifications/prompts/list_changed", "notifications/tasks/status",
		"notifications/elicitation/complete",
	),
	profile.Events(profile.A2AServer|profile.A2AClient, "message/send", "message/stream"),
	profile.Events(profile.A2AServer,
		"tasks/resubscribe", "tasks/pushNotification/set", "tasks/pushNotification/get",
	),
	profile.Events(profile.A2AServer|profile.A2AClient, "agent_card/get"),
	profile.Events(profile.A2AClient, "task/status", "task/artifact"),
	profile.Events(profile.AGUIClient,
		"run_started", "run_finished", "run_error", "step_started", "step_finished", "text_message_start",
		"text_message_content", "text_message_end", "tool_call_start", "tool_call_end", "state_snapshot",
		"state_delta", "messages_snapshot", "interrupt", "custom",
	),
)

// qualifiers is the qualifier resolution registry (§2.25).
var qualifiers = []profile.Qualifier{
	{Protocol: "mcp", Event: "tools/call", Path: "params.name"},
	{Protocol: "mcp", Event: "prompts/get", Path: "params.name"},
	{Protocol: "a2a", Event: "task/status", Path: "status.state"},
	{Protocol: "ag_ui", Event: "tool_call_start", Path: "toolCallName"},
	{Protocol: "ag_ui", Event: "tool_call_end", Path: "toolCallName"},
	{Protocol: "ag_ui", Event: "custom", Path: "name"},
}
