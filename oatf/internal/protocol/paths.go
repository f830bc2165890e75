package protocol

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Query selects the payloads in which a path begins.
type Query struct {
	Protocol  model.Protocol
	Operation string          // "" is every operation of the protocol
	Direction model.Direction // "" is both
}

// Why is why a path leads nowhere.
type Why uint8

// The reasons.
const (
	Leads       Why = iota // it can lead somewhere
	NoMember               // no payload has a member of that name there
	NoList                 // [*] follows a value that is never a list
	NoContainer            // a value that has no members or elements is before it
	AList                  // a name follows a list without [*]
)

// Outcome is where a path leads according to the table.
type Outcome struct {
	Why     Why
	Segment int      // the first segment that leads nowhere, from 0 on
	Names   []string // the members that the payloads have there, sorted
}

// Roots returns the shapes of the selected payloads in all revisions.
func (q Query) Roots() (trees []*Tree) {
	operations := All(q.Protocol)
	if q.Operation != "" {
		operations = nil
		for _, o := range Operations(q.Operation) {
			if o.Protocol == q.Protocol {
				operations = append(operations, o)
			}
		}
	}
	for _, o := range operations {
		event := !o.Asks()
		if q.Direction != model.DirectionResponse || event {
			trees = append(trees, o.Params)
		}
		if named[o.Name] {
			trees = append(trees, &Tree{Type: "object", Members: map[string]*Tree{"toolCallName": {Type: "string"}}})
		}
		if q.Direction == model.DirectionRequest || event {
			continue
		}
		trees = append(trees, o.Result, failure)
		trees = append(trees, unwrapped(o)...)
		if enriched[o.Name] && o.Params != nil {
			trees = append(trees, &Tree{Type: "object", Members: map[string]*Tree{"params": o.Params}})
		}
	}
	return slices.DeleteFunc(trees, func(t *Tree) bool { return t == nil })
}

// failure is the shape of an error answer.
var failure = &Tree{Type: "object", Members: map[string]*Tree{
	"code": {Type: "integer"}, "message": {Type: "string"}, "data": {Type: "any"},
}}

// enriched are the requests whose answers indicators see with the request's params.
var enriched = map[string]bool{"tools/call": true, "prompts/get": true}

// named are tool call events for which indicators see the tool's name. Only the first event contains it (format
// §7.3.2).
var named = map[string]bool{"tool_call_args": true, "tool_call_end": true}

// unwrapped returns the wrapped members of an A2A answer, because indicators see both forms.
func unwrapped(o *Operation) (list []*Tree) {
	if o.Protocol != "a2a" || Canonical(o.Name) != "message/send" && !o.Stream {
		return nil
	}
	for _, tree := range o.Result.expand(nil, 0) {
		for _, name := range []string{"task", "message", "statusUpdate", "artifactUpdate"} {
			if inner := tree.Members[name]; inner != nil && tree.Members["id"] == nil && tree.Members["kind"] == nil {
				list = append(list, inner)
			}
		}
	}
	return list
}

// Trace follows a wildcard dot-path ("content[*].text") through the payloads of a query. It succeeds for the empty
// path and for a query without payloads.
func Trace(q Query, path string) Outcome {
	at := q.Roots()
	if len(at) == 0 || path == "" {
		return Outcome{}
	}
	for i, segment := range strings.Split(path, ".") {
		name, fan := strings.CutSuffix(segment, "[*]")
		next, free := step(at, name, i == 0)
		if free {
			return Outcome{}
		}
		if len(next) == 0 {
			return noStep(at, i)
		}
		at = next
		if !fan {
			continue
		}
		var items []*Tree
		for _, t := range at {
			for _, one := range t.expand(nil, 0) {
				switch {
				case one.anything():
					return Outcome{}
				case one.Type == "array" && one.Items == nil:
					return Outcome{}
				case one.Type == "array":
					items = append(items, one.Items)
				}
			}
		}
		if len(items) == 0 {
			return Outcome{Why: NoList, Segment: i}
		}
		at = items
	}
	return Outcome{}
}

// Types returns the types of the values at a path, or nil if unknown.
func Types(q Query, path string) (kinds []string) {
	at := q.Roots()
	for i, segment := range strings.Split(path, ".") {
		name, fan := strings.CutSuffix(segment, "[*]")
		next, free := step(at, name, i == 0)
		if free {
			return nil
		}
		if at = next; !fan {
			continue
		}
		at = nil
		for _, t := range next {
			for _, one := range t.expand(nil, 0) {
				if one.Items != nil {
					at = append(at, one.Items)
				}
			}
		}
	}
	for _, t := range at {
		for _, one := range t.expand(nil, 0) {
			kinds = append(kinds, one.Type)
		}
	}
	return kinds
}

// step follows a name. free means that any value is possible.
func step(at []*Tree, name string, root bool) (next []*Tree, free bool) {
	for _, t := range at {
		for _, one := range t.expand(nil, 0) {
			member := one.Members[name]
			switch {
			case member != nil:
				next = append(next, member)
			case one.Map != nil:
				next = append(next, one.Map)
			case one.anything() || one.Extra && !root || name == "_meta":
				return nil, true
			}
		}
	}
	return next, false
}

// anything reports whether any value is possible below.
func (t *Tree) anything() bool {
	return t.Type == "any" || t.Open || t.Type == "object" && len(t.Members) == 0 && t.Map == nil
}

// noStep explains why no tree has the next segment.
func noStep(at []*Tree, segment int) Outcome {
	names := map[string]bool{}
	lists, objects := false, false
	for _, t := range at {
		for _, one := range t.expand(nil, 0) {
			lists = lists || one.Type == "array"
			objects = objects || one.Type == "object"
			for name := range one.Members {
				names[name] = true
			}
		}
	}
	o := Outcome{Why: NoContainer, Segment: segment, Names: slices.Sorted(maps.Keys(names))}
	switch {
	case objects:
		o.Why = NoMember
	case lists:
		o.Why = AList
	}
	return o
}

// Alias is a name that the known runner uses for something that no payload contains.
type Alias uint8

// The aliases.
const (
	NoAlias     Alias = iota
	AnswerText        // response.content and body: the text of the agent's answer
	TaskMessage       // a2a.task.message: the text of the message that was sent to an agent
	CallOfTool        // arguments and name of a tool call that represents a message to an agent
)

// AliasOf returns the alias at the start of a path. works means that indicators of the protocol get a value for it;
// the runner accepts some aliases for other protocols.
func AliasOf(protocol model.Protocol, path string) (alias Alias, works bool) {
	first, _, _ := strings.Cut(path, ".")
	first = strings.TrimSuffix(first, "[*]")
	switch {
	case path == "response.content" || path == "body":
		return AnswerText, protocol == "ag_ui"
	case path == "a2a.task.message":
		return TaskMessage, protocol == "a2a"
	case first == "arguments" && cmp.Or(protocol, "mcp") != "mcp", path == "name" && protocol == "a2a":
		return CallOfTool, protocol == "a2a"
	}
	return NoAlias, false
}
