package vocabulary

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"
)

// TestMessageKinds holds the table to the registries: each surface has kinds, no other
// surface has, and the methods belong to the surface's protocol.
func TestMessageKinds(t *testing.T) {
	named := 0
	for _, row := range messageKinds {
		named += len(row.surfaces)
	}
	if named != len(Surfaces) {
		t.Errorf("%d surfaces have kinds, the registry has %d", named, len(Surfaces))
	}
	for _, row := range Surfaces {
		kinds := MessageKinds(row.Surface)
		if len(kinds) == 0 {
			t.Errorf("%s has no kinds", row.Surface)
		}
		for _, kind := range kinds {
			method := strings.TrimSuffix(kind.Method, "*")
			if protocol := MethodProtocol(method); method != "" && protocol != row.Protocol && !ambivalent[method] {
				t.Errorf("%s: %s belongs to %q", row.Surface, kind, protocol)
			}
			if role := FixedRole(method); role != "" && role != kind.Role {
				t.Errorf("%s: %s, the method is that of a %s", row.Surface, kind, role)
			}
			if method == kind.Method && method != "" && EventModes(method) == nil && method != "run_agent_input" {
				t.Errorf("%s: %s is of no event", row.Surface, kind)
			}
		}
	}
	if MessageKinds("tool_list") != nil {
		t.Error("an unknown surface has kinds")
	}
}

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
		{"mcp_server", "tools/call", request, response},
		{"mcp_client", "tools/call", response, request},
		{"mcp_server", "sampling/createMessage", response, request},
		{"mcp_client", "roots/list", request, response},
		{"mcp_client", "ping", "", ""},
		{"mcp_server", "tasks/get", "", ""},
		{"mcp_server", "vendor/method", "", ""},
		{"voice", "tools/call", "", ""},
		{"mcp_client", "notifications/message", model.RoleNotification, model.RoleNotification},
		{"a2a_server", "message/send", request, response},
		{"a2a_client", "agent_card/get", response, request},
		{"a2a_client", "task/status", event, event},
		{"ag_ui_client", "run_agent_input", request, request},
		{"ag_ui_client", "tool_call_start", event, event},
	} {
		if in, out := MessageRole(c.mode, c.method, true), MessageRole(c.mode, c.method, false); in != c.incoming || out != c.outgoing {
			t.Errorf("%s %s: %q and %q, expected %q and %q", c.mode, c.method, in, out, c.incoming, c.outgoing)
		}
	}
}
