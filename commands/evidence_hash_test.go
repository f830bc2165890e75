package commands

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/source"
)

// hashReport is what the tests read of the command's JSON.
type hashReport struct {
	Schema, Status string
	Events         []struct {
		ContentHash *string `json:"content_hash"`
		Recorded    *string
		Match       *bool
		Explain     *struct {
			CanonicalInput string `json:"canonical_input"`
		}
		Findings []struct{ Rule, Severity, Path string }
	}
	Inputs []struct {
		Events  int
		RunRoot *string `json:"run_root"`
	}
}

// hashJSON runs `evidence hash --format json --explain` on standard input.
func hashJSON(t *testing.T, stdin []byte, flags ...string) (report hashReport, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	env := cmdline.Env{Context: t.Context(), Stdin: bytes.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code = Main(env, append([]string{"cupel", "evidence", "hash", "--format", "json", "--explain", "-"}, flags...))
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || report.Schema != "cupel.hash/1" {
		t.Fatalf("no report (%v): %s%s", err, out.Bytes(), errs.Bytes())
	}
	return report, code
}

// expectInput requires one event with the given canonical input and its hash.
func expectInput(t *testing.T, name string, event []byte, input string, flags ...string) {
	t.Helper()
	report, _ := hashJSON(t, event, flags...)
	want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(input)))
	switch {
	case len(report.Events) != 1 || report.Events[0].ContentHash == nil:
		t.Errorf("%s: no hash: %+v", name, report.Events)
	case report.Events[0].Explain.CanonicalInput != input:
		t.Errorf("%s: hash input\n got %s\nwant %s", name, report.Events[0].Explain.CanonicalInput, input)
	case *report.Events[0].ContentHash != want:
		t.Errorf("%s: %s, expected %s", name, *report.Events[0].ContentHash, want)
	}
}

// TestHashCasesOnTheCommandLine runs the project's own cases as a user would.
func TestHashCasesOnTheCommandLine(t *testing.T) {
	cases := 0
	for _, c := range readLines[struct {
		Name, Text, Hex string
		Flags           []string
		Limits          json.RawMessage
		Input           *string
		Findings        []string
	}](t, "../testdata/evidence/hash.jsonl") {
		cases++
		event := []byte(c.Text)
		if c.Hex != "" {
			event, _ = hex.DecodeString(c.Hex)
		}
		flags := []string{}
		for _, f := range c.Flags {
			flags = append(flags, "--"+f)
		}
		if c.Limits != nil {
			flags = append(flags, "--limits", string(c.Limits))
		}
		if c.Input != nil {
			expectInput(t, c.Name, event, *c.Input, flags...)
		}
		report, code := hashJSON(t, event, flags...)
		if packed, _ := source.Compressed(event); packed != nil { // a bundle, or refused before it is an event
			want := 2
			if packed.Format == source.Gzip {
				want = 1
			}
			if code != want || len(report.Events) > 0 {
				t.Errorf("%s: exit code %d, %d events; expected %d and none", c.Name, code, len(report.Events), want)
			}
			continue
		}
		want, errors := []string{}, 0
		for _, f := range report.Events[0].Findings {
			want = append(want, f.Rule+" "+f.Severity+" "+f.Path)
			if f.Severity == "error" {
				errors = 1
			}
		}
		if strings.Join(want, ", ") != strings.Join(c.Findings, ", ") || code != errors {
			t.Errorf("%s: findings %q, exit code %d; expected %q", c.Name, want, code, c.Findings)
		}
	}
	t.Logf("%d cases", cases)
}

func readLines[T any](t *testing.T, path string) (list []T) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var c T
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatalf("no cases in %s", path)
	}
	return list
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestHashVectors runs the shared vectors through the command line.
func TestHashVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	root = filepath.Join(root, "evidence")
	for _, group := range []struct {
		name string
		run  func(*testing.T, string) int
	}{
		{"content-hash goldens", goldenVectors},
		{"content-hash derived", derivedVectors},
		{"content-hash determinism", determinismVector},
		{"content-hash run roots", rootVectors},
		{"rfc8785", jcsVectors},
		{"rfc8785 official", officialVectors},
		{"strict-json", strictVectors},
	} {
		n := group.run(t, root)
		if n == 0 {
			t.Errorf("no %s vectors", group.name)
		}
		t.Logf("%s: %d", group.name, n)
	}
}

