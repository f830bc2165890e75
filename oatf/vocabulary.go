package oatf

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Surfaces returns the surface registry, in the specification's order.
func Surfaces() []model.SurfaceInfo { return sdk01.Surfaces() }

// Surfaces returns the surfaces of the profile: in a revision whose surfaces are operations,
// without default targets.
func (p Profile) Surfaces() []model.SurfaceInfo { return slices.Clone(p.profile.Surfaces) }

// LookupSurface returns the registry's row for a surface.
func LookupSurface(s Surface) (model.SurfaceInfo, bool) { return sdk01.LookupSurface(s) }

// LookupSurface returns the profile's row for a surface: of one that several protocols have,
// the first.
func (p Profile) LookupSurface(s Surface) (model.SurfaceInfo, bool) {
	return p.profile.LookupSurface(s)
}

// KnownModes returns the modes of the included protocol bindings (§3.2).
func KnownModes() []Mode { return slices.Clone(vocabulary.KnownModes[:]) }

// KnownProtocols returns the protocols of the included bindings (§3.2).
func KnownProtocols() []Protocol { return slices.Clone(vocabulary.KnownProtocols[:]) }

// ExtractProtocol returns the protocol component of a mode: the text before its last
// "_server" or "_client" (§5.10). A mode that has neither is returned whole.
func ExtractProtocol(mode Mode) Protocol { return vocabulary.ExtractProtocol(mode) }

// Events returns the events that are valid for a known mode, in the specification's
// order, and nil for a mode that the registry does not know.
func Events(mode Mode) []string { return sdk01.Events(mode) }

// Events is [Events] under the profile.
func (p Profile) Events(mode Mode) []string { return p.profile.EventsOf(mode) }

// EventModes returns the modes that a base event is valid for, nil when the registry
// does not know the event.
func EventModes(event string) []Mode { return sdk01.EventModes(event) }

// EventModes is [EventModes] under the profile.
func (p Profile) EventModes(event string) []Mode { return p.profile.ModesOf(event) }

// ParseEventQualifier splits a trigger's event at its first colon (§5.9):
// "tools/call:calculator" is the base event "tools/call" with the qualifier
// "calculator". found is false when there is no colon.
func ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return sdk01.ParseEventQualifier(event)
}

// ParseEventQualifier is [ParseEventQualifier] under the profile: in a revision whose events
// have no qualifiers, the event is its base.
func (p Profile) ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return p.profile.SplitEvent(event)
}

// QualifierPath returns the simple dot-path of the content field that a qualifier of
// the base event is compared with. ok is false for events without qualifiers.
func QualifierPath(protocol Protocol, event string) (path string, ok bool) {
	return sdk01.QualifierPath(protocol, event)
}

// QualifierPath is [QualifierPath] under the profile.
func (p Profile) QualifierPath(protocol Protocol, event string) (path string, ok bool) {
	return p.profile.QualifierPath(protocol, event)
}

// CheckSimplePath says whether path is a simple dot-path (§5.1.1): segments of
// letters, digits, underscores and hyphens between dots, or the empty string for the
// root.
func CheckSimplePath(path string) bool { return vocabulary.CheckSimplePath(path) }

// CheckWildcardPath says whether path is a wildcard dot-path (§5.1.2): a simple
// dot-path whose segments may each end in one [*].
func CheckWildcardPath(path string) bool { return vocabulary.CheckWildcardPath(path) }

// MessageKind is a kind of protocol message, and MessageRole what it does in its protocol.
type (
	MessageKind = model.MessageKind
	MessageRole = model.MessageRole
)

// The roles of messages; the empty one stands for any, or for one that nothing tells.
const (
	RoleRequest      = model.RoleRequest
	RoleResponse     = model.RoleResponse
	RoleNotification = model.RoleNotification
	RoleEvent        = model.RoleEvent
)

// MessageKinds returns the kinds of message that show a surface, and so the messages that
// its indicators look at where a capture tells the kinds of messages (format §7.1.3,
// §7.2.3, §7.3.3); nil for a surface that the registry does not know.
func MessageKinds(s Surface) []MessageKind { return sdk01.MessageKinds(s) }

// MessageKinds is [MessageKinds] under the profile.
func (p Profile) MessageKinds(s Surface) []MessageKind {
	return slices.Clone(p.profile.KindsShowing(s))
}

// MethodProtocol returns the protocol that a method or event belongs to; "" when several
// of the included bindings have it, as tasks/get, or none.
func MethodProtocol(method string) Protocol { return vocabulary.MethodProtocol(method) }

// RoleOf returns the role of a message by its method, the mode of the actor that saw it,
// and whether it came in to that actor, that is from the agent under test. It is ""
// where these do not tell: of a method that both sides may call, as ping, and of a mode
// that is neither a server's nor a client's.
func RoleOf(mode Mode, method string, incoming bool) MessageRole {
	return vocabulary.MessageRole(mode, method, incoming)
}
