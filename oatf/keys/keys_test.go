package keys_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/keys"
)

// places are mappings of a document, each with a text that contains it and %s for one of its keys.
var places = []struct{ path, text string }{
	{"", "oatf: '0.1'\n%s: 1\nattack: {execution: {}}\n"},
	{"attack.severity", "oatf: '0.1'\nattack: {severity: {%s: 1}, execution: {}}\n"},
	{"attack.classification", "oatf: '0.1'\nattack: {classification: {%s: 1}, execution: {}}\n"},
	{"attack.classification.mappings.[]", "oatf: '0.1'\nattack: {classification: {mappings: [{%s: 1}]}, execution: {}}\n"},
	{"attack.references.[]", "oatf: '0.1'\nattack: {references: [{%s: 1}], execution: {}}\n"},
	{"attack.correlation", "oatf: '0.1'\nattack: {correlation: {%s: 1}, execution: {}}\n"},
	{"attack", "oatf: '0.1'\nattack: {%s: 1, execution: {}}\n"},
	{"attack.execution", "oatf: '0.1'\nattack: {execution: {%s: 1}}\n"},
	{"attack.execution.actors.[]", "oatf: '0.1'\nattack: {execution: {actors: [{%s: 1}]}}\n"},
	{"attack.execution.phases.[]", "oatf: '0.1'\nattack: {execution: {phases: [{%s: 1}]}}\n"},
	{"attack.execution.phases.[].extractors.[]", "oatf: '0.1'\nattack: {execution: {phases: [{extractors: [{%s: 1}]}]}}\n"},
	{"attack.execution.phases.[].trigger", "oatf: '0.1'\nattack: {execution: {phases: [{trigger: {%s: 1}}]}}\n"},
	{"attack.execution.phases.[].trigger.match.any", "oatf: '0.1'\nattack: {execution: {phases: [{trigger: {match: {a: {gt: 1, %s: 1}}}}]}}\n"},
	{"attack.execution.phases.[].on_enter.[].log", "oatf: '0.1'\nattack: {execution: {phases: [{on_enter: [{log: {%s: 1}}]}]}}\n"},
	{"attack.indicators.[]", "oatf: '0.1'\nattack: {execution: {}, indicators: [{%s: 1}]}\n"},
	{"attack.indicators.[].pattern", "oatf: '0.1'\nattack: {execution: {}, indicators: [{pattern: {%s: 1}}]}\n"},
	{"attack.indicators.[].expression", "oatf: '0.1'\nattack: {execution: {}, indicators: [{expression: {%s: 1}}]}\n"},
	{"attack.indicators.[].semantic", "oatf: '0.1'\nattack: {execution: {}, indicators: [{semantic: {%s: 1}}]}\n"},
	{"attack.indicators.[].semantic.examples", "oatf: '0.1'\nattack: {execution: {}, indicators: [{semantic: {examples: {%s: 1}}}]}\n"},
}

func steps(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, ".")
}

// unknownKeys returns the keys that a text has and the parser does not know, with what it says of
// them.
func unknownKeys(r oatf.Revision, text string) (list []string) {
	for _, f := range (oatf.CheckOptions{Revision: r}).Check([]byte(text)).Findings {
		if strings.HasPrefix(f.Message, "unknown key") {
			list = append(list, f.Help)
		}
	}
	return list
}

// TestKeysOfTheParser checks that the keys that the parser suggests for an unknown key are those of the table.
func TestKeysOfTheParser(t *testing.T) {
	for _, r := range oatf.Revisions() {
		for _, p := range places {
			var names []string
			for _, k := range keys.At(r, steps(p.path), keys.Where{}).Keys {
				names = append(names, k.Text)
				if k.Title == "" || !strings.Contains(k.Clause, "§") {
					t.Errorf("%s: %s: %q has title %q and clause %q", r, p.path, k.Text, k.Title, k.Clause)
				}
			}
			const stranger = "qqqqqqqq"
			helps := unknownKeys(r, fmt.Sprintf(p.text, stranger))
			known, ok := strings.CutPrefix(strings.Join(helps, "; "), "known here: ")
			want := strings.Split(known, ", ")
			slices.Sort(want)
			slices.Sort(names)
			if !ok || !slices.Equal(names, want) {
				t.Errorf("%s: %s has %q, the parser knows %q", r, p.path, names, want)
			}
		}
	}
}

// TestWords: the parser takes every word that the table has for a value.
func TestWords(t *testing.T) {
	words := 0
	for _, r := range oatf.Revisions() {
		for _, p := range places {
			for _, k := range keys.At(r, steps(p.path), keys.Where{}).Keys {
				for _, w := range keys.At(r, append(steps(p.path), k.Text), keys.Where{}).Words {
					words++
					if w.Title == "" {
						t.Errorf("%s: %s.%s: nothing is said of %q", r, p.path, k.Text, w.Text)
					}
					text := strings.Replace(p.text, "%s: 1", k.Text+": "+w.Text, 1)
					for _, f := range (oatf.CheckOptions{Revision: r}).Check([]byte(text)).Findings {
						if f.Rule == "P-003" || strings.Contains(f.Message, "version") {
							t.Errorf("%s: %s: %s", r, text, f.Message)
						}
					}
				}
			}
		}
	}
	if words == 0 {
		t.Error("no words")
	}
}

// TestWhere: events are those of the mode, surfaces those of the protocol.
func TestWhere(t *testing.T) {
	for _, r := range oatf.Revisions() {
		for _, mode := range oatf.KnownModes() {
			var names []string
			for _, w := range keys.At(r, steps("attack.execution.phases.[].trigger.event"), keys.Where{Mode: mode}).Words {
				names = append(names, w.Text)
			}
			if want := oatf.Under(r).Events(mode); !slices.Equal(names, want) {
				t.Errorf("%s: %s has %q, expected %q", r, mode, names, want)
			}
			if len(keys.At(r, steps("attack.execution.state"), keys.Where{Mode: mode}).Keys) == 0 {
				t.Errorf("%s: nothing is known of the state of %s", r, mode)
			}
		}
		all, seen := keys.At(r, steps("attack.indicators.[].surface"), keys.Where{}).Words, 0
		for _, protocol := range oatf.KnownProtocols() {
			seen += len(keys.At(r, steps("attack.indicators.[].surface"), keys.Where{Protocol: protocol}).Words)
		}
		if len(all) != seen || len(all) != len(oatf.Under(r).Surfaces()) {
			t.Errorf("%s: %d surfaces, %d by protocols", r, len(all), seen)
		}
	}
	for _, path := range []string{"nothing", "attack.nothing", "attack.[]", "oatf.[]", "attack.indicators.[].pattern.any_of.[].x"} {
		if p := keys.At(oatf.SDK01, steps(path), keys.Where{}); len(p.Keys)+len(p.Words) > 0 {
			t.Errorf("%s has %+v", path, p)
		}
	}
}
