package outline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Part is a part of a phase's state: a tool, a message, an agent card.
type Part struct {
	Key    string `json:"key"`            // the member of the state: "tools"
	Name   string `json:"name,omitempty"` // name, address, method, id or role of an element, or ""
	Change Change `json:"change,omitempty"`
	Text   string `json:"text,omitempty"` // its description or content, else all of it as JSON; "" of one that is removed

	// Answers are the responses to requests for the element, as JSON.
	Answers []string `json:"answers,omitempty"`

	// Differs are the changed members.
	Differs []string `json:"differs,omitempty"`
}

// Change compares a part with the previous state. It is "" in the first state.
type Change string

// The changes.
const (
	Same    Change = "same"
	New     Change = "new"
	Changed Change = "changed"
	Removed Change = "removed"
)

// identity identifies a part across states.
type identity struct {
	key, name string
	number    int // index in equal keys and names
}

type piece struct {
	identity
	value model.Value
}

// partsOf returns the parts of a state, compared with the state before, which can be nil.
func partsOf(state, before model.Object) []Part {
	earlier := map[identity]model.Value{}
	was := pieces(before)
	for _, p := range was {
		earlier[p.identity] = p.value
	}
	parts := []Part{}
	now := map[identity]bool{}
	for _, p := range pieces(state) {
		now[p.identity] = true
		part := Part{Key: p.key, Name: cut(p.name), Text: textOf(p.value), Answers: answersOf(p.value)}
		if old, was := earlier[p.identity]; was {
			part.Change, part.Differs = compared(old, p.value)
		} else if before != nil {
			part.Change = New
		}
		parts = append(parts, part)
	}
	for _, p := range was {
		if !now[p.identity] {
			parts = append(parts, Part{Key: p.key, Name: cut(p.name), Change: Removed})
		}
	}
	return parts
}

func compared(old, now model.Value) (change Change, differs []string) {
	if value.Equal(old, now) {
		return Same, nil
	}
	before, was := old.(model.Object)
	after, is := now.(model.Object)
	if !was || !is {
		return Changed, nil
	}
	earlier := make(map[string]model.Value, len(before))
	for _, m := range before {
		earlier[m.Key] = m.Value
	}
	for _, m := range after {
		if v, had := earlier[m.Key]; !had || !value.Equal(v, m.Value) {
			differs = append(differs, cut(m.Key))
		}
		delete(earlier, m.Key)
	}
	for _, m := range before {
		if _, gone := earlier[m.Key]; gone {
			differs = append(differs, cut(m.Key))
		}
	}
	return Changed, differs
}

// pieces splits a state; list elements are separate.
func pieces(state model.Object) (list []piece) {
	seen := map[identity]int{}
	add := func(key, name string, v model.Value) {
		id := identity{key: key, name: name}
		seen[id]++
		id.number = seen[id]
		list = append(list, piece{id, v})
	}
	for _, m := range state {
		elements, isList := m.Value.([]model.Value)
		for _, v := range elements {
			add(m.Key, nameOf(v), v)
		}
		if !isList || len(elements) == 0 {
			add(m.Key, nameOf(m.Value), m.Value)
		}
	}
	return list
}

// names are the members that identify elements of a state.
var names = []string{"name", "uri", "uriTemplate", "method", "id", "role"}

func nameOf(v model.Value) string {
	switch v := v.(type) {
	case model.Object:
		for _, key := range names {
			named, _ := v.Get(key)
			if name, ok := named.(string); ok && name != "" {
				return name
			}
		}
		if len(v) == 1 && isObject(v[0].Value) { // an action, by its verb
			return v[0].Key
		}
	case string:
		return v
	}
	return ""
}

func isObject(v model.Value) bool { _, is := v.(model.Object); return is }

// texts are the members that describe an element for a reader.
var texts = []string{"description", "content", "text"}

func textOf(v model.Value) string {
	if o, ok := v.(model.Object); ok {
		for _, key := range texts {
			said, _ := o.Get(key)
			if text, ok := said.(string); ok && text != "" {
				return cut(strings.TrimSpace(text))
			}
		}
	}
	return jsonText(v)
}

// answersOf returns the responses that an element of a state has.
func answersOf(v model.Value) (answers []string) {
	o, _ := v.(model.Object)
	list, _ := o.Get("responses")
	entries, _ := list.([]model.Value)
	if one, is := o.Get("response"); is && one != nil {
		entries = append(slices.Clip(entries), one)
	}
	for _, entry := range entries {
		answers = append(answers, jsonText(entry))
	}
	return answers
}

func jsonText(v model.Value) string { return cut(string(oatf.AppendJSON(nil, v))) }

func actionText(a *oatf.Action, key string) string {
	switch {
	case key == "send" && a.Send != nil:
		return sent(a.Send.Method, a.Send.Params)
	case key == "send_notification" && a.SendNotification != nil:
		return sent(a.SendNotification.Method, a.SendNotification.Params)
	case key == "send_elicitation" && a.SendElicitation != nil:
		return cut(a.SendElicitation.Message)
	case key == "log" && a.Log != nil:
		return cut(a.Log.Message)
	}
	for _, m := range a.Binding {
		if m.Key == key {
			return jsonText(m.Value)
		}
	}
	return ""
}

// sent returns a message with its method, and parameters if any.
func sent(method string, params model.Value) string {
	if params == nil {
		return cut(method)
	}
	return cut(cut(method) + " " + jsonText(params))
}

func indicatorPath(i int) string { return "attack.indicators[" + strconv.Itoa(i) + "]" }
