package commands_test

import (
	"errors"
	"os/exec"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits is the script command `exits CODE COMMAND ARGS…`. It leaves the output for
// `stdout` and `stderr`, as exec does.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGS…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%v: exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", args[1:], got, want,
			ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}
