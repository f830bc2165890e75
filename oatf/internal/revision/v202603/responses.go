package v202603

import "github.com/cupel-dev/cupel/oatf/internal/profile"

// The keys of the entries.
var (
	entryKeys       = []string{"when", "content", "synthesize"}
	promptKeys      = []string{"when", "messages", "synthesize"}
	answerKeys      = []string{"when", "action", "content", "synthesize"}
	elicitationKeys = []string{"when", "message", "mode", "requestedSchema", "elicitationId", "url", "synthesize"}
)

// responses are the lists of responses, whatever the mode of the phase.
var responses = []profile.ResponsePlace{
	{List: "tools", Member: "responses", Keys: entryKeys, Matched: true},
	{List: "prompts", Member: "responses", Keys: promptKeys, Matched: true},
	{Member: "sampling_responses", Keys: entryKeys, Matched: true},
	{Member: "elicitation_responses", Keys: answerKeys, Matched: true},
	{Member: "task_responses", Keys: entryKeys, Matched: true},
	{Member: "tool_responses", Keys: entryKeys, Matched: true},
}

// loose are like responses, but the conformance rules do not name them.
var loose = []profile.ResponsePlace{
	{Protocol: "mcp", Member: "elicitations", Keys: elicitationKeys, Matched: true, Loose: true},
}
