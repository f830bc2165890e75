package vocabulary

import (
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"
)

func TestMethodProtocol(t *testing.T) {
	for method, want := range map[string]model.Protocol{
		"tools/call": "mcp", "notifications/any": "mcp", "logging/setLevel": "mcp", "message/send": "a2a", "tasks/send": "a2a",
		"run_started": "ag_ui", "run_agent_input": "ag_ui", "tasks/get": "", "tasks/cancel": "", "tasks/resubscribe": "a2a", "other": "", "": "",
	} {
		if got := MethodProtocol(method); got != want {
			t.Errorf("%s: %q, expected %q", method, got, want)
		}
	}
}

func TestMessageRole(t *testing.T) {
	for _, c := range []struct {
		mode     model.Mode
		method   string
		incoming model.MessageRole
		outgoing model.MessageRole
	}{
		{"mcp_server", "tools/call", model.RoleRequest, model.RoleResponse},
		{"mcp_client", "tools/call", model.RoleResponse, model.RoleRequest},
		{"mcp_server", "sampling/createMessage", model.RoleResponse, model.RoleRequest},
		{"mcp_client", "roots/list", model.RoleRequest, model.RoleResponse},
		{"mcp_client", "ping", "", ""},
		{"mcp_server", "tasks/get", "", ""},
		{"mcp_server", "vendor/method", "", ""},
		{"voice", "tools/call", "", ""},
		{"mcp_client", "notifications/message", model.RoleNotification, model.RoleNotification},
		{"a2a_server", "message/send", model.RoleRequest, model.RoleResponse},
		{"a2a_client", "agent_card/get", model.RoleResponse, model.RoleRequest},
		{"a2a_client", "task/status", model.RoleEvent, model.RoleEvent},
		{"ag_ui_client", "run_agent_input", model.RoleRequest, model.RoleRequest},
		{"ag_ui_client", "tool_call_start", model.RoleEvent, model.RoleEvent},
	} {
		if in, out := MessageRole(c.mode, c.method, true), MessageRole(c.mode, c.method, false); in != c.incoming || out != c.outgoing {
			t.Errorf("%s %s: %q and %q, expected %q and %q", c.mode, c.method, in, out, c.incoming, c.outgoing)
		}
	}
}
