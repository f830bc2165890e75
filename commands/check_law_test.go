package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
)

// checkedDocument is an embedded report, as the law reads it: by the elements that name a file.
type checkedDocument struct {
	Schema string
	Inputs []struct{ Input string }
	Files  []struct{ File string }
	Traces []struct{ Trace string }
	Errors []string
}

// names are the files that a document is about, each once.
func (d checkedDocument) names() (list []string) {
	add := func(name string) {
		name, _, _ = strings.Cut(name, ":")
		if len(list) == 0 || list[len(list)-1] != name {
			list = append(list, name)
		}
	}
	for _, in := range d.Inputs {
		add(in.Input)
	}
	for _, f := range d.Files {
		add(f.File)
	}
	for _, t := range d.Traces {
		add(t.Trace)
	}
	return list
}

// checkCommands are what check calls, by the schema of the report.
var checkCommands = map[string][]string{
	"cupel.trace/1":    {"trace", "verify"},
	"cupel.evidence/1": {"evidence", "verify", "--all", "--payloads"},
	"cupel.lint/1":     {"oatf", "lint"},
	"cupel.validate/1": {"attest", "validate"},
}

// pieces are files of every kind, whole, damaged, and of nobody's.
func pieces(t *testing.T) (texts [][]byte, names []string) {
	t.Helper()
	const root = "../testdata/examples/"
	for _, name := range []string{
		"check/good/session.jsonl", "check/good/events.ndjson", "check/good/event.json", "check/good/run.tar.gz", "check/good/attack.yaml",
		"check/good/attest/refund.json", "check/damaged/session.jsonl", "check/damaged/events.ndjson", "check/damaged/run.tar.gz",
		"check/damaged/attack.yaml", "check/damaged/refund.json", "check/damaged/mangled.jsonl", "check/good/notes.txt",
		"check/good/runs/incident/trace.jsonl", "attest/openai-chat.json", "oatf/rug-pull-refused.jsonl",
	} {
		texts, names = append(texts, read(t, root+name)), append(names, filepath.Base(name))
	}
	return append(texts, nil, []byte("{}\n")), append(names, "empty.jsonl", "object.jsonl")
}

// damaged is a text with a fault that was drawn: mostly none.
func damagedText(t *rapid.T, text []byte) []byte {
	text = bytes.Clone(text)
	if at := len(text); at > 0 && rapid.IntRange(0, 2).Draw(t, "damage") == 0 {
		at = rapid.IntRange(0, at-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "kind of damage") {
		case 0:
			text[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		case 1:
			text = text[:at]
		default:
			text = append(text[:at], text[min(len(text), at+rapid.IntRange(1, 40).Draw(t, "cut")):]...)
		}
	}
	return text
}

// output is what a run of cupel said on standard output, and its exit code.
func output(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	env := commands.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code = commands.Main(env, append([]string{"cupel"}, args...))
	return out.String(), code
}

// compact is a JSON text without blanks between its parts.
func compact(t *rapid.T, text []byte) string {
	var into bytes.Buffer
	if err := json.Compact(&into, text); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return into.String()
}

// TestCheckIsTheCommands: for any folder, each document in the report of check is the one that the
// command prints for the same files, the exit code is the worst of theirs and of what check could
// not tell, and every file is in one document, or passed over, or why check could not answer. None
// of it depends on workers and on how the folder is named.
func TestCheckIsTheCommands(t *testing.T) {
	texts, names := pieces(t)
	folders, documents := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(folders))
		folders++
		files := map[string]bool{}
		for i := range rapid.IntRange(1, 7).Draw(rt, "files") {
			n := rapid.IntRange(0, len(texts)-1).Draw(rt, "piece")
			name := filepath.Join(dir, rapid.SampledFrom([]string{"", "a", "a/b"}).Draw(rt, "folder"), fmt.Sprintf("%d-%s", i, names[n]))
			if rapid.IntRange(0, 5).Draw(rt, "run") == 0 {
				name = filepath.Join(filepath.Dir(name), "trace.jsonl")
			}
			write(rt, name, damagedText(rt, texts[n]))
			files[filepath.ToSlash(name)] = true
		}
		stdout, code := output(t, "check", "--format=json", "--show-files", "--jobs=1", dir)
		if again, sameCode := output(t, "check", "--format=json", "--show-files", "--jobs=3", dir+"/./"); strings.ReplaceAll(again, dir+"/./", dir) != stdout || sameCode != code {
			rt.Fatalf("another answer:\n%s\nthan\n%s", again, stdout)
		}
		var report struct {
			Documents []json.RawMessage
			Passed    []struct{ File string } `json:"passed_over"`
			Errors    []string
		}
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			rt.Fatalf("%v\n%s", err, stdout)
		}
		worst := 0
		if len(report.Errors) > 0 {
			worst = 2
		}
		for _, text := range report.Documents {
			var doc checkedDocument
			if err := json.Unmarshal(text, &doc); err != nil {
				rt.Fatal(err)
			}
			list := doc.names()
			for _, why := range doc.Errors { // of files that could not be read to their end
				for name := range files {
					if strings.Contains(why, name) && !slices.Contains(list, name) {
						list = append(list, name)
					}
				}
			}
			for _, name := range list {
				if !files[name] {
					rt.Fatalf("%q is judged twice, or no file:\n%s", name, stdout)
				}
				delete(files, name)
			}
			own, ownCode := output(t, append(append(checkCommands[doc.Schema], "--format=json", "--"), list...)...)
			if want, got := compact(rt, []byte(own)), compact(rt, text); got != want {
				rt.Fatalf("%v: check has\n%s\nthe command\n%s", list, got, want)
			}
			worst = max(worst, ownCode)
			documents++
		}
		if code != worst {
			rt.Fatalf("exit code %d, want %d\n%s", code, worst, stdout)
		}
		for _, p := range report.Passed {
			if !files[p.File] {
				rt.Fatalf("%q is passed over and judged, or no file:\n%s", p.File, stdout)
			}
			delete(files, p.File)
		}
		for name := range files {
			if !strings.Contains(strings.Join(report.Errors, "\n"), name) {
				rt.Fatalf("no word about %q:\n%s", name, stdout)
			}
		}
	})
	if documents == 0 {
		t.Fatal("no documents")
	}
	t.Logf("%d folders, %d documents", folders, documents)
}

func write(t *rapid.T, name string, text []byte) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
