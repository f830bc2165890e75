package v202603

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

var simulation = profile.Simulation{
	Actions: []profile.EntryAction{
		{Key: "send"},
		{Key: "log"},
		{Key: "send_push_notification", Modes: []model.Mode{"a2a_server", "a2a_client"}, Only: "only a2a has this action"},
	},
	Replaced: map[string]string{"send_notification": "send", "send_elicitation": "send"},
	Initial: map[model.Mode]profile.Initial{
		"mcp_client":   {Key: "actions", Needs: "method"},
		"a2a_client":   {Key: "actions", Needs: "method"},
		"ag_ui_client": {Key: "run_agent_input", Asks: true, Own: "run_agent_input", Body: profile.Body{Enough: []string{"messages"}}, Shape: &agentInput},
	},
	Answers:  slices.Concat(chosen, shown),
	Asks:     []profile.RequestSource{{Mode: "mcp_server", Events: []string{"tools/call", "prompts/get"}, Member: "elicitations", Method: "elicitation/create", Complete: elicitation}},
	Reserved: true,
	Seen:     seen,
	Open:     true,
	Steps:    profile.Steps{Event: "2a", Match: "2b", Count: "2d"},
	Calls: &profile.Calls{
		Begins: "run_started", First: []string{"tool_call_start", "tool_call_chunk"}, Others: []string{"tool_call_args", "tool_call_end"},
		ID: "toolCallId", Name: "toolCallName",
	},
}

var content = profile.Body{Whole: "content"}

// chosen are the answers selected from a dispatch list (format §7.0.1).
var chosen = []profile.AnswerSource{
	{
		Mode: "mcp_server", Event: "tools/call", List: "tools", What: "tool", Member: "responses", Former: "response",
		Body: content, Shape: &toolAnswer, Fallback: profile.Always(model.Object{{Key: "content", Value: []model.Value{}}}),
	},
	{
		Mode: "mcp_server", Event: "prompts/get", List: "prompts", What: "prompt", Member: "responses", Former: "response",
		Body: profile.Body{Members: []string{"messages"}, Whole: "content"}, Shape: &promptAnswer,
		Fallback: profile.Always(model.Object{{Key: "messages", Value: []model.Value{}}}),
	},
	{Mode: "mcp_client", Event: "sampling/createMessage", Member: "sampling_responses", Body: content, Shape: &sampled},
	{
		Mode: "mcp_client", Event: "elicitation/create", Member: "elicitation_responses",
		Body: profile.Body{Members: []string{"action", "content"}}, Shape: &elicited, Defaults: model.Object{{Key: "action", Value: "accept"}},
	},
	{Mode: "a2a_server", Event: "message/send", Member: "task_responses", Body: content, Shape: &taskAnswer, Fallback: completed},
	{Mode: "a2a_server", Event: "message/stream", Member: "task_responses", Body: content, Shape: &taskAnswer, Fallback: completed},
	{Mode: "ag_ui_client", Event: "tool_call_start", Role: model.RoleEvent, Own: "tool_call_result", Member: "tool_responses", Body: content, Shape: &toolResult, Fallback: emptyResult},
}

// completed is the empty task of a server without task responses (format §7.2.4). Its ids are those that a runtime
// gives it.
var completed = profile.Always(model.Object{
	{Key: "kind", Value: "task"},
	{Key: "status", Value: model.Object{{Key: "state", Value: "completed"}}},
})

// emptyResult returns the result of a call without tool responses (format §7.3.4).
func emptyResult(call model.Value, number int) model.Value {
	object, _ := call.(model.Object)
	id, _ := object.Get("toolCallId")
	if id == nil {
		id = ""
	}
	return model.Object{
		{Key: "messageId", Value: "message-" + strconv.Itoa(number)},
		{Key: "toolCallId", Value: id},
		{Key: "content", Value: ""},
	}
}

