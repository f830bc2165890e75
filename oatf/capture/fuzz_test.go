package capture_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/capture"
)

var hugeExponent = regexp.MustCompile(`[eE][+-]?[0-9]{4}`)

// FuzzReader holds the Reader to the naive one on any text, in any chunks; where it looks for
// messages in any container, to itself.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal("no captures", err)
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		input, _, _ := strings.Cut(string(text), says)
		f.Add(input, uint8(i), uint8(i))
	}
	f.Add(`{"jsonrpc":"2.0","id":1,"method":" ping "}`, uint8(0), uint8(0)) // spaces are part of a name
	formats := []capture.Format{capture.Auto, capture.Plain, capture.JSONRPC, capture.Runner}
	f.Fuzz(func(t *testing.T, text string, format, chunk uint8) {
		if hugeExponent.MatchString(text) {
			return // such a number has as many digits for the naive reader
		}
		options := capture.Options{Format: formats[int(format)%len(formats)], Directions: capture.BothDirections}
		input := &chunks{strings.NewReader(text), 1 + int(chunk)}
		if options.Format == capture.Auto { // no other reader reads that: it is the same in any chunks
			whole := outline(capture.NewReader(strings.NewReader(text), options))
			if got := outline(capture.NewReader(input, options)); !slices.Equal(got, whole) {
				t.Errorf("in chunks the reader says\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(whole, "\n"))
			}
			return
		}
		if got, want := outline(capture.NewReader(input, options)), readNaively(text, options); !slices.Equal(got, want) {
			t.Errorf("the reader says\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
