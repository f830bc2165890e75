package suite_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/finding"
)

// mendable are suites without a fault, with a mark before each word whose misspelling has a fix.
var mendable = map[string]string{
	"a.yaml": `@name: é # a name
@assertions:
  - @assertion_id: one
    @type: @content
    @tags: [a, b]
    @spec: {@target: @output.message, @check: @contains, @value: 'x: y'}
  - {"@assertion_id": two, '@type': "@trace", @spec: {@check: '@required_tools', @tools: [x]}}
`,
	"b.json": `{"@assertions": [
 {"@assertion_id": "é", "@type": "@content", "@spec": {"@target": "@steps[?name=='a'].args", "@check": "@contains", "@value": "x"}},
 {"@assertion_id":"c","@type":"@schema","@spec":{"@target":"@output","@schema":{}}}]}`,
	"c.jsonl": `{"@assertion_id": "a", "@type": "@content", "@spec": {"@target": "@output.message", "@check": "@contains", "@value": "x"}}

{"@assertion_id": "b", "@type": "@content", "@spec": {"@target": "@output.message", "@check": "@contains", "@value": "x"}}`,
}

// TestFixLaw misspells one word of a suite: what its one finding would have written there makes
// the text that it was before.
func TestFixLaw(t *testing.T) {
	engine := attest.NewEngine(attest.Options{})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a.yaml", "b.json", "c.jsonl"}).Draw(t, "name")
		pieces := strings.Split(mendable[name], "@")
		whole := strings.Join(pieces, "")
		i := rapid.IntRange(1, len(pieces)-1).Draw(t, "word")
		word := pieces[i]
		at := rapid.IntRange(1, 3).Draw(t, "at")
		pieces[i] = rapid.SampledFrom([]string{word[:at] + word[at+1:], word[:at] + "x" + word[at:], strings.ToUpper(word[:1]) + word[1:]}).Draw(t, "misspelled")
		damaged := strings.Join(pieces, "")
		if rapid.Bool().Draw(t, "carriage returns") {
			whole, damaged = strings.ReplaceAll(whole, "\n", "\r\n"), strings.ReplaceAll(damaged, "\n", "\r\n")
		}
		if rapid.Bool().Draw(t, "mark") {
			whole, damaged = "\ufeff"+whole, "\ufeff"+damaged
		}
		if _, list := suite.Parse(engine, name, []byte(whole), nil); len(list) > 0 {
			t.Fatalf("%s has faults: %v", whole, list)
		}
		_, list := suite.Parse(engine, name, []byte(damaged), nil)
		fixes := 0
		for _, f := range list {
			if f.Fix == nil {
				continue
			}
			fixes++
			mended, err := finding.Apply([]byte(damaged), f.Fix.Edits)
			if err != nil || !bytes.Equal(mended, []byte(whole)) {
				t.Errorf("%s\nbecomes\n%s%v", damaged, mended, err)
			}
			if f.Fix.Unsafe == strings.EqualFold(word, pieces[i]) || len(f.Fix.Preview) != 2 {
				t.Errorf("%+v", f.Fix)
			}
		}
		if fixes != 1 && damaged != whole {
			t.Errorf("%s\nhas %d fixes: %v", damaged, fixes, list)
		}
	})
}
