package say_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/say"
)

// hostile are texts of pieces that a terminal, a build server or Visible itself treats in
// a way of its own, between harmless ones.
func hostile() *rapid.Generator[string] {
	pieces := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\n", "\r", "\t", "\x1b[31m", "\a", "\x7f", "\u009b31m", "\u202e", "\u2066", "\u200b", "\u200d", "\u2028", "\u2029", "\ufeff", "\xff", "\xc3",
			":", "::", "::stop-commands::x", "#", "##[", "##vso[", `\`, `\u{1b}`, `\x{ff}`, `u{1b}`, " ", "\u00a0", "\u3000", "é", "漢", "😀", "a.jsonl: valid", "\U000e0001", "\ue000", "\ufffd",
		}),
		rapid.String(),
	)
	return rapid.Map(rapid.SliceOfN(pieces, 0, 8), func(list []string) string { return strings.Join(list, "") })
}

// read undoes Visible.
func read(t *rapid.T, s string) string {
	var b strings.Builder
	for s != "" {
		code := strings.HasPrefix(s, `\u{`)
		if !code && !strings.HasPrefix(s, `\x{`) {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		digits, rest, ok := strings.Cut(s[3:], "}")
		n, err := strconv.ParseUint(digits, 16, 32)
		if !ok || err != nil {
			t.Fatalf("no escape: %q", s)
		}
		if code {
			b.WriteRune(rune(n))
		} else {
			b.WriteByte(byte(n))
		}
		s = rest
	}
	return b.String()
}

// harmless fails for text that does more than being read.
func harmless(t *rapid.T, text string) {
	if !utf8.ValidString(text) {
		t.Fatalf("%q is not UTF-8", text)
	}
	for _, r := range text {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
			t.Fatalf("%q holds %U", text, r)
		}
	}
	if strings.HasPrefix(strings.TrimSpace(text), "::") || strings.Contains(text, "##[") || strings.Contains(text, "##vso[") {
		t.Fatalf("%q gives a build server a command", text)
	}
}

// TestVisible: what Visible shows is harmless and can be read back.
func TestVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		got := say.Visible(text)
		harmless(t, got)
		if back := read(t, got); back != text {
			t.Fatalf("%q is shown as %q, which reads as %q", text, got, back)
		}
	})
}

// TestVisibleKeeps: names that people write stay as they are.
func TestVisibleKeeps(t *testing.T) {
	for _, text := range []string{
		"", "a.jsonl", "run one/träce 漢字.jsonl", "a\u00a0b", "a\u3000b", "😀", `C:\new\x`, `"a\nb"`, `\d+\u0041`, "a:b", "a ::b", "#1", "## a [b]", "%0A", "-", "\ufffd",
	} {
		if got := say.Visible(text); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

// TestLines: a content keeps its lines and tabs, and each line is harmless.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		got := say.Lines(text)
		for line := range strings.SplitSeq(got, "\n") {
			harmless(t, strings.ReplaceAll(line, "\t", " "))
		}
		if back := read(t, got); back != text {
			t.Fatalf("%q is shown as %q, which reads as %q", text, got, back)
		}
	})
}

// TestAppendAligned: a code point for each, and none that is not harmless.
func TestAppendAligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		got := string(say.AppendAligned([]byte("| "), []byte(text)))
		harmless(t, got)
		if utf8.RuneCountInString(got) != utf8.RuneCountInString(text)+2 {
			t.Fatalf("%q is shown as %q", text, got)
		}
	})
}

// TestJSON: a JSON text keeps its value and becomes harmless.
func TestJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := hostile().Draw(t, "text")
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		got := say.JSON(text)
		harmless(t, string(got))
		var want, back string
		if err := errors.Join(json.Unmarshal(text, &want), json.Unmarshal(got, &back)); err != nil || back != want {
			t.Fatalf("%v: %q is written as %s", err, value, got)
		}
	})
	if got := string(say.JSON([]byte("\"\xff\""))); got != `"\ufffd"` {
		t.Errorf("a byte that is not UTF-8 is written as %q", got)
	}
}

// TestActs checks that a text acts if Visible escapes a part of it, other than backslashes.
func TestActs(t *testing.T) {
	for _, s := range []string{
		"", "a", "a b", "é", "😀", "#", "##", "#[", "a:b", "::error::", "##[x]", "##vso[x]", "##Vso[x]", "x##[", "\n", "\x7f", "\u009b", "\u202e", "\u200b", "\u00a0", "\u2028", "\ufeff",
		"\xff", "a\xc2", "\ue000", "\t",
	} {
		if got, want := say.Acts(s), say.Visible("a"+s) != "a"+s; got != want {
			t.Errorf("%q: %v, expected %v", s, got, want)
		}
	}
}
