package migrate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/migration/v202603"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestLaw draws documents of the earlier revision, in any style, with comments anywhere. The result has all comments
// and no new fault, and its meaning does not depend on the style.
func TestLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &generator{T: t}
		doc := g.document()
		text, other := print(t, doc), print(t, doc)
		there := move(t, text)
		if diff := gocmp.Diff(means(t, there), means(t, move(t, other))); diff != "" {
			t.Fatalf("-one style +another\n%s\n%s\n%s", diff, text, other)
		}
		if was, is := remarks(text), remarks(there); !slices.Equal(was, is) {
			t.Fatalf("comments %q, expected %q\n%s\nbecame\n%s", is, was, text, there)
		}
		if faults(text, oatf.SDK01) == "" && faults(there, oatf.V202603) != "" {
			t.Fatalf("%s\n%s\nbecame\n%s", faults(there, oatf.V202603), text, there)
		}
	})
}

// faults returns the errors of a text.
func faults(text string, r oatf.Revision) string {
	var b strings.Builder
	for _, f := range oatf.Check([]byte(text), oatf.CheckOptions{Revision: r}) {
		if f.Severity == oatf.SeverityError {
			fmt.Fprintf(&b, "%s %s: %s\n", f.Rule, f.Path, f.Message)
		}
	}
	return b.String()
}

var remark = regexp.MustCompile(`# r[0-9]+`)

func remarks(text string) []string {
	list := remark.FindAllString(text, -1)
	slices.Sort(list)
	return list
}

