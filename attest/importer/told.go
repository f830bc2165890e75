package importer

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// told is what a span says, in the terms of the protocol, whatever its format.
type told struct {
	node strictjson.Node // all of it
	name strictjson.Node // of the step: a string
	as   string          // the name where there is no node for it

	// Of an answer of a model.
	settings []named
	messages strictjson.Node // what the model was told
	said     text
	thought  text
	calls    []toldCall   // that it asks for
	results  []toldResult // that it was told
	finish   strictjson.Node

	// Of a call of a tool and of a retrieval.
	args, result strictjson.Node
	members      []named // of the args, instead of them
	callID       strictjson.Node

	// Of an agent.
	agent        strictjson.Node // its name
	user, system text
	inputs       strictjson.Node // an object, for the trace's input
	outputs      strictjson.Node // an object, for the trace's output
	status       string

	usage  usage
	model  strictjson.Node
	cost   strictjson.Node
	failed strictjson.Node // says what went wrong
}

// named is a member.
type named struct {
	name string
	node strictjson.Node
}

// toldCall is a call that an answer asks for.
type toldCall struct{ node, id, name, args strictjson.Node }

// toldResult is the result of a call, as the next answer was told it.
type toldResult struct{ node, id, result strictjson.Node }

// speech collects what messages say.
type speech struct {
	user, system, said, thought text // the first of the user and of the system, the last of the assistant
	calls                       []toldCall
	results                     []toldResult
	finish                      strictjson.Node
	isSaid                      bool // the message is the assistant's
}

// first keeps the first text that is not empty.
func first(kept *text, says text) {
	if len(*kept) == 0 {
		*kept = says
	}
}

// hear reads a list of messages: those of the conventions of OpenTelemetry, which have
// parts, and those of the model APIs, which have a content.
func hear(list strictjson.Node) (s speech) {
	for message := range list.Children() {
		s.hear(message)
	}
	return s
}

func (s *speech) hear(message strictjson.Node) {
	says := append(readParts(message.Last("parts")), readText(message.Last("content"), chatText)...)
	switch role, _ := message.Last("role").Text(); role {
	case "system", "developer":
		first(&s.system, says)
	case "user":
		first(&s.user, says)
	case "assistant", "model":
		s.said = says
	}
	if finish := message.Last("finish_reason"); !finish.Missing() {
		s.finish = finish
	}
	for part := range message.Last("parts").Children() {
		switch typ, _ := part.Last("type").Text(); typ {
		case "tool_call":
			s.calls = append(s.calls, toldCall{part, part.Last("id"), part.Last("name"), part.Last("arguments")})
		case "tool_call_response":
			s.results = append(s.results, toldResult{part, part.Last("id"), firstOf(part, "response", "result")})
		case "reasoning", "thinking":
			s.thought = append(s.thought, readText(part.Last("content"), nil)...)
		}
	}
	for one := range message.Last("tool_calls").Children() {
		function := one.Last("function")
		s.calls = append(s.calls, toldCall{one, one.Last("id"), function.Last("name"), function.Last("arguments")})
	}
	if id := message.Last("tool_call_id"); !id.Missing() {
		s.results = append(s.results, toldResult{message, id, flat(message.Last("content"))})
	}
}

// readParts is the text in the parts of a message.
func readParts(parts strictjson.Node) (says text) {
	for part := range parts.Children() {
		if part.Last("type").TextIs("text") {
			says = append(says, readText(part.Last("content"), nil)...)
		}
	}
	return says
}
