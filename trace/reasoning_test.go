package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/trace"
	_ "github.com/cupel-dev/cupel/trace/reference" // for Both
)

// folder is a run's files in memory.
type folder struct{ fstest.MapFS }

func inMemory(files []reasoningtest.File) (folder, []byte) {
	f, lines := folder{fstest.MapFS{}}, []byte(nil)
	for _, file := range files {
		f.MapFS[file.Name] = &fstest.MapFile{Data: file.Data}
		if file.Name == "trace.jsonl" {
			lines = file.Data
		}
	}
	return f, lines
}

// options verify a run in memory.
func (f folder) options() trace.Options {
	opt := trace.Options{Name: "trace.jsonl", Reasoning: trace.ReasoningOptions{Run: f}}
	return opt
}

func verify(t *testing.T, input []byte, opt trace.Options) *trace.Report {
	t.Helper()
	r, err := trace.Verify(context.Background(), bytes.NewReader(input), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestJobsDoNotMatter damages a run at many places and verifies it with one worker and
// with several: the reports are the same to the last byte.
func TestJobsDoNotMatter(t *testing.T) {
	files, lines := inMemory(reasoningtest.Research(reasoningtest.Wrapped, 2_000).Files())
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		input := bytes.Clone(lines)
		for range round {
			damage(random, input, round%3 == 0)
		}
		var first []byte
		for _, jobs := range []int{1, 2, 5} {
			opt := files.options()
			opt.Jobs = jobs
			report := verify(t, input, opt)
			text, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = text
				t.Logf("round %d: %s, %d errors, %d warnings", round, report.Verdict, report.Errors, report.Warnings)
			}
			if !bytes.Equal(text, first) {
				t.Fatalf("round %d: the report with %d jobs differs from the one with 1:\n%s\n%s", round, jobs, text, first)
			}
		}
	}
}

// damage changes a digit somewhere, which leaves most lines readable, or any byte.
func damage(random *rand.Rand, b []byte, anyByte bool) {
	for {
		i := random.IntN(len(b))
		if anyByte && b[i] != '\n' || b[i] >= '0' && b[i] <= '9' {
			b[i] = '0' + byte(random.IntN(10))
			return
		}
	}
}

// TestEveryLineIsAccountedFor counts the lines of damaged traces.
func TestEveryLineIsAccountedFor(t *testing.T) {
	files, lines := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		input := bytes.Clone(lines)
		for range 1 + random.IntN(4) {
			damage(random, input, true)
		}
		input = append(input, strings.Repeat("\n \n", random.IntN(3))...)
		r := verify(t, input, files.options())
		total := r.Events + r.Header + r.Blank + r.Unreadable
		if want := int64(bytes.Count(input, []byte{'\n'})); total != want {
			t.Fatalf("%d events, %d headers, %d blank and %d unreadable lines are %d, want %d\n%s", r.Events, r.Header, r.Blank, r.Unreadable, total, want, input)
		}
	}
}

// failing is a folder whose files cannot be read.
type failing struct {
	open error // of Open; nil: reading fails
}

var errDisk = errors.New("the disk is gone")

func (f failing) Open(name string) (fs.File, error) {
	if f.open != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.open}
	}
	file, err := fstest.MapFS{name: {Data: []byte("x")}}.Open(name)
	return broken{file}, err
}

func (f failing) Lstat(name string) (fs.FileInfo, error) { return nil, fs.ErrNotExist }

type broken struct{ fs.File }

func (broken) Read([]byte) (int, error) { return 0, errDisk }

// TestUnreadableEvidence distinguishes evidence that is missing from evidence that the machine could not read.
func TestUnreadableEvidence(t *testing.T) {
	_, lines := inMemory(reasoningtest.Incident(reasoningtest.Flat).Files())
	opt := trace.Options{Reasoning: trace.ReasoningOptions{Evidence: failing{fs.ErrPermission}}}
	r := verify(t, lines, opt)
	if r.Verdict != trace.Invalid || r.Findings[len(r.Findings)-1].Rule != "path.missing_file" || !strings.Contains(r.Findings[len(r.Findings)-1].Message, "permission denied") {
		t.Errorf("no permission: %s %+v", r.Verdict, r.Findings)
	}
	opt.Reasoning.Evidence = failing{}
	if _, err := trace.Verify(context.Background(), bytes.NewReader(lines), opt); !errors.Is(err, errDisk) {
		t.Errorf("a disk that fails: %v", err)
	}
	if _, err := trace.Verify(context.Background(), io.MultiReader(bytes.NewReader(lines), badReader{}), trace.Options{}); !errors.Is(err, errDisk) {
		t.Errorf("an input that fails: %v", err)
	}
}

type badReader struct{}

func (badReader) Read([]byte) (int, error) { return 0, errDisk }

// FuzzVerify verifies anything: no input panics, the number of workers and the size of
// the reads do not matter, the lines add up, and both engines agree. What the second one
// does not do it says, and that alone may differ.
func FuzzVerify(f *testing.F) {
	for _, files := range reasoningtest.Examples() {
		_, lines := inMemory(files)
		f.Add(lines)
	}
	for _, r := range trace.Rules() {
		f.Add([]byte(r.Bad))
	}
	f.Add([]byte("[{},{\"idx\":0}]\n{}")) // an array, which is judged once
	files, _ := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	f.Fuzz(func(t *testing.T, input []byte) {
		one := files.options()
		one.Jobs = 1
		a, err := trace.Verify(context.Background(), bytes.NewReader(input), one)
		if err != nil {
			t.Fatal(err)
		}
		two := files.options()
		two.Jobs, two.Engine = 3, trace.Both
		b, err := trace.Verify(context.Background(), inPieces(input), two)
		if err != nil {
			t.Fatal(err)
		}
		b.NotCovered = slices.DeleteFunc(b.NotCovered, func(s string) bool { return strings.HasPrefix(s, "the rules a second time: ") })
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if !bytes.Equal(x, y) {
			t.Errorf("the reports differ:\n%s\n%s", x, y)
		}
	})
}

// inPieces reads in small pieces, so that blocks end at every place.
func inPieces(b []byte) io.Reader {
	return &pieces{bytes.NewReader(b)}
}

type pieces struct{ r io.Reader }

func (p *pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), 61)]) }