// elicitation adds the defaults of format and protocol (format §7.1.4).
func elicitation(params model.Object, number int) model.Object {
	mode, stated := params.Get("mode")
	if !stated {
		return append(slices.Clip(params), model.Member{Key: "mode", Value: "form"})
	}
	if _, named := params.Get("elicitationId"); mode == "url" && !named {
		return append(slices.Clip(params), model.Member{Key: "elicitationId", Value: "elicitation-" + strconv.Itoa(number)})
	}
	return params
}

// shown are the answers built from the state (format §7.1.4, §7.1.5, §7.2.4).
var shown = []profile.AnswerSource{
	{Mode: "mcp_server", Event: "initialize", Show: showServer},
	{Mode: "mcp_server", Event: "tools/list", Show: showList("tools", "tools", "responses")},
	{Mode: "mcp_server", Event: "resources/list", Show: showList("resources", "resources", "content")},
	{Mode: "mcp_server", Event: "resources/templates/list", Show: showList("resource_templates", "resourceTemplates")},
	{Mode: "mcp_server", Event: "resources/read", Show: showResource},
	{Mode: "mcp_server", Event: "prompts/list", Show: showList("prompts", "prompts", "responses")},
	{Mode: "mcp_client", Event: "roots/list", Show: showList("roots", "roots")},
	{Mode: "a2a_server", Event: "agent_card/get", Show: showCard},
	{Mode: "a2a_server", Event: "agent/getAuthenticatedExtendedCard", Show: showCard},
}

// serverMembers are the members of the initialize answer with their defaults.
var serverMembers = []struct {
	key, member string
	absent      model.Value // nil: the member is left out
}{
	{"protocol_version", "protocolVersion", "2025-11-25"},
	{"capabilities", "capabilities", model.Object{{Key: "tools", Value: model.Object{}}, {Key: "resources", Value: model.Object{}}, {Key: "prompts", Value: model.Object{}}}},
	{"server_info", "serverInfo", model.Object{{Key: "name", Value: "oatf-server"}, {Key: "version", Value: "1.0.0"}}},
	{"instructions", "instructions", nil},
}

func showServer(state model.Object, _ model.Value, _ func(string) string) profile.Shown {
	answer := model.Object{}
	for _, row := range serverMembers {
		v, stated := state.Get(row.key)
		if !stated {
			v = row.absent
		}
		if stated || v != nil {
			answer = append(answer, model.Member{Key: row.member, Value: v})
		}
	}
	return profile.Shown{At: "initialize", Value: answer}
}

// showList returns a state list under its protocol name, without members that the protocol does not have.
func showList(key, member string, own ...string) func(model.Object, model.Value, func(string) string) profile.Shown {
	return func(state model.Object, _ model.Value, _ func(string) string) profile.Shown {
		v, stated := state.Get(key)
		if !stated {
			v = []model.Value{}
		}
		if list, ok := v.([]model.Value); ok && len(own) > 0 {
			v = without(list, own)
		}
		return profile.Shown{At: key, Value: model.Object{{Key: member, Value: v}}}
	}
}

func without(list []model.Value, own []string) []model.Value {
	shown := make([]model.Value, len(list))
	for i, v := range list {
		shown[i] = v
		if object, ok := v.(model.Object); ok {
			shown[i] = slices.DeleteFunc(slices.Clone(object), func(m model.Member) bool { return slices.Contains(own, m.Key) })
		}
	}
	return shown
}

// showResource wraps the content of the resource that a request names.
func showResource(state model.Object, request model.Value, text func(string) string) profile.Shown {
	params, _ := request.(model.Object)
	wanted, _ := params.Get("uri")
	uri, ok := wanted.(string)
	if !ok {
		return profile.Shown{Why: "the request has no uri"}
	}
	v, _ := state.Get("resources")
	list, _ := v.([]model.Value)
	for i := range list {
		resource, _ := list[i].(model.Object)
		own, _ := resource.Get("uri")
		if spelled, ok := own.(string); !ok || spelled != uri && !(strings.Contains(spelled, "{{") && text(spelled) == uri) {
			continue
		}
		contents := []model.Value{}
		if body, _ := resource.Get("content"); body != nil {
			contents = append(contents, wrapped(uri, resource, body))
		}
		return profile.Shown{At: "resources[" + strconv.Itoa(i) + "]", Value: model.Object{{Key: "contents", Value: contents}}}
	}
	return profile.Shown{Why: "the state has no resource " + strconv.Quote(uri)}
}

