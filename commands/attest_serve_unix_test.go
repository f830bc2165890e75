//go:build unix

package commands_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEngineOutputFull checks that with a full disk or a limit on the size of files the engine fails, and not by a
// signal.
func TestEngineOutputFull(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	engine := filepath.Join(folder, "attest-engine")
	if err := os.Symlink(path, engine); err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"full disk":  `exec "$0" --log-level=error > /dev/full`,
		"file limit": `ulimit -f 0; exec "$0" --log-level=error > "$1"`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat("/dev/full"); err != nil && name == "full disk" {
				return // only Linux has it
			}
			var said bytes.Buffer
			cmd := exec.Command("sh", "-c", script, engine, filepath.Join(folder, "answers"))
			cmd.Stdin, cmd.Stderr = strings.NewReader(initializeEngine+engineBatch(1)), &said
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Errorf("%v, want exit code 2", err)
			}
			if got := said.String(); !strings.HasPrefix(got, "cupel: error: cannot write answers: ") || strings.Count(got, "\n") != 2 || !strings.Contains(got, "\ncupel: hint: ") {
				t.Errorf("the engine says %q", got)
			}
		})
	}
}
