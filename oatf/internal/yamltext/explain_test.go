package yamltext_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestExplain holds what an author reads about mistakes in YAML: the line, and a word of the fix.
func TestExplain(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
		help string
	}{
		"a colon in a text":       {"a: 1\nname: Adds numbers: two\n", 2, "quotes"},
		"an asterisk":             {"name: *key read\n", 1, "quotes"},
		"an alias":                {"name: *s\n", 1, "write the value in full"},
		"an at sign":              {"name: @key read\n", 1, "quotes"},
		"a template":              {"name: {{x}} read\nb: 1\n", 1, "quotes"},
		"a backslash":             {"name: \"id\\.rsa\"\n", 1, "single quotes"},
		"a pair of surrogates":    {"name: \"\\ud83d\\ude00\"\n", 1, "U0001F600"},
		"half a pair":             {"{\"name\": \"\\ud83d\"}\n", 1, "write the character itself"},
		"a no-break space":        {"a: 1\nseverity:\u00a0high\nimpact: x\n", 2, "normal space"},
		"a tab":                   {"a:\n\tb: 1\n", 2, "spaces"},
		"an open quote":           {"name: \"Calculator\nversion: 1\nb: \"x\"\n", 1, "close the quote"},
		"an open list":            {"tags: [a\nb: 1\n", 1, "add ]"},
		"a bracket too many":      {"a:\n  b: 1\n}\n", 3, "remove }"},
		"lines that do not align": {"a:\n  - b: 1\n   c: 2\n", 3, "align"},
		"an empty item":           {"oatf: x\nattack:\n  -\n  id: A\n", 3, "remove -"},
	} {
		_, err := oatf.Parse([]byte(c.text))
		fault, ok := errors.AsType[*model.ParseError](err)
		if !ok || fault.Line != c.line || !strings.Contains(fault.Help, c.help) || strings.Contains(fault.Message, "did not find expected") {
			t.Errorf("%s: %v (%+v), want line %d and %q", name, err, fault, c.line, c.help)
		}
	}
}
