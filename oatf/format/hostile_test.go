package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestHostileDocuments formats what every command must survive: all that is YAML, and
// nothing else, once and for good.
func TestHostileDocuments(t *testing.T) {
	documents := oatftest.HostileDocuments("sdk-0.1")
	for _, d := range oatftest.HostileDocuments("2026-03") { // those that have another text
		if !slices.ContainsFunc(documents, func(other oatftest.HostileDocument) bool { return other.Text == d.Text }) {
			documents = append(documents, d)
		}
	}
	formatted := 0
	for _, d := range racetest.Large(t, 4, documents) {
		t.Run(d.Name, func(t *testing.T) {
			edits, err := Edits([]byte(d.Text))
			if refused := d.Rule == "P-001" || d.Rule == "V-020"; refused != (err != nil) {
				t.Fatalf("formatting says %v of what breaks %q", err, d.Rule)
			}
			if err != nil {
				return
			}
			formatted++
			once, err := finding.Apply([]byte(d.Text), edits)
			if err != nil {
				t.Fatal(err)
			}
			if twice, err := Format(once); err != nil || !bytes.Equal(once, twice) {
				t.Errorf("formatting again (%v) makes %d bytes of %d", err, len(twice), len(once))
			}
		})
	}
	racetest.Met(t, "a document that is formatted", formatted)
}

// BenchmarkEdits doubles texts up to the largest document: the time of each byte stays.
func BenchmarkEdits(b *testing.B) {
	const large = 8_000_000
	for _, shape := range []struct{ name, head, part, tail string }{
		{"string", "a: \"b\n", "    c\n", "    d\"\n"},
		{"blocks", "a:\n", "    - |\n        some text, much of it\n        " + strings.Repeat("text ", 30) + "\n", ""},
		{"blanks", "a: 1\n", "\n", "b: 2\n"},
		{"returns", "a: 1\r", "# b\r", "b: 2\r"},
	} {
		for size := large / 4; size <= large; size *= 2 {
			text := []byte(shape.head + strings.Repeat(shape.part, size/len(shape.part)) + shape.tail)
			b.Run(fmt.Sprintf("%s/%d", shape.name, size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := Edits(text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
