package source_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/source"
)

// encoded writes ASCII with zero bytes before and after each character.
func encoded(text string, before, behind int) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(strings.Repeat("\x00", before) + text[i:i+1] + strings.Repeat("\x00", behind))
	}
	return b.String()
}

// TestLikeness names what inputs look like, each encoding with its mark and without.
func TestLikeness(t *testing.T) {
	cases := map[string]string{
		"\x7fELF\x02\x01": "binary data", "\x89PNG\r\n": "binary data", "\x00\x00\x00\x00": "binary data", "\x00\xff": "binary data",
		"---": "YAML", "%YAML 1.2": "YAML", "key: value": "YAML", "key:": "YAML", "- entry": "YAML", `"a key": 1`: "YAML", "größe: 1": "YAML",
		"this is a text": "", "a,b,c": "", "2026-03-01T10:00:00 INFO started": "", "http://example.org": "", "# heading": "", "": "",
	}
	for _, text := range []string{`{"a":1}`, "key: value", "[1]"} {
		cases["\xff\xfe"+encoded(text, 0, 1)] = "UTF-16LE"
		cases["\xfe\xff"+encoded(text, 1, 0)] = "UTF-16BE"
		cases["\xff\xfe\x00\x00"+encoded(text, 0, 3)] = "UTF-32LE"
		cases["\x00\x00\xfe\xff"+encoded(text, 3, 0)] = "UTF-32BE"
		cases[encoded(text, 0, 1)] = "UTF-16LE"
		cases[encoded(text, 1, 0)] = "UTF-16BE"
		cases[encoded(text, 0, 3)] = "UTF-32LE"
		cases[encoded(text, 3, 0)] = "UTF-32BE"
	}
	for text, want := range cases {
		if got := source.Likeness([]byte(text)); got != want {
			t.Errorf("%q looks like %q, expected %q", text, got, want)
		}
		if text != "" && !source.Foreign([]byte(text)) {
			t.Errorf("%q begins like a record", text)
		}
		if source.IsEncoding(want) != strings.HasPrefix(want, "UTF-") {
			t.Errorf("%q: %v", want, source.IsEncoding(want))
		}
	}
	for _, text := range []string{"", " \t\r", "{", "[", `{"a":1}`, " [1", "\ufeff{}", "\ufeff", "{x", "[\xff"} {
		if source.Foreign([]byte(text)) {
			t.Errorf("%q begins unlike a record", text)
		}
	}
	t.Logf("%d cases", len(cases))
}

// TestLikenessOfACut judges a text by its beginning, wherever that ends.
func TestLikenessOfACut(t *testing.T) {
	long := "key: " + strings.Repeat("ü", 5000)
	for n := 4090; n < 4110; n++ {
		if got := source.Likeness([]byte(long[:n])); got != "YAML" {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}
