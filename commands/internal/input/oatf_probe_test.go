package input

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestLooksLikeOATF says of each text whether a walk reads it, names it or is silent about
// it. Its encoding, its line breaks and how it is read must not matter.
func TestLooksLikeOATF(t *testing.T) {
	const read, silent = "read", ""
	for text, want := range map[string]string{
		"oatf: '0.1'\nattack: {}\n":                 read,
		"attack: {}\n# x\n'oatf' : '0.1'\n":         read,
		"oatf:\n":                                   read,
		"%YAML 1.2\n--- # x\n\n  a: 1\n  oatf: 1\n": read,
		"a: 1\n---\noatf: 1\n":                      read,
		"a: 1\n...\n---\n{b: 2, oatf: 1}\n":         read,
		"? oatf # it\n: '0.1'\n":                    read,
		"!!str oatf: 1\n":                           read,
		"&a !x 'oatf': 1\n":                         read,
		"{\"attack\":{\"x\":[1,{}]},\"oatf\":1}":    read,
		"{ # x\n  a: don't, b: 'it''s }', oatf: 1}": read,
		"{a: \"}\\\"\", ? oatf : 1}":                read,
		"--- {oatf: 1}\n":                           read,
		"!!map {oatf: 1}\n":                         read,

		"OATF: 1\n":                   "OATF",
		"x: 1\noaft: 1\n":             "oaft",
		"\"Aotf\": 1\n":               "Aotf",
		"oatfs2: 1\n":                 "oatfs2",
		"data: {a: b}\n":              "data",
		"attack:\n  oatf: 1\n":        "attack",
		"{\"x\": {}, \"attack\": {}}": "attack",
		"{\n  oat_f: 1\n}\n":          "oat_f",
		"a: 1\nattack: 1\noaft: 1\n":  "oaft",

		"":                                        silent,
		"\n# oatf: 1\n":                           silent,
		"kind: Deployment\nmetadata: {}\n":        silent,
		"services:\n  oatf: 1\n  attack: 1\n":     silent,
		"{services: {oatf: 1}, x: [attack: 1]}":   silent,
		"{x: oatf, y: 'attack: 1', z: \"oatf:\"}": silent,
		"- oatf: 1\n- attack: 1\n":                silent,
		"[oatf: 1, attack: 1]\n":                  silent,
		"ATTACK: 1\nattacks: 1\n":                 silent,
		"a: |\n  oatf: 1\n":                       silent,
		"oatf\n":                                  silent,
		"oatf:1\n":                                silent,
		"\"oatf: 1\n":                             silent,
	} {
		for name, e := range map[string]encoding.Encoding{
			"UTF-8": unicode.UTF8, "UTF-8 with a mark": unicode.UTF8BOM,
			"UTF-16LE": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "UTF-16BE": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
			"UTF-16LE with a mark": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "UTF-16BE with a mark": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
			"UTF-32LE": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "UTF-32BE": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
			"UTF-32LE with a mark": utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "UTF-32BE with a mark": utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
		} {
			for _, ends := range []string{"\n", "\r\n", "\r"} {
				written, err := e.NewEncoder().String(strings.ReplaceAll(text, "\n", ends))
				if err != nil {
					t.Fatal(err)
				}
				if got := lookedLike(strings.NewReader(written)); got != want {
					t.Errorf("%q in %s with %q: %q, expected %q", text, name, ends, got, want)
				}
				if got := lookedLike(iotest.OneByteReader(strings.NewReader(written))); got != want {
					t.Errorf("%q in %s with %q, byte by byte: %q, expected %q", text, name, ends, got, want)
				}
			}
		}
	}
}

// lookedLike is "read", the sentence's key of what a file resembles, or "".
func lookedLike(r io.Reader) string {
	look := LooksLikeOATF(r)
	if look.Passes {
		return "read"
	}
	var key string
	if n, _ := fmt.Sscanf(look.Resembles, "an OATF document: it has the key %q at its root and no \"oatf\"", &key); n == 0 {
		return look.Resembles
	}
	return key
}

// TestLooksFar: the key counts wherever it stands, and long texts are gone through.
func TestLooksFar(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: |\n  x\n" + strings.Repeat("# y\n", 400_000) + "oatf: 1\n", "read"},
		{strings.Repeat("{}\n---\n", 100_000) + "oatf: 1\n", "read"},
		{"{x: '" + strings.Repeat("y", 2<<20) + "', attack: 1}", "attack"},
		{"x: " + strings.Repeat("y", 2<<20) + "\nattack: 1\n", "attack"},
		{strings.Repeat("{", 100_000), ""},
		{strings.Repeat("!", 100_000), ""},
		{strings.Repeat("! ", 100_000), ""},
		{strings.Repeat("oatf", 100_000) + ": 1\n", ""},
	} {
		if got := lookedLike(strings.NewReader(c.text)); got != c.want {
			t.Errorf("%.20q…: %q, expected %q", c.text, got, c.want)
		}
	}
}

// TestClaimsOATF: a file that is about to be committed is judged for less.
func TestClaimsOATF(t *testing.T) {
	for text, want := range map[string]bool{"oatf: 1": true, "oaft: 1": true, "OATF: 1": true, "attack: 1": true, "data: 1": false, "x: 1": false} {
		look := ClaimsOATF(strings.NewReader(text))
		if look.Passes != want || !want && (look.Resembles != "") != (text == "data: 1") {
			t.Errorf("%q: %+v", text, look)
		}
	}
}

// TestProbeKeepsNothing: what is looked at is not kept, however long its lines are.
func TestProbeKeepsNothing(t *testing.T) {
	many := 1 << 20 / racetest.Step(t) // the detector keeps some bytes for each line
	for _, text := range []string{strings.Repeat("{}\n---\n", many), strings.Repeat("{a: '", many), strings.Repeat("x", 8*many)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		LooksLikeOATF(strings.NewReader(text))
		runtime.ReadMemStats(&after)
		if kept := after.TotalAlloc - before.TotalAlloc; kept > 16<<20 {
			t.Errorf("%.10q…: %d bytes", text, kept)
		}
	}
}
