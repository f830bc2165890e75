package eval

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
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
	grow("", 5)
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
