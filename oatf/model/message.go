package model

import "strings"

// MessageRole is what a message does in its protocol.
type MessageRole string

// The roles. The empty one stands for any, or for one that nothing tells.
const (
	RoleRequest      MessageRole = "request"
	RoleResponse     MessageRole = "response"
	RoleNotification MessageRole = "notification"
	RoleEvent        MessageRole = "event" // an item of an event stream
)

// MessageKind is a kind of protocol message: the method that it is of, and its role. A
// response is of the method of its request. As a kind of a captured message an empty field
// is one that the capture does not tell; as a row of the surface table (see MessageKinds
// of package oatf) it stands for any, and so does the rest of a method that ends in "/*".
type MessageKind struct {
	Method string
	Role   MessageRole
}

// String returns the kind as people write it: "tools/call response". What is not known is
// left out, and a kind of which nothing is known is "message".
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

// Covers says whether a captured message of kind seen may be of kind k: what both of them
// tell is the same.
func (k MessageKind) Covers(seen MessageKind) bool {
	return (k.Role == "" || seen.Role == "" || k.Role == seen.Role) && k.coversMethod(seen.Method)
}

func (k MessageKind) coversMethod(method string) bool {
	if family, ok := strings.CutSuffix(k.Method, "*"); ok && method != "" {
		return strings.HasPrefix(method, family)
	}
	return k.Method == "" || method == "" || k.Method == method
}
