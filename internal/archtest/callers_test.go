package archtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const callers = "internal/archtest/testdata/callers"

// programs are the programs of another module, with the file of their standard input in testdata/examples and their
// arguments. The program in the folder itself has neither.
var programs = []struct {
	folder, stdin string
	args          []string
	code          int
}{
	{folder: "."},
	{folder: "verify", args: []string{"session/refund.jsonl", "session/refund-edited.jsonl", "trace/incident"}, code: 1},
	{folder: "lint", stdin: "oatf/five-faults.yaml", code: 1},
	{folder: "hash", stdin: "evidence/tampered.ndjson", code: 1},
	{folder: "assert", code: 1},
	{folder: "judge", args: []string{"oatf/rug-pull.yaml", "oatf/rug-pull-exploited.jsonl"}, code: 1},
}

// TestCallers builds and runs the programs of another module in its folder callers: what callers of the libraries write
// compiles and prints what the output.txt of each says (-update writes it). The build has no network: all sums are
// this module's own.
func TestCallers(t *testing.T) {
	copies := t.TempDir() // go writes resolved modules next to the copied go.mod
	for from, to := range map[string]string{callers + "/go.mod": "go.mod", "go.sum": "go.sum"} {
		if err := os.WriteFile(filepath.Join(copies, to), []byte(readFile(t, from)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-mod=mod", "-modfile="+filepath.Join(copies, "go.mod"), "-o", copies+"/", "./...")
	build.Dir = callers
	build.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, p := range programs {
		t.Run(p.folder, func(t *testing.T) {
			name := p.folder
			if name == "." {
				name = "callers"
			}
			run := exec.Command(filepath.Join(copies, name), p.args...)
			run.Dir = "testdata/examples"
			if p.stdin != "" {
				run.Stdin = strings.NewReader(readFile(t, "testdata/examples/"+p.stdin))
			}
			var stderr bytes.Buffer
			run.Stderr = &stderr
			got, err := run.Output()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) || run.ProcessState.ExitCode() != p.code {
				t.Fatalf("%v, expected exit code %d\n%s%s", err, p.code, got, stderr.Bytes())
			}
			output := filepath.Join(callers, p.folder, "output.txt")
			if *update {
				if err := os.WriteFile(output, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := readFile(t, output); string(got) != want {
				t.Errorf("the program prints\n%s\nexpected\n%s", got, want)
			}
		})
	}
}

// TestProgramsInGuide holds that docs/library.md shows the programs as they are (-update writes them there).
func TestProgramsInGuide(t *testing.T) {
	const guide = "docs/library.md"
	text := readFile(t, guide)
	for _, p := range programs[1:] {
		name := callers + "/" + p.folder + "/main.go"
		head := fmt.Sprintf("```go %s\n", name)
		before, rest, found := strings.Cut(text, head)
		shown, after, closed := strings.Cut(rest, "```\n")
		if !found || !closed {
			t.Errorf("%s has no block %q", guide, strings.TrimSpace(head))
			continue
		}
		source := readFile(t, name)
		if shown == source {
			continue
		}
		if !*update {
			t.Errorf("%s shows another %s; run go test ./internal/archtest -run Programs -update", guide, name)
		}
		text = before + head + source + "```\n" + after
	}
	if *update {
		if err := os.WriteFile(guide, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
