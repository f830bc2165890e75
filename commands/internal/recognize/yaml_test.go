package recognize_test

import (
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/cupel-dev/cupel/commands/internal/recognize"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestDocumentKeys: whether a text is a document depends neither on its encoding, nor on its line breaks, nor
// on how it is read.
func TestDocumentKeys(t *testing.T) {
	const read, silent, damaged = "ours", "foreign", "damaged"
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
		"#\n a comment, cut in two\noatf: 1\n":      read,
		"!!map {oatf: 1}\n":                         read,

		"OATF: 1\nattack: {id: a, execution: {}}\n":                 damaged,
		"x: 1\noaft: 1\nattack:\n  id: a\n  phases: []\n":           damaged,
		"{\n  \"attack\": {\"name\": \"a\", \"indicators\": []}\n}": damaged,

		"attack:\n  - a.jsonl\n":                silent,
		"benign: [a]\nattack: [b]\n":            silent,
		"expected: [{capture: a, result: b}]\n": silent,

		"OATF: 1\n":            silent,
		"x: 1\noaft: 1\n":      silent,
		"data: {a: b}\n":       silent,
		"attack:\n  oatf: 1\n": silent,

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
				if got := recognize.Document(strings.NewReader(written), 8<<20).State.String(); got != want {
					t.Errorf("%q in %s with %q: %q, expected %q", text, name, ends, got, want)
				}
				if got := recognize.Document(iotest.OneByteReader(strings.NewReader(written)), 8<<20).State.String(); got != want {
					t.Errorf("%q in %s with %q, byte by byte: %q, expected %q", text, name, ends, got, want)
				}
			}
		}
	}
}

// TestDocumentFar checks that the key counts in any position, and that long texts are read to the end.
func TestDocumentFar(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: |\n  x\n" + strings.Repeat("# y\n", 400_000) + "oatf: 1\n", "ours"},
		{strings.Repeat("{}\n---\n", 100_000) + "oatf: 1\n", "ours"},
		{"{x: '" + strings.Repeat("y", 2<<20) + "', oatf: 1}", "ours"},
		{"x: " + strings.Repeat("y", 2<<20) + "\noatf: 1\n", "ours"},
		{strings.Repeat("{", 100_000), "foreign"},
		{strings.Repeat("!", 100_000), "foreign"},
		{strings.Repeat("! ", 100_000), "foreign"},
		{strings.Repeat("oatf", 100_000) + ": 1\n", "foreign"},
	} {
		if got := recognize.Document(strings.NewReader(c.text), 8<<20).State.String(); got != c.want {
			t.Errorf("%.20q…: %q, expected %q", c.text, got, c.want)
		}
	}
}

// TestDocumentKeepsNothing: what is looked at is not kept, however long its lines are.
func TestDocumentKeepsNothing(t *testing.T) {
	many := 1 << 20 / racetest.Step(t) // the detector keeps some bytes for each line
	for _, text := range []string{strings.Repeat("{}\n---\n", many), strings.Repeat("{a: '", many), strings.Repeat("x", 8*many)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		recognize.Document(strings.NewReader(text), 8<<20)
		runtime.ReadMemStats(&after)
		if kept := after.TotalAlloc - before.TotalAlloc; kept > 16<<20 {
			t.Errorf("%.10q…: %d bytes", text, kept)
		}
	}
}
