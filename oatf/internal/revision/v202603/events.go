package v202603

import "github.com/cupel-dev/cupel/oatf/internal/profile"

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
var events = []profile.Event{
	{Name: "initialize", Modes: mcp},
	{Name: "ping", Modes: mcp},
	{Name: "tools/list", Modes: mcp},
	{Name: "tools/call", Modes: mcp},
	{Name: "resources/list", Modes: mcp},
	{Name: "resources/read", Modes: mcp},
	{Name: "resources/templates/list", Modes: mcp},
	{Name: "resources/subscribe", Modes: server},
	{Name: "resources/unsubscribe", Modes: server},
	{Name: "prompts/list", Modes: mcp},
	{Name: "prompts/get", Modes: mcp},
	{Name: "completion/complete", Modes: mcp},
	{Name: "logging/setLevel", Modes: server},
	{Name: "sampling/createMessage", Modes: mcp},
	{Name: "elicitation/create", Modes: mcp},
	{Name: "roots/list", Modes: mcp},
	{Name: "tasks/get", Modes: mcp | a2a},
	{Name: "tasks/result", Modes: mcp},
	{Name: "tasks/list", Modes: mcp},
	{Name: "tasks/cancel", Modes: mcp | a2a},
	{Name: "notifications/cancelled", Modes: mcp},
	{Name: "notifications/progress", Modes: mcp},
	{Name: "notifications/initialized", Modes: server},
	{Name: "notifications/roots/list_changed", Modes: server},
	{Name: "notifications/message", Modes: client},
	{Name: "notifications/tools/list_changed", Modes: client},
	{Name: "notifications/prompts/list_changed", Modes: client},
	{Name: "notifications/resources/list_changed", Modes: client},
	{Name: "notifications/resources/updated", Modes: client},
	{Name: "notifications/tasks/status", Modes: client},
	{Name: "notifications/elicitation/complete", Modes: client},
	{Name: "message/send", Modes: a2a},
	{Name: "message/stream", Modes: a2a},
	{Name: "tasks/resubscribe", Modes: a2a},
	{Name: "tasks/pushNotificationConfig/set", Modes: a2a},
	{Name: "tasks/pushNotificationConfig/get", Modes: a2a},
	{Name: "tasks/pushNotificationConfig/list", Modes: a2a},
	{Name: "tasks/pushNotificationConfig/delete", Modes: a2a},
	{Name: "agent/getAuthenticatedExtendedCard", Modes: a2a},
	{Name: "agent_card/get", Modes: a2a},
	{Name: "task/status", Modes: profile.A2AClient},
	{Name: "task/artifact", Modes: profile.A2AClient},
	{Name: "run_agent_input", Modes: agui},
	{Name: "run_started", Modes: agui},
	{Name: "run_finished", Modes: agui},
	{Name: "run_error", Modes: agui},
	{Name: "step_started", Modes: agui},
	{Name: "step_finished", Modes: agui},
	{Name: "text_message_start", Modes: agui},
	{Name: "text_message_content", Modes: agui},
	{Name: "text_message_end", Modes: agui},
	{Name: "text_message_chunk", Modes: agui},
	{Name: "tool_call_start", Modes: agui},
	{Name: "tool_call_args", Modes: agui},
	{Name: "tool_call_end", Modes: agui},
	{Name: "tool_call_chunk", Modes: agui},
	{Name: "tool_call_result", Modes: agui},
	{Name: "state_snapshot", Modes: agui},
	{Name: "state_delta", Modes: agui},
	{Name: "messages_snapshot", Modes: agui},
	{Name: "activity_snapshot", Modes: agui},
	{Name: "activity_delta", Modes: agui},
	{Name: "reasoning_start", Modes: agui},
	{Name: "reasoning_end", Modes: agui},
	{Name: "reasoning_message_start", Modes: agui},
	{Name: "reasoning_message_content", Modes: agui},
	{Name: "reasoning_message_end", Modes: agui},
	{Name: "reasoning_message_chunk", Modes: agui},
	{Name: "reasoning_encrypted_value", Modes: agui},
	{Name: "raw", Modes: agui},
	{Name: "custom", Modes: agui},
}

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
