package v202603

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

// Places of events.
const (
	mcp    = profile.MCPServer | profile.MCPClient
	server = profile.MCPServer
	client = profile.MCPClient
	a2a    = profile.A2AServer | profile.A2AClient
	agui   = profile.AGUIClient
)

// events are the operations of the bindings and the modes whose triggers can use them (format §7.1.2, §7.2.2,
// §7.3.2).
var events = slices.Concat(
	profile.Events(mcp,
		"initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read",
		"resources/templates/list",
	),
	profile.Events(server, "resources/subscribe", "resources/unsubscribe"),
	profile.Events(mcp, "prompts/list", "prompts/get", "completion/complete"),
	profile.Events(server, "logging/setLevel"),
	profile.Events(mcp, "sampling/createMessage", "elicitation/create", "roots/list"),
	profile.Events(mcp|a2a, "tasks/get"),
	profile.Events(mcp, "tasks/result", "tasks/list"),
	profile.Events(mcp|a2a, "tasks/cancel"),
	profile.Events(mcp, "notifications/cancelled", "notifications/progress"),
	profile.Events(server, "notifications/initialized", "notifications/roots/list_changed"),
	profile.Events(client,
		"notifications/message", "notifications/tools/list_changed", "notifications/prompts/list_changed",
		"notifications/resources/list_changed", "notifications/resources/updated", "notifications/tasks/status",
		"notifications/elicitation/complete",
	),
	profile.Events(a2a,
		"message/send", "message/stream", "tasks/resubscribe", "tasks/pushNotificationConfig/set",
		"tasks/pushNotificationConfig/get", "tasks/pushNotificationConfig/list",
		"tasks/pushNotificationConfig/delete", "agent/getAuthenticatedExtendedCard", "agent_card/get",
	),
	profile.Events(profile.A2AClient, "task/status", "task/artifact"),
	profile.Events(agui,
		"run_agent_input", "run_started", "run_finished", "run_error", "step_started", "step_finished",
		"text_message_start", "text_message_content", "text_message_end", "text_message_chunk", "tool_call_start",
		"tool_call_args", "tool_call_end", "tool_call_chunk", "tool_call_result", "state_snapshot", "state_delta",
		"messages_snapshot", "activity_snapshot", "activity_delta", "reasoning_start", "reasoning_end",
		"reasoning_message_start", "reasoning_message_content", "reasoning_message_end", "reasoning_message_chunk",
		"reasoning_encrypted_value", "raw", "custom",
	),
)

// renamed are the events of earlier revisions, with the names that they have now.
var renamed = map[string]string{
	"tasks/send":                    "message/send",
	"tasks/sendSubscribe":           "message/stream",
	"tasks/pushNotification/get":    "tasks/pushNotificationConfig/get",
	"tasks/pushNotification/set":    "tasks/pushNotificationConfig/set",
	"tasks/pushNotification/list":   "tasks/pushNotificationConfig/list",
	"tasks/pushNotification/delete": "tasks/pushNotificationConfig/delete",
}

// matches are the paths that replace the earlier revision's qualifiers. A client sees a call's result with the
// request's params added.
var matches = []profile.Match{
	{Modes: server, Event: "tools/call", Path: "name"},
	{Modes: server, Event: "prompts/get", Path: "name"},
	{Modes: client, Event: "tools/call", Path: "params.name"},
	{Modes: client, Event: "prompts/get", Path: "params.name"},
	{Modes: profile.A2AClient, Event: "task/status", Path: "status.state"},
	{Modes: agui, Event: "tool_call_start", Path: "toolCallName"},
	{Modes: agui, Event: "tool_call_end", Path: "toolCallName"},
	{Modes: agui, Event: "custom", Path: "name"},
}
