package validate_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/validate"
)

// TestRulesOfLaterRevision draws documents of revision 2026-03 and compares what is found with what
// the text of the rules says of them, read without a thought for speed. Neither the order of
// the keys nor the form of the execution matters to it except for the paths.
func TestRulesOfLaterRevision(t *testing.T) {
	found := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		attack := drawAttack(t)
		want := naive(attack)
		for range 2 {
			text := shuffled(t, tree{"oatf": "0.1", "attack": attack})
			doc, err := parse.Document([]byte(text), parse.Options{Revision: "2026-03"})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			var got []string
			result := validate.Document(doc).Result()
			for _, e := range result.Errors {
				got = append(got, e.Rule+" "+e.Path)
			}
			for _, w := range result.Warnings {
				if w.Code != "W-001" { // the order of the keys is drawn
					got = append(got, w.Code+" "+w.Path)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("-naive +validate\n%s\n%s", diff, text)
			}
		}
		for _, f := range want {
			found[f[:5]]++
		}
	})
	if len(found) < 15 { // of 24: which of the rare ones come is chance
		t.Errorf("the documents break only %d rules", len(found))
	}
	t.Log(found)
}

// tree and list are a document as JSON has it.
type (
	tree = map[string]any
	list = []any
)

// shuffled spells a value as JSON with the keys of its mappings in any order.
func shuffled(t *rapid.T, v any) string {
	switch v := v.(type) {
	case tree:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		var parts []string
		for _, key := range rapid.Permutation(keys).Draw(t, "order") {
			parts = append(parts, shuffled(t, key)+": "+shuffled(t, v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case list:
		var parts []string
		for _, item := range v {
			parts = append(parts, shuffled(t, item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text, _ := json.Marshal(v)
	return string(text)
}

// sometimes adds a key to a mapping in one of two documents.
func sometimes(t *rapid.T, o tree, key string, draw func() any) {
	if rapid.Bool().Draw(t, key) {
		o[key] = draw()
	}
}

func one(t *rapid.T, of ...any) func() any {
	return func() any { return rapid.SampledFrom(of).Draw(t, "one") }
}

func some(t *rapid.T, least, most int, draw func(int) any) list {
	items := list{}
	for i := range rapid.IntRange(least, most).Draw(t, "number") {
		items = append(items, draw(i))
	}
	return items
}

var drawnModes = []any{"mcp_server", "mcp_client", "a2a_server", "ag_ui_client", "voice_server"}

func drawAttack(t *rapid.T) tree {
	attack, execution := tree{}, tree{}
	sometimes(t, attack, "impact", func() any {
		return some(t, 0, 3, func(int) any { return one(t, "data_exfiltration", "data_tampering", "service_disruption")() })
	})
	sometimes(t, attack, "correlation", one(t, tree{}, tree{"logic": "all"}))
	sometimes(t, attack, "indicators", func() any { return some(t, 0, 3, func(int) any { return drawIndicator(t) }) })
	attack["execution"] = execution
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 0:
		execution["mode"], execution["state"] = one(t, drawnModes...)(), drawState(t)
	case 1:
		execution["mode"], execution["phases"] = one(t, drawnModes...)(), drawPhases(t)
	case 2:
		execution["phases"] = drawPhases(t)
	case 3:
		execution["actors"] = some(t, 1, 2, func(i int) any {
			return tree{"name": fmt.Sprintf("actor%d", i), "mode": one(t, drawnModes...)(), "phases": drawPhases(t)}
		})
	}
	return attack
}

func drawPhases(t *rapid.T) list {
	number := rapid.IntRange(1, 3).Draw(t, "phases")
	phases := list{}
	for i := range number {
		ph := tree{}
		sometimes(t, ph, "mode", one(t, drawnModes...))
		if sometimes(t, ph, "state", func() any { return drawState(t) }); i == 0 {
			ph["state"] = drawState(t)
		}
		sometimes(t, ph, "extractors", func() any {
			return some(t, 0, 2, func(int) any {
				kind := one(t, "regex", "json_path")()
				selector := one(t, "(a)", "a", "(?:a)", "\\(a\\)", "(?P<x>a)")
				if kind == "json_path" {
					selector = one(t, "$.a")
				}
				return tree{"name": "x", "source": "request", "type": kind, "selector": selector()}
			})
		})
		sometimes(t, ph, "on_enter", func() any {
			return some(t, 0, 2, func(int) any {
				return one(t, tree{"log": tree{"message": "m"}}, tree{"send": tree{"method": "ping"}, "x-a": 1}, tree{"x-a": 1}, tree{},
					tree{"send": tree{"method": "ping"}, "log": tree{"message": "m"}}, tree{"own": nil}, tree{"send_notification": tree{}})()
			})
		})
		if i < number-1 || rapid.Bool().Draw(t, "ends") {
			trigger := tree{}
			sometimes(t, trigger, "event", one(t, "tools/call", "tools/call:a", "message/send", "run_started", "notifications/message", "nothing"))
			sometimes(t, trigger, "after", one(t, "1s"))
			sometimes(t, trigger, "count", one(t, 2))
			sometimes(t, trigger, "match", func() any { return drawPredicate(t) })
			ph["trigger"] = trigger
		}
		phases = append(phases, ph)
	}
	return phases
}

func drawPredicate(t *rapid.T) any { return tree{one(t, "a", "a.b-c", "a[0]", "")().(string): "x"} }

func drawState(t *rapid.T) any {
	entries := func() any {
		return some(t, 0, 3, func(int) any {
			entry := tree{}
			sometimes(t, entry, "when", func() any { return drawPredicate(t) })
			sometimes(t, entry, "content", one(t, tree{"synthesize": tree{}}, list{}))
			sometimes(t, entry, "synthesize", one(t, tree{}, tree{"prompt": ""}, tree{"prompt": "p"}))
			return entry
		})
	}
	owners := func() any {
		return some(t, 0, 2, func(int) any {
			owner := tree{"name": "a"}
			sometimes(t, owner, "responses", entries)
			sometimes(t, owner, "response", entries)
			return owner
		})
	}
	state := tree{}
	for _, key := range []string{"tools", "prompts", "resources"} {
		sometimes(t, state, key, owners)
	}
	for _, key := range []string{"sampling_responses", "elicitation_responses", "task_responses", "tool_responses", "elicitations", "other_responses"} {
		sometimes(t, state, key, entries)
	}
	sometimes(t, state, "run_agent_input", one(t, tree{}, tree{"synthesize": tree{"prompt": "p"}, "tool_responses": list{tree{}, tree{}}}))
	return state
}

func drawIndicator(t *rapid.T) tree {
	ind := tree{"target": one(t, "name", "a[*].b", "", "a[0]", "a..b")()}
	sometimes(t, ind, "surface", one(t, "tools/call", "message/send", "run_started", "tool_name", "tasks/get", ""))
	sometimes(t, ind, "protocol", one(t, "mcp", "a2a", "ag_ui", "own"))
	sometimes(t, ind, "actor", one(t, "default", "actor0", "actor1", "nobody"))
	sometimes(t, ind, "direction", one(t, "request", "response"))
	sometimes(t, ind, "method", one(t, "pattern", "expression", "semantic"))
	sometimes(t, ind, "tier", one(t, "ingested", "anything"))
	sometimes(t, ind, "pattern", one(t, tree{"contains": "a"}, tree{"target": "a[0]", "condition": "a"}))
	sometimes(t, ind, "expression", one(t, tree{"cel": "true"}))
	sometimes(t, ind, "semantic", one(t, tree{"intent": "i"}, tree{"intent": "i", "target": "[*]"}))
	return ind
}
