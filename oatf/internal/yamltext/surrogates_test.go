package yamltext

import (
	"encoding/json"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

// TestSurrogates draws texts and writes each as JSON in several spellings. It is read as Go's JSON package reads it,
// and the positions after it do not move.
func TestSurrogates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			`\ud83d\ude00`, `\uDBFF\uDFFF`, `\uD800\udc00`, `\\ud83d`, `\\`, `\"`, `\n`, `\u00e9`, `😀`, `a`, `\ufdd0`, `\uFDD1`, "\ufdd2",
		}), 0, 8)
		one, two := strings.Join(pieces.Draw(t, "one"), ""), strings.Join(pieces.Draw(t, "two"), "")
		text := `{"` + one + `": ["` + two + `", 1]}`
		var want map[string][]any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		source, err := ReadAudited([]byte(text))
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		var scalars []*yaml.Node
		EachScalar(source.Root, func(n *yaml.Node) { scalars = append(scalars, n) })
		for key, list := range want {
			if scalars[0].Value != key || scalars[1].Value != list[0] {
				t.Errorf("%s: %q, %q", text, scalars[0].Value, scalars[1].Value)
			}
		}
		if column := len([]rune(text)) - 2; scalars[2].Column != column {
			t.Errorf("%s: 1 is in column %d, want %d", text, scalars[2].Column, column)
		}
	})
}
