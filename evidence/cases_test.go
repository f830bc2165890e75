package evidence

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// ReadCases returns the lines of a case file of testdata/evidence, and fails if it has none.
func ReadCases[T any](tb testing.TB, name string) (list []T) {
	tb.Helper()
	text, err := os.ReadFile("../testdata/evidence/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var c T
		if err := json.Unmarshal(line, &c); err != nil {
			tb.Fatalf("%s: case %d: %v", name, len(list)+1, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		tb.Fatalf("no cases in %s", name)
	}
	return list
}
