package vocabulary

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"
)

// modeSet is a set of known modes, one bit each in the order of knownModes.
type modeSet uint8

const (
	onMCPServer modeSet = 1 << iota
	onMCPClient
	onA2AServer
	onA2AClient
	onAGUIClient
)

// eventMode is one row of the event-mode validity registry: an event, and the modes
// whose triggers may name it.
type eventMode struct {
	event string
	modes modeSet
}

// eventModes is the event-mode validity registry (§2.22).
var eventModes = [...]eventMode{
	{"initialize", onMCPServer | onMCPClient},
	{"tools/list", onMCPServer | onMCPClient},
	{"tools/call", onMCPServer | onMCPClient},
	{"resources/list", onMCPServer | onMCPClient},
	{"resources/read", onMCPServer | onMCPClient},
	{"resources/subscribe", onMCPServer},
	{"resources/unsubscribe", onMCPServer},
	{"prompts/list", onMCPServer | onMCPClient},
	{"prompts/get", onMCPServer | onMCPClient},
	{"completion/complete", onMCPServer},
	{"sampling/createMessage", onMCPServer | onMCPClient},
	{"elicitation/create", onMCPServer | onMCPClient},
	{"tasks/get", onMCPServer | onMCPClient | onA2AServer},
	{"tasks/result", onMCPServer | onMCPClient},
	{"tasks/list", onMCPServer},
	{"tasks/cancel", onMCPServer | onA2AServer},
	{"roots/list", onMCPServer | onMCPClient},
	{"ping", onMCPServer | onMCPClient},
	{"notifications/tools/list_changed", onMCPClient},
	{"notifications/resources/list_changed", onMCPClient},
	{"notifications/resources/updated", onMCPClient},
	{"notifications/prompts/list_changed", onMCPClient},
	{"notifications/tasks/status", onMCPClient},
	{"notifications/elicitation/complete", onMCPClient},
	{"message/send", onA2AServer | onA2AClient},
	{"message/stream", onA2AServer | onA2AClient},
	{"tasks/resubscribe", onA2AServer},
	{"tasks/pushNotification/set", onA2AServer},
	{"tasks/pushNotification/get", onA2AServer},
	{"agent_card/get", onA2AServer | onA2AClient},
	{"task/status", onA2AClient},
	{"task/artifact", onA2AClient},
	{"run_started", onAGUIClient},
	{"run_finished", onAGUIClient},
	{"run_error", onAGUIClient},
	{"step_started", onAGUIClient},
	{"step_finished", onAGUIClient},
	{"text_message_start", onAGUIClient},
	{"text_message_content", onAGUIClient},
	{"text_message_end", onAGUIClient},
	{"tool_call_start", onAGUIClient},
	{"tool_call_end", onAGUIClient},
	{"state_snapshot", onAGUIClient},
	{"state_delta", onAGUIClient},
	{"messages_snapshot", onAGUIClient},
	{"interrupt", onAGUIClient},
	{"custom", onAGUIClient},
}

// Events returns the events that are valid for a known mode, in the specification's
// order, and nil for a mode that the registry does not know.
func Events(mode model.Mode) []string {
	bit, ok := modeBit(mode)
	if !ok {
		return nil
	}
	var events []string
	for _, row := range eventModes {
		if row.modes&bit != 0 {
			events = append(events, row.event)
		}
	}
	return events
}

// EventModes returns the modes that a base event is valid for, nil when the registry
// does not know the event.
func EventModes(event string) []model.Mode {
	var modes []model.Mode
	for _, row := range eventModes {
		for i, mode := range KnownModes {
			if row.event == event && row.modes&(1<<i) != 0 {
				modes = append(modes, mode)
			}
		}
	}
	return modes
}

// renamed are the events of earlier revisions of a protocol, with the names that the
// registry has for them.
var renamed = map[string]string{
	"tasks/send":                       "message/send",
	"tasks/sendSubscribe":              "message/stream",
	"tasks/pushNotificationConfig/get": "tasks/pushNotification/get",
	"tasks/pushNotificationConfig/set": "tasks/pushNotification/set",
}

// Renamed returns the event that another name of it stands for, "" when there is none.
func Renamed(event string) string { return renamed[event] }

// IsKnownMode says whether a mode belongs to an included protocol binding.
func IsKnownMode(mode model.Mode) bool { return IsMember(mode, KnownModes[:]) }

// Occurs says whether a base event can occur in a mode; none can in a mode that the
// registry does not know.
func Occurs(event string, mode model.Mode) bool {
	bit, known := modeBit(mode)
	return known && slices.ContainsFunc(eventModes[:], func(row eventMode) bool { return row.event == event && row.modes&bit != 0 })
}

func modeBit(mode model.Mode) (modeSet, bool) {
	i := slices.Index(KnownModes[:], mode)
	return 1 << max(i, 0), i >= 0
}

// ParseEventQualifier splits a trigger's event at its first colon (§5.9):
// "tools/call:calculator" is the base event "tools/call" with the qualifier
// "calculator". found is false when there is no colon.
func ParseEventQualifier(event string) (base, qualifier string, found bool) {
	return strings.Cut(event, ":")
}

// qualifierPaths is the qualifier resolution registry (§2.25).
var qualifierPaths = [...]struct {
	protocol model.Protocol
	event    string
	path     string
}{
	{"mcp", "tools/call", "params.name"},
	{"mcp", "prompts/get", "params.name"},
	{"a2a", "task/status", "status.state"},
	{"ag_ui", "tool_call_start", "toolCallName"},
	{"ag_ui", "tool_call_end", "toolCallName"},
	{"ag_ui", "custom", "name"},
}

// QualifierPath returns the simple dot-path of the content field that a qualifier of
// the base event is compared with. ok is false for events without qualifiers.
func QualifierPath(protocol model.Protocol, event string) (path string, ok bool) {
	for _, row := range qualifierPaths {
		if row.protocol == protocol && row.event == event {
			return row.path, true
		}
	}
	return "", false
}
