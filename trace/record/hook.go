package record

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// hookName returns the name of the hook event that an object reports, as Claude Code passes it to a hook command.
func hookName(root strictjson.Node) string {
	name, _ := root.Get("hook_event_name").Text()
	return name
}

// hookEvent returns the type and payload of the event of a hook: the object with the members that the type requires.
func hookEvent(root strictjson.Node) (eventType string, payload []byte) {
	eventType, name := toolCall, hookName(root)
	payload = openObject(root.Document().Source, root)
	add := func(name, text string) {
		if !root.Get(name).Exists() {
			payload = jcs.AppendText(append(append(append(payload, '"'), name...), '"', ':'), text)
			payload = append(payload, ',')
		}
	}
	switch name {
	case "PreToolUse":
	case "PostToolUse":
		eventType = toolResult
	case "PostToolUseFailure":
		eventType = toolError
		text, _ := root.Get("error").Text()
		add("error_type", "tool")
		add("error_message", say.Clip(text, maxErrorMessage))
	case "UserPromptSubmit":
		eventType = llmCall
		add("model_id", "unknown")
	case "SessionEnd":
		eventType = sessionEnd
		add("status", "success")
	default:
		if (name == "Stop" || name == "SubagentStop") && root.Get("last_assistant_message").Exists() {
			eventType = llmResponse
			add("finish_reason", "stop")
			break
		}
		add("tool_name", "hook:"+name)
		if !root.Get("args").Exists() {
			payload = append(payload, `"args":{},`...)
		}
	}
	return eventType, closeObject(payload)
}

// maxErrorMessage is the limit of error_message, in characters.
const maxErrorMessage = 500

// dropped adds the members that a LOG_DROP requires: dropped events have no numbers, so the range is its own
// number, seq.
func dropped(s *strictjson.Scanner, payload []byte, seq uint64) ([]byte, error) {
	doc, err := s.Scan(payload)
	if err != nil {
		return nil, err
	}
	out := openObject(payload, doc.Root())
	for _, name := range []string{"seq_range_start", "seq_range_end"} {
		if !doc.Root().Get(name).Exists() {
			out = fmt.Appendf(out, `"%s":%d,`, name, seq)
		}
	}
	return closeObject(out), nil
}
