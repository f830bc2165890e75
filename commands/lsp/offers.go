package lspcmd

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/draft"
	"github.com/cupel-dev/cupel/oatf"
)

// offeredBy maps events of mcp_server to the lists in its state whose names a trigger can refer to.
var offeredBy = map[string]struct{ list, title string }{
	"tools/call":  {"tools", "a tool that the phase offers"},
	"prompts/get": {"prompts", "a prompt that the phase offers"},
}

// maxOffered limits the completed names per list.
const maxOffered = 100

// offeredWords returns words from the state of a trigger's phase: qualifiers after the event, or matched names.
func offeredWords(revision oatf.Revision, at *draft.Node, mode oatf.Mode) (words []editorWord) {
	if mode != "mcp_server" {
		return nil
	}
	qualified := revision != oatf.V202603
	switch trigger := at.Parent; {
	case qualified && at.Key == "event" && trigger != nil && trigger.Key == "trigger":
		for _, event := range []string{"tools/call", "prompts/get"} {
			words = append(words, namesOffered(trigger.Parent, event, event+":")...)
		}
	case !qualified && at.Key == "name" && trigger != nil && trigger.Key == "match" && trigger.Parent.Key == "trigger":
		words = namesOffered(trigger.Parent.Parent, trigger.Parent.Text("event"), "")
	}
	return words
}

// namesOffered returns the names in a phase's state with a prefix.
func namesOffered(phase *draft.Node, event, before string) (words []editorWord) {
	offer, ok := offeredBy[event]
	if !ok {
		return nil
	}
	for _, item := range stateOf(phase).Child(offer.list).Elements() {
		name := item.Text("name")
		if name != "" && !strings.Contains(name, "{{") && len(words) < maxOffered {
			words = append(words, editorWord{text: before + name, title: offer.title, reference: true})
		}
	}
	return words
}

// stateOf returns the state of a phase: its own, or that of the last phase before it with one.
func stateOf(phase *draft.Node) *draft.Node {
	if phase == nil || phase.Parent == nil {
		return nil
	}
	phases := phase.Parent.Elements()
	for i := slices.Index(phases, phase); i >= 0; i-- {
		if state := phases[i].Child("state"); state != nil {
			return state
		}
	}
	return nil
}
