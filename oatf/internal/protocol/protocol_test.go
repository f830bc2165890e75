package protocol

import (
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"
)

func TestTrace(t *testing.T) {
	for _, c := range []struct {
		protocol  model.Protocol
		operation string
		direction model.Direction
		path      string
		want      Why
	}{
		{"mcp", "tools/call", "request", "arguments.path", Leads},
		{"mcp", "tools/call", "request", "params.arguments.path", NoMember},
		{"mcp", "tools/call", "request", "argument.path", NoMember},
		{"mcp", "tools/call", "response", "content[*].text", Leads},
		{"mcp", "tools/call", "response", "content.text", AList},
		{"mcp", "tools/call", "response", "params.name", Leads},
		{"mcp", "tools/call", "request", "name[*].x", NoList},
		{"mcp", "tools/call", "request", "name.x", NoContainer},
		{"mcp", "tools/list", "response", "tools[*].inputSchema.properties.a", Leads},
		{"mcp", "", "", "nowhere", NoMember},
		{"mcp", "", "", "contents[*].text", Leads},
		{"a2a", "message/send", "response", "artifacts[*].parts[*].text", Leads},
		{"a2a", "SendMessage", "response", "task.artifacts[*].parts[*].text", Leads},
		{"a2a", "message/send", "request", "message.parts[*].text", Leads},
		{"a2a", "task/artifact", "response", "artifact.parts[*].text", Leads},
		{"ag_ui", "text_message_content", "", "delta", Leads},
		{"ag_ui", "text_message_content", "", "response.content", NoMember},
		{"ag_ui", "tool_call_end", "", "toolCallName", Leads},
		{"unknown", "x", "", "whatever", Leads},
	} {
		if got := Trace(Query{c.protocol, c.operation, c.direction}, c.path); got.Why != c.want {
			t.Errorf("%s %s %s %s: %v, want %v", c.protocol, c.operation, c.direction, c.path, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"SendMessage": "message/send", "TEXT_MESSAGE_CONTENT": "text_message_content", "tools/call": "tools/call",
		"textDocument/hover": "textDocument/hover", "SubscribeToTask": "tasks/resubscribe",
	} {
		if got := Canonical(name); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", name, got, want)
		}
	}
	if Of("tools/call") != "mcp" || Of("SendMessage") != "a2a" || Of("eth_call") != "" || Of("tasks/get") != "" {
		t.Error("the protocol of a method")
	}
	if Sender("tools/call", false) != Client || Sender("tools/call", true) != Server || Sender("ping", false) != "" {
		t.Error("the side that sends a method")
	}
}

func TestRest(t *testing.T) {
	for _, c := range []struct{ method, path, want string }{
		{"POST", "/v1/message:send", "message/send"},
		{"POST", "/message:stream", "message/stream"},
		{"POST", "/acme/message:stream", "message/stream"},
		{"GET", "/.well-known/agent-card.json", "agent_card/get"},
		{"GET", "/.well-known/agent.json", "agent_card/get"},
		{"GET", "/v1/tasks/T1", "tasks/get"},
		{"POST", "/tasks/T1:cancel", "tasks/cancel"},
		{"GET", "/index.html", ""},
		{"GET", "/tasks", "ListTasks"},
	} {
		got := ""
		if o := Rest(c.method, c.path); o != nil {
			got = Canonical(o.Name)
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.method, c.path, got, c.want)
		}
	}
}

func TestPayload(t *testing.T) {
	call := model.Object{{Key: "name", Value: "add"}, {Key: "arguments", Value: model.Object{}}}
	if got := Payload(call); len(got) != 1 || got[0] != "mcp" {
		t.Error("a call's params:", got)
	}
	if got := Payload(model.Object{{Key: "city", Value: "Oslo"}, {Key: "temp", Value: model.Number("3")}}); got != nil {
		t.Error("a record of something else:", got)
	}
	list := model.Object{{Key: "tools", Value: []model.Value{}}}
	if got := Answers(list, ""); len(got) != 1 || got[0] != "tools/list" {
		t.Error("a list of tools:", got)
	}
}
