package commands

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// perInput are the commands whose answers say for each input what they do not prove.
var perInput = []string{"trace verify", "evidence verify", "evidence verify-proof"}

// TestNotProved: each command that writes pages says on them what it does not prove.
func TestNotProved(t *testing.T) {
	env, out := testEnv(t)
	known := slices.Clone(perInput)
	for _, cmd := range cmdline.Leaves("", newApp(env).Commands) {
		for _, f := range cmd.Flags {
			_, usage := cmdline.DescribeFlag(f)
			if f.Names()[0] != "format" || !strings.Contains(usage, "html") {
				continue
			}
			out.Reset()
			Main(env, append([]string{"cupel"}, append(strings.Fields(cmd.Name), "--format=html", "--no-such-flag")...))
			if says := strings.Contains(out.String(), "What this does not prove") && !strings.Contains(out.String(), "anything: nothing was judged"); !says && !slices.Contains(known, cmd.Name) {
				t.Errorf("no page of %q says what an answer does not prove: %s", cmd.Name, out.String())
			}
			known = slices.DeleteFunc(known, func(name string) bool { return name == cmd.Name })
		}
	}
	if len(known) > 0 {
		t.Errorf("no commands that write pages: %q", known)
	}
}
