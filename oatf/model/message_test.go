package model

import "testing"

func TestMessageKind(t *testing.T) {
	call, anyNotification := MessageKind{"tools/call", RoleRequest}, MessageKind{"notifications/*", RoleNotification}
	for _, c := range []struct {
		kind, seen MessageKind
		covers     bool
	}{
		{call, call, true},
		{call, MessageKind{"tools/call", RoleResponse}, false},
		{call, MessageKind{Method: "tools/call"}, true},
		{call, MessageKind{Role: RoleRequest}, true},
		{call, MessageKind{}, true},
		{call, MessageKind{Method: "tools/list"}, false},
		{MessageKind{Method: "message/send"}, MessageKind{"message/send", RoleResponse}, true},
		{MessageKind{Role: RoleEvent}, MessageKind{"custom", RoleEvent}, true},
		{MessageKind{Role: RoleEvent}, call, false},
		{anyNotification, MessageKind{"notifications/message", RoleNotification}, true},
		{anyNotification, MessageKind{"notification", RoleNotification}, false},
		{anyNotification, MessageKind{Role: RoleResponse}, false},
		{anyNotification, MessageKind{}, true},
	} {
		if got := c.kind.Covers(c.seen); got != c.covers {
			t.Errorf("%s covers %s: %v", c.kind, c.seen, got)
		}
	}
	for want, kind := range map[string]MessageKind{
		"tools/call request": call, "message": {}, "tools/call": {Method: "tools/call"}, "event": {Role: RoleEvent},
	} {
		if got := kind.String(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
