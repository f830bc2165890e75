package oatf

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// SurfaceInfo is one row of the surface registry (§2.21).
type SurfaceInfo = model.SurfaceInfo

// Surfaces returns the surface registry, in the specification's order.
func Surfaces() []SurfaceInfo { return slices.Clone(vocabulary.Surfaces[:]) }

// LookupSurface returns the registry's row for a surface.
func LookupSurface(s Surface) (SurfaceInfo, bool) { return vocabulary.LookupSurface(s) }

// KnownModes returns the modes of the included protocol bindings (§3.2).
func KnownModes() []Mode { return slices.Clone(vocabulary.KnownModes[:]) }

// KnownProtocols returns the protocols of the included bindings (§3.2).
func KnownProtocols() []Protocol { return slices.Clone(vocabulary.KnownProtocols[:]) }

// ExtractProtocol returns the protocol component of a mode: the text before its last
// "_server" or "_client" (§5.10). A mode that has neither is returned whole.
func ExtractProtocol(mode Mode) Protocol { return vocabulary.ExtractProtocol(mode) }

// Events returns the events that are valid for a known mode, in the specification's
// order, and nil for a mode that the registry does not know.
func Events(mode Mode) []string { return vocabulary.Events(mode) }

// EventModes returns the modes that a base event is valid for, nil when the registry
// does not know the event.
func EventModes(event string) []Mode { return vocabulary.EventModes(event) }

// ParseEventQualifier splits a trigger's event at its first colon (§5.9):
// "tools/call:calculator" is the base event "tools/call" with the qualifier
// "calculator". found is false when there is no colon.
func ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return vocabulary.ParseEventQualifier(event)
}

// QualifierPath returns the simple dot-path of the content field that a qualifier of
// the base event is compared with. ok is false for events without qualifiers.
func QualifierPath(protocol Protocol, event string) (path string, ok bool) {
	return vocabulary.QualifierPath(protocol, event)
}

// CheckSimplePath says whether path is a simple dot-path (§5.1.1): segments of
// letters, digits, underscores and hyphens between dots, or the empty string for the
// root.
func CheckSimplePath(path string) bool { return vocabulary.CheckSimplePath(path) }

// CheckWildcardPath says whether path is a wildcard dot-path (§5.1.2): a simple
// dot-path whose segments may each end in one [*].
func CheckWildcardPath(path string) bool { return vocabulary.CheckWildcardPath(path) }
