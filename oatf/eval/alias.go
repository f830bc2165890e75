package eval

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

// The reference runner defines names for texts that have no path in a payload. Targets of published documents start
// with these names.

// aliasMeans describes the runner's names.
var aliasMeans = map[protocol.Alias]string{
	protocol.AnswerText: "the text of the agent's answer", protocol.TaskMessage: "the text of the message to the agent",
}

// aliased returns the part of a message that the runner calls alias.
func aliased(alias protocol.Alias, m *capture.Message) (roots []oatf.Value) {
	if alias == protocol.TaskMessage {
		task := oatf.Object{{Key: "task", Value: oatf.Object{{Key: "message", Value: taskText(m.Value)}}}}
		return []oatf.Value{oatf.Object{{Key: "a2a", Value: task}}}
	}
	for _, text := range m.Answers {
		roots = append(roots, oatf.Object{
			{Key: "response", Value: oatf.Object{{Key: "content", Value: text}}}, {Key: "body", Value: text}, {Key: "content", Value: text},
		})
	}
	return roots
}

// taskText returns the text of a message to an agent: its parts, or the argument message of the equivalent tool
// call, or all arguments as JSON.
func taskText(v oatf.Value) oatf.Value {
	object, _ := v.(oatf.Object)
	if arguments, is := object.Get("arguments"); is {
		inner, _ := arguments.(oatf.Object)
		if message, has := inner.Get("message"); has {
			return message
		}
		return string(value.JSON(nil, arguments))
	}
	message, _ := object.Get("message")
	inner, _ := message.(oatf.Object)
	list, _ := inner.Get("parts")
	parts, _ := list.([]oatf.Value)
	var texts []string
	for _, p := range parts {
		part, _ := p.(oatf.Object)
		if text, _ := part.Get("text"); text != nil {
			if s, ok := text.(string); ok {
				texts = append(texts, s)
			}
		}
	}
	return strings.Join(texts, "\n")
}

// asTask converts a tool call to the equivalent message to an agent. It adds the member message if missing.
func asTask(v oatf.Value) oatf.Value {
	object, ok := v.(oatf.Object)
	if _, has := object.Get("message"); !ok || has {
		return v
	}
	if _, has := object.Get("arguments"); !has {
		return v // it says nothing to an agent
	}
	part := oatf.Object{{Key: "kind", Value: "text"}, {Key: "text", Value: taskText(v)}}
	message := oatf.Object{{Key: "role", Value: "user"}, {Key: "parts", Value: []oatf.Value{part}}}
	return append(object[:len(object):len(object)], oatf.Member{Key: "message", Value: message})
}
