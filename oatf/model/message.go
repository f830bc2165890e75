package model

import "strings"

// MessageRole is a message's role in its protocol.
type MessageRole string

// The roles. The empty role means any or unknown.
const (
	RoleRequest      MessageRole = "request"
	RoleResponse     MessageRole = "response"
	RoleNotification MessageRole = "notification"
	RoleEvent        MessageRole = "event" // an item of an event stream
)

// MessageKind is a message's method and role. A response has its request's method. In captured messages, empty
// fields are unknown. In the surface table (see MessageKinds of package oatf), an empty field matches anything, and
// a method ending in "/*" any method with that prefix.
type MessageKind struct {
	Method string
	Role   MessageRole
}

// String formats the kind: "tools/call response". Unknown parts are omitted; an unknown kind is "message".
func (k MessageKind) String() string {
	switch {
	case k.Method == "" && k.Role == "":
		return "message"
	case k.Role == "":
		return k.Method
	case k.Method == "":
		return string(k.Role)
	}
	return k.Method + " " + string(k.Role)
}

// Covers reports whether a captured message of kind seen can be of kind k: all known fields are equal.
func (k MessageKind) Covers(seen MessageKind) bool {
	return (k.Role == "" || seen.Role == "" || k.Role == seen.Role) && k.coversMethod(seen.Method)
}

func (k MessageKind) coversMethod(method string) bool {
	if family, ok := strings.CutSuffix(k.Method, "*"); ok && method != "" {
		return strings.HasPrefix(method, family)
	}
	return k.Method == "" || method == "" || k.Method == method
}
