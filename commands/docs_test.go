package commands_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// consoleBlock is a block of commands and their output in a Markdown file.
var consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// TestDocumentsRun runs every console block of the documentation in the project's folder, with cupel on PATH, and
// compares the output. A line "…" in the document matches any number of lines.
func TestDocumentsRun(t *testing.T) {
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, path := range racetest.Some(t, append(documents, "../README.md")) {
		if tool := lacking(path); tool != "" {
			t.Logf("%s: 1 document NOT run: %s is not installed", filepath.Base(path), tool)
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range consoleBlock.FindAllStringSubmatch(string(text), -1) {
			calls += runBlock(t, filepath.Base(path), block[1])
		}
	}
	if calls == 0 {
		t.Fatal("no commands in the documentation")
	}
	t.Logf("%d commands", calls)
}

// recipesNeed are the programs of the documents whose commands show what is done without cupel.
var recipesNeed = []string{"jq", "python3", "openssl", "sha256sum", "base64", "tar"}

// lacking returns a program that the commands of a document need and that is not installed.
func lacking(document string) string {
	if name := filepath.Base(document); name == "formats.md" || name == "comparison.md" {
		for _, tool := range recipesNeed {
			if _, err := exec.LookPath(tool); err != nil {
				return tool
			}
		}
	}
	return ""
}

// runBlock runs the commands of one block in one shell, so that `echo $?` speaks of
// the command before it.
func runBlock(t *testing.T, document, block string) int {
	t.Helper()
	var commands, expected []string
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, strings.TrimSpace(command))
			expected = append(expected, "")
		} else if len(expected) > 0 {
			expected[len(expected)-1] += line
		}
	}
	const mark = "@@@ next @@@\n"
	script := "exec 2>&1 </dev/null\n"
	for _, c := range commands {
		script += c + "\n__code=$?; printf '" + strings.TrimSpace(mark) + "\\n'; (exit $__code)\n"
	}
	sh := exec.Command("sh", "-c", script)
	sh.Dir = ".."
	sh.Env = append(os.Environ(), "TMPDIR=") // what mktemp makes is named without quotes, so that its name has no blank
	out, _ := sh.Output()                    // the last command's exit code is not the block's
	got := strings.Split(string(out), mark)
	if len(got) != len(commands)+1 {
		t.Fatalf("%s: the shell stopped early:\n%s\n%s", document, block, out)
	}
	for i, want := range expected {
		if !fits(want, got[i]) {
			t.Errorf("%s: $ %s (-documented +printed):\n%s", document, commands[i], cmp.Diff(want, got[i]))
		}
	}
	return len(commands)
}

// fits compares printed lines with documented ones. "…" matches the rest of its line, or, as a whole line, any lines.
func fits(want, got string) bool {
	pattern := regexp.QuoteMeta(want)
	pattern = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(pattern, "(?s:.*)")
	pattern = strings.ReplaceAll(pattern, "…\n", ".*\n")
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}

// TestDemo runs the steps of `make demo` and compares their exit codes.
func TestDemo(t *testing.T) {
	text, err := os.ReadFile("../testdata/examples/demo.txt")
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, line := range racetest.Some(t, strings.Split(string(text), "\n")) {
		word, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		want, err := strconv.Atoi(word)
		if err != nil {
			continue
		}
		steps++
		sh := exec.Command("sh", "-c", command)
		sh.Dir = ".."
		out, _ := sh.CombinedOutput()
		if got := sh.ProcessState.ExitCode(); got != want {
			t.Errorf("$ %s: exit code %d, want %d\n%s", command, got, want, out)
		}
	}
	if steps == 0 {
		t.Fatal("no steps")
	}
	t.Logf("%d steps", steps)
}
