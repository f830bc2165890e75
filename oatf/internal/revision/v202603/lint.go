package v202603

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lint is the bindings' data for lint rules.
var lint = profile.Lint{
	Tiers:   []string{"ingested", "local_action", "boundary_breach"}, // in this order of how far an attack came
	Senders: senders(),
	Envelope: map[model.Protocol][]string{
		"mcp":   {"jsonrpc", "params", "result", "request", "response"},
		"a2a":   {"jsonrpc", "params", "result", "request", "response"},
		"ag_ui": {"request", "response"},
	},
	Holders: holders,
	Actions: []profile.Earlier{
		{Key: "send_notification", Now: "write send", Name: "send"},
		{Key: "send_elicitation", Now: "write send: {method: elicitation/create, params: {…}}"},
	},
	Params: profile.MCPServer | profile.A2AServer,
}

// senders returns the operations that only one side initiates. Both sides can send pings, MCP tasks, cancellations
// and progress.
func senders() map[model.Surface]profile.Sides {
	const server, client = profile.ServerSide, profile.ClientSide
	sides := map[model.Surface]profile.Sides{}
	for _, row := range []struct {
		sides      profile.Sides
		operations []model.Surface
	}{
		{profile.Sides{Request: client, Response: server}, []model.Surface{
			"initialize", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list",
			"resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",
			"message/send", "message/stream", "tasks/resubscribe", "tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/get",
			"tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete", "agent/getAuthenticatedExtendedCard", "agent_card/get",
		}},
		{profile.Sides{Request: server, Response: server}, []model.Surface{
			"notifications/message", "notifications/tools/list_changed", "notifications/prompts/list_changed",
			"notifications/resources/list_changed", "notifications/resources/updated", "notifications/elicitation/complete",
			"task/status", "task/artifact",
		}},
		{profile.Sides{Request: client, Response: client}, []model.Surface{
			"notifications/initialized", "notifications/roots/list_changed", "run_agent_input",
		}},
	} {
		for _, operation := range row.operations {
			sides[operation] = row.sides
		}
	}
	for _, e := range events { // an agent's stream; results of tools may come from both
		if e.Modes == agui && e.Name != "run_agent_input" && e.Name != "tool_call_result" {
			sides[model.Surface(e.Name)] = profile.Sides{Request: server, Response: server}
		}
	}
	return sides
}

// holders are the keys of states (format §7.1.4, §7.1.5, §7.2.4, §7.2.5, §7.3.4).
var holders = slices.Concat(states, []profile.Holder{
	{Modes: server, Member: "tools", Wanted: []string{"name"}, Earlier: []profile.Earlier{single}},
	{Modes: server, Member: "prompts", Wanted: []string{"name"}, Earlier: []profile.Earlier{single}},
	{Modes: server, Member: "resources", Wanted: []string{"uri", "name"}},
	{Modes: server, Member: "elicitations", Wanted: []string{"message"}},
	{Modes: client, Member: "actions", Wanted: []string{"method"}, Earlier: verbs()},
	{Modes: profile.A2AClient, Member: "actions", Wanted: []string{"method"}},
	{Modes: agui, Member: "run_agent_input", Wanted: []string{"threadId", "runId"}},
})

var states = []profile.Holder{
	{
		Modes: server,
		Keys:  []string{"protocol_version", "server_info", "instructions", "capabilities", "tools", "resources", "resource_templates", "prompts", "elicitations"},
		Earlier: []profile.Earlier{
			{Key: "behavior", Now: "it has no replacement: leave it out"},
			{Key: "elicitation_requests", Now: "write elicitations"},
		},
	},
	{Modes: client, Keys: []string{"client_info", "capabilities", "actions", "sampling_responses", "elicitation_responses", "roots"}},
	{Modes: profile.A2AServer, Keys: []string{"agent_card", "task_responses"}},
	{
		Modes: profile.A2AClient,
		Keys:  []string{"actions"},
		Earlier: []profile.Earlier{
			{Key: "task_message", Now: "write actions: [{method: message/send, params: {message: {…}}}]"},
			{Key: "streaming", Now: "write the action's method as message/stream, or as message/send"},
			{Key: "fetch_agent_card", Now: "write an action of method agent_card/get, or none"},
		},
	},
	{Modes: agui, Keys: []string{"run_agent_input", "tool_responses"}, Wanted: []string{"run_agent_input"}},
}

// single is the key response, an earlier form of a list with one response.
var single = profile.Earlier{Key: "response", Now: "write responses: with a list of one entry"}

// verbs are MCP client actions that had separate names.
func verbs() (list []profile.Earlier) {
	for _, row := range [][2]string{
		{"list_tools", "tools/list"},
		{"call_tool", "tools/call"},
		{"list_resources", "resources/list"},
		{"read_resource", "resources/read"},
		{"list_prompts", "prompts/list"},
		{"get_prompt", "prompts/get"},
		{"subscribe_resource", "resources/subscribe"},
		{"unsubscribe_resource", "resources/unsubscribe"},
		{"get_task", "tasks/get"},
		{"cancel_task", "tasks/cancel"},
		{"list_tasks", "tasks/list"},
		{"complete", "completion/complete"},
		{"get_task_result", "tasks/result"},
	} {
		list = append(list, profile.Earlier{Key: row[0], Now: "write method: " + row[1] + ", with params: next to it"})
	}
	return list
}

// Earlier members of an entry besides the content.
var (
	flatResults = []profile.Earlier{
		{Key: "isError", Now: insideContent},
		{Key: "structuredContent", Now: insideContent},
	}
	flatTasks = []profile.Earlier{
		{Key: "status", Now: "write content: {status: {state: …}}"},
		{Key: "messages", Now: "write content: {history: […]}"},
		{Key: "artifacts", Now: "write content: {artifacts: […]}"},
	}
)

const insideContent = "write it inside content, next to the result's content"
