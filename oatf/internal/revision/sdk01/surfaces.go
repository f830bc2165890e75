package sdk01

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// surfaces is the surface registry, in the specification's order.
var surfaces = []model.SurfaceInfo{
	{Surface: "tool_description", Protocol: "mcp", Target: "tools[*].description", Text: true},
	{Surface: "tool_title", Protocol: "mcp", Target: "tools[*].title", Text: true},
	{Surface: "tool_input_schema", Protocol: "mcp", Target: "tools[*].inputSchema"},
	{Surface: "tool_name", Protocol: "mcp", Target: "tools[*].name", Text: true},
	{Surface: "tool_annotations", Protocol: "mcp", Target: "tools[*].annotations"},
	{Surface: "tool_output_schema", Protocol: "mcp", Target: "tools[*].outputSchema"},
	{Surface: "tool_icons", Protocol: "mcp", Target: "tools[*].icons"},
	{Surface: "tool_response", Protocol: "mcp", Target: "content[*]"},
	{Surface: "tool_structured_response", Protocol: "mcp", Target: "structuredContent"},
	{Surface: "tool_arguments", Protocol: "mcp", Target: "arguments"},
	{Surface: "resource_content", Protocol: "mcp", Target: "contents[*]"},
	{Surface: "resource_uri", Protocol: "mcp", Target: "resources[*].uri", Text: true},
	{Surface: "resource_title", Protocol: "mcp", Target: "resources[*].title", Text: true},
	{Surface: "resource_description", Protocol: "mcp", Target: "resources[*].description", Text: true},
	{Surface: "resource_icons", Protocol: "mcp", Target: "resources[*].icons"},
	{Surface: "prompt_content", Protocol: "mcp", Target: "messages[*].content"},
	{Surface: "prompt_arguments", Protocol: "mcp", Target: "arguments"},
	{Surface: "prompt_title", Protocol: "mcp", Target: "prompts[*].title", Text: true},
	{Surface: "prompt_description", Protocol: "mcp", Target: "prompts[*].description", Text: true},
	{Surface: "prompt_icons", Protocol: "mcp", Target: "prompts[*].icons"},
	{Surface: "server_notification", Protocol: "mcp", Target: "params"},
	{Surface: "server_capability", Protocol: "mcp", Target: "capabilities"},
	{Surface: "server_info", Protocol: "mcp", Target: "serverInfo"},
	{Surface: "server_instructions", Protocol: "mcp", Target: "instructions", Text: true},
	{Surface: "sampling_request", Protocol: "mcp", Target: "params"},
	{Surface: "elicitation_request", Protocol: "mcp", Target: "params"},
	{Surface: "elicitation_response", Protocol: "mcp", Target: "result"},
	{Surface: "mcp_task_status", Protocol: "mcp", Target: "task"},
	{Surface: "mcp_task_result", Protocol: "mcp", Target: "result"},
	{Surface: "roots_response", Protocol: "mcp", Target: "roots[*]"},
	{Surface: "agent_card", Protocol: "a2a", Target: ""},
	{Surface: "card_name", Protocol: "a2a", Target: "name", Text: true},
	{Surface: "card_description", Protocol: "a2a", Target: "description", Text: true},
	{Surface: "skill_description", Protocol: "a2a", Target: "skills[*].description", Text: true},
	{Surface: "skill_name", Protocol: "a2a", Target: "skills[*].name", Text: true},
	{Surface: "task_message", Protocol: "a2a", Target: "messages[*]"},
	{Surface: "task_artifact", Protocol: "a2a", Target: "artifacts[*]"},
	{Surface: "task_status", Protocol: "a2a", Target: "status.state", Text: true},
	{Surface: "message_history", Protocol: "ag_ui", Target: "messages[*]"},
	{Surface: "tool_definition", Protocol: "ag_ui", Target: "tools[*]"},
	{Surface: "tool_result", Protocol: "ag_ui", Target: "messages[*]"},
	{Surface: "agent_state", Protocol: "ag_ui", Target: "state"},
	{Surface: "forwarded_props", Protocol: "ag_ui", Target: "forwardedProps"},
	{Surface: "agent_event", Protocol: "ag_ui", Target: "data"},
	{Surface: "agent_tool_call", Protocol: "ag_ui", Target: "data"},
}

// taskAnswers are the answers that contain a task.
var taskAnswers = []model.MessageKind{
	{Method: "message/send", Role: model.RoleResponse},
	{Method: "message/stream", Role: model.RoleResponse},
	{Method: "tasks/get", Role: model.RoleResponse},
	{Method: "tasks/cancel", Role: model.RoleResponse},
	{Method: "tasks/resubscribe", Role: model.RoleResponse},
}

