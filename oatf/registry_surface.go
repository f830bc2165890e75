package oatf

import (
	"slices"
	"strings"
)

// SurfaceInfo is one row of the surface registry (§2.21).
type SurfaceInfo struct {
	Surface  Surface
	Protocol Protocol
	Target   string // the default target, a wildcard dot-path; "" is the whole message

	// Text says that the default target ends in a string, so that string operators
	// can match without a deeper target.
	Text bool
}

// surfaces is the surface registry, in the specification's order.
var surfaces = [...]SurfaceInfo{
	{"tool_description", "mcp", "tools[*].description", true},
	{"tool_title", "mcp", "tools[*].title", true},
	{"tool_input_schema", "mcp", "tools[*].inputSchema", false},
	{"tool_name", "mcp", "tools[*].name", true},
	{"tool_annotations", "mcp", "tools[*].annotations", false},
	{"tool_output_schema", "mcp", "tools[*].outputSchema", false},
	{"tool_icons", "mcp", "tools[*].icons", false},
	{"tool_response", "mcp", "content[*]", false},
	{"tool_structured_response", "mcp", "structuredContent", false},
	{"tool_arguments", "mcp", "arguments", false},
	{"resource_content", "mcp", "contents[*]", false},
	{"resource_uri", "mcp", "resources[*].uri", true},
	{"resource_title", "mcp", "resources[*].title", true},
	{"resource_description", "mcp", "resources[*].description", true},
	{"resource_icons", "mcp", "resources[*].icons", false},
	{"prompt_content", "mcp", "messages[*].content", false},
	{"prompt_arguments", "mcp", "arguments", false},
	{"prompt_title", "mcp", "prompts[*].title", true},
	{"prompt_description", "mcp", "prompts[*].description", true},
	{"prompt_icons", "mcp", "prompts[*].icons", false},
	{"server_notification", "mcp", "params", false},
	{"server_capability", "mcp", "capabilities", false},
	{"server_info", "mcp", "serverInfo", false},
	{"server_instructions", "mcp", "instructions", true},
	{"sampling_request", "mcp", "params", false},
	{"elicitation_request", "mcp", "params", false},
	{"elicitation_response", "mcp", "result", false},
	{"mcp_task_status", "mcp", "task", false},
	{"mcp_task_result", "mcp", "result", false},
	{"roots_response", "mcp", "roots[*]", false},
	{"agent_card", "a2a", "", false},
	{"card_name", "a2a", "name", true},
	{"card_description", "a2a", "description", true},
	{"skill_description", "a2a", "skills[*].description", true},
	{"skill_name", "a2a", "skills[*].name", true},
	{"task_message", "a2a", "messages[*]", false},
	{"task_artifact", "a2a", "artifacts[*]", false},
	{"task_status", "a2a", "status.state", true},
	{"message_history", "ag_ui", "messages[*]", false},
	{"tool_definition", "ag_ui", "tools[*]", false},
	{"tool_result", "ag_ui", "messages[*]", false},
	{"agent_state", "ag_ui", "state", false},
	{"forwarded_props", "ag_ui", "forwardedProps", false},
	{"agent_event", "ag_ui", "data", false},
	{"agent_tool_call", "ag_ui", "data", false},
}

// Surfaces returns the surface registry, in the specification's order.
func Surfaces() []SurfaceInfo { return slices.Clone(surfaces[:]) }

// LookupSurface returns the registry's row for a surface.
func LookupSurface(s Surface) (SurfaceInfo, bool) {
	i := slices.IndexFunc(surfaces[:], func(row SurfaceInfo) bool { return row.Surface == s })
	if i < 0 {
		return SurfaceInfo{}, false
	}
	return surfaces[i], true
}

var (
	knownModes     = [...]Mode{"mcp_server", "mcp_client", "a2a_server", "a2a_client", "ag_ui_client"}
	knownProtocols = [...]Protocol{"mcp", "a2a", "ag_ui"}
)

// KnownModes returns the modes of the included protocol bindings (§3.2).
func KnownModes() []Mode { return slices.Clone(knownModes[:]) }

// KnownProtocols returns the protocols of the included bindings (§3.2).
func KnownProtocols() []Protocol { return slices.Clone(knownProtocols[:]) }

// ExtractProtocol returns the protocol component of a mode: the text before its last
// "_server" or "_client" (§5.10). A mode that has neither is returned whole.
func ExtractProtocol(mode Mode) Protocol {
	for _, role := range []string{"_server", "_client"} {
		if p, ok := strings.CutSuffix(string(mode), role); ok {
			return Protocol(p)
		}
	}
	return Protocol(mode)
}
