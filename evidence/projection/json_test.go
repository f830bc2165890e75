package projection_test

import (
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/evidence/projection"
)

// TestUnsafeIntegers warns of integers that share their canonical form, and digests them.
func TestUnsafeIntegers(t *testing.T) {
	for text, want := range map[string][]string{
		`{"n":9007199254740993}`:             {"/n"},
		`{"a":[-9007199254740993,{"b":1}]}`:  {"/a/0"},
		`[18446744073709551616,1e30,0.1]`:    {"/0"},
		`{"n":9007199254740992,"m":"9e99"}`:  nil,
		`[-9007199254740992,1e400000000000]`: nil, // no digest
	} {
		_, _, findings, ok := projection.JSON([]byte(text), "")
		var got []string
		for _, f := range findings {
			if f.Rule == "number.unsafe_integer" {
				got = append(got, f.Path)
			}
		}
		if !slices.Equal(got, want) || ok == (text[1] == '-') {
			t.Errorf("%s: %v, %q", text, ok, got)
		}
	}
}
