// Package v202603 converts documents of SDK specification 0.1 to 2026-03. This file has the tables;
// indicators, triggers, actions and states have a file each.
package v202603

import "github.com/cupel-dev/cupel/oatf/model"

// surface is the 2026-03 equivalent of a surface of the earlier revision.
type surface struct {
	name      string
	operation string // "" when no single operation is meant
	direction string
	target    string // where the default target leads under the root of 2026-03
	envelope  string // allowed at the start of targets in the earlier revision only
}

// Directions.
const (
	request  = "request"
	response = "response"
)

// surfaces is the earlier revision's registry (SDK specification 0.1, §2.21) by protocol.
var surfaces = map[model.Protocol][]surface{
	"mcp": {
		{name: "tool_description", operation: "tools/list", direction: response, target: "tools[*].description"},
		{name: "tool_title", operation: "tools/list", direction: response, target: "tools[*].title"},
		{name: "tool_input_schema", operation: "tools/list", direction: response, target: "tools[*].inputSchema"},
		{name: "tool_name", operation: "tools/list", direction: response, target: "tools[*].name"},
		{name: "tool_annotations", operation: "tools/list", direction: response, target: "tools[*].annotations"},
		{name: "tool_output_schema", operation: "tools/list", direction: response, target: "tools[*].outputSchema"},
		{name: "tool_icons", operation: "tools/list", direction: response, target: "tools[*].icons"},
		{name: "tool_response", operation: "tools/call", direction: response, target: "content[*]"},
		{name: "tool_structured_response", operation: "tools/call", direction: response, target: "structuredContent"},
		{name: "tool_arguments", operation: "tools/call", direction: request, target: "arguments"},
		{name: "resource_content", operation: "resources/read", direction: response, target: "contents[*]"},
		{name: "resource_uri", operation: "resources/list", direction: response, target: "resources[*].uri"},
		{name: "resource_title", operation: "resources/list", direction: response, target: "resources[*].title"},
		{name: "resource_description", operation: "resources/list", direction: response, target: "resources[*].description"},
		{name: "resource_icons", operation: "resources/list", direction: response, target: "resources[*].icons"},
		{name: "prompt_content", operation: "prompts/get", direction: response, target: "messages[*].content"},
		{name: "prompt_arguments", operation: "prompts/get", direction: request, target: "arguments"},
		{name: "prompt_title", operation: "prompts/list", direction: response, target: "prompts[*].title"},
		{name: "prompt_description", operation: "prompts/list", direction: response, target: "prompts[*].description"},
		{name: "prompt_icons", operation: "prompts/list", direction: response, target: "prompts[*].icons"},
		{name: "server_capability", operation: "initialize", direction: response, target: "capabilities"},
		{name: "server_info", operation: "initialize", direction: response, target: "serverInfo"},
		{name: "server_instructions", operation: "initialize", direction: response, target: "instructions"},
		{name: "sampling_request", operation: "sampling/createMessage", direction: request, envelope: "params"},
		{name: "elicitation_request", operation: "elicitation/create", direction: request, envelope: "params"},
		{name: "elicitation_response", operation: "elicitation/create", direction: response, envelope: "result"},
		{name: "mcp_task_result", operation: "tasks/result", direction: response, envelope: "result"},
		{name: "roots_response", operation: "roots/list", direction: response, target: "roots[*]"},
		{name: "server_notification", envelope: "params"},
		{name: "mcp_task_status", target: "task"},
	},
	"a2a": {
		{name: "agent_card", operation: "agent_card/get", direction: response},
		{name: "card_name", operation: "agent_card/get", direction: response, target: "name"},
		{name: "card_description", operation: "agent_card/get", direction: response, target: "description"},
		{name: "skill_description", operation: "agent_card/get", direction: response, target: "skills[*].description"},
		{name: "skill_name", operation: "agent_card/get", direction: response, target: "skills[*].name"},
		{name: "task_message", target: "messages[*]"},
		{name: "task_artifact", target: "artifacts[*]"},
		{name: "task_status", target: "status.state"},
	},
	"ag_ui": {
		{name: "message_history", operation: "run_agent_input", direction: request, target: "messages[*]"},
		{name: "tool_definition", operation: "run_agent_input", direction: request, target: "tools[*]"},
		{name: "tool_result", operation: "run_agent_input", direction: request, target: "messages[*]"},
		{name: "agent_state", operation: "run_agent_input", direction: request, target: "state"},
		{name: "forwarded_props", operation: "run_agent_input", direction: request, target: "forwardedProps"},
		{name: "agent_event", target: "data"},
		{name: "agent_tool_call", target: "data"},
	},
}

// qualifier is the path in a 2026-03 trigger's match that corresponds to the text after the colon
// of an earlier event (§2.25).
type qualifier struct {
	protocol model.Protocol
	event    string
	path     string
}

var qualifiers = []qualifier{
	{"mcp", "tools/call", "name"},
	{"mcp", "prompts/get", "name"},
	{"a2a", "task/status", "status.state"},
	{"ag_ui", "tool_call_start", "toolCallName"},
	{"ag_ui", "tool_call_end", "toolCallName"},
	{"ag_ui", "custom", "name"},
}

// envelope is the first key in predicates on a message, which 2026-03 omits.
const envelope = "params"

// serverRequests are the events of an MCP client that are requests: their content is params.
var serverRequests = []string{"sampling/createMessage", "elicitation/create", "roots/list"}

// The prefixes of events that differ.
const (
	earlierPush = "tasks/pushNotification/"
	laterPush   = "tasks/pushNotificationConfig/"
)

// verbs are the actions of an MCP client in the earlier revision, with their methods.
var verbs = map[string]string{
	"list_tools":           "tools/list",
	"call_tool":            "tools/call",
	"list_resources":       "resources/list",
	"read_resource":        "resources/read",
	"subscribe_resource":   "resources/subscribe",
	"unsubscribe_resource": "resources/unsubscribe",
	"list_prompts":         "prompts/list",
	"get_prompt":           "prompts/get",
	"complete":             "completion/complete",
	"list_tasks":           "tasks/list",
	"get_task":             "tasks/get",
	"get_task_result":      "tasks/result",
	"cancel_task":          "tasks/cancel",
}

// body describes an earlier response entry and the equivalent content members in 2026-03.
type body struct {
	protocol model.Protocol
	list     string // in whose items the entries are; "": in the state
	member   string // the list of entries
	earlier  []string
	later    []string
}

var bodies = []body{
	{protocol: "mcp", list: "tools", member: "responses", earlier: []string{"content", "isError", "structuredContent"}, later: []string{"content", "isError", "structuredContent"}},
	{protocol: "mcp", list: "prompts", member: "responses"},
	{protocol: "mcp", member: "sampling_responses"},
	{protocol: "mcp", member: "elicitation_responses"},
	{protocol: "a2a", member: "task_responses", earlier: []string{"status", "messages", "artifacts"}, later: []string{"status", "history", "artifacts"}},
}

// laterMembers are members of states that the earlier revision does not have.
var laterMembers = map[model.Protocol][]string{
	"mcp":   {"resource_templates"},
	"ag_ui": {"tool_responses"},
}

// SurfaceNames returns the surfaces of a protocol in the earlier revision.
func SurfaceNames(protocol model.Protocol) []string {
	names := make([]string, len(surfaces[protocol]))
	for i, s := range surfaces[protocol] {
		names[i] = s.name
	}
	return names
}
