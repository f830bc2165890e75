//go:build unix

package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
)

// goodFlat is a valid trace of the flat shape.
const goodFlat = `{"trace_schema_version":1}
{"idx":0,"kind":"step_started","step_id":"s1"}
{"idx":1,"kind":"step_finished","step_id":"s1","output":{"type":"gather"}}
`

// TestHostileTraces verifies inputs that no text file can hold, or that are too large
// for one. Each gets a finding, in bounded memory, and what follows is read on.
func TestHostileTraces(t *testing.T) {
	deep := `{"idx":9,"kind":"step_started","step_id":"s9","note":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}\n"
	objects := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "\n"
	for name, c := range map[string]struct {
		input   io.Reader
		verdict string
		rule    string
		line    int
	}{
		"binary":              {bytes.NewReader([]byte{0x7f, 'E', 'L', 'F', 0, 1, 2, 0xff, '\n', 0, 0xfe}), "rejected", "line.json", 1},
		"NUL":                 {strings.NewReader("{\"idx\":0\x00}\n"), "rejected", "line.json", 1},
		"NUL in a string":     {strings.NewReader("{\"kind\":\"a\x00b\"}\n"), "rejected", "line.json", 1},
		"UTF-16":              {strings.NewReader("\xff\xfe{\x00}\x00"), "rejected", "line.utf8", 1},
		"byte order mark":     {strings.NewReader("\ufeff" + goodFlat), "rejected", "line.bom", 1},
		"CRLF":                {strings.NewReader(strings.ReplaceAll(goodFlat, "\n", "\r\n")), "valid", "", 0},
		"blank lines":         {strings.NewReader("\n \t\n" + strings.ReplaceAll(goodFlat, "\n", "\n\n")), "valid", "", 0},
		"no final newline":    {strings.NewReader(strings.TrimSuffix(goodFlat, "\n")), "valid", "", 0},
		"cut in a line":       {strings.NewReader(goodFlat[:100]), "rejected", "line.json", 3},
		"bare carriage":       {strings.NewReader(strings.ReplaceAll(goodFlat, "\n", "\r")), "rejected", "line.json", 1},
		"deep arrays":         {strings.NewReader(goodFlat + deep), "rejected", "line.limit", 4},
		"deep objects":        {strings.NewReader(goodFlat + objects), "rejected", "line.limit", 4},
		"only brackets":       {strings.NewReader(strings.Repeat("[", 1<<20)), "rejected", "line.limit", 1},
		"a line of 1 GiB":     {io.MultiReader(strings.NewReader(goodFlat), endless('x', 1<<30), strings.NewReader("\n")), "rejected", "line.limit", 4},
		"a string of 1 GiB":   {io.MultiReader(strings.NewReader(goodFlat+`{"idx":2,"kind":"`), endless('x', 1<<30), strings.NewReader("\"}\n")), "rejected", "line.limit", 4},
		"idx beyond 64 bits":  {strings.NewReader(strings.Replace(goodFlat, `"idx":1`, `"idx":9223372036854775808`, 1)), "rejected", "field.type", 3},
		"a number beyond all": {strings.NewReader(strings.Replace(goodFlat, `"idx":1`, `"idx":1e400`, 1)), "rejected", "line.json", 3},
		"lone surrogate":      {strings.NewReader(strings.Replace(goodFlat, `"s1"`, `"\ud800"`, 1)), "rejected", "line.json", 2},
		"empty":               {strings.NewReader(""), "rejected", "file.empty", 0},
	} {
		t.Run(name, func(t *testing.T) {
			debug.FreeOSMemory()
			before := heapInUse()
			// What is garbage must not count, however late a busy machine collects it.
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(before + 48<<20))
			in := verifyStdin(t, c.input)
			if grown := heapInUse() - before; grown > 64<<20 {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
			if in.Verdict != c.verdict {
				t.Errorf("%s, want %s: %+v", in.Verdict, c.verdict, in.Findings)
			}
			for _, f := range in.Findings {
				if f.Rule == c.rule && f.Line == c.line {
					return
				}
			}
			if c.rule != "" {
				t.Errorf("no %s on line %d: %+v", c.rule, c.line, in.Findings)
			}
		})
	}
}

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys - m.HeapReleased)
}

