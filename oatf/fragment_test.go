package oatf_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
)

// TestFragments reads parts of documents separately, and in a document.
func TestFragments(t *testing.T) {
	for text, fault := range map[string]string{
		`a`: "", `5`: "", `null`: "", `[1, {a: b}]`: "", `{a: 1.50}`: "", `{contains: x, gt: 1e400}`: "", `{any_of: [1, a, null, {exists: 1}]}`: "",
		`{exists: false}`: "", `"5"`: "", `true`: "", `{regex: null, lt: 3}`: "",
		`{contains: 5}`:                "contains: expected a string, found the number 5",
		`{contains: x, startswith: a}`: `startswith: unknown key "startswith"`,
		`{regex: null}`:                "the condition has no operator: regex is null",
	} {
		v, err := oatf.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		condition, err := oatf.ConditionOf(v)
		predicate, perr := oatf.PredicateOf(oatf.Object{{Key: "k", Value: v}})
		trigger, terr := oatf.TriggerOf(oatf.Object{{Key: "event", Value: "e"}, {Key: "match", Value: oatf.Object{{Key: "k", Value: v}}}})
		if fault != "" {
			if err == nil || err.Error() != fault {
				t.Errorf("%s: %v, expected %s", text, err, fault)
			}
			if perr == nil || terr == nil {
				t.Errorf("%s: %v, %v", text, perr, terr)
			}
			continue
		}
		if err != nil || perr != nil || terr != nil {
			t.Errorf("%s: %v, %v, %v", text, err, perr, terr)
			continue
		}
		doc, err := oatf.Parse(fmt.Appendf(nil, "oatf: \"0.1\"\nattack: {execution: {mode: mcp_server, phases: [{state: {}, trigger: {event: e, match: {k: %s}}}]}}", text))
		if err != nil {
			t.Fatal(err)
		}
		want := doc.Attack.Execution.Phases[0].Trigger
		if !reflect.DeepEqual(*condition, want.Match[0].Condition) || !reflect.DeepEqual(predicate, want.Match) || !reflect.DeepEqual(trigger, want) {
			t.Errorf("%s: %+v, %+v, %+v, expected %+v", text, condition, predicate, trigger, want)
		}
	}
}

func TestNoPredicate(t *testing.T) {
	for _, v := range []oatf.Value{nil, "a", []oatf.Value{}, oatf.Number("1"), true} {
		if p, err := oatf.PredicateOf(v); err == nil {
			t.Errorf("%v is %v", v, p)
		}
	}
	if p, err := oatf.PredicateOf(oatf.Object{}); err != nil || p == nil || len(p) > 0 {
		t.Errorf("%v, %v", p, err)
	}
}

func TestResponseOf(t *testing.T) {
	for text, want := range map[string]string{
		`{content: x}`: "no when, no prompt, 1 static",
		`{when: {}, isError: true, content: [a]}`:       "when, no prompt, 2 static",
		`{when: null, synthesize: null}`:                "no when, no prompt, 0 static",
		`{when: {a: 1}, synthesize: {prompt: "{{x}}"}}`: "when, prompt {{x}}, 0 static",
		`{when: 1}`:                 "when: expected a mapping of dot-paths to conditions, found the number 1",
		`{synthesize: {prompt: 1}}`: "synthesize: expected a mapping with a prompt (a string)",
		`{synthesize: a}`:           "synthesize: expected a mapping with a prompt (a string)",
		`[]`:                        "expected a mapping with the response",
		`null`:                      "expected a mapping with the response",
	} {
		v, err := oatf.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		entry, err := oatf.ResponseOf(v)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			when, prompt := "no when", "no prompt"
			if entry.When != nil {
				when = "when"
			}
			if entry.Synthesize != nil {
				prompt = "prompt " + entry.Synthesize.Prompt
			}
			got = fmt.Sprintf("%s, %s, %d static", when, prompt, len(entry.Static))
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
}
