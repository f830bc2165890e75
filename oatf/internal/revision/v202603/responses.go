package v202603

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// The keys of the entries.
var (
	entryKeys       = []string{"when", "content", "synthesize"}
	promptKeys      = []string{"when", "messages", "content", "synthesize"}
	answerKeys      = []string{"when", "action", "content", "synthesize"}
	elicitationKeys = []string{"when", "message", "mode", "requestedSchema", "elicitationId", "url"}
)

// responses are the lists of responses in all modes, and other generated content.
var responses = []profile.ResponsePlace{
	{List: "tools", Member: "responses", Keys: entryKeys, Earlier: flatResults, Matched: true},
	{List: "prompts", Member: "responses", Keys: promptKeys, Matched: true},
	{Member: "sampling_responses", Keys: entryKeys, Matched: true},
	{Member: "elicitation_responses", Keys: answerKeys, Matched: true},
	{Member: "task_responses", Keys: entryKeys, Earlier: flatTasks, Matched: true},
	{Member: "tool_responses", Keys: entryKeys, Matched: true},
	{Member: "run_agent_input", Single: true},
}

// loose are like responses, but the conformance rules do not name them.
var loose = []profile.ResponsePlace{
	{Protocol: "mcp", Member: "elicitations", Keys: elicitationKeys, Matched: true, Loose: true},
}

// enumerations are the closed enumerations inside state.
var enumerations = []profile.Enumeration{
	{List: "elicitation_responses", Key: "action", Members: vocabulary.ElicitationOutcomes},
	{List: "elicitations", Key: "mode", Members: vocabulary.Names(vocabulary.ElicitationModes)},
}
