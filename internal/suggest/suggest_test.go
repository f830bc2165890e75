package suggest

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"error", "warning", "info", "hash.evidence", "hash.event", "V-018", "--strict", "!=", "<=", "lt"}
	for word, want := range map[string]string{
		"eror":          "error",
		"ERROR":         "error",
		"warnign":       "warning",
		"warn":          "warning",
		"wa":            "",
		"inof":          "info",
		"hash.evidense": "hash.evidence",
		"hash.evnet":    "hash.event",
		"v-081":         "V-018",
		"--stritc":      "--strict",
		"frobnicate":    "",
		"":              "",
		"x":             "",
		"\u2039=":       "",
		"==":            "",
		"le":            "lt",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Hint("eror", known); got != `did you mean "error"?` {
		t.Error(got)
	}
	if got := Hint("frobnicate", known); got != "" {
		t.Error(got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"a", "", 1},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"abc", "acb", 1},
		{"abc", "abd", 1},
		{"abcd", "acbd", 1},
		{"kitten", "sitting", 3},
		{"é", "e", 1},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"Draft", "draft", true}, {"tool-call", "tool_call", true}, {"tool call", "toolCall", true}, {"hihg", "high", false}, {"", "", true}, {"a", "", false}} {
		if got := Alike(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
	}
}
