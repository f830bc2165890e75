package sdk01

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// marks identify documents of this revision.
var marks = []profile.Mark{
	{Level: 2, Path: "attack.indicators[].surface", Text: isSurface},

	{Level: 3, Path: "phase.on_enter[].send_notification"},
	{Level: 3, Path: "phase.on_enter[].send_elicitation"},
	{Level: 3, Path: "phase.trigger.event", Text: isOwnEvent},
	{Level: 3, Path: "phase.trigger.match.*", Key: isWrapped},

	{Level: 4, Path: "state.actions[].*", Key: isVerb},
	{Level: 4, Path: "state.actions[]", Text: profile.AnyText},
	{Level: 4, Path: "state.task_message"},
	{Level: 4, Path: "state.elicitation_requests"},
	{Level: 4, Path: "state.task_responses[].status"},
	{Level: 4, Path: "state.task_responses[].messages"},
	{Level: 4, Path: "state.task_responses[].artifacts"},
	{Level: 4, Path: "state.tools[].response"},
	{Level: 4, Path: "state.prompts[].response"},
}

func isSurface(s string) bool {
	return slices.ContainsFunc(surfaces, func(row model.SurfaceInfo) bool { return string(row.Surface) == s })
}

// isOwnEvent reports whether an event has a qualifier, or a name that exists only in this revision.
func isOwnEvent(event string) bool {
	return strings.Contains(event, ":") || strings.HasPrefix(event, "tasks/pushNotification/") || event == "interrupt"
}

// isWrapped reports whether a dot-path begins at the params of a request.
func isWrapped(path string) bool { return strings.HasPrefix(path, "params.") }

// verbs are the keys of an MCP client's actions.
var verbs = []string{
	"list_tools", "call_tool", "list_resources", "read_resource", "list_prompts", "get_prompt", "subscribe_resource",
	"unsubscribe_resource", "get_task", "cancel_task", "list_tasks", "complete", "get_task_result",
}

func isVerb(key string) bool { return slices.Contains(verbs, key) }
