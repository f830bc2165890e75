package trace_test

import (
	"bytes"
	"io/fs"
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/trace"
)

// opens counts how often the files of a folder are opened.
type opens struct {
	fstest.MapFS
	mu    sync.Mutex
	times map[string]int
}

func (o *opens) Open(name string) (fs.File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.times[name]++
	return o.MapFS.Open(name)
}

// TestInputIsReadOnce: the manifest's entry of the trace is compared with what was read. Where
// that cannot be, the file is read again, and nothing else changes.
func TestInputIsReadOnce(t *testing.T) {
	const name = "trace.jsonl"
	long := fstest.MapFS{}
	for _, f := range reasoningtest.Research(reasoningtest.Wrapped, 400).Files() {
		long[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	late := maps.Clone(long) // the first record comes when the beginning is gone
	late[name] = &fstest.MapFile{Data: append(bytes.Repeat([]byte("{\n"), 64<<10), long[name].Data...)}
	linked := maps.Clone(long)
	linked["other"] = long[name]
	linked[name] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("other")}
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		times int // that the trace is opened
	}{
		{"short", incident(), 1},
		{"long", long, 1},
		{"another digest", changed(incident(), name, strings.Replace(string(incident()[name].Data), "call-1", "call-x", 1)), 2},
		{"no manifest", changed(maps.Clone(long), "manifest.json", ""), 1},
		{"a link", linked, 2},
		{"a late record", late, 1}, // which is rejected
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := &opens{MapFS: c.files, times: map[string]int{}}
			got, err := trace.VerifyRun(t.Context(), folder, trace.Options{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			if folder.times[name] != c.times {
				t.Errorf("the trace was opened %d times, expected %d", folder.times[name], c.times)
			}
			input, err := c.files.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := trace.Verify(t.Context(), input, trace.Options{Name: name, Reasoning: trace.ReasoningOptions{Run: c.files}})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v\nwithout the name of the input:\n%+v", got, want)
			}
		})
	}
}

// TestManifestOfAnotherInput: what was read counts only where the folder has a file as long
// under the name that it is said to have.
func TestManifestOfAnotherInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := incident()
		read := files["trace.jsonl"].Data
		switch rapid.SampledFrom([]string{"same", "longer", "shorter", "gone", "folder"}).Draw(t, "there") {
		case "longer":
			files["trace.jsonl"] = &fstest.MapFile{Data: append(bytes.Clone(read), '\n')}
		case "shorter":
			files["trace.jsonl"] = &fstest.MapFile{Data: read[:len(read)-1]}
		case "gone":
			delete(files, "trace.jsonl")
		case "folder":
			files["trace.jsonl"] = &fstest.MapFile{Mode: fs.ModeDir}
		}
		opt := trace.Options{Jobs: rapid.IntRange(1, 3).Draw(t, "jobs"), Reasoning: trace.ReasoningOptions{Run: files}}
		want, err := trace.Verify(t.Context(), bytes.NewReader(read), opt)
		if err != nil {
			t.Fatal(err)
		}
		opt.Reasoning.Input = "trace.jsonl"
		got, err := trace.Verify(t.Context(), bytes.NewReader(read), opt)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v\nwithout the name of the input:\n%+v", got, want)
		}
	})
}
