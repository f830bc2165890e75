package trace_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/trace"
)

// incident returns a run folder in memory with the companion files of the trace.
func incident() fstest.MapFS {
	files := fstest.MapFS{}
	for _, f := range reasoningtest.Incident(reasoningtest.Wrapped).Files() {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

// changed returns the folder with other content in one file; "" removes it.
func changed(files fstest.MapFS, name, content string) fstest.MapFS {
	if files[name] == nil {
		panic("no file " + name)
	}
	if delete(files, name); content != "" {
		files[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return files
}

// evidenceOf returns one of the folder's evidence files.
func evidenceOf(files fstest.MapFS) string {
	for name := range files {
		if strings.HasPrefix(name, "evidence/") {
			return name
		}
	}
	panic("no evidence")
}

// TestVerifyRun checks which companion files of a trace are read, and their names in the report.
func TestVerifyRun(t *testing.T) {
	one := evidenceOf(incident())
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		opt   trace.ReasoningOptions
		want  []string // what is reported, "rule@file"
	}{
		{"whole", incident(), trace.ReasoningOptions{}, nil},
		{"no plan", changed(incident(), "plan.json", ""), trace.ReasoningOptions{}, []string{"plan.absent@run/trace.jsonl", "manifest.mismatch@run/manifest.json"}},
		{"half a plan", changed(incident(), "plan.json", "{"), trace.ReasoningOptions{}, []string{"plan.unreadable@run/plan.json", "manifest.mismatch@run/manifest.json"}},
		{"another plan", changed(incident(), "plan.json", "{"), trace.ReasoningOptions{Plan: strings.NewReader("["), PlanName: "other.json"}, []string{"plan.unreadable@other.json", "manifest.mismatch@run/manifest.json"}},
		{"half a manifest", changed(incident(), "manifest.json", "{"), trace.ReasoningOptions{Manifest: true}, []string{"manifest.mismatch@run/manifest.json"}},
		{"a plan without a name", changed(incident(), "plan.json", ""), trace.ReasoningOptions{Plan: strings.NewReader("[")}, []string{"plan.unreadable@run/plan.json", "manifest.mismatch@run/manifest.json"}},
		{"no manifest", changed(incident(), "manifest.json", ""), trace.ReasoningOptions{}, nil},
		{"a manifest is wanted", changed(incident(), "manifest.json", ""), trace.ReasoningOptions{Manifest: true}, []string{"manifest.mismatch@run/trace.jsonl"}},
		{"evidence is missing", changed(incident(), one, ""), trace.ReasoningOptions{}, []string{"path.missing_file@run/trace.jsonl", "manifest.mismatch@run/manifest.json"}},
		{"evidence is not read", changed(incident(), one, ""), trace.ReasoningOptions{NoEvidence: true}, []string{"evidence.unchecked@run/trace.jsonl"}},
		{"but the manifest is", changed(incident(), one, ""), trace.ReasoningOptions{NoEvidence: true, Manifest: true}, []string{"evidence.unchecked@run/trace.jsonl", "manifest.mismatch@run/manifest.json"}},
		{"evidence lies elsewhere", changed(incident(), one, ""), trace.ReasoningOptions{Evidence: incident()}, []string{"manifest.mismatch@run/manifest.json"}},
	} {
		r := verifyRun(t, c.files, trace.Options{Name: "run/trace.jsonl", Reasoning: c.opt})
		var got []string
		for _, f := range r.Findings {
			if what := f.Rule + "@" + f.File; !slices.Contains(got, what) {
				got = append(got, what)
			}
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, reported(r), c.want)
		}
	}
}

// refusing is a folder one file of which cannot be opened.
type refusing struct {
	fstest.MapFS
	name string
	err  error
}

func (r refusing) Open(name string) (fs.File, error) {
	if name == r.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: r.err}
	}
	return r.MapFS.Open(name)
}

// TestPlanThatCannotBeOpened: a plan that is there must not be passed over.
func TestPlanThatCannotBeOpened(t *testing.T) {
	files := changed(incident(), "manifest.json", "")
	r := verifyRun(t, refusing{files, "plan.json", fs.ErrPermission}, trace.Options{})
	if got := reported(r); !slices.Equal(got, []string{"plan.unreadable@plan.json:0"}) || r.Findings[0].Message != `the plan cannot be read: cannot open "plan.json": permission denied` {
		t.Errorf("%+v", r.Findings)
	}
}

