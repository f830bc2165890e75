package trace_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// example is one run of a rule's examples: its files and what its flags ask for.
type example struct {
	files fstest.MapFS
	links bool // some of the files are links
	opt   trace.Options
	chain []string // the segments before trace.jsonl

	before []string // logs that are verified before trace.jsonl
}

// unpack reads an example as examples.txt describes it.
func unpack(t *testing.T, text string) example {
	t.Helper()
	archive := txtar.Parse([]byte(text))
	if len(archive.Files) == 0 {
		archive = &txtar.Archive{Files: []txtar.File{{Name: "trace.jsonl", Data: []byte(text)}}}
	}
	e := example{files: fstest.MapFS{}}
	e.opt.Diagnose = true
	for _, f := range archive.Files {
		e.files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	for line := range strings.Lines(string(archive.Comment)) {
		word, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "# "), " ")
		switch word {
		case "flags:":
			e.flag(t, rest)
		case "unquote":
			data, err := strconv.Unquote(strings.TrimSpace(string(e.files[rest].Data)))
			if err != nil {
				t.Fatalf("%s: %v", rest, err)
			}
			e.files[rest].Data = []byte(data)
		case "rotated", "rewritten":
			size := int64(len(e.files["trace.jsonl"].Data))
			e.opt.Growing, e.opt.Follow = true, &trace.FollowedFile{Earlier: &trace.Earlier{
				Ending: trace.EndReason(word), Bytes: int64(len(e.files[rest].Data)), Size: size,
			}}
		case "symlink":
			name, target, _ := strings.Cut(rest, " -> ")
			e.files[name], e.links = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte(target)}, true
		default:
			t.Fatalf("unknown line in an example: %q", line)
		}
	}
	return e
}

// flag sets what a flag of the command asks for.
func (e *example) flag(t *testing.T, text string) {
	t.Helper()
	name, value, _ := strings.Cut(text, " ")
	number, _ := strconv.Atoi(value)
	file := e.files[strings.TrimPrefix(value, "./")]
	if before, ok := strings.CutPrefix(name, "./"); ok {
		e.before = append(e.before, before)
		return
	}
	switch name {
	case "--chain":
		e.chain = append(e.chain, strings.TrimPrefix(value, "./"))
	case "--no-evidence":
		e.opt.Reasoning.NoEvidence = true
	case "--max-depth":
		e.opt.Limits.Depth = number
	case "--max-line-bytes":
		e.opt.Limits.LineBytes = number
	case "--secrets":
		e.opt.Secrets = true
	case "--growing":
		e.opt.Growing = true
	case "--expect-sha256":
		e.opt.ExpectSHA256 = value
	case "--expect-count":
		count := int64(number)
		e.opt.Session.ExpectCount = &count
	case "--expect-head":
		e.opt.Session.ExpectHead = value
	case "--key":
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(file.Data)))
		if err != nil {
			t.Fatal(err)
		}
		e.opt.Session.TrustedKeys = append(e.opt.Session.TrustedKeys, key)
	case "--hmac-key-file":
		e.opt.Session.HMACKey = file.Data
	case "--sources":
		texts := sourceTexts{}
		for name, f := range e.files {
			if below, ok := strings.CutPrefix(name, strings.TrimPrefix(value, "./")+"/"); ok {
				texts[below] = string(f.Data)
			}
		}
		e.opt.Session.Sources = texts
	case "--by":
		e.opt.BySession = true
	case "--anchor":
		e.opt.Anchor = &trace.Anchor{}
		if err := json.Unmarshal(file.Data, e.opt.Anchor); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatalf("unknown flag in an example: %q", text)
	}
}

// verify verifies the example, by both engines where the second one reads it.
func (e example) verify(t *testing.T) *trace.Report {
	t.Helper()
	if e.chain == nil {
		if !e.opt.BySession { // the second engine checks one log
			e.opt.Engine = trace.Both
		}
		r := verifyRun(t, e.folder(t), e.opt)
		var links trace.Links
		for _, name := range e.before {
			links.Check(verifyRun(t, fstest.MapFS{"trace.jsonl": e.files[name]}, e.opt), false)
		}
		links.Check(r, e.before == nil)
		return r
	}
	var texts []string
	for _, name := range append(e.chain, "trace.jsonl") {
		texts = append(texts, string(e.files[name].Data))
	}
	r, err := trace.VerifyChain(t.Context(), segmentsOf(texts...), e.opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// folder returns the run's folder: in memory, and on disk for links, which only a system
// follows as systems do.
func (e example) folder(t *testing.T) trace.Files {
	t.Helper()
	if !e.links {
		return e.files
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, e.files); err != nil {
		t.Fatal(err)
	}
	folder, err := door.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	return folder
}

// workingDay returns a sealed session log of n events.
func workingDay(t testing.TB, n int) string {
	t.Helper()
	var b strings.Builder
	if err := sessiontest.WorkingDay(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// verifyRun verifies a folder and fails the test on an error.
func verifyRun(t *testing.T, files trace.Files, opt trace.Options) *trace.Report {
	t.Helper()
	r, err := trace.VerifyRun(t.Context(), files, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// reported returns the findings of a report, "rule@file:line" of each.
func reported(r *trace.Report) []string {
	list := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		list[i] = fmt.Sprintf("%s@%s:%d", f.Rule, f.File, f.Line)
	}
	return list
}