// endless is a reader of n equal bytes.
func endless(b byte, n int64) io.Reader {
	return io.LimitReader(filled(bytes.Repeat([]byte{b}, 64<<10)), n)
}

type filled []byte

func (f filled) Read(p []byte) (int, error) { return copy(p, f), nil }

// verifyStdin verifies standard input.
func verifyStdin(t *testing.T, input io.Reader) traceInput {
	t.Helper()
	var stdout, stderr bytes.Buffer
	commands.Main(commands.Env{
		Context: context.Background(), Stdin: input, Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
	}, []string{"cupel", "trace", "verify", "--format", "json", "-"})
	var doc traceDocument
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil || doc.Status != "ok" {
		t.Fatalf("%v: status %q\n%s", err, doc.Status, stderr.Bytes())
	}
	return doc.Inputs[0]
}

// TestEvidenceIsNoFile verifies runs whose evidence is something that must not be
// waited for, or must not be reached.
func TestEvidenceIsNoFile(t *testing.T) {
	const name = "evidence/ev-runbook.txt"
	for title, c := range map[string]struct {
		put  func(path string) error
		rule string
	}{
		"named pipe":        {func(p string) error { return syscall.Mkfifo(p, 0o666) }, "path.not_regular"},
		"directory":         {func(p string) error { return os.Mkdir(p, 0o777) }, "path.not_regular"},
		"absent":            {func(string) error { return nil }, "path.missing_file"},
		"link to itself":    {func(p string) error { return os.Symlink(filepath.Base(p), p) }, "path.symlink_escape"},
		"link to a device":  {func(p string) error { return os.Symlink("/dev/zero", p) }, "path.symlink_escape"},
		"link up and out":   {func(p string) error { return os.Symlink("../../elsewhere", p) }, "path.symlink_escape"},
		"link to nothing":   {func(p string) error { return os.Symlink("nothing", p) }, "path.missing_file"},
		"absolute, but in":  {func(p string) error { return os.Symlink(filepath.Join(filepath.Dir(p), "ev-ticket.txt"), p) }, "path.symlink_escape"},
		"link to a brother": {func(p string) error { return os.Symlink("ev-ticket.txt", p) }, "hash.evidence"},
		"empty":             {func(p string) error { return os.WriteFile(p, nil, 0o666) }, "hash.evidence"},
	} {
		t.Run(title, func(t *testing.T) {
			dir := t.TempDir()
			writeRun(t, dir, reasoningtest.Incident(reasoningtest.Wrapped))
			path := filepath.Join(dir, name)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := c.put(path); err != nil {
				t.Fatal(err)
			}
			done := make(chan traceInput, 1)
			go func() {
				doc, _ := runTrace(t, []string{"cupel", "trace", "verify", "--format", "json", dir})
				done <- doc.Inputs[0]
			}()
			select {
			case in := <-done:
				if in.Verdict != "invalid" || !in.reports(c.rule, "error") {
					t.Errorf("%s without %s: %+v", in.Verdict, c.rule, in.Findings)
				}
			case <-time.After(time.Minute):
				t.Fatal("still waiting for the file after a minute")
			}
		})
	}
}

// TestClosedOutput checks that the command ends when its output is closed.
func TestClosedOutput(t *testing.T) {
	var stderr bytes.Buffer
	code := commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(goodFlat), Stdout: closedPipe{}, Stderr: &stderr,
		Getenv: func(string) string { return "" },
	}, []string{"cupel", "trace", "verify", "-"})
	if code != 2 || stderr.Len() > 0 {
		t.Errorf("exit code %d, want 2 and silence: %s", code, stderr.Bytes())
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestInterrupted ends with 130 while the input never does.
func TestInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	var out bytes.Buffer
	input := &pressing{interrupt: interrupt, first: strings.NewReader(goodFlat)}
	code := commands.Main(commands.Env{
		Context: ctx, Stdin: input, Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" },
	}, []string{"cupel", "trace", "verify", "--format", "json", "-"})
	if code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if !json.Valid(out.Bytes()) {
		t.Errorf("the document is not complete: %s", out.Bytes())
	}
}

// pressing is an input that presses Ctrl-C after its first lines and then never ends.
type pressing struct {
	interrupt func()
	first     io.Reader
}

func (p *pressing) Read(b []byte) (int, error) {
	if n, err := p.first.Read(b); err == nil {
		return n, nil
	}
	p.interrupt()
	select {}
}
