package view_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

func viewOf(t *testing.T, attack string) *view.Document {
	t.Helper()
	doc, err := parse.Document([]byte("oatf: \"0.1\"\nattack:\n"+attack), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return view.Of(doc)
}

const actors = `  execution:
    actors:
      - name: one
        mode: mcp_server
        phases:
          - state:
              tools:
                - name: t
                  responses: [{when: {a: 1}, content: "{{x}}"}, {content: []}]
                  response: {content: []}
            extractors: [{name: x, source: request, type: regex, selector: a}]
            on_enter:
              - log: {message: "{{one.x}}"}
              - send_notification: {method: "{{m}}", params: {p: ["{{n}}"]}}
              - send_elicitation: {message: plain, url: "{{u}}", requestedSchema: {title: "{{s}}"}}
              - custom: "{{c}}"
            trigger: {event: tools/call}
          - mode: a2a_client
            extractors: [{name: y, source: request, type: regex, selector: a}, {name: x, source: request, type: regex, selector: a}]
      - name: two
        mode: a2a_server
        phases:
          - state: {task_responses: [{messages: []}], task_message: {parts: []}}
  indicators:
    - {surface: tool_name, protocol: mcp, pattern: {contains: a}}
    - {surface: tool_name, protocol: a2a, pattern: {contains: a}}
    - {surface: tool_name, pattern: {contains: a}}
`

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestActors shows the three forms of an execution as actors.
func TestActors(t *testing.T) {
	for _, c := range []struct{ attack, want string }{
		{"  execution: {mode: mcp_server, state: {}}\n", "default mcp_server: mcp_server at attack.execution"},
		{"  execution: {mode: mcp_server, phases: [{state: {}}, {mode: a2a_client}]}\n", "default mcp_server: mcp_server at attack.execution.phases[0], a2a_client at attack.execution.phases[1]"},
		{"  execution: {phases: [{state: {}}]}\n", "default :  at attack.execution.phases[0]"},
		{actors, "one mcp_server: mcp_server at attack.execution.actors[0].phases[0], a2a_client at attack.execution.actors[0].phases[1]; two a2a_server: a2a_server at attack.execution.actors[1].phases[0]"},
	} {
		d := viewOf(t, c.attack)
		var list []string
		for _, a := range d.Actors {
			var phases []string
			for _, ph := range a.Phases {
				phases = append(phases, string(ph.Mode)+" at "+ph.At.String())
			}
			list = append(list, fmt.Sprintf("%s %s: %s", a.Name, a.Mode, strings.Join(phases, ", ")))
			if a.Single != strings.Contains(c.attack, "mode: mcp_server, state") {
				t.Errorf("%s: single %v", c.attack, a.Single)
			}
		}
		expect(t, []string{strings.Join(list, "; ")}, c.want)
	}
}

// TestInheritedMode gives an actor without mode that of the execution.
func TestInheritedMode(t *testing.T) {
	mode := model.Mode("mcp_server")
	d := view.Of(&model.Document{Attack: model.Attack{Execution: model.Execution{Mode: &mode, Actors: []model.Actor{{Name: "a", Phases: []model.Phase{{}}}}}}})
	if a := d.Actors[0]; a.Mode != mode || a.Phases[0].Mode != mode {
		t.Errorf("%+v", a)
	}
	var modes []string
	d.EachMode(func(m model.Mode, at *place.Path) { modes = append(modes, string(m)+" "+at.String()) })
	expect(t, modes, "mcp_server attack.execution.mode")
}

func TestEachMode(t *testing.T) {
	var list []string
	viewOf(t, actors).EachMode(func(m model.Mode, at *place.Path) { list = append(list, string(m)+" "+at.String()) })
	expect(t, list,
		"mcp_server attack.execution.actors[0].mode", "a2a_server attack.execution.actors[1].mode",
		"a2a_client attack.execution.actors[0].phases[1].mode")
}

func TestIndicators(t *testing.T) {
	for _, c := range []struct {
		attack string
		want   []string
	}{
		{actors, []string{"mcp true", "a2a false", " false"}},
		{"  execution: {mode: mcp_server, state: {}}\n  indicators: [{surface: tool_name, pattern: {contains: a}}, {surface: no, pattern: {contains: a}}]\n", []string{"mcp true", "mcp false"}},
	} {
		d := viewOf(t, c.attack)
		var list []string
		d.EachIndicator(func(ind *model.Indicator, at *place.Path) {
			_, known := d.Surface(ind)
			list = append(list, fmt.Sprintf("%s %v", d.Protocol(ind), known))
			if want := fmt.Sprintf("attack.indicators[%d]", len(list)-1); at.String() != want {
				t.Errorf("%s, expected %s", at, want)
			}
		})
		expect(t, list, c.want...)
	}
}

func TestTemplates(t *testing.T) {
	d := viewOf(t, actors)
	var list []string
	d.EachTemplate(func(tpl view.Template) {
		list = append(list, fmt.Sprintf("%s %s", strings.TrimPrefix(tpl.At.String(), "attack.execution.actors[0].phases[0]."), tpl.Text))
		if tpl.Actor.Name != "one" || tpl.Phase != 0 {
			t.Errorf("%+v", tpl)
		}
	})
	expect(t, list,
		"state.tools[0].responses[0].content {{x}}", "on_enter[0].log.message {{one.x}}",
		"on_enter[1].send_notification.method {{m}}", "on_enter[1].send_notification.params.p[0] {{n}}",
		"on_enter[2].send_elicitation.requestedSchema.title {{s}}", "on_enter[2].send_elicitation.url {{u}}", "on_enter[3].custom {{c}}")
}

func TestExtractors(t *testing.T) {
	d := viewOf(t, actors)
	if got := fmt.Sprint(d.Extractors()); got != "map[one:map[x:true y:true] two:map[]]" {
		t.Error(got)
	}
	if got := fmt.Sprint(d.Actors[0].FirstCaptures()); got != "map[x:0 y:1]" {
		t.Error(got)
	}
}

func TestResponses(t *testing.T) {
	d := viewOf(t, actors)
	var list []string
	each := func(r *view.Responses) {
		for i := range r.Entries {
			list = append(list, strings.TrimPrefix(r.Entry(i).String(), "attack.execution.actors"))
		}
		if len(r.Entries) > 0 && !r.Single && !strings.HasSuffix(r.At().String(), r.Member) {
			t.Errorf("%s is at %s", r.Member, r.At())
		}
	}
	d.EachResponses(d.Profile.Responses, each)
	d.EachResponses(d.Profile.Loose, each)
	expect(t, list,
		"[0].phases[0].state.tools[0].responses[0]", "[0].phases[0].state.tools[0].responses[1]", "[0].phases[0].state.tools[0].response",
		"[1].phases[0].state.task_responses[0]", "[1].phases[0].state.task_message")
}

func TestMembers(t *testing.T) {
	o := model.Object{{Key: "a", Value: "text"}, {Key: "b", Value: nil}}
	if s, ok := view.MemberOf[string](o, "a"); s != "text" || !ok {
		t.Errorf("%q, %v", s, ok)
	}
	if _, ok := view.MemberOf[model.Number](o, "a"); ok {
		t.Error("text is a number")
	}
	if key, ok := view.HasAny(o, "b", "a"); key != "a" || !ok {
		t.Errorf("%q, %v", key, ok)
	}
	if key, ok := view.HasAny(o, "b"); ok {
		t.Errorf("%q is there", key)
	}
}
