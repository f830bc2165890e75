package vocabulary

import (
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Shorthands of the table below.
const (
	request  = model.RoleRequest
	response = model.RoleResponse
	event    = model.RoleEvent
)

// kindsOf are the kinds of message that show one surface or several.
type kindsOf struct {
	surfaces []model.Surface
	kinds    []model.MessageKind
}

// messageKinds says which messages show which surface: those whose params or result have
// the members that the surface's default target leads through (format §7.1.3, §7.2.3,
// §7.3.3). Every surface of the registry is in one row.
var messageKinds = [...]kindsOf{
	{
		[]model.Surface{"tool_description", "tool_title", "tool_input_schema", "tool_name", "tool_annotations", "tool_output_schema", "tool_icons"},
		[]model.MessageKind{{Method: "tools/list", Role: response}},
	},
	{[]model.Surface{"tool_response", "tool_structured_response"}, []model.MessageKind{{Method: "tools/call", Role: response}}},
	{[]model.Surface{"tool_arguments"}, []model.MessageKind{{Method: "tools/call", Role: request}}},
	{[]model.Surface{"resource_content"}, []model.MessageKind{{Method: "resources/read", Role: response}}},
	{
		[]model.Surface{"resource_uri", "resource_title", "resource_description", "resource_icons"},
		[]model.MessageKind{{Method: "resources/list", Role: response}},
	},
	{[]model.Surface{"prompt_content"}, []model.MessageKind{{Method: "prompts/get", Role: response}}},
	{[]model.Surface{"prompt_arguments"}, []model.MessageKind{{Method: "prompts/get", Role: request}}},
	{[]model.Surface{"prompt_title", "prompt_description", "prompt_icons"}, []model.MessageKind{{Method: "prompts/list", Role: response}}},
	{[]model.Surface{"server_notification"}, []model.MessageKind{{Method: "notifications/*", Role: model.RoleNotification}}},
	{[]model.Surface{"server_capability", "server_info", "server_instructions"}, []model.MessageKind{{Method: "initialize", Role: response}}},
	{[]model.Surface{"sampling_request"}, []model.MessageKind{{Method: "sampling/createMessage", Role: request}}},
	{[]model.Surface{"elicitation_request"}, []model.MessageKind{{Method: "elicitation/create", Role: request}}},
	{[]model.Surface{"elicitation_response"}, []model.MessageKind{{Method: "elicitation/create", Role: response}}},
	{
		[]model.Surface{"mcp_task_status"},
		[]model.MessageKind{{Method: "tasks/get", Role: response}, {Method: "notifications/tasks/status", Role: model.RoleNotification}},
	},
	{[]model.Surface{"mcp_task_result"}, []model.MessageKind{{Method: "tasks/result", Role: response}}},
	{[]model.Surface{"roots_response"}, []model.MessageKind{{Method: "roots/list", Role: response}}},
	{
		[]model.Surface{"agent_card", "card_name", "card_description", "skill_description", "skill_name"},
		[]model.MessageKind{{Method: "agent_card/get", Role: response}},
	},
	{
		// The request is a message, too: what an agent under test sends to an a2a_server.
		[]model.Surface{"task_message"},
		[]model.MessageKind{
			{Method: "message/send"},
			{Method: "message/stream"},
			{Method: "tasks/get", Role: response},
			{Method: "tasks/cancel", Role: response},
			{Method: "tasks/resubscribe", Role: response},
			{Method: "task/status", Role: event},
		},
	},
	{
		[]model.Surface{"task_artifact"},
		[]model.MessageKind{
			{Method: "message/send", Role: response},
			{Method: "message/stream", Role: response},
			{Method: "tasks/get", Role: response},
			{Method: "tasks/cancel", Role: response},
			{Method: "tasks/resubscribe", Role: response},
			{Method: "task/artifact", Role: event},
		},
	},
	{
		[]model.Surface{"task_status"},
		[]model.MessageKind{
			{Method: "message/send", Role: response},
			{Method: "message/stream", Role: response},
			{Method: "tasks/get", Role: response},
			{Method: "tasks/cancel", Role: response},
			{Method: "tasks/resubscribe", Role: response},
			{Method: "task/status", Role: event},
		},
	},
	{
		[]model.Surface{"message_history", "tool_definition", "tool_result", "agent_state", "forwarded_props"},
		[]model.MessageKind{{Method: "run_agent_input", Role: request}},
	},
	{[]model.Surface{"agent_event"}, []model.MessageKind{{Role: event}}},
	{[]model.Surface{"agent_tool_call"}, []model.MessageKind{{Method: "tool_call_start", Role: event}, {Method: "tool_call_end", Role: event}}},
}

// MessageKinds returns the kinds of message that show a surface; nil for a surface that
// the registry does not know.
func MessageKinds(s model.Surface) []model.MessageKind {
	for _, row := range messageKinds {
		for _, surface := range row.surfaces {
			if surface == s {
				return row.kinds
			}
		}
	}
	return nil
}

// initiator is the side of a protocol that sends the requests of a method.
type initiator uint8

const (
	eitherSide initiator = iota // both sides may, or nothing is known of the method
	byClient
	byServer
)

// serverRequests are the methods by which an MCP server asks its client.
var serverRequests = map[string]bool{"sampling/createMessage": true, "elicitation/create": true, "roots/list": true}

// ambivalent are the methods that both sides of MCP may call, and those that the bindings
// share, of which one is such.
var ambivalent = map[string]bool{"ping": true, "tasks/get": true, "tasks/result": true, "tasks/list": true, "tasks/cancel": true}

// sentBy is the side that sends the requests of a method.
func sentBy(method string) initiator {
	switch {
	case serverRequests[method]:
		return byServer
	case ambivalent[method] || MethodProtocol(method) == "":
		return eitherSide
	}
	return byClient
}

// mcpMethods are methods of MCP beside the events of the registry.
var mcpMethods = map[string]bool{"logging/setLevel": true, "resources/templates/list": true}

// methodProtocols are the protocols of the events in the registry that one alone has.
var methodProtocols = sync.OnceValue(func() map[string]model.Protocol {
	protocols := map[string]model.Protocol{"run_agent_input": "ag_ui"}
	for _, row := range eventModes {
		switch mcp, a2a := onMCPServer|onMCPClient, onA2AServer|onA2AClient; {
		case row.modes&^mcp == 0:
			protocols[row.event] = "mcp"
		case row.modes&^a2a == 0:
			protocols[row.event] = "a2a"
		case row.modes&^onAGUIClient == 0:
			protocols[row.event] = "ag_ui"
		}
	}
	for old, now := range renamed {
		protocols[old] = protocols[now]
	}
	return protocols
})

// MethodProtocol returns the protocol that a method or event belongs to; "" when several
// bindings have it, or none.
func MethodProtocol(method string) model.Protocol {
	if strings.HasPrefix(method, "notifications/") || mcpMethods[method] {
		return "mcp"
	}
	return methodProtocols()[method]
}

// MessageRole returns the role of a message by its method, the mode of the actor that saw
// it, and whether it came in to that actor, that is from the agent under test. It is ""
// where these do not tell: of a method that both sides may call, and of an unknown mode.
func MessageRole(mode model.Mode, method string, incoming bool) model.MessageRole {
	if role := FixedRole(method); role != "" {
		return role
	}
	server, client := strings.HasSuffix(string(mode), "_server"), strings.HasSuffix(string(mode), "_client")
	by := sentBy(method)
	if by == eitherSide || server == client {
		return ""
	}
	if fromClient := incoming == server; fromClient == (by == byClient) {
		return request
	}
	return response
}

// FixedRole returns the role that every message of a method has: that of notifications,
// and of the events that no request asks for by name. It is "" for other methods.
func FixedRole(method string) model.MessageRole {
	switch protocol := MethodProtocol(method); {
	case strings.HasPrefix(method, "notifications/"):
		return model.RoleNotification
	case method == "run_agent_input":
		return request
	case protocol == "ag_ui" || method == "task/status" || method == "task/artifact":
		return event
	}
	return ""
}
