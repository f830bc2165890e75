package vocabulary

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

func TestTemplatePieces(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "0a", `{{a}}`: "1a", `x{{a}}{{b.c}}y`: "0x1a1b.c0y", `\{{a}}`: "0{{0a}}", `\\{{a}}`: `0\0{{0a}}`, `\`: `0\`, `{{a}}\`: `1a0\`,
		"{{a \\{{b": "2{{0a 0{{0b", "{{{{": "2{{2{{", "{{{a}}}": "1{a0}", `{{a\{{b}}`: `1a\{{b`, `\{{{{a}}`: "0{{1a", `{{a}}{{b`: "1a2{{0b", "{{}}": "1", "}}": "0}}",
	} {
		got := ""
		for piece := range TemplatePieces(text) {
			got += string(rune('0'+piece.Kind)) + piece.Text
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
	for piece := range TemplatePieces("a{{b}}c") {
		if piece.Text == "c" {
			t.Error("goes on")
		} else if piece.Text == "b" {
			break
		}
	}
	if got := QuotedReference("x"); got != `"{{x}}"` {
		t.Error(got)
	}
}
