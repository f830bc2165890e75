package profile

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Vocabulary is the registries of a revision.
type Vocabulary struct {
	Surfaces     []model.SurfaceInfo // in the specification's order
	MessageKinds []KindsOf
	Events       []Event
	Renamed      map[string]string // events by other names that they have had
	Qualifiers   []Qualifier       // nil in revisions without qualifiers
	Matches      []Match           // trigger matches that replace qualifiers
}

// ModeSet is a set of known modes, with one bit for each in the order of vocabulary.KnownModes.
type ModeSet uint8

// The known modes.
const (
	MCPServer ModeSet = 1 << iota
	MCPClient
	A2AServer
	A2AClient
	AGUIClient
)

// Event is an event and the modes whose triggers can use it.
type Event struct {
	Name  string
	Modes ModeSet
}

// Events returns events of the same modes.
func Events(modes ModeSet, names ...string) []Event {
	list := make([]Event, len(names))
	for i, name := range names {
		list[i] = Event{name, modes}
	}
	return list
}

// Qualifier is the dot-path in an event's content of the value that follows the colon.
type Qualifier struct {
	Protocol model.Protocol
	Event    string
	Path     string
}

// Match is the simple dot-path of an event's subject in a trigger's match: the called tool's name.
type Match struct {
	Modes ModeSet
	Event string
	Path  string
}

// KindsOf lists the message kinds of one or several surfaces.
type KindsOf struct {
	Surfaces []model.Surface
	Kinds    []model.MessageKind
}

// LookupSurface returns the registry's row for a surface: the first of several.
func (v *Vocabulary) LookupSurface(s model.Surface) (model.SurfaceInfo, bool) {
	i := slices.IndexFunc(v.Surfaces, func(row model.SurfaceInfo) bool { return row.Surface == s })
	if i < 0 {
		return model.SurfaceInfo{}, false
	}
	return v.Surfaces[i], true
}

// BeginsTarget reports whether the default target of one of a protocol's surfaces begins with a name.
func (v *Vocabulary) BeginsTarget(protocol model.Protocol, name string) bool {
	return slices.ContainsFunc(v.Surfaces, func(row model.SurfaceInfo) bool {
		first, _, _ := strings.Cut(row.Target, ".")
		return row.Protocol == protocol && strings.TrimSuffix(first, "[*]") == name
	})
}

// HasSurface reports whether a protocol has a surface.
func (v *Vocabulary) HasSurface(protocol model.Protocol, s model.Surface) bool {
	return slices.ContainsFunc(v.Surfaces, func(row model.SurfaceInfo) bool { return row.Surface == s && row.Protocol == protocol })
}

// KindsShowing returns the message kinds of a surface, or nil for an unknown surface.
func (v *Vocabulary) KindsShowing(s model.Surface) []model.MessageKind {
	for _, row := range v.MessageKinds {
		if slices.Contains(row.Surfaces, s) {
			return row.Kinds
		}
	}
	return nil
}

// EventsOf returns a known mode's events in the specification's order, or nil.
func (v *Vocabulary) EventsOf(mode model.Mode) []string {
	bit, ok := modeBit(mode)
	if !ok {
		return nil
	}
	var events []string
	for _, row := range v.Events {
		if row.Modes&bit != 0 {
			events = append(events, row.Name)
		}
	}
	return events
}

// ModesOf returns the modes of a base event, or nil for an unknown event.
func (v *Vocabulary) ModesOf(event string) []model.Mode {
	var modes []model.Mode
	for _, row := range v.Events {
		for i, mode := range vocabulary.KnownModes {
			if row.Name == event && row.Modes&(1<<i) != 0 {
				modes = append(modes, mode)
			}
		}
	}
	return modes
}

// Occurs reports whether a base event can occur in a known mode.
func (v *Vocabulary) Occurs(event string, mode model.Mode) bool {
	bit, known := modeBit(mode)
	return known && slices.ContainsFunc(v.Events, func(row Event) bool { return row.Name == event && row.Modes&bit != 0 })
}

// SetOf returns the set of a mode. It is empty for an unknown mode.
func SetOf(mode model.Mode) ModeSet {
	bit, known := modeBit(mode)
	if !known {
		return 0
	}
	return bit
}

// Names returns the modes of a set.
func (s ModeSet) Names() (names []string) {
	for i, mode := range vocabulary.KnownModes {
		if s&(1<<i) != 0 {
			names = append(names, string(mode))
		}
	}
	return names
}

func modeBit(mode model.Mode) (ModeSet, bool) {
	i := slices.Index(vocabulary.KnownModes[:], mode)
	return 1 << max(i, 0), i >= 0
}

// SplitEvent splits an event at its first colon (SDK specification 0.1, §5.9): "tools/call:calculator" is base
// event "tools/call" with qualifier "calculator". found is false without a colon, and in revisions without
// qualifiers.
func (v *Vocabulary) SplitEvent(event string) (base, qualifier string, found bool) {
	if v.Qualifiers == nil {
		return event, "", false
	}
	return strings.Cut(event, ":")
}

// QualifierPath returns the dot-path of the content field that a qualifier is compared with. ok is false for events
// without qualifiers.
func (v *Vocabulary) QualifierPath(protocol model.Protocol, event string) (path string, ok bool) {
	for _, row := range v.Qualifiers {
		if row.Protocol == protocol && row.Event == event {
			return row.Path, true
		}
	}
	return "", false
}

// MatchPath returns the dot-path of an event's subject, such as the tool name, for a trigger's match.
func (v *Vocabulary) MatchPath(event string, mode model.Mode) (path string, ok bool) {
	bit, known := modeBit(mode)
	i := slices.IndexFunc(v.Matches, func(row Match) bool { return row.Event == event && row.Modes&bit != 0 })
	if !known || i < 0 {
		return "", false
	}
	return v.Matches[i].Path, true
}
