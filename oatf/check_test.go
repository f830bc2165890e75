package oatf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/oatftest"
)

// testData is where the cases are.
var testData = os.DirFS(filepath.Join("..", "testdata", "oatf"))

// cases reads a list of test cases.
func cases[T any](t testing.TB, name string) []T {
	t.Helper()
	return oatftest.Cases[T](t, testData, name)
}

// TestRenamedEvent carries out the fix of an event that is called otherwise now; there is
// none where the present name is no better.
func TestRenamedEvent(t *testing.T) {
	for _, c := range []struct{ mode, fixed string }{{"a2a_server", "message/send"}, {"mcp_server", "tasks/send"}} {
		text := "oatf: '0.1'\nattack:\n  execution: {mode: " + c.mode + ", phases: [{state: {}, trigger: {event: 'tasks/send'}}]}\n"
		got := text
		for _, f := range Check([]byte(text), CheckOptions{}) {
			if f.Fix != nil {
				fixed, err := finding.Apply([]byte(text), f.Fix.Edits)
				if err != nil {
					t.Fatal(err)
				}
				got = string(fixed)
			}
		}
		if want := strings.Replace(text, "tasks/send", c.fixed, 1); got != want {
			t.Errorf("%s is mended to %s", text, got)
		}
	}
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
