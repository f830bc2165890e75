package yamltext

import (
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/model"
)

// TestCoreSchema holds plain scalars to the YAML 1.2 core schema and numbers to JSON's
// spelling.
func TestCoreSchema(t *testing.T) {
	for text, want := range map[string]model.Value{
		"~": nil, "null": nil, "Null": nil, "NULL": nil, "nUll": "nUll",
		"true": true, "True": true, "TRUE": true, "false": false, "yes": "yes", "on": "on", "y": "y", "No": "No",
		"0": model.Number("0"), "012": model.Number("12"), "+5": model.Number("5"), "-0": model.Number("-0"), "-012.50": model.Number("-12.50"), "1.": model.Number("1.0"), ".5": model.Number("0.5"),
		"1e3": model.Number("1e3"), "1.0E-07": model.Number("1.0E-07"), "0x1F": model.Number("31"), "0o17": model.Number("15"), "9007199254740993": model.Number("9007199254740993"),
		".inf": model.Inf, "-.INF": model.NegInf, "+.Inf": model.Inf, ".NaN": model.NaN,
		"0b11": "0b11", "1_000": "1_000", "0o8": "0o8", "0xG": "0xG", "-0x1": "-0x1", "1:30": "1:30", "2025-06-01": "2025-06-01",
		"1e": "1e", "1e+": "1e+", "1e+-2": "1e+-2", "+": "+", "-": "-", ".": ".", "1.2.3": "1.2.3", "..5": "..5", ".e1": ".e1", "=": "=",
	} {
		if got := coreValue(text); got != want {
			t.Errorf("%q: %#v, expected %#v", text, got, want)
		}
	}
	var n yaml.Node
	if err := yaml.Load([]byte(`["1", '1', !!str 1, ! 1, 1]`), &n); err != nil {
		t.Fatal(err)
	}
	for i, item := range n.Content[0].Content {
		want := model.Value("1")
		if i == 4 {
			want = model.Number("1")
		}
		if got, ok := Scalar(item); got != want || !ok {
			t.Errorf("item %d: %#v, expected %#v", i, got, want)
		}
	}
}
