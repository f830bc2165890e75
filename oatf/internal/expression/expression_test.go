package expression

import (
	"strings"
	"testing"
)

// TestSyntax says of each expression what is wrong with it; "" is nothing.
func TestSyntax(t *testing.T) {
	for _, c := range []struct {
		kind  string
		check func(string) error
		cases map[string]string
	}{
		{"regex", CheckRegex, map[string]string{
			"[a-z]+(x|y)":                        "",
			"[a":                                 `missing closing ]: "[a"`,
			"(?=a)":                              `invalid or unsupported Perl syntax: "(?="`,
			strings.Repeat("a", maxExpression+1): "16385 bytes are more than the limit of 16384",
		}},
	} {
		for text, want := range c.cases {
			got := ""
			if err := c.check(text); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s %.40q: %q, expected %q", c.kind, text, got, want)
			}
		}
	}
}

func TestRegexHelp(t *testing.T) {
	for pattern, want := range map[string]string{
		"(?=a)": "RE2 has no lookahead", "(?<!a)": "RE2 has no lookbehind", "(?>a)": "RE2 has no atomic groups", `(a)\1`: "RE2 has no backreferences", `[a`: "",
	} {
		if got := RegexHelp(pattern); got != want {
			t.Errorf("%q: %q, expected %q", pattern, got, want)
		}
	}
}

func TestCompileRegex(t *testing.T) {
	for pattern, want := range map[string]string{
		"a+b|[c-e]": "", "(?i)x{1000}": "", strings.Repeat("ab|", maxExpression/3): "",
		strings.Repeat("x{1000}", 50):                      "the expression has more than 40000 instructions, including its repetitions",
		"((((((x{100}){100}){100}){100}){100}){100}){100}": "invalid repeat count: \"{100}\"",
		"a{2":  "",
		"(a{2": "missing closing ): \"(a{2\"",
	} {
		got := ""
		if regex, size, err := CompileRegex(pattern); err != nil {
			got = err.Error()
		} else if regex == nil || size <= 0 {
			t.Errorf("%.40q: %v of size %d", pattern, regex, size)
		}
		if got != want {
			t.Errorf("%.40q: %q, expected %q", pattern, got, want)
		}
	}
}