// goldenVectors returns one stream, so that its order is seen too.
func goldenVectors(t *testing.T, root string) int {
	type golden struct {
		Event     json.RawMessage
		Canonical string `json:"canonical_input"`
		Expected  string
	}
	list := readLines[golden](t, filepath.Join(root, "content-hash/goldens.ndjson"))
	var stream bytes.Buffer
	hashes := make([]string, len(list))
	for i, g := range list {
		stream.Write(append(g.Event, '\n'))
		hashes[i] = g.Expected
	}
	for _, flags := range [][]string{{"--check"}, {"--check", "--engine=both"}, {"--check", "--jobs=1", "--engine=reference"}} {
		report, code := hashJSON(t, stream.Bytes(), flags...)
		if code != 0 || len(report.Events) != len(list) {
			t.Fatalf("%q: exit code %d, %d events of %d", flags, code, len(report.Events), len(list))
		}
		for i, e := range report.Events {
			if *e.ContentHash != list[i].Expected || !*e.Match || e.Explain.CanonicalInput != list[i].Canonical {
				t.Errorf("%q: event %d: %+v, expected %+v", flags, i+1, e, list[i])
			}
		}
		if root := *report.Inputs[0].RunRoot; root != evidence.RunRoot(hashes...) {
			t.Errorf("%q: run root %s", flags, root)
		}
	}
	return len(list)
}

// derivedVectors checks vectors that span several lines each.
func derivedVectors(t *testing.T, root string) int {
	var file struct {
		Vectors []struct {
			Name      string
			Event     json.RawMessage
			Canonical string `json:"canonical_input"`
			Expected  string `json:"content_hash"`
		}
	}
	readJSON(t, filepath.Join(root, "content-hash/derived.json"), &file)
	for _, v := range file.Vectors {
		expectInput(t, v.Name, v.Event, v.Canonical, "--engine=both")
		if report, _ := hashJSON(t, v.Event); *report.Events[0].ContentHash != v.Expected {
			t.Errorf("%s: %s, expected %s", v.Name, *report.Events[0].ContentHash, v.Expected)
		}
	}
	return len(file.Vectors)
}

func determinismVector(t *testing.T, root string) int {
	var golden struct {
		Event  json.RawMessage
		Events string `json:"events_ndjson"`
	}
	readJSON(t, filepath.Join(root, "content-hash/determinism-golden.json"), &golden)
	for _, event := range [][]byte{golden.Event, []byte(golden.Events)} {
		if report, code := hashJSON(t, event, "--check"); code != 0 || !*report.Events[0].Match {
			t.Errorf("exit code %d: %+v", code, report)
		}
	}
	return 1
}

// rootVectors list hashes, some of them no digests: the library alone can take those.
func rootVectors(t *testing.T, root string) int {
	var file struct {
		Vectors []struct {
			Hashes []string
			Root   string
		}
	}
	readJSON(t, filepath.Join(root, "content-hash/run-root.json"), &file)
	for _, v := range file.Vectors {
		if got := evidence.RunRoot(v.Hashes...); got != v.Root {
			t.Errorf("%q: %s, expected %s", v.Hashes, got, v.Root)
		}
	}
	return len(file.Vectors)
}

// asData puts a JSON text into an event, and its canonical form into a hash input.
func asData(text, canonical string) (event []byte, input string) {
	return []byte(`{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":` + text + `}`),
		`{"data":` + canonical + `,"datacontenttype":"application/json","specversion":"1.0","type":"t"}`
}

func jcsVectors(t *testing.T, root string) int {
	file := map[string]struct{ Input, Expected string }{}
	readJSON(t, filepath.Join(root, "rfc8785/assay-31.json"), &file)
	delete(file, "_about")
	for name, v := range file {
		event, input := asData(v.Input, v.Expected)
		expectInput(t, name, event, input, "--engine=both")
	}
	return len(file)
}

