package cel

import (
	"strings"
	"testing"
)

// TestCheck says of each expression what is wrong with it; "" is nothing.
func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		"message.tools.exists(t, size(t.name) > 3)": "",
		"!has(message.a) && 'x' in message.b":       "",
		"a +":                                       "the expression is incomplete (line 1, column 4 of the expression)",
		"a ) b":                                     `unexpected ")" (line 1, column 3 of the expression)`,
		"a\n?? b":                                   `unexpected "?" (line 2, column 2 of the expression)`,
		strings.Repeat("a+", maxLength) + "a":       "expression code point size exceeds limit: size: 32769, limit 16384",
	} {
		got := ""
		if err := Check(text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.40q: %q, expected %q", text, got, want)
		}
	}
}

func TestCost(t *testing.T) {
	if Cost("") <= 0 || Cost("abc") != Cost("")+3 {
		t.Errorf("%d, %d", Cost(""), Cost("abc"))
	}
}