// messageKinds maps every surface to messages: those with the members of its default target (format §7.1.3, §7.2.3,
// §7.3.3).
var messageKinds = []profile.KindsOf{
	{
		Surfaces: []model.Surface{"tool_description", "tool_title", "tool_input_schema", "tool_name", "tool_annotations", "tool_output_schema", "tool_icons"},
		Kinds:    []model.MessageKind{{Method: "tools/list", Role: model.RoleResponse}},
	},
	{Surfaces: []model.Surface{"tool_response", "tool_structured_response"}, Kinds: []model.MessageKind{{Method: "tools/call", Role: model.RoleResponse}}},
	{Surfaces: []model.Surface{"tool_arguments"}, Kinds: []model.MessageKind{{Method: "tools/call", Role: model.RoleRequest}}},
	{Surfaces: []model.Surface{"resource_content"}, Kinds: []model.MessageKind{{Method: "resources/read", Role: model.RoleResponse}}},
	{
		Surfaces: []model.Surface{"resource_uri", "resource_title", "resource_description", "resource_icons"},
		Kinds:    []model.MessageKind{{Method: "resources/list", Role: model.RoleResponse}},
	},
	{Surfaces: []model.Surface{"prompt_content"}, Kinds: []model.MessageKind{{Method: "prompts/get", Role: model.RoleResponse}}},
	{Surfaces: []model.Surface{"prompt_arguments"}, Kinds: []model.MessageKind{{Method: "prompts/get", Role: model.RoleRequest}}},
	{Surfaces: []model.Surface{"prompt_title", "prompt_description", "prompt_icons"}, Kinds: []model.MessageKind{{Method: "prompts/list", Role: model.RoleResponse}}},
	{Surfaces: []model.Surface{"server_notification"}, Kinds: []model.MessageKind{{Method: "notifications/*", Role: model.RoleNotification}}},
	{Surfaces: []model.Surface{"server_capability", "server_info", "server_instructions"}, Kinds: []model.MessageKind{{Method: "initialize", Role: model.RoleResponse}}},
	{Surfaces: []model.Surface{"sampling_request"}, Kinds: []model.MessageKind{{Method: "sampling/createMessage", Role: model.RoleRequest}}},
	{Surfaces: []model.Surface{"elicitation_request"}, Kinds: []model.MessageKind{{Method: "elicitation/create", Role: model.RoleRequest}}},
	{Surfaces: []model.Surface{"elicitation_response"}, Kinds: []model.MessageKind{{Method: "elicitation/create", Role: model.RoleResponse}}},
	{
		Surfaces: []model.Surface{"mcp_task_status"},
		Kinds:    []model.MessageKind{{Method: "tasks/get", Role: model.RoleResponse}, {Method: "notifications/tasks/status", Role: model.RoleNotification}},
	},
	{Surfaces: []model.Surface{"mcp_task_result"}, Kinds: []model.MessageKind{{Method: "tasks/result", Role: model.RoleResponse}}},
	{Surfaces: []model.Surface{"roots_response"}, Kinds: []model.MessageKind{{Method: "roots/list", Role: model.RoleResponse}}},
	{
		Surfaces: []model.Surface{"agent_card", "card_name", "card_description", "skill_description", "skill_name"},
		Kinds:    []model.MessageKind{{Method: "agent_card/get", Role: model.RoleResponse}},
	},
	{
		// The request, sent by an agent to an a2a_server, is also a message.
		Surfaces: []model.Surface{"task_message"},
		Kinds: []model.MessageKind{
			{Method: "message/send"},
			{Method: "message/stream"},
			{Method: "tasks/get", Role: model.RoleResponse},
			{Method: "tasks/cancel", Role: model.RoleResponse},
			{Method: "tasks/resubscribe", Role: model.RoleResponse},
			{Method: "task/status", Role: model.RoleEvent},
		},
	},
	{
		Surfaces: []model.Surface{"task_artifact"},
		Kinds:    slices.Concat(taskAnswers, []model.MessageKind{{Method: "task/artifact", Role: model.RoleEvent}}),
	},
	{
		Surfaces: []model.Surface{"task_status"},
		Kinds:    slices.Concat(taskAnswers, []model.MessageKind{{Method: "task/status", Role: model.RoleEvent}}),
	},
	{
		Surfaces: []model.Surface{"message_history", "tool_definition", "tool_result", "agent_state", "forwarded_props"},
		Kinds:    []model.MessageKind{{Method: "run_agent_input", Role: model.RoleRequest}},
	},
	{Surfaces: []model.Surface{"agent_event"}, Kinds: []model.MessageKind{{Role: model.RoleEvent}}},
	{Surfaces: []model.Surface{"agent_tool_call"}, Kinds: []model.MessageKind{{Method: "tool_call_start", Role: model.RoleEvent}, {Method: "tool_call_end", Role: model.RoleEvent}}},
}
