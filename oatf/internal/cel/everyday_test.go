package cel

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pieces are what expressions of the law are put together from: what is recognised, what
// resembles it, and whole phrases, so that many are well-formed.
var pieces = []string{
	"a", "b", "message", "size", "has", "all", "exists", "exists_one", "existsOne", "map", "filter", "in", "null",
	"true", "as", "_x", "r", "b", "dyn", "1", "0", "07", "1.5", "1.", ".5", "1e5", "0x1F", "1u", "9223372036854775808", "99999999999999999999",
	"''", "'x'", `"y"`, "'", `"`, "r'x'", "'\\n'", "'''x'''", "''''''", "(", ")", "(", ")", "[", "]", "{", "}", ".", ".", ",", "?", ":",
	"&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "!", "//", "=", "&", "|", " ", " ", "\n", "\t", "é", ";",
	"a.b", "size(a)", "has(a.b)", "has(a)", "a.exists(t, t == 1)", "a.map(x, x, x)", "a.exists(1, a)", "a[0]", "(a)", "-1", "!a", " && ",
	"a.contains('x')", "a.all(a.b, true)", "a.has(b.c)", "has(a[0].b)", "has(a.b().c)", "a.exists(__result__, true)",
}

// TestEverydayIsCEL: what is recognised is well-formed for the library.
func TestEverydayIsCEL(t *testing.T) {
	recognised := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), "")
		if everyday(text) {
			recognised++
			if _, err := Parse(text); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
	if recognised == 0 {
		t.Fatal("nothing was recognised")
	}
	t.Logf("%d expressions recognised", recognised)
}

// TestEverydayLimits: what is recognised stays below the limits of the library.
func TestEverydayLimits(t *testing.T) {
	recognised := 0
	for _, piece := range []string{"(", "a(", "a[", "a.b(", "a.exists(x, ", "!", "-", "a.", "1+", "a&&", "a||", "a==", "a<", "a*", "!a&&-b+"} {
		for times := range maxEveryday {
			open := strings.Repeat(piece, times)
			text := open + "a" + strings.Repeat(")", strings.Count(open, "(")) + strings.Repeat("]", strings.Count(open, "["))
			if !everyday(text) {
				continue
			}
			recognised++
			if _, err := Parse(text); err != nil {
				t.Errorf("%.80q, %d times: %v", piece, times, err)
				break
			}
		}
	}
	t.Logf("%d expressions recognised", recognised)
}

// TestEveryday lists expressions of documents that must not need the library.
func TestEveryday(t *testing.T) {
	for _, text := range []string{
		"true",
		"size(message.tools) > 2",
		"message.tools.exists(t, has(t.annotations) && has(t.annotations.title) && t.annotations.title.contains('Override'))",
		`message.messages.exists(m, m.parts.exists(p, has(p.text) && p.text.contains("approve")))`,
		"message['a.b'] == 1 || !has(message.arguments.confirm)",
		"message.tools[0].description.contains('test')",
		"message.n > 1.4 && message.m != -1 && (path == null)",
	} {
		if !everyday(text) {
			t.Errorf("%s is not recognised", text)
		}
	}
}

func FuzzEveryday(f *testing.F) {
	for _, p := range pieces {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !everyday(text) {
			return
		}
		if _, err := Parse(text); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
