package importer

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func sortNamed(list []namedNode) {
	slices.SortStableFunc(list, func(a, b namedNode) int { return strings.Compare(a.name, b.name) })
}

// messageEvents maps event names of the conventions before 1.37 to roles.
var messageEvents = map[string]string{
	"gen_ai.system.message": "system", "gen_ai.user.message": "user", "gen_ai.assistant.message": "assistant", "gen_ai.tool.message": "tool", "gen_ai.choice": "choice",
}

// detailEvents are the names of events whose attributes hold messages, in the conventions since 1.37.
var detailEvents = []string{"gen_ai.client.inference.operation.details", "gen_ai.content.prompt", "gen_ai.content.completion"}

// eventSpeech reads messages from the events of a span whose attributes have none.
func (r *record) eventSpeech(t *spanContent) {
	in, out := !t.in.says(), !t.out.says()
	asked := []byte{'['}
	for _, e := range r.events {
		role, ok := messageEvents[e.name]
		switch {
		case slices.Contains(detailEvents, e.name):
			details := record{m: r.m, node: e.node}
			details.setAll(e.attrs)
			details.setMembers("", e.body)
			if heard, kept := details.speech(inputs, "user", "gen_ai.input.messages"); in && heard.says() {
				t.in.join(heard, "")
				t.messages = firstNode(t.messages, kept)
			}
			if heard, _ := details.speech(outputs, "assistant", ""); out && heard.says() {
				t.out.join(heard, "")
			}
			r.lost = append(r.lost, details.lost...)
			if instructions := details.get("gen_ai.system_instructions"); !instructions.Missing() && len(t.system) == 0 {
				t.in.join(r.m.hear(instructions, "system"), "system")
			}
		case !ok:
		case role == "choice" && out:
			heard, _ := r.m.hearMessage(e, "assistant")
			t.out.join(heard, "")
		case role != "choice" && in:
			heard, text := r.m.hearMessage(e, role)
			t.in.join(heard, "")
			asked = append(append(separated(asked), text...), ' ')
		}
	}
	if len(asked) > 1 && t.messages.Missing() {
		t.messages = r.m.read(r.node, append(asked, ']'))
	}
}

func (m *maker) hearMessage(e event, role string) (s speech, text []byte) {
	fields := record{m: m, node: e.node}
	if body := m.parsed(m.unwrapped(e.body)); body.Is(strictjson.Object) {
		fields.setMembersPlain(body)
	} else if body.Is(strictjson.String) {
		fields.set("content", body)
	}
	if e.attrs.Is(strictjson.Array) {
		fields.setAll(e.attrs)
	} else {
		fields.setMembersPlain(e.attrs)
	}
	text = wording.AppendQuoted(append(text, `{"role":`...), role)
	member := func(name string, n strictjson.Node) {
		if !n.Missing() {
			text = append(wording.AppendQuoted(append(text, ','), name), ':')
			text = append(append(text, n.Raw()...), ' ')
		}
	}
	message := m.parsed(fields.get("message"))
	if cut := message; cut.Is(strictjson.String) && isCut(cut.TextBytes(nil)) {
		s.lost = append(s.lost, loss{what: lostCalls, why: "the JSON of a message is truncated", node: e.node})
	}
	content := fields.get("content", "gen_ai.event.content")
	if blocks := m.parsed(content); blocks.Is(strictjson.Array) {
		content = blocks
	}
	toolCalls := m.parsed(fields.get("tool_calls"))
	finish := fields.get("finish_reason")
	switch {
	case message.Is(strictjson.Object):
		content, toolCalls = firstNode(message.Last("content"), message.Last("parts"), content), firstNode(message.Last("tool_calls"), toolCalls)
		finish = firstNode(finish, message.Last("finish_reason"))
	case !message.Missing():
		content = firstNode(content, message)
	}
	member("content", content)
	member("tool_calls", toolCalls)
	if role == "tool" {
		member("tool_call_id", fields.get("id", "tool_call_id"))
		member("name", fields.get("name"))
	}
	member("finish_reason", finish)
	text = append(text, '}')
	node := m.read(e.node, text)
	heard := m.hear(node, role)
	s.join(heard, "")
	return s, text
}

// setMembersPlain adds the members of an object as attributes, with unchanged names.
func (r *record) setMembersPlain(n strictjson.Node) {
	if n.Is(strictjson.Object) {
		for member := range n.Children() {
			r.set(member.Key(), member)
		}
	}
}

func (m *maker) hearEvents(list strictjson.Node, role string) (s speech) {
	for one := range list.Children() {
		name, _ := firstOf(one, "event.name", "event_name").Text()
		who, ok := messageEvents[name]
		switch {
		case !ok:
		case (who == "choice") != (role == "assistant"):
		default:
			if who == "choice" {
				who = "assistant"
			}
			heard, _ := m.hearMessage(event{name: name, node: one, attrs: one}, who)
			s.join(heard, "")
		}
	}
	return s
}

// callEvents reads the arguments and result of a tool call from events if the attributes have none.
func (r *record) callEvents(t *spanContent) {
	for _, e := range r.events {
		fields := record{m: r.m, node: e.node}
		if e.attrs.Is(strictjson.Array) {
			fields.setAll(e.attrs)
		} else {
			fields.setMembersPlain(e.attrs)
		}
		switch e.name {
		case "gen_ai.tool.message":
			if t.args.Missing() {
				t.args = r.m.parsed(fields.get("content"))
			}
			if t.callID.Missing() {
				t.callID = fields.get("id")
			}
		case "gen_ai.choice":
			if t.result.Missing() {
				t.result = r.m.parsed(fields.get("message"))
			}
		case detailEvents[0]:
			in, _ := fields.speech(inputs, "assistant", "")
			out, _ := fields.speech(outputs, "tool", "")
			for _, c := range in.calls() {
				if t.args.Missing() {
					t.args = r.m.parsed(c.args)
				}
				if t.callID.Missing() {
					t.callID = c.id
				}
			}
			for _, result := range out.results() {
				if t.result.Missing() {
					t.result = r.m.parsed(result.result)
				}
			}
			r.lost = append(r.lost, fields.lost...)
		}
	}
	// The arguments can also be in the messages of the attributes.
	if t.args.Missing() {
		in, _ := r.speech([]string{"gen_ai.input.messages"}, "assistant", "")
		for _, c := range in.calls() {
			if t.args.Missing() {
				t.args, t.callID = r.m.parsed(c.args), firstNode(t.callID, c.id)
			}
		}
	}
	if t.result.Missing() {
		out, _ := r.speech([]string{"gen_ai.output.messages"}, "tool", "")
		for _, result := range out.results() {
			if t.result.Missing() {
				t.result = r.m.parsed(result.result)
			}
		}
	}
}
