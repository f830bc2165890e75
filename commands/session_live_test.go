package commands_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
)

// watched is an output that can be waited on.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// until waits for a text, as long as a slow machine may need.
func (w *watched) until(t *testing.T, text string) {
	t.Helper()
	again, end := time.NewTicker(5*time.Millisecond), time.After(time.Minute)
	defer again.Stop()
	for !strings.Contains(w.String(), text) {
		select {
		case <-again.C:
		case <-end:
			t.Fatalf("%q did not come; the output is\n%s", text, w.String())
		}
	}
}

// within receives from a channel, and fails the test when nothing comes.
func within[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(time.Minute):
		t.Fatal("nothing has come within a minute")
		panic("unreachable")
	}
}

// live runs a command line that ends with stop, and returns its exit code.
func live(stdin io.Reader, out *watched, args ...string) (stop context.CancelFunc, code <-chan int) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() {
		done <- commands.Main(commands.Env{Context: ctx, Stdin: stdin, Stdout: out, Stderr: out, Getenv: func(string) string { return "" }}, args)
	}()
	return cancel, done
}

func exampleLines(t rapid.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/examples/session", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
}

// TestFollow: a followed log is judged line by line as it grows; Ctrl-C ends it with a
// complete report, the exit code of its verdict and the state for the next run.
func TestFollow(t *testing.T) {
	lines := exampleLines(t, "refund-edited.jsonl")
	dir := t.TempDir()
	log, state := filepath.Join(dir, "log.jsonl"), filepath.Join(dir, "state.json")
	writeFile(t, log, []byte(strings.Join(lines[:3], "")))
	f := follow(t, dir, "--state", state, "--format", "jsonl")
	defer f.stop()
	for _, line := range lines[3:6] {
		f.add("log.jsonl", line)
	}
	f.add("log.jsonl", lines[6][:40]) // half a line is not a fault yet
	f.look()
	if got := f.out.String(); strings.Contains(got, "error") {
		t.Fatalf("a fault before there is one:\n%s", got)
	}
	f.add("log.jsonl", lines[6][40:])
	f.look()
	f.out.until(t, `"rule":"hash.payload"`)
	f.add("log.jsonl", lines[7]+lines[8][:10])
	f.look()
	if got := f.end(); got != 1 {
		t.Errorf("exit code %d, want 1", got)
	}
	f.out.until(t, `"events":8`)
	f.out.until(t, "a line that is still being written")

	writeFile(t, log, []byte(strings.Join(lines, "")+"\n"))
	var again bytes.Buffer
	got := commands.Main(commands.Env{Context: context.Background(), Stdout: &again, Stderr: &again, Getenv: func(string) string { return "" }},
		[]string{"cupel", "trace", "verify", "--state", state, log})
	if got != 1 || !strings.Contains(again.String(), "10 events") || !strings.Contains(again.String(), "found 1 error") {
		t.Errorf("the next run: exit code %d\n%s", got, again.String())
	}
}

// TestFollowShowsAtOnce checks that each text format prints a finding immediately, also together with another format.
func TestFollowShowsAtOnce(t *testing.T) {
	for _, format := range []string{"text", "short", "text json", "short jsonl"} {
		first, other, several := strings.Cut(format, " ")
		dir := t.TempDir()
		f := &followed{t: t, dir: dir}
		f.do("add log.jsonl refund-edited 1-6")
		args := []string{"--format", first}
		if several {
			args = append(args, "--format", other+"="+f.path("report"))
		}
		f = follow(t, dir, args...)
		defer f.stop()
		f.do("add log.jsonl refund-edited 7")
		f.look()
		f.out.until(t, "[hash.payload]")
		if strings.Contains(f.out.String(), "invalid") {
			t.Errorf("%s: a verdict before the end:\n%s", format, f.out.String())
		}
		code := f.end()
		if n := strings.Count(f.out.String(), "[hash.payload]"); code != 1 || n != 1 || !strings.Contains(f.out.String(), "log.jsonl: invalid") {
			t.Errorf("%s: exit code %d, the finding is shown %d times\n%s", format, code, n, f.out.String())
		}
		if !several {
			continue
		}
		if report, err := os.ReadFile(f.path("report")); err != nil || bytes.Count(report, []byte("hash.payload")) != 1 {
			t.Errorf("%s: %v\n%s", format, err, report)
		}
	}
}

// TestInterruptedLog: Ctrl-C in the middle of a log leaves what was found so far, no
// verdict that is not known, and exit code 130.
func TestInterruptedLog(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		first string // what the output holds before Ctrl-C
		found string
	}{
		"without a fault": {exampleLines(t, "refund.jsonl")[:6], "", `"verdict":null`},
		"with a fault":    {exampleLines(t, "refund-edited.jsonl")[:8], `"rule":"hash.payload"`, `"verdict":"invalid"`},
	} {
		r, w := io.Pipe()
		var out watched
		stop, code := live(r, &out, "cupel", "trace", "verify", "--format", "jsonl", "-")
		for _, line := range c.lines {
			if _, err := io.WriteString(w, line); err != nil {
				t.Fatal(err)
			}
		}
		out.until(t, c.first) // the pipe has no buffer: all that was written is read
		stop()
		if got := within(t, code); got != 130 {
			t.Errorf("%s: exit code %d, want 130", name, got)
		}
		_ = w.Close()
		for _, want := range []string{c.found, `"interrupted":true`, "everything after the last line that was read", `"status":"error"`} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %s in\n%s", name, want, out.String())
			}
		}
		if strings.Contains(out.String(), `"evidence_class":"`) {
			t.Errorf("%s: a class before the end:\n%s", name, out.String())
		}
	}
}
