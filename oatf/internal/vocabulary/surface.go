package vocabulary

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Surfaces is the surface registry, in the specification's order.
var Surfaces = [...]model.SurfaceInfo{
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

// LookupSurface returns the registry's row for a surface.
func LookupSurface(s model.Surface) (model.SurfaceInfo, bool) {
	i := slices.IndexFunc(Surfaces[:], func(row model.SurfaceInfo) bool { return row.Surface == s })
	if i < 0 {
		return model.SurfaceInfo{}, false
	}
	return Surfaces[i], true
}

// The modes and protocols of the included protocol bindings (§3.2).
var (
	KnownModes     = [...]model.Mode{"mcp_server", "mcp_client", "a2a_server", "a2a_client", "ag_ui_client"}
	KnownProtocols = [...]model.Protocol{"mcp", "a2a", "ag_ui"}
)

// ExtractProtocol returns the protocol component of a mode: the text before its last
// "_server" or "_client" (§5.10). A mode that has neither is returned whole.
func ExtractProtocol(mode model.Mode) model.Protocol {
	for _, role := range []string{"_server", "_client"} {
		if p, ok := strings.CutSuffix(string(mode), role); ok {
			return model.Protocol(p)
		}
	}
	return model.Protocol(mode)
}

// IsOperation says whether a surface is spelled like an operation: "tools/call".
func IsOperation(s model.Surface) bool { return strings.Contains(string(s), "/") }
