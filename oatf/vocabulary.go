package oatf

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Surfaces returns the surface registry, in the specification's order.
func Surfaces() []model.SurfaceInfo { return sdk01.Surfaces() }

// Surfaces returns the surfaces of the profile: in a revision whose surfaces are operations, without default targets.
func (p Profile) Surfaces() []model.SurfaceInfo { return slices.Clone(p.profile.Surfaces) }

// LookupSurface returns the registry's row for a surface.
func LookupSurface(s Surface) (model.SurfaceInfo, bool) { return sdk01.LookupSurface(s) }

// LookupSurface returns the profile's row for a surface: of one that several protocols have, the first.
func (p Profile) LookupSurface(s Surface) (model.SurfaceInfo, bool) {
	return p.profile.LookupSurface(s)
}

// KnownModes returns the modes of the included protocol bindings (§3.2).
func KnownModes() []Mode { return slices.Clone(vocabulary.KnownModes[:]) }

// KnownProtocols returns the protocols of the included bindings (§3.2).
func KnownProtocols() []Protocol { return slices.Clone(vocabulary.KnownProtocols[:]) }

// ExtractProtocol returns a mode's protocol: the text before its last "_server" or "_client"
// (§5.10), or the whole mode.
func ExtractProtocol(mode Mode) Protocol { return vocabulary.ExtractProtocol(mode) }

// Events returns a known mode's events in the specification's order, else nil.
func Events(mode Mode) []string { return sdk01.Events(mode) }

// Events is [Events] under the profile.
func (p Profile) Events(mode Mode) []string { return p.profile.EventsOf(mode) }

// EventModes returns the modes that a base event is valid for, nil when the registry does not know the event.
func EventModes(event string) []Mode { return sdk01.EventModes(event) }

// EventModes is [EventModes] under the profile.
func (p Profile) EventModes(event string) []Mode { return p.profile.ModesOf(event) }

// ParseEventQualifier splits an event at its first colon (§5.9): "tools/call:calculator" is base
// event "tools/call" and qualifier "calculator". found is false without a colon.
func ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return sdk01.ParseEventQualifier(event)
}

// ParseEventQualifier is [ParseEventQualifier] under the profile: in a revision without qualifiers
// the event is its base.
func (p Profile) ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return p.profile.SplitEvent(event)
}

// QualifierPath returns the simple dot-path of the content field compared with a qualifier. ok is
// false for events without qualifiers.
func QualifierPath(protocol Protocol, event string) (path string, ok bool) {
	return sdk01.QualifierPath(protocol, event)
}

// QualifierPath is [QualifierPath] under the profile.
func (p Profile) QualifierPath(protocol Protocol, event string) (path string, ok bool) {
	return p.profile.QualifierPath(protocol, event)
}

// CheckSimplePath reports whether path is a simple dot-path (§5.1.1): segments of letters, digits,
// underscores and hyphens separated by dots, or "" for the root.
func CheckSimplePath(path string) bool { return vocabulary.CheckSimplePath(path) }

// CheckWildcardPath reports whether path is a wildcard dot-path (§5.1.2): a simple dot-path whose
// segments can each end in one [*].
func CheckWildcardPath(path string) bool { return vocabulary.CheckWildcardPath(path) }

// MessageKind is a kind of protocol message, and MessageRole its role.
type (
	MessageKind = model.MessageKind
	MessageRole = model.MessageRole
)

// The roles of messages; the empty one means any or unknown.
const (
	RoleRequest      = model.RoleRequest
	RoleResponse     = model.RoleResponse
	RoleNotification = model.RoleNotification
	RoleEvent        = model.RoleEvent
)

// MessageKinds returns the kinds of message that a surface's indicators examine (format §7.1.3,
// §7.2.3, §7.3.3); nil for an unknown surface.
func MessageKinds(s Surface) []MessageKind { return sdk01.MessageKinds(s) }

// MessageKinds is [MessageKinds] under the profile.
func (p Profile) MessageKinds(s Surface) []MessageKind {
	return slices.Clone(p.profile.KindsShowing(s))
}

// MethodProtocol returns the protocol of a method or event; "" if several (such as tasks/get) or none have it.
func MethodProtocol(method string) Protocol { return vocabulary.MethodProtocol(method) }

// RoleOf returns a message's role by method, the mode of the observing actor, and whether it came from the agent
// under test. It is "" if these are insufficient: for methods of both sides, such as ping, and other modes.
func RoleOf(mode Mode, method string, incoming bool) MessageRole {
	return vocabulary.MessageRole(mode, method, incoming)
}
