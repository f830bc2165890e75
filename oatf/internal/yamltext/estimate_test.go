package yamltext

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestEstimateLeavesTextOut reads texts full of indicators that begin nothing.
func TestEstimateLeavesTextOut(t *testing.T) {
	signs := strings.Repeat("[,{- ? a: ", 2000)
	plain := strings.Repeat("[,{,", 5000)
	for name, text := range map[string]string{
		"double quotes":               `a: "` + signs + `"`,
		"single quotes":               `a: '` + signs + `'`,
		"quotes in brackets":          `{a: ["` + signs + `", '` + signs + `']}`,
		"quotes of many lines":        "a: \"" + strings.Repeat("b\n  , [", 2000) + "\"\nb: 1\n",
		"a key and quotes":            `{"a":"` + plain + `"}`,
		"no quotes":                   "a: b" + plain + "\nb: c\n",
		"no quotes, many lines":       "a:\n  - b\n    " + plain + "\n    " + plain + "\n  - c\n",
		"a quote within":              "a: it's [, one\nb: it's\n",
		"a block":                     "a: |\n  " + plain + "\n\n   " + plain + "\nb: 1\n",
		"a folded block in a list":    "- - >-\n    " + plain + "\n    \"\n  - 1\n",
		"a block of given width":      "a:\n  b: |1 # c\n    " + plain + "\n   " + plain + "\n  c: 1\n",
		"comments":                    "# " + signs + "\na: 1 # " + signs + "\nb: [1, # " + signs + "\n  2]\n",
		"behind a directive":          "%YAML 1.2\n---\na: \"" + signs + "\"\n",
		"a tag":                       "a: !!str \"" + signs + "\"\n",
		"line ends of two characters": "a: |\r\n  " + plain + "\r\n  b\r\nc: 'd,\r\n  " + plain + "'\r\n",
	} {
		if _, fault := Read([]byte(text), model.Limits{Nodes: 60}); fault != nil {
			t.Errorf("%s: %v", name, fault)
		}
	}
}

// checkEstimate holds that a text which the estimate lets pass has no more than twice as
// many nodes.
func checkEstimate(t *testing.T, text []byte) {
	t.Helper()
	var root yaml.Node
	if checkText(text) != nil || yaml.Load(text, &root) != nil || root.Kind == 0 {
		return
	}
	nodes := 0
	var count func(n *yaml.Node)
	count = func(n *yaml.Node) {
		nodes++
		for _, child := range n.Content {
			count(child)
		}
	}
	count(root.Content[0])
	e := newEstimate(text, 1<<40)
	if e.read(); 2*(e.total+e.line) < nodes {
		t.Errorf("%q has %d nodes, the estimate is %d", text, nodes, e.total+e.line)
	}
}

func FuzzEstimate(f *testing.F) {
	for _, name := range []string{"parse.yaml", "validate.yaml", "format.yaml", "indentation.yaml", "roundtrip/serialize.yaml"} {
		for _, c := range oatftest.Cases[struct{ Input string }](f, testData, name) {
			f.Add([]byte(c.Input))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkEstimate(t, text) })
}

// TestEstimateExhaustively counts all short texts of the pieces that decide the start and end of a scalar, followed
// by values that must be counted.
func TestEstimateExhaustively(t *testing.T) {
	pieces := []string{"a", "\"", "'", ": ", ":", "- ", "\n", "\n  ", " # ", "|\n", "[", "]", "{", "}", ",", "? "}
	var grow func(text string, left int)
	grow = func(text string, left int) {
		for _, tail := range []string{"\nb: [1,1,1,1,1,1,1,1,1,1,1,1]\n", "\n- [1,1,1,1,1,1,1,1,1,1,1,1]\n", ",1,1,1,1,1,1,1,1,1,1,1,1]", "\n  [1,1,1,1,1,1,1,1,1,1,1,1]"} {
			checkEstimate(t, []byte(text+tail))
			checkEstimate(t, []byte(text+"\""+tail))
		}
		if left > 0 {
			for _, p := range pieces {
				grow(text+p, left-1)
			}
		}
	}
	grow("", 3)
}
