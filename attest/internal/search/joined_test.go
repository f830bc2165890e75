package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestJoined holds the groups of a joined text against a look at every value of every node,
// in every form.
func TestJoined(t *testing.T) {
	word := rapid.StringMatching(`[aAß1]{1,2}|SS|true|\x{fffd}`)
	value := rapid.OneOf(
		rapid.Map(word, func(s string) string { return fmt.Sprintf("%q", s) }), rapid.Map(word, func(s string) string { return fmt.Sprintf(`{"a":[%q,{"1":%q}]}`, s, s+"a") }),
		rapid.SampledFrom([]string{"1", "-1.1e1", "true", "null", "{}", `"\u00df\udc00"`}))
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(value, 1, 4).Draw(t, "values")
		doc, err := scan.New(9, 0).Scan([]byte("[" + strings.Join(values, ",") + "]"))
		if err != nil {
			t.Fatal(err)
		}
		groups := slices.Collect(doc.Root().Children())
		var texts search.Texts
		for _, sought := range rapid.SliceOfN(word, 1, 12).Draw(t, "words") {
			for _, form := range []search.Form{{}, {Fold: true}, {NFC: true}} {
				formed := form.Apply(sought)
				count, first := 0, 0
				for i, group := range groups {
					if holds(group, form, formed) {
						if count++; count == 1 {
							first = i
						}
					}
				}
				gotCount, gotFirst := texts.Joined(groups).In(form).Groups(formed)
				if gotCount != count || gotFirst != first {
					t.Fatalf("%q in %s, %+v: %d groups from %d, want %d from %d", sought, values, form, gotCount, gotFirst, count, first)
				}
			}
		}
	})
}

// holds reports whether a string, number or literal of a value contains a word.
func holds(n strictjson.Node, form search.Form, word string) bool {
	for v := range n.All() {
		text, isText := v.Text()
		if !isText && !v.Is(strictjson.Object) && !v.Is(strictjson.Array) {
			text = string(v.Raw())
		}
		if strings.Contains(form.Apply(text), word) {
			return true
		}
	}
	return false
}
