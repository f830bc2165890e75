package finding_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
)

func TestApply(t *testing.T) {
	for _, c := range []struct {
		source string
		edits  []finding.Edit
		want   string // "" for a refusal
	}{
		{"abc", nil, "abc"},
		{"abc", []finding.Edit{{1, 2, "XY"}}, "aXYc"},
		{"abc", []finding.Edit{{3, 3, "!"}, {0, 0, "?"}}, "?abc!"},
		{"abc", []finding.Edit{{1, 1, "1"}, {1, 1, "2"}, {1, 2, ""}}, "a12c"},
		{"abc", []finding.Edit{{1, 2, "X"}, {0, 1, "Y"}}, "YXc"},
		{"abc", []finding.Edit{{0, 2, "X"}, {1, 3, "Y"}}, ""},
		{"abc", []finding.Edit{{2, 4, "X"}}, ""},
		{"abc", []finding.Edit{{-1, 0, "X"}}, ""},
		{"abc", []finding.Edit{{2, 1, "X"}}, ""},
	} {
		before := bytes.Clone([]byte(c.source))
		got, err := finding.Apply(before, c.edits)
		if string(got) != c.want || (err == nil) != (c.want != "") || string(before) != c.source {
			t.Errorf("%q %v: %q, %v", c.source, c.edits, got, err)
		}
	}
}

// TestApplyOneByOne holds that edits made together equal those made one by one from
// the end, whatever their order in the list.
func TestApplyOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "source")
		var edits []finding.Edit
		for at := 0; at < len(source); {
			start := rapid.IntRange(at, len(source)).Draw(t, "start")
			end := rapid.IntRange(start, len(source)).Draw(t, "end")
			edits = append(edits, finding.Edit{Start: start, End: end, Text: rapid.StringN(0, 4, -1).Draw(t, "text")})
			at = end + 1
		}
		want := source
		for i := len(edits) - 1; i >= 0; i-- {
			want, _ = finding.Apply(want, edits[i:i+1])
		}
		got, err := finding.Apply(source, rapid.Permutation(edits).Draw(t, "edits"))
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%q, %v, one by one %q", got, err, want)
		}
	})
}
