package view

import "testing"

func TestReferences(t *testing.T) {
	for text, want := range map[string]struct {
		references int
		unclosed   bool
	}{
		"": {}, "{a}": {}, "{{a}}": {1, false}, "{{a}} {{b}}": {2, false}, `\{{a}}`: {}, `\\{{a}}`: {}, `\{{a}} {{b}}`: {1, false},
		"{{a": {0, true}, "{{a}} {{b}": {1, true}, "{{{a}}}": {1, false}, "}}": {}, "{{}}": {1, false},
	} {
		references, unclosed := References(text)
		if len(references) != want.references || unclosed != want.unclosed {
			t.Errorf("%q: %q, %v", text, references, unclosed)
		}
	}
}
