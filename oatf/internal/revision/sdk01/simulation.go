package sdk01

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// simulation defines the messages and answers of actors (§2.7a, §5, format §7).
var simulation = profile.Simulation{
	Actions: []profile.EntryAction{
		{Key: "send_notification"},
		{Key: "log"},
		{Key: "send_elicitation", Modes: []model.Mode{"mcp_server"}, Only: "only an mcp_server elicits"},
	},
	Initial: map[model.Mode]profile.Initial{
		"mcp_client":   {Key: "actions"},
		"a2a_client":   {Key: "task_message", Entry: true, Shape: &taskInput},
		"ag_ui_client": {Key: "run_agent_input", Entry: true, Shape: &agentInput, Asks: true},
	},
	Answers: []profile.AnswerSource{
		{
			Mode: "mcp_server", Event: "tools/call", List: "tools", What: "tool", Member: "responses", Single: "response",
			Shape: &toolAnswer, Fallback: profile.Always(model.Object{{Key: "content", Value: []model.Value{}}}),
		},
		{Mode: "mcp_server", Event: "prompts/get", List: "prompts", What: "prompt", Member: "responses", Single: "response", Shape: &promptAnswer},
		{Mode: "mcp_client", Event: "sampling/createMessage", Member: "sampling_responses", Shape: &sampled},
		{
			Mode: "mcp_client", Event: "elicitation/create", Member: "elicitation_responses",
			Shape: &elicited, Defaults: model.Object{{Key: "action", Value: "accept"}},
		},
		{Mode: "a2a_server", Event: "message/send", Member: "task_responses", Shape: &taskAnswer},
		{Mode: "a2a_server", Event: "message/stream", Member: "task_responses", Shape: &taskAnswer},
	},
	Seen:    seen,
	Unwraps: true,
	Steps:   profile.Steps{Event: "2b", Qualifier: "2c", Match: "2d", Count: "2f"},
}

// Forms expected by the protocol bindings (format §7.1.1, §7.2.1, §7.3.1).
var (
	toolAnswer   = profile.Shape{Content: map[string]profile.Check{"content": profile.ListOf(profile.ContentItem)}, Other: []string{"structuredContent", "isError"}}
	promptAnswer = profile.Shape{Content: map[string]profile.Check{"messages": profile.ListOf(profile.PromptMessage)}}
	sampled      = profile.Shape{Content: map[string]profile.Check{"content": sampledMessage}}
	elicited     = profile.Shape{Content: map[string]profile.Check{"content": profile.Mapping}, Other: []string{"action"}}
	taskAnswer   = profile.Shape{Content: map[string]profile.Check{"messages": profile.ListOf(taskMessage), "artifacts": profile.ListOf(artifact)}, Other: []string{"status"}}
	taskInput    = profile.Shape{Content: map[string]profile.Check{"parts": profile.ListOf(part)}, Other: []string{"role", "messageId"}}
	agentInput   = profile.Shape{Content: map[string]profile.Check{"messages": profile.ListOf(profile.AgentMessage)}, Other: []string{"tools", "state", "forwardedProps", "threadId", "runId"}}

	sampledMessage = profile.All(profile.Named("role", "user", "assistant"), profile.In("content", profile.SampledItem))
	taskMessage    = profile.All(profile.Named("role", "agent", "user"), artifact)
	artifact       = profile.In("parts", profile.ListOf(part))
	part           = profile.Named("type")
)

// seen returns the content with the request's params added in MCP (§2.25). They replace a member of the same name,
// so that an answer cannot rename the request.
func seen(mode model.Mode, _ model.MessageRole, content model.Value, params *model.Value) model.Value {
	if params == nil || vocabulary.ExtractProtocol(mode) != "mcp" {
		return content
	}
	members, _ := content.(model.Object)
	enriched := make(model.Object, 0, len(members)+1)
	for _, m := range members {
		if m.Key != "params" {
			enriched = append(enriched, m)
		}
	}
	return append(enriched, model.Member{Key: "params", Value: *params})
}
