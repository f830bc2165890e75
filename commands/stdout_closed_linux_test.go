package commands

import (
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestClosedStdout checks that every command refuses to run if standard output is closed, and runs if it is
// /dev/null.
func TestClosedStdout(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("no look at the descriptors before the runtime on this processor")
	}
	t.Chdir(t.TempDir())
	env, _ := testEnv(t)
	calls := []string{"", "trace", "--version"}
	for _, cmd := range commandsThatRun("", newApp(env).Commands) {
		calls = append(calls, cmd.Name)
	}
	for _, name := range racetest.Some(t, calls) {
		for redirected, want := range map[string]int{">&-": 2, ">/dev/null": 0, "<>/dev/null >&0": 0} {
			call := exec.Command("sh", "-c", "cupel "+name+" --help "+redirected)
			var said strings.Builder
			call.Stderr = &said
			err := call.Run()
			code := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			closed := strings.Contains(said.String(), "cupel: error: standard output is closed\ncupel: hint: ")
			if code != want || closed != (want == 2) {
				t.Errorf("cupel %s %s: exit code %d, expected %d: %s", name, redirected, code, want, &said)
			}
		}
	}
}
