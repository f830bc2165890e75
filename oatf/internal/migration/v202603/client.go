package v202603

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
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
	if bare, ok := action.Text(migration.Prefix + keptVerb); ok && len(action.Keys()) == 1 {
		list.Replace(list.Node, i, patch.Text(bare))
		return
	}
	for _, verb := range slices.Sorted(maps.Keys(verbs)) {
		if action.Restore(verb) {
			return
		}
	}
	if action.Restore("method") {
		action.Restore("params")
		return
	}
	for _, key := range action.Keys() {
		if method := verbs[key]; method != "" && action.Name(key, "params") {
			action.PutFirst("method", patch.Text(method), "params")
			return
		}
	}
}

// downVerb replaces the method in an MCP client's action by a verb.
func downVerb(list migration.Object, item *yaml.Node, i int) {
	action := migration.Object{Document: list.Document, Node: item, Path: list.Path.Element(i)}
	method, ok := action.Text("method")
	if !ok {
		if action.Restore("method") {
			action.Restore("params")
			return
		}
		loseVerb(list, action, i)
		return
	}
	verb := verbOf(method)
	others := slices.DeleteFunc(action.Keys(), func(key string) bool { return key == "method" || key == "params" })
	switch {
	case verb == "" || slices.ContainsFunc(others, func(key string) bool { return !strings.HasPrefix(key, "x-") }),
		!action.Has("params") && len(others) > 0:
		action.Lose("method", "the action %s has no counterpart in %s", say.Quoted(method), earlier)
		action.Keep("params")
	case action.Has("params"):
		action.Drop("method")
		action.Name("params", verb)
	default:
		list.Replace(list.Node, i, patch.Text(verb))
	}
}

// keptVerb keeps a standalone verb.
const keptVerb = "verb"

// loseVerb keeps a key that the earlier revision would interpret as a verb.
func loseVerb(list, action migration.Object, i int) {
	verb, bare := migration.String(action.Node)
	if bare && verbs[verb] != "" {
		list.Lost("", "the verb %s has no meaning in %s, but has one in %s; kept as %s%s", verb, later, earlier, migration.Prefix, keptVerb)
		list.Replace(list.Node, i, patch.Flow(patch.Mapping(patch.Text(migration.Prefix+keptVerb), patch.Text(verb))))
		return
	}
	for _, key := range action.Keys() {
		if verbs[key] != "" {
			action.Lose(key, "the verb %s has no meaning in %s, but has one in %s", key, later, earlier)
			return
		}
	}
}

func verbOf(method string) string {
	for _, verb := range slices.Sorted(maps.Keys(verbs)) {
		if verbs[verb] == method {
			return verb
		}
	}
	return ""
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
	} else if state.Restore("actions") {
		return
	}
	if !state.HasAny(taskKeys...) {
		for _, key := range taskKeys {
			state.Restore(key)
		}
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
		value, _ := migration.Bool(state.Value(key))
		switch {
		case !state.Has(key):
		case value == (key == fetchCard):
			state.Keep(key) // it says what holds without it
		default:
			state.Drop(key)
		}
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

// downTask converts an A2A client's actions to a task_message: one message, and optionally a request for the
// agent's card before it.
func downTask(state migration.Object) {
	if !state.Has("actions") {
		for _, key := range taskKeys {
			if state.Has(key) {
				state.Lose(key, meansNothing, key, later, earlier)
				continue
			}
			state.Restore(key)
		}
		state.Restore("actions")
		return
	}
	list := state.Value("actions")
	var items []*yaml.Node
	if list.Kind == yaml.SequenceNode {
		items = state.Content(list)
	}
	fetch := len(items) > 0 && isFetch(state, items[0])
	if fetch {
		items = items[1:]
	}
	if len(items) != 1 || !isMessage(state, items[0]) || state.HasAny(taskKeys...) {
		state.Lose("actions", "the actions have no counterpart in %s: a client sends one message there", earlier)
		return
	}
	method, _ := migration.String(state.Get(items[0], "method"))
	params := state.Content(state.Get(items[0], "params"))
	at := state.Index(state.Node, "actions")
	state.Remove(state.Node, at)
	state.Insert(state.Node, at, state.Called(params[0], "task_message"), params[1])
	setFlag(state, streaming, method == streamMessage, false)
	setFlag(state, fetchCard, fetch, true)
	state.Restore("actions")
}

// setFlag sets a flag that differs from the default, or was explicit.
func setFlag(state migration.Object, key string, value, without bool) {
	kept, _ := migration.Bool(state.Value(migration.Prefix + key))
	switch {
	case state.Has(migration.Prefix+key) && kept == value:
		state.Restore(key)
	case value != without:
		state.Put(key, patch.Plain(strconv.FormatBool(value)), "task_message")
	}
}

func isFetch(state migration.Object, item *yaml.Node) bool {
	method, _ := migration.String(state.Get(item, "method"))
	return method == getCard && len(state.Content(item)) == 2
}

func isMessage(state migration.Object, item *yaml.Node) bool {
	method, _ := migration.String(state.Get(item, "method"))
	params := state.Get(item, "params")
	message := state.Get(params, "message")
	return (method == sendMessage || method == streamMessage) && len(state.Content(item)) == 4 &&
		message != nil && message.Kind == yaml.MappingNode && len(state.Content(params)) == 2 && state.Index(message, "synthesize") < 0
}

// keptSynthesize keeps a member of an agent's input that the earlier revision forbids next to others.
const keptSynthesize = "run_agent_input.synthesize"

// upInput restores what downInput kept.
func upInput(state migration.Object) {
	input := state.Child("run_agent_input")
	if input.Node != nil && state.Has(migration.Prefix+keptSynthesize) && !input.Has("synthesize") {
		input.Put("synthesize", state.Drop(migration.Prefix+keptSynthesize))
	}
}

// downInput keeps synthesize in an agent's input if the earlier revision does not allow it.
func downInput(state migration.Object) {
	input := state.Child("run_agent_input")
	prompt, _ := input.Child("synthesize").Text("prompt")
	if isNone(input.Value("synthesize")) || prompt != "" && !input.Has("messages") {
		return
	}
	input.Lost("synthesize", "synthesize together with messages, or without a prompt, has no counterpart in %s; kept as %s%s", earlier, migration.Prefix, keptSynthesize)
	state.Put(migration.Prefix+keptSynthesize, input.Drop("synthesize"), "run_agent_input")
}
