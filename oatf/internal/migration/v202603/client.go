package v202603

import (
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
)

// upVerb replaces the verb in an MCP client's action by a method. A verb without parameters gets none.
func upVerb(list migration.Object, item *yaml.Node, i int) {
	action := migration.Object{Document: list.Document, Node: item, Path: list.Path.Element(i)}
	if verb, ok := migration.String(item); ok {
		if method := verbs[verb]; method != "" {
			now := patch.Mapping(patch.Text("method"), patch.Text(method))
			if list.Node.Style&yaml.FlowStyle != 0 {
				patch.Flow(now)
			}
			list.Replace(list.Node, i, now)
		}
		return
	}
	if item.Kind != yaml.MappingNode {
		return
	}
	if action.Has("method") {
		action.Lose("method", "the method of an action has no meaning in %s, but has one in %s", earlier, later)
		action.Keep("params")
		return
	}
	for _, key := range action.Keys() {
		if method := verbs[key]; method != "" && action.Name(key, "params") {
			action.PutFirst("method", patch.Text(method), "params")
			return
		}
	}
}

// Data of an A2A client in the earlier revision besides task_message.
const (
	streaming = "streaming"        // false unless stated
	fetchCard = "fetch_agent_card" // true unless stated
)

var taskKeys = []string{"task_message", streaming, fetchCard}

// The methods of that data.
const (
	getCard       = "agent_card/get"
	sendMessage   = "message/send"
	streamMessage = "message/stream"
)

// upTask converts an A2A client's messages to actions.
func upTask(state migration.Object) {
	if state.Has("actions") {
		state.Lose("actions", "the actions of an A2A client have no meaning in %s, but have one in %s", earlier, later)
	}
	if !state.HasAny(taskKeys...) {
		return
	}
	task := state.Child("task_message")
	stream, streamOK := flag(state, streaming, false)
	fetch, fetchOK := flag(state, fetchCard, true)
	if task.Node == nil || task.Has("synthesize") || !streamOK || !fetchOK {
		for _, key := range taskKeys {
			if state.Has(key) {
				state.Lose(key, "%s has no counterpart in %s, in this form", key, later)
			}
		}
		return
	}
	for _, key := range []string{streaming, fetchCard} {
		state.Drop(key)
	}
	method := map[bool]string{false: sendMessage, true: streamMessage}[stream]
	at := state.Index(state.Node, "task_message")
	key, message := state.Remove(state.Node, at)
	var items []*yaml.Node
	if fetch {
		items = append(items, patch.Mapping(patch.Text("method"), patch.Text(getCard)))
	}
	items = append(items, patch.Mapping(
		patch.Text("method"), patch.Text(method),
		patch.Text("params"), patch.Mapping(state.Called(key, "message"), message)))
	state.Insert(state.Node, at, patch.Text("actions"), patch.List(items...))
}

// flag returns a boolean of the state; ok is false for other types.
func flag(state migration.Object, key string, without bool) (value, ok bool) {
	node := state.Value(key)
	if node == nil {
		return without, true
	}
	return migration.Bool(node)
}
