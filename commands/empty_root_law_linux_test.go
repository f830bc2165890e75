package commands_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestEmptyRoot: in a root with nothing but the files that it reads and an empty folder for temporary files, as in an
// image without a system, a run prints what it prints elsewhere, and leaves the same files and exit code.
func TestEmptyRoot(t *testing.T) {
	project, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	layFaulty(t)
	program := filepath.Join(".bin", "cupel") // a folder that a walk ignores
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", filepath.Join(here(t), program), ".")
	build.Dir, build.Env = project, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if err := os.Mkdir("tmp", 0o700); err != nil {
		t.Fatal(err)
	}
	before := filesHere(t)
	for _, line := range racetest.Large(t, 10, faultyRuns()) {
		outside := runProgram(t, filepath.Join(here(t), program), line, nil)
		putBack(t, outside.files, before)
		root := &syscall.SysProcAttr{Chroot: here(t)}
		if uid := os.Geteuid(); uid != 0 {
			root.Cloneflags = syscall.CLONE_NEWUSER
			root.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		}
		inside := runProgram(t, "/"+program, line, root)
		putBack(t, inside.files, before)
		if diff := cmp.Diff(outside.ran, inside.ran, cmp.AllowUnexported(ran{})); diff != "" || !sameFiles(outside.files, inside.files) {
			t.Errorf("cupel %s: it differs in an empty root (-outside +inside):\n%s\n%s", line, diff, cmp.Diff(outside.files, inside.files))
		}
	}
}

// runProgram runs a built program without an environment, in a new root where there is one.
func runProgram(t *testing.T, program, line string, root *syscall.SysProcAttr) outcome {
	t.Helper()
	args, stdin := words(t, line)
	if stdin == nil {
		stdin = strings.NewReader("")
	}
	text, err := io.ReadAll(stdin)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	run := exec.Command(program, args...)
	run.Env, run.Stdin, run.Stdout, run.Stderr, run.SysProcAttr = []string{}, bytes.NewReader(text), &stdout, &stderr, root
	if root != nil {
		run.Dir = "/"
	}
	err = run.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatalf("cupel %s: %v", line, err)
	}
	return outcome{ran{run.ProcessState.ExitCode(), settled(stdout.String()), settled(stderr.String())}, filesHere(t)}
}
