package migrate

import (
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestLawOfLater draws documents of the later revision, which come back from the earlier with
// their meaning and their comments. There they have no fault that they did not have, except for
// surfaces that are missing and events that it does not have.
func TestLawOfLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &later{generator{T: t}}
		doc := g.document()
		text := print(t, doc)
		there := move(t, text, oatf.V202603, oatf.SDK01)
		back := move(t, there, oatf.SDK01, oatf.V202603)
		if diff := gocmp.Diff(unordered(doc), means(t, back)); diff != "" {
			t.Fatalf("-before +back\n%s\n%s\nby way of\n%s", diff, text, there)
		}
		for _, now := range []string{there, back} {
			if was, is := remarks(text), remarks(now); !slices.Equal(was, is) {
				t.Fatalf("comments %q, expected %q\n%s\nbecame\n%s", is, was, text, now)
			}
		}
		if faults(text, oatf.V202603) != "" {
			return
		}
		for fault := range strings.Lines(faults(there, oatf.SDK01)) {
			missing := strings.HasPrefix(fault, "P-002 ") && strings.Contains(fault, ".surface: ")
			if !missing && !strings.HasPrefix(fault, "V-029 ") {
				t.Fatalf("%s\n%s\nbecame\n%s", fault, text, there)
			}
		}
	})
}

// later draws what a document of the later revision says.
type later struct{ generator }

func (g *later) document() model.Object {
	mode := g.one("mode", append([]string{"own_server"}, drawnModes...)...)
	execution := object("mode", mode, "phases", g.phases(mode))
	if g.yes("actors") {
		other := g.one("mode", drawnModes...)
		execution = object("actors", []model.Value{
			object("name", "one", "mode", mode, "phases", g.phases(mode)), object("name", "two", "mode", other, "phases", g.phases(other)),
		})
	}
	return object("oatf", "0.1", "attack", object("execution", execution, "indicators",
		append([]model.Value{g.indicator()}, g.list(3, func() model.Value { return g.indicator() })...)))
}

func (g *later) phases(mode string) []model.Value {
	phase := func() model.Value {
		return object("state", g.state(mode), "on_enter", g.maybe([]model.Value{g.action(), g.action()}), "trigger", g.trigger(mode))
	}
	return append(append([]model.Value{phase()}, g.list(2, phase)...), object("name", "last"))
}

func (g *later) action() model.Value {
	return rapid.SampledFrom([]model.Value{
		object("send", object("method", "notifications/a")), object("send", object("method", "notifications/a", "params", "a")),
		object("send", object("method", "elicitation/create", "params", object("message", "m", "mode", "url"))),
		object("send", object("method", "elicitation/create", "params", object("mode", "own"))),
		object("send", object("method", "own", "params", []model.Value{"a"}), "x-a", "b"),
		object("send_notification", object("method", "notifications/a")), object("send_notification", "a"),
		object("send_elicitation", object("message", "m")), object("send_elicitation", object()),
		object("send_push_notification", object("url", "u")), object("log", object("message", "l")),
	}).Draw(g.T, "action")
}

func (g *later) trigger(mode string) model.Value {
	event := g.one("event", append([]string{"tasks/pushNotificationConfig/set", "tasks/pushNotification/set", "tools/call:a", "own"}, drawnEvents[mode]...)...)
	var match model.Object
	for _, key := range []string{"name", "params.name", "arguments.path", "toolCallName", "status.state"} {
		if g.n("match", 3) == 3 {
			match = append(match, model.Member{Key: key, Value: rapid.SampledFrom([]model.Value{"add", "a b", object("contains", "a"), model.Number("1")}).Draw(g.T, "condition")})
		}
	}
	var v model.Value
	if match != nil || g.n("empty", 5) == 5 {
		v = slices.Concat(model.Object{}, match)
	}
	return object("event", event, "count", g.maybe(model.Number("2")), "match", v)
}

// generated returns a block synthesize, or none.
func (g *later) generated() model.Value {
	return rapid.SampledFrom([]model.Value{nil, nil, object(), true, object("prompt", ""), object("prompt", "p")}).Draw(g.T, "synthesize")
}

// answers are entries of which the first alone may be without a predicate.
func (g *later) answers(content ...model.Value) []model.Value {
	first := g.yes("first")
	return g.list(2, func() model.Value {
		entry := object("content", rapid.SampledFrom(append(content, nil)).Draw(g.T, "content"), "synthesize", g.generated(), "x-own", g.maybe("x"))
		if !first {
			entry = append(object("when", object("arguments.a", "b")), entry...)
		}
		first = false
		return entry
	})
}

func (g *later) state(mode string) model.Value {
	whole := object("content", g.content(), "isError", g.maybe(true), "_meta", g.maybe(object("a", "b")))
	task := object("id", g.maybe("t"), "status", rapid.SampledFrom([]model.Value{object("state", "working"), object("state", "failed", "message", "m"), "a"}).Draw(g.T, "status"), "artifacts", g.maybe([]model.Value{}))
	message := object("role", "user", "parts", []model.Value{})
	switch mode {
	case "mcp_server":
		return object("resource_templates", g.maybe([]model.Value{}), "tools", g.list(2, func() model.Value {
			return object("name", "t", "response", g.maybe(object("content", g.content())), "responses", g.maybe(g.answers(whole, []model.Value{}, "text", object())))
		}), "sampling_responses", g.maybe(g.answers("a")), "task_responses", g.maybe(g.answers(task)))
	case "mcp_client":
		return object("actions", g.list(3, func() model.Value {
			return object("method", g.one("method", "tools/list", "tools/call", "own"), "params", g.maybe(object("name", "a")), "x-a", g.maybe("b"))
		}))
	case "a2a_server":
		return object("task_responses", g.answers(task, object("kind", "message"), "text"))
	case "a2a_client":
		return object("actions", g.list(3, func() model.Value {
			return object("method", g.one("method", "agent_card/get", "message/send", "message/stream", "own"), "params", g.maybe(object("message", message, "metadata", g.maybe(object()))))
		}))
	case "ag_ui_client":
		return object("run_agent_input", object("messages", g.maybe([]model.Value{}), "synthesize", g.generated()), "tool_responses", g.maybe(g.answers("a", object("a", "b"))))
	}
	return object("task_responses", g.maybe(g.answers(task)), "tools", g.maybe([]model.Value{object("responses", g.answers(whole))}))
}

func (g *later) indicator() model.Value {
	target := g.one("target", "", "arguments", "arguments.path", "tools[*].description", "content[*].text", "messages[*]", "status.state")
	own := g.maybe(g.one("own", "", "arguments", "a"))
	method := g.one("method", "pattern", "semantic", "expression")
	match := map[string]model.Object{"pattern": object("target", own, "contains", "a"), "semantic": object("target", own, "intent", "a"), "expression": object("cel", "message.a")}[method]
	return object("protocol", g.one("protocol", "mcp", "a2a", "ag_ui", "own"),
		"surface", g.maybe(g.one("surface", "tools/list", "tools/call", "resources/read", "sampling/createMessage", "agent_card/get", "run_agent_input", "own")),
		"target", target, "direction", g.maybe(g.one("direction", "request", "response")), "tier", g.maybe("ingested"), "method", g.maybe(method), method, match)
}
