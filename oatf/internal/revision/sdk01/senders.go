package sdk01

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// The sides that fill a surface.
var (
	server = profile.Sides{Request: profile.ServerSide, Response: profile.ServerSide}
	client = profile.Sides{Request: profile.ClientSide, Response: profile.ClientSide}
)

// senders are the surfaces that only one side sends.
var senders = map[model.Surface]profile.Sides{
	"tool_description": server, "tool_title": server, "tool_input_schema": server, "tool_name": server,
	"tool_annotations": server, "tool_output_schema": server, "tool_icons": server, "tool_response": server,
	"tool_structured_response": server, "resource_content": server, "resource_uri": server, "resource_title": server,
	"resource_description": server, "resource_icons": server, "prompt_content": server, "prompt_title": server,
	"prompt_description": server, "prompt_icons": server, "server_notification": server, "server_capability": server,
	"server_info": server, "server_instructions": server, "sampling_request": server, "elicitation_request": server,
	"mcp_task_status": server, "mcp_task_result": server,
	"tool_arguments": client, "prompt_arguments": client, "elicitation_response": client, "roots_response": client,
	"agent_card": server, "card_name": server, "card_description": server, "skill_description": server, "skill_name": server,
	"task_artifact": server, "task_status": server,
	"message_history": client, "tool_definition": client, "tool_result": client, "forwarded_props": client,
	"agent_event": server, "agent_tool_call": server,
}
