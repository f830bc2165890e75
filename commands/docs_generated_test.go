package commands_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the generated documents anew")

// TestManualPages: mandoc reports no fault of the manual pages. They have no date, so that each build makes the same
// bytes.
func TestManualPages(t *testing.T) {
	path, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("manual pages: NOT read by mandoc, which is not installed")
	}
	pages, _ := filepath.Glob("../docs/cupel*.1")
	out, err := exec.Command(path, append([]string{"-T", "lint"}, pages...)...).CombinedOutput()
	var faults []string
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "missing date") && !strings.Contains(line, "referenced manual not found") {
			faults = append(faults, line)
		}
	}
	if len(out) == 0 && err != nil || len(faults) > 0 {
		t.Errorf("%v\n%s", err, strings.Join(faults, ""))
	}
}

// TestGeneratedDocuments compares the documents with the program's tables. `make docs` rewrites them.
func TestGeneratedDocuments(t *testing.T) {
	for path, args := range map[string][]string{
		"../docs/cupel.1":             {"help", "man"},
		"../docs/cupel-attest.1":      {"help", "man-attest"},
		"../docs/cupel-evidence.1":    {"help", "man-evidence"},
		"../docs/cupel-oatf.1":        {"help", "man-oatf"},
		"../docs/cupel-report.1":      {"help", "man-report"},
		"../docs/cupel-trace.1":       {"help", "man-trace"},
		"../docs/rules.md":            {"explain", "--all", "--format", "markdown"},
		"../docs/evidence-classes.md": {"evidence", "redact", "--classes"},
	} {
		var out bytes.Buffer
		cmd := exec.Command("cupel", args...)
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		switch what := "What `cupel " + strings.Join(args, " ") + "` prints.\n\n"; path {
		case "../docs/rules.md":
			text = "# Rules\n\n" + what + text
		case "../docs/evidence-classes.md":
			text = "# Privacy classes\n\n" + what + "```text\n" + text + "```\n"
		}
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(have), text); diff != "" {
			t.Errorf("%s is not current; `make docs` writes it (-have +want):\n%s", path, diff)
		}
	}
}