func move(t *rapid.T, text string) string {
	result, err := Options{From: oatf.SDK01}.Migrate([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return apply(t, text, result)
}

// generator draws what a document says.
type generator struct{ *rapid.T }

func (g *generator) one(label string, of ...string) string {
	return rapid.SampledFrom(of).Draw(g.T, label)
}
func (g *generator) yes(label string) bool { return rapid.Bool().Draw(g.T, label) }
func (g *generator) n(label string, most int) int {
	return rapid.IntRange(0, most).Draw(g.T, label)
}

func object(pairs ...any) model.Object {
	var o model.Object
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != nil {
			o = append(o, model.Member{Key: pairs[i].(string), Value: pairs[i+1]})
		}
	}
	return o
}

func (g *generator) maybe(v model.Value) model.Value {
	if g.yes("there") {
		return v
	}
	return nil
}

func (g *generator) list(most int, item func() model.Value) []model.Value {
	list := []model.Value{}
	for range g.n("items", most) {
		list = append(list, item())
	}
	return list
}

var drawnModes = []string{"mcp_server", "mcp_client", "a2a_server", "a2a_client", "ag_ui_client"}

func (g *generator) document() model.Object {
	var execution model.Object
	mode := g.one("mode", drawnModes...)
	switch g.n("form", 2) {
	case 0:
		execution = object("mode", mode, "state", g.state(mode))
	case 1:
		execution = object("mode", mode, "phases", g.phases(mode))
	default:
		other := g.one("mode", drawnModes...)
		execution = object("actors", []model.Value{
			object("name", "one", "mode", mode, "phases", g.phases(mode)), object("name", "two", "mode", other, "phases", g.phases(other)),
		})
	}
	return object("oatf", "0.1", "attack", object("execution", execution, "indicators",
		append([]model.Value{g.indicator()}, g.list(3, func() model.Value { return g.indicator() })...)))
}

func (g *generator) phases(mode string) []model.Value {
	phases := []model.Value{g.phase(mode, true)}
	return append(append(phases, g.list(2, func() model.Value { return g.phase(mode, g.yes("stated")) })...), object("name", "last"))
}

func (g *generator) phase(mode string, stated bool) model.Value {
	var state model.Value
	if stated {
		state = g.state(mode)
	}
	return object("state", state,
		"extractors", g.maybe([]model.Value{object("name", "a", "source", "request", "type", "regex", "selector", g.one("selector", "a(b)", "ab", "(?:a)"))}),
		"on_enter", g.maybe([]model.Value{g.action()}), "trigger", g.trigger(mode))
}

func (g *generator) action() model.Value {
	return rapid.SampledFrom([]model.Value{
		object("send_notification", object("method", "notifications/tools/list_changed")),
		object("send_notification", object("method", "custom", "params", object("a", "b")), "x-a", "b"),
		object("send_elicitation", object("message", "m", "mode", "url", "url", "u")),
		object("log", object("message", "l")),
		object("delay_ms", model.Number("5")),
	}).Draw(g.T, "action")
}

// drawnEvents are events with possible qualifiers after a colon, and keys that they match.
var drawnEvents = map[string][]string{
	"mcp_server":   {"tools/call", "prompts/get", "tools/list"},
	"mcp_client":   {"tools/call", "sampling/createMessage", "notifications/resources/updated"},
	"a2a_server":   {"message/send", "tasks/pushNotification/set"},
	"a2a_client":   {"task/status", "message/send"},
	"ag_ui_client": {"tool_call_start", "tool_call_end", "custom", "interrupt"},
}

func (g *generator) trigger(mode string) model.Value {
	event := g.one("event", drawnEvents[mode]...) + g.one("qualifier", "", "", ":add", ":a-b_1", ":a b", ":")
	var match model.Object
	for _, key := range []string{"name", "params.name", "arguments.path", "params.arguments.path", "toolCallName", "status.state", "params"} {
		if g.n("match", 5) == 5 {
			match = append(match, model.Member{Key: key, Value: rapid.SampledFrom([]model.Value{"add", "a b", object("contains", "a"), model.Number("1")}).Draw(g.T, "condition")})
		}
	}
	var v model.Value
	if match != nil {
		v = match
	}
	return object("event", event, "count", g.maybe(model.Number("2")), "match", v)
}

func (g *generator) content() model.Value {
	return g.list(2, func() model.Value {
		return object("type", "text", "text", g.one("text", "a", "two\nlines\n", "b: c", "# d"))
	})
}

func (g *generator) entries(static func() model.Object) []model.Value {
	return g.list(2, func() model.Value {
		entry := static()
		if g.yes("when") {
			entry = append(object("when", object("arguments.a", "b")), entry...)
		}
		if g.yes("x") {
			entry = append(entry, model.Member{Key: "x-own", Value: "x"})
		}
		return entry
	})
}

func (g *generator) state(mode string) model.Value {
	message := object("role", "user", "parts", []model.Value{object("type", "text", "text", "t")})
	switch mode {
	case "mcp_server":
		return object("tools", g.list(2, func() model.Value {
			tool := object("name", "t")
			if g.n("single", 3) == 3 {
				return append(tool, object("response", object("content", g.content()))...)
			}
			return append(tool, object("responses", g.entries(func() model.Object {
				return object("content", g.maybe(g.content()), "isError", g.maybe(true), "structuredContent", g.maybe(object("a", "b")))
			}))...)
		}), "prompts", g.maybe([]model.Value{object("name", "p", "responses", g.entries(func() model.Object { return object("messages", []model.Value{}) }))}))
	case "mcp_client":
		verbs := []model.Value{"list_tools", object("list_tools", object()), object("call_tool", object("name", "a", "arguments", object("a", "b"))), object("get_task_result", object("taskId", "t"), "x-a", "b")}
		return object("actions", g.list(4, func() model.Value { return rapid.SampledFrom(verbs).Draw(g.T, "verb") }))
	case "a2a_server":
		return object("agent_card", object("name", "n"), "task_responses", g.entries(func() model.Object {
			return object("status", g.one("status", "working", "input-required"), "messages", g.maybe([]model.Value{message}), "artifacts", g.maybe([]model.Value{}))
		}))
	case "a2a_client":
		return object("streaming", g.maybe(g.yes("streaming")), "task_message", message, "fetch_agent_card", g.maybe(g.yes("card")))
	}
	return object("run_agent_input", object("threadId", "t", "runId", "r", "messages", []model.Value{}))
}

func (g *generator) indicator() model.Value {
	protocol := g.one("protocol", "mcp", "a2a", "ag_ui")
	names := v202603.SurfaceNames(model.Protocol(protocol))
	target := g.maybe(g.one("target", "", "arguments.path", "tools[*].description", "params", "params.a", "content[*].text", "messages[*]"))
	var match []any
	switch g.n("method", 2) {
	case 0:
		match = []any{"pattern", object("target", target, "contains", "a")}
	case 1:
		match = []any{"semantic", object("intent", "i", "target", target)}
	default:
		match = []any{"expression", object("cel", "message.a")}
	}
	return object(append([]any{"id", nil, "protocol", protocol, "surface", g.one("surface", names...), "description", g.maybe("d")}, match...)...)
}
