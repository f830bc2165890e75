package sdk01

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// The keys of the entries in the protocol bindings.
var (
	toolKeys        = []string{"when", "content", "synthesize", "structuredContent", "isError"}
	promptKeys      = []string{"when", "messages", "synthesize"}
	samplingKeys    = []string{"when", "content", "synthesize"}
	answerKeys      = []string{"when", "action", "content", "synthesize"}
	taskKeys        = []string{"when", "status", "messages", "artifacts", "synthesize"}
	elicitationKeys = []string{"when", "message", "mode", "requestedSchema", "elicitationId", "url", "synthesize"}
)

// responses are the places of responses in the states of the protocol bindings. Other places are not searched,
// because a JSON Schema can have properties named when and synthesize.
var responses = []profile.ResponsePlace{
	{Protocol: "mcp", List: "tools", Member: "responses", Static: []string{"content"}, Keys: toolKeys, Matched: true},
	{Protocol: "mcp", List: "tools", Member: "response", Static: []string{"content"}, Keys: toolKeys, Matched: true, Single: true},
	{Protocol: "mcp", List: "prompts", Member: "responses", Static: []string{"messages"}, Keys: promptKeys, Matched: true},
	{Protocol: "mcp", List: "prompts", Member: "response", Static: []string{"messages"}, Keys: promptKeys, Matched: true, Single: true},
	{Protocol: "mcp", Member: "sampling_responses", Static: []string{"content"}, Keys: samplingKeys, Matched: true},
	{Protocol: "mcp", Member: "elicitation_responses", Static: []string{"content"}, Keys: answerKeys, Matched: true},
	{Protocol: "a2a", Member: "task_responses", Static: []string{"messages", "artifacts"}, Keys: taskKeys, Matched: true},
	{Protocol: "ag_ui", Member: "run_agent_input", Static: []string{"messages"}, Single: true},
}

// loose are like responses, but the conformance rules do not name them.
var loose = []profile.ResponsePlace{
	{Protocol: "mcp", Member: "elicitations", Keys: elicitationKeys, Matched: true, Loose: true},
	{Protocol: "a2a", Member: "task_message", Static: []string{"parts"}, Single: true, Loose: true},
}

// enumerations are the closed enumerations inside state.
var enumerations = []profile.Enumeration{
	{Mode: "mcp_client", List: "elicitation_responses", Key: "action", Members: vocabulary.ElicitationOutcomes},
}
