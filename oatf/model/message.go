package model

import "strings"

// MessageRole is a message's role in its protocol.
type MessageRole string

// The roles. The empty one means any or unknown.
const (
	RoleRequest      MessageRole = "request"
	RoleResponse     MessageRole = "response"
	RoleNotification MessageRole = "notification"
	RoleEvent        MessageRole = "event" // an item of an event stream
)

// MessageKind is a message's method and role. A response has its request's method. Empty fields of
// a captured message are unknown; in the surface table (see MessageKinds of package oatf) they mean
// any, as does the rest of a method that ends in "/*".
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

// Covers reports whether a captured message of kind seen can be of kind k: known parts are equal.
func (k MessageKind) Covers(seen MessageKind) bool {
	return (k.Role == "" || seen.Role == "" || k.Role == seen.Role) && k.coversMethod(seen.Method)
}

func (k MessageKind) coversMethod(method string) bool {
	if family, ok := strings.CutSuffix(k.Method, "*"); ok && method != "" {
		return strings.HasPrefix(method, family)
	}
	return k.Method == "" || method == "" || k.Method == method
}
