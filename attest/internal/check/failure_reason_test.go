package check

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFailings: every row is complete, and what it says keeps the bounds of result fields
// whatever it takes.
func TestFailings(t *testing.T) {
	const most = 200 // code points of a field
	huge := strings.Repeat("é\n\xff", 1000)
	for f := range failureReasons {
		row := failureReasons[f]
		if failureReason(f) == unnamed {
			continue
		}
		if row.wanted == "" || row.found == "" || row.action == "" {
			t.Errorf("row %d is not complete: %+v", f, row)
		}
		if first := row.action[:1]; first != strings.ToUpper(first) || !strings.HasSuffix(row.action, ".") {
			t.Errorf("%q is no sentence", row.action)
		}
		v := Verdict{}.because(failureReason(f), huge, huge)
		for _, text := range []string{v.Expected, v.Actual, v.SuggestedAction} {
			if n := utf8.RuneCountInString(text); n == 0 || n > most || strings.ContainsAny(text, "\n") {
				t.Errorf("row %d: %d code points: %q", f, n, text)
			}
		}
	}
}
