package commands

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// perInput are the commands whose answers say for each input what they do not prove.
var perInput = []string{"trace verify", "evidence verify", "evidence verify-proof"}

// TestNotProved: each command that writes pages says what it does not prove, and no other is
// in the table.
func TestNotProved(t *testing.T) {
	env, _ := testEnv(t)
	known := slices.Clone(perInput)
	for name := range app.NotProved {
		known = append(known, name)
	}
	for _, cmd := range cmdline.Leaves("", newApp(env).Commands) {
		for _, f := range cmd.Flags {
			_, usage := cmdline.DescribeFlag(f)
			if f.Names()[0] != "format" || !strings.Contains(usage, "html") {
				continue
			}
			if !slices.Contains(known, cmd.Name) {
				t.Errorf("nothing says what an answer of %q does not prove: it belongs into the table notProved", cmd.Name)
			}
			known = slices.DeleteFunc(known, func(name string) bool { return name == cmd.Name })
		}
	}
	if len(known) > 0 {
		t.Errorf("no commands that write pages: %q", known)
	}
}
