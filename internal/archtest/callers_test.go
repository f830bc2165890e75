package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCallers builds and runs the program of another module that stands in
// testdata/callers: what callers of the libraries write compiles and answers as
// ever. The build has no network: all sums are this module's own.
func TestCallers(t *testing.T) {
	const folder = "testdata/callers"
	copies := t.TempDir() // go writes what it resolves beside the copied go.mod
	for from, to := range map[string]string{folder + "/go.mod": "go.mod", "go.sum": "go.sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(copies, to), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "run", "-mod=mod", "-modfile="+filepath.Join(copies, "go.mod"), ".")
	run.Dir = folder
	run.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
	var stderr bytes.Buffer
	run.Stderr = &stderr
	got, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	want, err := os.ReadFile(folder + "/output.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the program prints\n%s\nexpected\n%s", got, want)
	}
}
