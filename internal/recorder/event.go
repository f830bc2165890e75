package recorder

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Object returns an error unless an event is a JSON object.
func Object(event strictjson.Node) error {
	if event.Is(strictjson.Object) {
		return nil
	}
	return fmt.Errorf("the line is %s, expected a JSON object", event.Kind())
}

var stepTypes = []string{"llm_call", "tool_call", "retrieval", "agent_call"}

// IsStep reports whether an object is a step of a trace for tests.
func IsStep(event strictjson.Node) bool {
	return event.Get("name").Is(strictjson.String) && slices.ContainsFunc(stepTypes, event.Get("type").TextIs)
}
