package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
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

// drawnPairs writes suites, each paired with some of the traces, and says which traces each has.
func drawnPairs(t *rapid.T, dir string, suite []byte, traces []string) map[string][]string {
	pairs, text := map[string][]string{}, "attest:\n  pairs:\n"
	for i := range rapid.IntRange(0, 2).Draw(t, "suites") {
		var with []string
		for _, name := range traces {
			if rapid.Bool().Draw(t, "paired") {
				with = append(with, name)
			}
		}
		if len(with) == 0 {
			continue
		}
		slices.Sort(with)
		name := fmt.Sprintf("%s%d-suite.yaml", rapid.SampledFrom([]string{"", "a/", "a/b/"}).Draw(t, "folder of a suite"), i)
		write(t, filepath.Join(dir, name), damagedText(t, suite))
		text += fmt.Sprintf("    - {suite: %s, traces: [%s]}\n", name, strings.ReplaceAll(strings.Join(with, ", "), dir+"/", ""))
		pairs[filepath.ToSlash(filepath.Join(dir, name))] = with
	}
	if len(pairs) > 0 {
		write(t, filepath.Join(dir, "cupel.yaml"), []byte(text))
	}
	return pairs
}

// evaluation is the command for a suite.
func evaluation(suite string, traces []string) []string {
	args := []string{"attest", "eval", "--format=json", "--assertions=" + suite}
	for _, name := range traces {
		args = append(args, "--trace="+name)
	}
	return args
}

// joinedShards is the report that the reports of shards make together, and its exit code.
func joinedShards(t *rapid.T, into, dir string, shards int, own func(...string) (string, int)) (stdout string, code int) {
	args := []string{"report", "merge", "--format=json"}
	for i := range shards {
		text, _ := own("check", "--format=json", "--show-files", fmt.Sprintf("--shard=%d/%d", i+1, shards), dir)
		name := filepath.Join(into, fmt.Sprintf("%d.json", i))
		write(t, name, []byte(text))
		args = slices.Insert(args, 3, name) // in whatever order
	}
	return own(args...)
}

// pieces returns files of every kind, whole, damaged, and of unknown formats.
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

// damagedText returns a text with a drawn fault, usually none.
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

// decidedList are the files that decided, which check lists once for all of its parts.
var decidedList = regexp.MustCompile(`,"decided_with":\[.*\],"summary"`)

func undecided(report string) string { return decidedList.ReplaceAllString(report, `,"summary"`) }

// TestCheckIsTheCommands checks that each document in the report of check is the one that the command prints for the
// same files. The exit code is the worst of theirs and of files that check could not detect. Every file is in one
// document, or skipped, or an error of check; only a trace can be in those of several suites. The result does not
// depend on workers and on the name of the folder, and the merged reports of shards equal the report of one run.
func TestCheckIsTheCommands(t *testing.T) {
	texts, names := pieces(t)
	suite := read(t, "../testdata/examples/check/good/attest/refund-suite.yaml")
	folders, documents, evaluations, joins := 0, 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(folders))
		folders++
		files := map[string]bool{}
		var traces []string
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o777); err != nil { // whose cupel.yaml counts
			rt.Fatal(err)
		}
		for i := range rapid.IntRange(1, 7).Draw(rt, "files") {
			n := rapid.IntRange(0, len(texts)-1).Draw(rt, "piece")
			name := filepath.Join(dir, rapid.SampledFrom([]string{"", "a", "a/b"}).Draw(rt, "folder"), fmt.Sprintf("%d-%s", i, names[n]))
			if rapid.IntRange(0, 5).Draw(rt, "run") == 0 {
				name = filepath.Join(filepath.Dir(name), "trace.jsonl")
			}
			write(rt, name, damagedText(rt, texts[n]))
			files[filepath.ToSlash(name)] = true
			if names[n] == "refund.json" {
				traces = append(traces, filepath.ToSlash(name))
			}
		}
		slices.Sort(traces)
		pairs := drawnPairs(rt, dir, suite, slices.Compact(traces))
		judged := map[string]bool{}
		for suite, with := range pairs {
			files[suite], files[dir+"/cupel.yaml"] = true, true
			for _, name := range with {
				judged[name] = true
			}
		}
		stdout, code := output(t, "check", "--format=json", "--show-files", "--jobs=1", dir)
		if again, sameCode := output(t, "check", "--format=json", "--show-files", "--jobs=3", dir+"/./"); timeless(strings.ReplaceAll(again, dir+"/./", dir)) != timeless(stdout) || sameCode != code {
			rt.Fatalf("another answer:\n%s\nthan\n%s", again, stdout)
		}
		var report struct {
			Documents []json.RawMessage
			Passed    []struct{ File string } `json:"passed_over"`
			Errors    []string
			Summary   struct{ Commands []struct{ Suite string } }
		}
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			rt.Fatalf("%v\n%s", err, stdout)
		}
		worst := 0
		if len(report.Errors) > 0 {
			worst = 2
		}
		for i, text := range report.Documents {
			if suite := report.Summary.Commands[i].Suite; suite != "" {
				own, ownCode := output(t, evaluation(suite, pairs[suite])...)
				if want, got := timeless(undecided(compact(rt, []byte(own)))), timeless(compact(rt, text)); got != want {
					rt.Fatalf("%v: check has\n%s\nthe command\n%s", suite, got, want)
				}
				worst = max(worst, ownCode)
				delete(files, suite)
				evaluations++
				continue
			}
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
				if !files[name] || judged[name] {
					rt.Fatalf("%q is judged twice, or no file:\n%s", name, stdout)
				}
				delete(files, name)
			}
			own, ownCode := output(t, append(append(checkCommands[doc.Schema], "--format=json", "--"), list...)...)
			if want, got := undecided(compact(rt, []byte(own))), compact(rt, text); got != want {
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
			if !judged[name] && !strings.Contains(strings.Join(report.Errors, "\n"), name) {
				rt.Fatalf("no word about %q:\n%s", name, stdout)
			}
		}
		shards := rapid.IntRange(-4, 3).Draw(rt, "shards")
		if shards < 1 {
			return
		}
		joined, joinedCode := joinedShards(rt, dir+"-reports", dir, shards, func(args ...string) (string, int) { return output(t, args...) })
		if joinedCode != code || len(report.Documents) > 0 && timeless(joined) != timeless(stdout) {
			rt.Fatalf("exit code %d, want %d (-one run +the shards):\n%s", joinedCode, code, cmp.Diff(strings.Split(stdout, "\n"), strings.Split(joined, "\n")))
		}
		joins++
	})
	racetest.Met(t, "a document", documents)
	racetest.Met(t, "an evaluation", evaluations)
	racetest.Met(t, "joined shards", joins)
	t.Logf("%d folders, %d documents, %d evaluations, %d joined", folders, documents, evaluations, joins)
}

// timeless is a report without what differs between two equal runs.
func timeless(text string) string { return times.ReplaceAllString(text, "") }

func write(t *rapid.T, name string, text []byte) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