func TestFolderWithoutTrace(t *testing.T) {
	for name, c := range map[string]struct {
		files trace.Files
		want  string
	}{
		"none":       {fstest.MapFS{}, `no such file: "trace.jsonl"; a run folder holds its reasoning trace or session log under the name trace.jsonl`},
		"a folder":   {fstest.MapFS{"trace.jsonl/x": {}}, `"trace.jsonl" is not a regular file`},
		"unreadable": {refusing{incident(), "trace.jsonl", fs.ErrPermission}, `cannot open "trace.jsonl": permission denied`},
		"broken":     {refusing{incident(), "trace.jsonl", io.ErrUnexpectedEOF}, `cannot open "trace.jsonl": unexpected EOF`},
	} {
		if r, err := trace.VerifyRun(t.Context(), c.files, trace.Options{}); r != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v; want %q", name, r, err, c.want)
		}
	}
	if _, err := trace.VerifyRun(t.Context(), fstest.MapFS{}, trace.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not %v", err, fs.ErrNotExist)
	}
}

// TestVerifyRunResumes verifies a growing log of a folder in two runs.
func TestVerifyRunResumes(t *testing.T) {
	log := workingDay(t, 20)
	half := strings.Index(log[len(log)/2:], "\n") + len(log)/2 + 1
	first := verifyRun(t, fstest.MapFS{"trace.jsonl": {Data: []byte(log[:half])}}, trace.Options{Growing: true})
	second := verifyRun(t, fstest.MapFS{"trace.jsonl": {Data: []byte(log)}}, trace.Options{Growing: true, Resume: first.State})
	whole := verifyRun(t, fstest.MapFS{"trace.jsonl": {Data: []byte(log)}}, trace.Options{})
	if second.Head != whole.Head || second.Events != whole.Events || second.Verdict != trace.Valid {
		t.Errorf("resumed: %s, %d events, head %s; at once: %d events, head %s", second.Verdict, second.Events, second.Head, whole.Events, whole.Head)
	}
	if _, err := trace.VerifyRun(t.Context(), unseekable{fstest.MapFS{"trace.jsonl": {Data: []byte(log)}}}, trace.Options{Growing: true, Resume: first.State}); err == nil || !strings.Contains(err.Error(), "from where the last run stopped") {
		t.Errorf("a file without a way to go on: %v", err)
	}
}

// unseekable is a folder whose files can only be read from their beginning.
type unseekable struct{ fstest.MapFS }

func (u unseekable) Open(name string) (fs.File, error) {
	f, err := u.MapFS.Open(name)
	return struct{ fs.File }{f}, err
}

// TestVerifyDir holds that a folder on disk is verified as one in memory, and what is said of one without a trace.
func TestVerifyDir(t *testing.T) {
	dir := t.TempDir()
	for name, file := range incident() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inMemory, err := trace.VerifyRun(t.Context(), incident(), trace.Options{Name: "run/trace.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	onDisk, err := trace.VerifyDir(t.Context(), dir, trace.Options{Name: "run/trace.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inMemory, onDisk, cmpopts.IgnoreUnexported(trace.Report{})); diff != "" || onDisk.Verdict != trace.Valid {
		t.Errorf("%s; in memory and on disk differ:\n%s", onDisk.Verdict, diff)
	}
	if err := os.Remove(filepath.Join(dir, "trace.jsonl")); err != nil {
		t.Fatal(err)
	}
	_, err = trace.VerifyDir(t.Context(), dir, trace.Options{})
	want := fmt.Sprintf("no such file: %q; a run folder holds its reasoning trace or session log under the name trace.jsonl", filepath.ToSlash(filepath.Join(dir, "trace.jsonl")))
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != want {
		t.Errorf("without a trace: %v, want %s", err, want)
	}
	if _, err = trace.VerifyDir(t.Context(), filepath.Join(dir, "nowhere"), trace.Options{}); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "openat") {
		t.Errorf("without a folder: %v", err)
	}
}
