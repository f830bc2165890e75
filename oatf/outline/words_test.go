package outline_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/outline"
)

// TestWords: triggers and indicators in words.
func TestWords(t *testing.T) {
	const head = "oatf: \"0.1\"\nattack:\n  execution:\n    mode: mcp_server\n    phases:\n      - {state: {}, trigger: TRIGGER}\n      - {}\n  indicators: [INDICATOR]\n"
	show := func(trigger, indicator string) *outline.Outline {
		return outline.Of(parsed(t, strings.NewReplacer("TRIGGER", trigger, "INDICATOR", indicator).Replace(head)))
	}
	for trigger, want := range map[string]string{
		`{event: tools/list}`:                               "tools/list",
		`{event: "tools/call:calc", count: 3, after: PT5M}`: "3 × tools/call:calc, or PT5M",
		`{after: 30s}`:                                      "30s",
		`{event: tools/call, match: {name: calc, a.b: {gt: 1.50, lte: 3}}}`:                  `tools/call where name is "calc" and a.b is > 1.50 and is ≤ 3`,
		`{event: tools/call, match: {a: {exists: false}, b: null, c: {any_of: [1, x]}}}`:     `tools/call where a is not there and b is null and c is one of 1, "x"`,
		`{event: tools/call, match: {a: {starts_with: "~/", regex: "\\.ssh", contains: é}}}`: `tools/call where a contains "é" and starts with "~/" and matches "\\.ssh"`,
	} {
		ph := show(trigger, "").Actors[0].Phases
		if got := ph[0].Trigger.String(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", trigger, got, want)
		}
		if got := ph[1].Trigger.String(); got != "" || !ph[1].Inherits {
			t.Errorf("the last phase: %q, inherits %v", got, ph[1].Inherits)
		}
	}
	for indicator, want := range map[string]string{
		`{surface: tool_arguments, pattern: {contains: key}}`:                                              `arguments contains "key"`,
		`{surface: tool_arguments, pattern: {target: "", condition: {ends_with: z}}}`:                      `the message ends with "z"`,
		`{surface: tool_arguments, expression: {cel: message.size() > 3}}`:                                 `message.size() > 3`,
		`{surface: tool_arguments, semantic: {target: a.b, intent: Steals a key}}`:                         `a.b means "Steals a key", with a score of 0.7 or more`,
		`{surface: tool_arguments, semantic: {intent: Steals, threshold: 0.9}}`:                            `arguments means "Steals", with a score of 0.9 or more`,
		`{surface: tool_arguments, pattern: {condition: {any_of: ["` + strings.Repeat("x", 3000) + `"]}}}`: `arguments is one of "` + strings.Repeat("x", outline.MostText) + `…"`,
	} {
		if got := show("{after: 1s}", indicator).Indicators[0].Looks; !strings.HasPrefix(want, strings.TrimSuffix(got, "…")) || len(got) > 2*outline.MostText {
			t.Errorf("%.80s:\n got %.100s\nwant %.100s", indicator, got, want)
		}
	}
}

// TestCaptures: who captures what, and who uses it.
func TestCaptures(t *testing.T) {
	o := outline.Of(parsed(t, `oatf: "0.1"
attack:
  execution:
    actors:
      - name: a
        mode: mcp_server
        phases:
          - state: {instructions: "{{later}} {{later}} {{request.x}} {{b.token}} {{nobody.x}}"}
            extractors: [{name: unused, source: request, type: regex, selector: "(.)"}]
            trigger: {event: tools/list}
          - extractors: [{name: later, source: request, type: json_path, selector: $.a}]
            on_enter: [log: {message: "{{later}}"}]
      - name: b
        mode: a2a_server
        phases:
          - state: {agent_card: {name: x}}
            extractors: [{name: token, source: request, type: json_path, selector: $.a}]
`))
	uses := func(list []outline.Use) (text string) {
		for _, u := range list {
			text += u.Actor + "." + u.Name + "@" + u.Phase + " "
		}
		return text
	}
	a, b := o.Actors[0].Phases, o.Actors[1].Phases
	if got := uses(a[0].Uses); got != "a.later@phase-2 b.token@phase-1 nobody.x@ " {
		t.Error(got)
	}
	if got := uses(a[1].Uses); got != "a.later@phase-2 " {
		t.Error(got)
	}
	if a[0].Extractors[0].Used || !a[1].Extractors[0].Used || !b[0].Extractors[0].Used {
		t.Errorf("%+v %+v %+v", a[0].Extractors, a[1].Extractors, b[0].Extractors)
	}
}
