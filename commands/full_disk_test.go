//go:build unix

package commands_test

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// fullOutput is a standard output on a disk that becomes full.
type fullOutput struct {
	room int // bytes that still fit
	full bool
}

func (f *fullOutput) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	if n < len(p) {
		f.full = true
		return n, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	}
	return n, nil
}

// onFullOutput runs cupel with a standard output that takes room bytes.
func onFullOutput(t *testing.T, line string, room int) (out *fullOutput, code int, stderr string) {
	t.Helper()
	args, stdin := words(t, line)
	out = &fullOutput{room: room}
	var said strings.Builder
	env := commands.Env{Context: t.Context(), Stdin: stdin, Stdout: out, Stderr: &said, Getenv: func(string) string { return "" }}
	code = commands.Main(env, append([]string{"cupel"}, args...))
	return out, code, said.String()
}

// inFormats returns a command line that names no format, in each that the command has.
func inFormats(t *testing.T, line string) (lines []string) {
	t.Helper()
	call, stdin, led := strings.Cut(line, " <")
	if led {
		stdin = " <" + stdin
	}
	if strings.Contains(line, "--format") {
		return []string{line}
	}
	_, _, said := onFullOutput(t, call+" --format no-such-format"+stdin, 1<<20)
	_, known, has := strings.Cut(said, "cupel: hint: known: ")
	if !has {
		return []string{line}
	}
	for format := range strings.SplitSeq(strings.TrimSpace(known), ", ") {
		lines = append(lines, call+" --format "+format+stdin)
	}
	return lines
}

// fullErrors returns the errors on standard error that a full disk causes. Reports on standard error can contain one
// as well.
func fullErrors(stderr string) (list []string) {
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "cupel: ") && strings.Contains(line, "no space left") {
			list = append(list, strings.TrimSuffix(line, "\n"))
		}
	}
	return list
}

// layMany adds inputs about which more is reported than is kept to be written, and returns command
// lines that read them.
func layMany(t *testing.T) []string {
	t.Helper()
	for from, to := range map[string]string{"edited.jsonl": "many/log.jsonl", "tampered.ndjson": "many/events.ndjson", "docs/deep/b.yaml": "many/b.yaml"} {
		for i := range 3 {
			writeFile(t, strings.Replace(to, "/", "/"+strconv.Itoa(i), 1), []byte(strings.Repeat(readText(t, from), 10)))
		}
	}
	if _, code, stderr := onFullOutput(t, "trace verify --format json=many.json many/", 0); code != 1 {
		t.Fatal(stderr)
	}
	return []string{
		"trace verify many", "report merge many.json", "evidence verify --all many", "evidence lint many", "evidence hash --check many/1events.ndjson", "check many", "oatf lint many", "oatf fmt -l many",
		"schema", "schema cupel.trace/1", "evidence redact --classes", "trace verify --show-config log.jsonl", "trace verify --statistics many", "help cli",
	}
}

// refusesFullOutput counts the runs of a command line, in every format, whose answer does not fit.
func refusesFullOutput(t *testing.T, line string, rooms ...int) (tried int) {
	t.Helper()
	for _, line := range inFormats(t, line) {
		reason := `cupel: error: cannot write "/dev/stdout": no space left on device`
		if strings.HasPrefix(line, "attest serve") { // its answers are all that it writes there
			reason = "cupel: error: cannot write answers: write /dev/stdout: no space left on device"
		}
		for _, room := range rooms {
			out, code, stderr := onFullOutput(t, line, room)
			if !out.full {
				continue
			}
			tried++
			if code != 2 || !slices.Equal(fullErrors(stderr), []string{reason}) {
				t.Errorf("cupel %s, room for %d bytes: exit code %d\n%s", line, room, code, stderr)
			}
		}
	}
	return tried
}

// TestFullStandardOutput checks, for every command and format, that an answer that does not fit on standard output
// makes exit code 2, with one error message.
func TestFullStandardOutput(t *testing.T) {
	layFaulty(t)
	before := filesHere(t)
	tried := 0
	for _, line := range racetest.Large(t, 10, faultyRuns()) {
		tried += refusesFullOutput(t, line, 0, 100)
		putBack(t, filesHere(t), before)
	}
	for _, line := range racetest.Large(t, 3, layMany(t)) {
		tried += refusesFullOutput(t, line, 0)
	}
	if tried == 0 {
		t.Fatal("no output was full")
	}
	t.Logf("%d outputs", tried)
}
