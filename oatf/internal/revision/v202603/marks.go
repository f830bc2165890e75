package v202603

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

// marks identify documents of this revision.
var marks = []profile.Mark{
	{Level: 1, Path: "attack.indicators[].target"},
	{Level: 1, Path: "attack.indicators[].actor"},
	{Level: 1, Path: "attack.indicators[].direction"},
	{Level: 1, Path: "attack.indicators[].method"},
	{Level: 1, Path: "attack.indicators[].tier"},

	{Level: 2, Path: "attack.indicators[].surface", Text: isSurface},

	{Level: 3, Path: "phase.on_enter[].send"},
	{Level: 3, Path: "phase.trigger.event", Text: isOwnEvent},

	{Level: 4, Path: "state.tool_responses"},
	{Level: 4, Path: "state.actions[].method"},
	{Level: 4, Path: "state.task_responses[].content"},
	{Level: 4, Path: "state.tools[].responses[].content", Mapping: true},
}

func isSurface(s string) bool {
	return slices.ContainsFunc(events, func(e profile.Event) bool { return e.Name == s })
}

// isOwnEvent reports whether an event has another name in the earlier revision.
func isOwnEvent(event string) bool { return strings.HasPrefix(event, "tasks/pushNotificationConfig/") }
