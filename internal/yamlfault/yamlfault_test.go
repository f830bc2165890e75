package yamlfault_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/yamlfault"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]struct {
		line, column int
		message      string
	}{
		"a: [1\n":    {2, 1, "invalid YAML: did not find expected ',' or ']' while parsing a flow sequence that begins in line 1"},
		"a: b: c":    {1, 5, "invalid YAML: mapping values are not allowed in this context"},
		"a: \"x":     {1, 6, "invalid YAML: found unexpected end of stream while scanning a quoted scalar"},
		"a: 1\n\t b": {2, 1, "invalid YAML: found a tab character that violates indentation while scanning a plain scalar that begins in line 1"},
	} {
		line, column, message := yamlfault.Of(load(text))
		if line != want.line || column != want.column || message != want.message {
			t.Errorf("%q: %d:%d: %s", text, line, column, message)
		}
	}
	if line, column, message := yamlfault.Of(errors.New("x")); line+column != 0 || message != "invalid YAML: x" {
		t.Errorf("%d:%d: %s", line, column, message)
	}
}

// FuzzOf: whatever the library refuses has a place in the text, and the library is not named.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{"a: [1", "\xff", "\x00", "*a", "&a [*a", "%YAML 9.9\n---\n", "!!", "a:\n\t- b", "? - :", strings.Repeat("[", 20000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := load(text)
		if err == nil {
			return
		}
		line, column, message := yamlfault.Of(err)
		if line < 0 || line > 2+strings.Count(text, "\n")+strings.Count(text, "\r")+strings.Count(text, "\u0085")+strings.Count(text, "\u2028")+strings.Count(text, "\u2029") || column < 0 || strings.Contains(message, "go-yaml") {
			t.Errorf("%q: %d:%d: %s", text, line, column, message)
		}
	})
}

func load(text string) error {
	loader, err := yaml.NewLoader(bytes.NewReader([]byte(text)))
	if err != nil {
		return err
	}
	return loader.Load(new(yaml.Node))
}
