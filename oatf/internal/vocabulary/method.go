package vocabulary

import (
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/oatf/model"
)

// OlderNames maps methods of earlier protocol revisions and other spellings to canonical names.
var OlderNames = map[string]string{
	"tasks/send":                       "message/send",
	"tasks/sendSubscribe":              "message/stream",
	"tasks/pushNotificationConfig/get": "tasks/pushNotification/get",
	"tasks/pushNotificationConfig/set": "tasks/pushNotification/set",
}

// methods are the methods and events unique to a protocol.
var methods = map[model.Protocol][]string{
	"mcp": {
		"initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
		"resources/templates/list", "prompts/list", "prompts/get", "completion/complete", "sampling/createMessage", "elicitation/create",
		"tasks/result", "tasks/list", "roots/list", "logging/setLevel",
	},
	"a2a": {
		"message/send", "message/stream", "tasks/resubscribe", "tasks/pushNotification/set", "tasks/pushNotification/get", "agent_card/get",
		"task/status", "task/artifact",
	},
	"ag_ui": {
		"run_agent_input", "run_started", "run_finished", "run_error", "step_started", "step_finished", "text_message_start",
		"text_message_content", "text_message_end", "tool_call_start", "tool_call_end", "state_snapshot", "state_delta",
		"messages_snapshot", "interrupt", "custom",
	},
}

var methodProtocols = sync.OnceValue(func() map[string]model.Protocol {
	protocols := map[string]model.Protocol{}
	for protocol, list := range methods {
		for _, method := range list {
			protocols[method] = protocol
		}
	}
	return protocols
})

// initiator is the side of a protocol that sends the requests of a method.
type initiator uint8

const (
	eitherSide initiator = iota // both sides may, or nothing is known of the method
	byClient
	byServer
)

// serverRequests are an MCP server's requests.
var serverRequests = map[string]bool{"sampling/createMessage": true, "elicitation/create": true, "roots/list": true}

// ambivalent are the MCP methods that both sides can call, and methods shared with other protocols.
var ambivalent = map[string]bool{"ping": true, "tasks/get": true, "tasks/result": true, "tasks/list": true, "tasks/cancel": true}

// sentBy returns the side that sends the requests of a method.
func sentBy(method string) initiator {
	switch {
	case serverRequests[method]:
		return byServer
	case ambivalent[method] || MethodProtocol(method) == "":
		return eitherSide
	}
	return byClient
}

// MethodProtocol returns the protocol of a method or event, or "" if none or several have it.
func MethodProtocol(method string) model.Protocol {
	if strings.HasPrefix(method, "notifications/") {
		return "mcp"
	}
	if now := OlderNames[method]; now != "" {
		method = now
	}
	return methodProtocols()[method]
}

// MessageRole returns a message's role from its method, the observing actor's mode, and whether the agent under
// test sent it. It returns "" for methods of both sides and unknown modes.
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
		return model.RoleRequest
	}
	return model.RoleResponse
}

// FixedRole returns the role of a method whose messages all have the same role, such as a notification, or "".
func FixedRole(method string) model.MessageRole {
	switch protocol := MethodProtocol(method); {
	case strings.HasPrefix(method, "notifications/"):
		return model.RoleNotification
	case method == "run_agent_input":
		return model.RoleRequest
	case protocol == "ag_ui" || method == "task/status" || method == "task/artifact":
		return model.RoleEvent
	}
	return ""
}
