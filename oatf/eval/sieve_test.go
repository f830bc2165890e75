package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
)

// TestSieve holds that the sieve lets every text through that satisfies a condition, for
// all short texts, and that it holds anything back at all.
func TestSieve(t *testing.T) {
	var texts []string
	var grow func(text string, left int)
	grow = func(text string, left int) {
		texts = append(texts, text)
		if left > 0 {
			for _, piece := range []string{"a", "b", "\xff"} {
				grow(text+piece, left-1)
			}
		}
	}
	grow("", 4)
	held := 0
	for _, wanted := range append(texts, "abaababaa", strings.Repeat("ab", 300)) {
		for kind, c := range map[string]oatf.MatchCondition{
			"contains": {Contains: &wanted}, "starts_with": {StartsWith: &wanted}, "ends_with": {EndsWith: &wanted},
		} {
			n := needleOf(&oatf.Condition{Operators: &c})
			for _, text := range append(texts, "b"+wanted, wanted+"b", wanted+wanted) {
				holds := kind == "contains" && strings.Contains(text, wanted) ||
					kind == "starts_with" && strings.HasPrefix(text, wanted) || kind == "ends_with" && strings.HasSuffix(text, wanted)
				var s sieve
				s.fill(text)
				switch passes := s.passes(&n); {
				case holds && !passes:
					t.Fatalf("%s %q: %q is held back", kind, wanted, text)
				case !passes:
					held++
				}
			}
		}
	}
	if held == 0 {
		t.Fatal("nothing is held back")
	}
}

// TestConditionKey holds that conditions of different meaning have different keys.
func TestConditionKey(t *testing.T) {
	s := func(text string) *string { return &text }
	n := func(text string) *oatf.Number { return new(oatf.Number(text)) }
	keys := map[string]int{}
	list := []oatf.Condition{
		{Value: nil},
		{Value: "<nil>"},
		{Value: "null"},
		{Value: true},
		{Value: "true"},
		{Value: "42"},
		{Value: oatf.Number("42")},
		{Value: oatf.Number(".inf")},
		{Value: oatf.Number("-.inf")},
		{Value: "\xff"},
		{Value: "\xfe"},
		{Value: "\ufffd"},
		{Value: []oatf.Value{}},
		{Value: oatf.Object{}},
		{Value: []oatf.Value{nil}},
		{Value: []oatf.Value{oatf.Number(".inf")}},
		{Value: []oatf.Value{"a", "b"}},
		{Value: []oatf.Value{"a b"}},
		{Value: oatf.Object{{Key: "a", Value: "b"}}},
		{Operators: &oatf.MatchCondition{Contains: s("a")}},
		{Operators: &oatf.MatchCondition{StartsWith: s("a")}},
		{Operators: &oatf.MatchCondition{EndsWith: s("a")}},
		{Operators: &oatf.MatchCondition{Regex: s("a")}},
		{Operators: &oatf.MatchCondition{Contains: s("a"), Regex: s("a")}},
		{Operators: &oatf.MatchCondition{Contains: s(`a" a 3"a`)}},
		{Operators: &oatf.MatchCondition{GT: n("1")}},
		{Operators: &oatf.MatchCondition{LT: n("1")}},
		{Operators: &oatf.MatchCondition{GTE: n("1")}},
		{Operators: &oatf.MatchCondition{LTE: n("1")}},
		{Operators: &oatf.MatchCondition{LTE: n("1.0")}},
		{Operators: &oatf.MatchCondition{AnyOf: []oatf.Value{}}},
		{Operators: &oatf.MatchCondition{AnyOf: []oatf.Value{"1"}}},
		{Operators: &oatf.MatchCondition{AnyOf: []oatf.Value{oatf.Number("1")}}},
		{Operators: &oatf.MatchCondition{Exists: new(true)}},
		{Operators: &oatf.MatchCondition{Exists: new(false)}},
	}
	for i := range list {
		key := conditionKey(&list[i])
		if j, seen := keys[key]; seen {
			t.Errorf("conditions %d and %d have the key %q", i, j, key)
		}
		keys[key] = i
		if again := list[i]; conditionKey(&again) != key {
			t.Errorf("condition %d has two keys", i)
		}
	}
}

// TestClasses: messages to which the same indicators apply share what is remembered of
// them, and what is remembered is bounded.
func TestClasses(t *testing.T) {
	doc := &oatf.Document{}
	for i := range 100 {
		target := fmt.Sprintf("a%d", i)
		doc.Attack.Indicators = append(doc.Attack.Indicators, oatf.Indicator{
			Surface: new(oatf.Surface("tool_name")), Protocol: new(oatf.Protocol(fmt.Sprintf("p%d", i/2))), Pattern: &oatf.PatternMatch{Target: &target, Condition: &oatf.Condition{Value: "x"}},
		}, oatf.Indicator{
			Surface: new(oatf.Surface("any")), Pattern: &oatf.PatternMatch{Target: &target, Condition: &oatf.Condition{Value: "y"}},
		})
	}
	run := newEvaluator(doc, Options{}).Start().batch
	take := func(protocol, method string) {
		m := &capture.Message{Value: oatf.Object{}, Protocol: oatf.Protocol(protocol), Kind: oatf.MessageKind{Method: method, Role: oatf.RoleResponse}}
		if err := run.Take(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 * mostCircumstances {
		take("mcp", fmt.Sprintf("method-%d", i))
	}
	if n := len(run.classes.shared); n != 1 || run.classes.held != 100 || len(run.classes.known) != mostCircumstances {
		t.Errorf("%d classes of %d indicators for %d circumstances", n, run.classes.held, len(run.classes.known))
	}
	for i := range 50 {
		take(fmt.Sprintf("p%d", i), "tools/list")
	}
	if n := len(run.classes.shared); n != 51 || run.classes.held != 100+50*102 {
		t.Errorf("%d classes of %d indicators", n, run.classes.held)
	}
	run.classes.held = mostHeld
	take("", "tools/list")
	take("p1", strings.Repeat("x", 2*mostNames))
	if n := len(run.classes.shared); n != 2 || run.classes.held != 200+100 || len(run.classes.known) != 1 {
		t.Errorf("%d classes of %d indicators", n, run.classes.held)
	}
}