// wrapped returns a resource's content as an element of contents. Values other than objects are unchanged.
func wrapped(uri string, resource model.Object, body model.Value) model.Value {
	members, ok := body.(model.Object)
	if !ok {
		return body
	}
	item := model.Object{{Key: "uri", Value: uri}}
	if kind, stated := resource.Get("mimeType"); stated {
		item = append(item, model.Member{Key: "mimeType", Value: kind})
	}
	return append(item, members...)
}

func showCard(state model.Object, _ model.Value, _ func(string) string) profile.Shown {
	card, stated := state.Get("agent_card")
	if !stated {
		card = minimalCard
	}
	return profile.Shown{At: "agent_card", Value: card}
}

// minimalCard is the agent card for a state without one.
var minimalCard = model.Object{
	{Key: "protocolVersion", Value: "0.3.0"},
	{Key: "name", Value: "oatf-agent"},
	{Key: "description", Value: ""},
	{Key: "url", Value: "http://localhost/"},
	{Key: "version", Value: "1.0.0"},
	{Key: "capabilities", Value: model.Object{}},
	{Key: "defaultInputModes", Value: []model.Value{}},
	{Key: "defaultOutputModes", Value: []model.Value{}},
	{Key: "skills", Value: []model.Value{}},
}

// Forms of whole answers in the protocol bindings.
var (
	toolAnswer   = profile.Shape{Content: map[string]profile.Check{"content": profile.ListOf(profile.ContentItem)}, Other: []string{"structuredContent", "isError", "_meta"}}
	promptAnswer = profile.Shape{Content: map[string]profile.Check{"messages": profile.ListOf(profile.PromptMessage)}, Other: []string{"description", "_meta"}}
	sampled      = profile.Shape{
		Content: map[string]profile.Check{"content": profile.Any(profile.SampledItem, profile.ListOf(profile.SampledItem))},
		Other:   []string{"role", "model", "stopReason", "_meta"}, Whole: profile.Named("role", "user", "assistant"),
	}
	elicited   = profile.Shape{Content: map[string]profile.Check{"content": profile.Mapping}, Other: []string{"action", "_meta"}}
	taskAnswer = profile.Shape{
		Content: map[string]profile.Check{"status": profile.Named("state"), "artifacts": profile.ListOf(artifact), "history": profile.ListOf(message), "parts": profile.ListOf(part)},
		Other:   []string{"kind", "id", "contextId", "taskId", "messageId", "role", "referenceTaskIds", "extensions", "metadata"},
	}
	agentInput = profile.Shape{Content: map[string]profile.Check{"messages": profile.ListOf(profile.AgentMessage)}, Other: []string{"tools", "context", "state", "forwardedProps", "threadId", "runId"}}
	toolResult = profile.Shape{Content: map[string]profile.Check{"content": profile.Text}, Other: []string{"type", "messageId", "toolCallId", "role"}}

	message  = profile.All(profile.Named("role", "agent", "user"), artifact)
	artifact = profile.In("parts", profile.ListOf(part))
	part     = profile.Any(profile.Named("kind"), profile.Named("type"))
)

// seen returns the params, the result or the event. For an answer observed by a client, it adds the request's
// params to the result, because JSON-RPC does not repeat them (SDK specification §4.1). An existing member params
// is kept.
func seen(mode model.Mode, role model.MessageRole, content model.Value, params *model.Value) model.Value {
	result, ok := content.(model.Object)
	if !ok || params == nil || role != model.RoleResponse || !strings.HasSuffix(string(mode), "_client") {
		return content
	}
	if _, stated := result.Get("params"); stated {
		return content
	}
	return append(slices.Clip(result), model.Member{Key: "params", Value: *params})
}
