package finding

import (
	"cmp"
	"fmt"
	"slices"
)

// Fix is an edit of the source that removes the cause of a finding. Formatters, `--fix`, SARIF and editors use it.
type Fix struct {
	Title  string `json:"title"`            // description: "write hash_algo as sha256"
	Edits  []Edit `json:"edits"`            // they do not overlap
	Unsafe bool   `json:"unsafe,omitempty"` // a guess that must be reviewed

	// Preview is the changed lines, "-" before and "+" after, shortened. It is not part of the JSON form.
	Preview []string `json:"-"`
}

// Edit replaces the bytes [Start, End) of a source; an insertion has Start equal to End.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Apply returns source with all edits applied, in any order. Insertions at the same position keep their order. It
// returns an error for overlapping or invalid edits.
func Apply(source []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out []byte
	done := 0
	for _, e := range sorted {
		switch {
		case e.Start < 0, e.End < e.Start, e.End > len(source):
			return nil, fmt.Errorf("the edit of bytes %d to %d lies outside the source of %d bytes", e.Start, e.End, len(source))
		case e.Start < done:
			return nil, fmt.Errorf("the edit of bytes %d to %d overlaps one that ends at %d", e.Start, e.End, done)
		}
		out = append(append(out, source[done:e.Start]...), e.Text...)
		done = e.End
	}
	return append(out, source[done:]...), nil
}
