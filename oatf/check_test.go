package oatf

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/oatf/oatftest"
)

// testData is where the cases are.
var testData = os.DirFS(filepath.Join("..", "testdata", "oatf"))

// cases reads a list of test cases.
func cases[T any](t testing.TB, name string) []T {
	t.Helper()
	return oatftest.Cases[T](t, testData, name)
}

func TestHelp(t *testing.T) {
	for _, c := range cases[struct{ Input, Help string }](t, "help.yaml") {
		var got []string
		for _, f := range Check([]byte(c.Input), CheckOptions{}) {
			got = append(got, f.Help)
		}
		if !slices.Contains(got, c.Help) {
			t.Errorf("%s\nhelp %q, expected %q", c.Input, got, c.Help)
		}
	}
}
