package oatf

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Surfaces returns the surface registry, in the specification's order.
func Surfaces() []model.SurfaceInfo { return sdk01.Surfaces() }

// Surfaces returns the surfaces of the profile. If surfaces are operations, they do not have default targets.
func (p Profile) Surfaces() []model.SurfaceInfo { return slices.Clone(p.profile.Surfaces) }

// LookupSurface returns the registry's row for a surface.
func LookupSurface(s Surface) (model.SurfaceInfo, bool) { return sdk01.LookupSurface(s) }

// LookupSurface returns the profile's row for a surface, the first one if several protocols have it.
func (p Profile) LookupSurface(s Surface) (model.SurfaceInfo, bool) {
	return p.profile.LookupSurface(s)
}

// KnownModes returns the modes of the protocol bindings (§3.2).
func KnownModes() []Mode { return slices.Clone(vocabulary.KnownModes[:]) }

// KnownProtocols returns the protocols of the bindings (§3.2).
func KnownProtocols() []Protocol { return slices.Clone(vocabulary.KnownProtocols[:]) }

// ExtractProtocol returns a mode's protocol: the text before its last "_server" or "_client"
// (§5.10), or the whole mode.
func ExtractProtocol(mode Mode) Protocol { return vocabulary.ExtractProtocol(mode) }

// Events returns a known mode's events in the specification's order, else nil.
func Events(mode Mode) []string { return sdk01.Events(mode) }

// Events is [Events] under the profile.
func (p Profile) Events(mode Mode) []string { return p.profile.EventsOf(mode) }

// EventModes returns the modes in which a base event is valid, or nil if the event is unknown.
func EventModes(event string) []Mode { return sdk01.EventModes(event) }

// EventModes is [EventModes] under the profile.
func (p Profile) EventModes(event string) []Mode { return p.profile.ModesOf(event) }

// ParseEventQualifier splits an event at its first colon (§5.9): "tools/call:calculator" is base event "tools/call"
// and qualifier "calculator". found is false without a colon.
func ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return sdk01.ParseEventQualifier(event)
}

// ParseEventQualifier is [ParseEventQualifier] under the profile. In a revision without qualifiers, base is the
// whole event.
func (p Profile) ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return p.profile.SplitEvent(event)
}

// QualifierPath returns the simple dot-path of the content field that a qualifier is compared with. ok is false for
// events without qualifiers.
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

// The roles of messages. The empty role means any or unknown.
const (
	RoleRequest      = model.RoleRequest
	RoleResponse     = model.RoleResponse
	RoleNotification = model.RoleNotification
	RoleEvent        = model.RoleEvent
)

// MessageKinds returns the kinds of messages that a surface's indicators examine (format §7.1.3, §7.2.3, §7.3.3),
// or nil for an unknown surface.
func MessageKinds(s Surface) []MessageKind { return sdk01.MessageKinds(s) }

// MessageKinds is [MessageKinds] under the profile.
func (p Profile) MessageKinds(s Surface) []MessageKind {
	return slices.Clone(p.profile.KindsShowing(s))
}

// MethodProtocol returns the protocol of a method or event, or "" if several (as for tasks/get) or none have it.
func MethodProtocol(method string) Protocol { return vocabulary.MethodProtocol(method) }

// RoleOf returns a message's role. mode is that of the observing actor, and incoming means from the agent under
// test. It returns "" if these are insufficient, as for methods of both sides such as ping.
func RoleOf(mode Mode, method string, incoming bool) MessageRole {
	return vocabulary.MessageRole(mode, method, incoming)
}