func officialVectors(t *testing.T, root string) int {
	inputs, err := filepath.Glob(filepath.Join(root, "rfc8785/official/input/*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range inputs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		canonical, err := os.ReadFile(filepath.Join(root, "rfc8785/official/output", filepath.Base(path)))
		if err != nil {
			t.Fatal(err)
		}
		event, input := asData(string(text), strings.TrimRight(string(canonical), "\n"))
		expectInput(t, filepath.Base(path), event, input, "--engine=both")
	}
	return len(inputs)
}

// strictVectors checks texts that a strict reader accepts or refuses. Most are not events: they become the data of
// one, one level deeper. Some are descriptions.
func strictVectors(t *testing.T, root string) int {
	var file struct{ Cases [][4]*string }
	readJSON(t, filepath.Join(root, "strict-json/cases.json"), &file)
	for _, c := range file.Cases {
		stream, known := strictStreams(*c[0])
		if !known {
			event, _ := asData(*c[0], "")
			stream = string(event)
		}
		report, code := hashJSON(t, []byte(stream), "--check")
		accepted := true
		for _, e := range report.Events {
			for _, f := range e.Findings {
				// A check also asks for a recorded hash, which only the cases about it lack on purpose.
				about := strings.HasPrefix(*c[0], "assaycontenthash")
				accepted = accepted && (f.Severity != "error" || f.Rule == "hash.missing" && !about)
			}
		}
		if want := *c[1] == "accept"; accepted != want || !want && code != 1 {
			t.Errorf("%q: accepted %v (exit code %d), expected %s", *c[0], accepted, code, *c[1])
		}
	}
	return len(file.Cases)
}

// strictStreams spells out the cases that are described, not given.
func strictStreams(description string) (stream string, known bool) {
	data := func(text string) string { event, _ := asData(text, ""); return string(event) }
	good := data("1")
	nested := func(levels int) string { return data(strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1)) }
	members := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf(`"%d":0`, i)
		}
		return data("{" + strings.Join(names, ",") + "}")
	}
	stream, known = map[string]string{
		"[x64]":                                nested(64),
		"[x65]":                                nested(65),
		"10001 keys":                           members(10_001),
		"string of 1048577 decoded characters": data(`"` + strings.Repeat("a", 1_048_577) + `"`),
		`\ufeff first bytes of events.ndjson`:  "\ufeff" + good + "\n" + good + "\n",
		"invalid UTF-8 line":                   good + "\n" + data("\"\xff\"") + "\n",
		"empty line":                           good + "\n\n" + good + "\n",
		"line ending CRLF":                     good + "\r\n" + good + "\r\n",
		"unknown top-level attribute":          strings.Replace(good, `"data"`, `"foo":1,"data"`, 1),
		"assaycontenthash missing or null":     good + "\n" + strings.Replace(good, `"data"`, `"assaycontenthash":null,"data"`, 1),
		"specversion 1.1":                      strings.Replace(good, `"1.0"`, `"1.1"`, 1),
		"1e400 in data":                        data("1e400"),
	}[description]
	return stream, known
}

// announced is a reader that says when it is first read.
type announced struct {
	io.Reader
	read chan struct{}
	once sync.Once
}

func (a *announced) Read(p []byte) (int, error) {
	a.once.Do(func() { close(a.read) })
	return a.Reader.Read(p)
}

// soon waits for what must come, however busy the machine is.
func soon[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case got := <-c:
		return got
	case <-time.After(2 * time.Minute):
		t.Fatal("nothing came within two minutes")
	}
	panic("unreachable")
}

// TestHashInterrupted presses Ctrl-C while standard input keeps the command waiting.
func TestHashInterrupted(t *testing.T) {
	for name, stdin := range map[string]string{"before the first event": "", "within a stream": "{}\n{}\n{}\n"} {
		ctx, interrupt := context.WithCancel(t.Context())
		waiting, end := io.Pipe()
		var out, errs bytes.Buffer
		begun := &announced{Reader: waiting, read: make(chan struct{})}
		env := cmdline.Env{Context: ctx, Stdin: io.MultiReader(strings.NewReader(stdin), begun), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
		code := make(chan int, 1)
		go func() { code <- Main(env, []string{"cupel", "evidence", "hash", "--format", "json", "-"}) }()
		soon(t, begun.read)
		interrupt()
		if got := soon(t, code); got != cmdline.ExitInterrupted || !json.Valid(out.Bytes()) || errs.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q", name, got, out.String(), errs.String())
		}
		end.Close()
	}
}

// TestHashBrokenPipe closes standard output under the command: nothing is left to say.
func TestHashBrokenPipe(t *testing.T) {
	stream := strings.Repeat(`{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":1}`+"\n", 50_000)
	for _, format := range []string{"text", "json", "jsonl"} {
		var errs bytes.Buffer
		env := cmdline.Env{Context: t.Context(), Stdin: strings.NewReader(stream), Stdout: closedPipe{}, Stderr: &errs, Getenv: func(string) string { return "" }}
		if code := Main(env, []string{"cupel", "evidence", "hash", "--format", format, "-"}); code != cmdline.ExitCannot || errs.Len() > 0 {
			t.Errorf("%s: exit code %d, %q", format, code, errs.String())
		}
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }
