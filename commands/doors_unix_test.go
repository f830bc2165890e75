//go:build unix

package commands_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// patience is how long a run may take before it counts as hanging.
const patience = time.Minute

// ran is the result of one run of cupel.
type ran struct {
	code           int
	stdout, stderr string
}

// runWithin runs cupel in the working folder and fails the test when it does not end.
func runWithin(t *testing.T, ctx context.Context, stdin io.Reader, args ...string) ran {
	t.Helper()
	done := make(chan ran, 1)
	go func() {
		var stdout, stderr bytes.Buffer
		code := commands.Main(commands.Env{
			Context: ctx, Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
		}, append([]string{"cupel"}, args...))
		done <- ran{code, stdout.String(), stderr.String()}
	}()
	select {
	case r := <-done:
		return r
	case <-time.After(patience):
		t.Fatalf("%q is still running after %v", args, patience)
		return ran{}
	}
}

// The texts that a folder leads to, each one that its reader finds nothing wrong with.
// Each holds the word canary, so that a test sees when one is shown that is out of reach.
const (
	canary      = "canary"
	traceText   = `{"trace_schema_version":1}` + "\n" + `{"idx":0,"kind":"step_started","step_id":"canary"}` + "\n" + `{"idx":1,"kind":"step_finished","step_id":"canary","output":{"type":"gather"}}` + "\n"
	logText     = `{"event_type":"ERROR","payload":{"error_type":"canary","message":"m","fatal":false}}` + "\n"
	planText    = `{"id":"p1","nodes":[{"id":"canary"}]}`
	eventText   = `{"specversion":"1.0","type":"canary","datacontenttype":"application/json","data":null}` + "\n"
	ignoreText  = "canary\n"
	configText  = "ignore: [W-001] # canary\n"
	limitsText  = `{"max_events":5}`
	suiteText   = "assertions:\n  - assertion_id: canary\n    type: constraint\n    spec: {field: metadata.latency_ms, operator: gte, value: 0}\n"
	manifestTxt = "{}"
)

// example reads one of the project's examples.
func exampleText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// entry is a kind of entry in the place of a regular file.
type entry struct {
	name string
	put  func(path, outside string) error
	says string // why it is refused; "": it is read as the regular file would be
}

func entries() []entry {
	link := func(target func(path, outside string) string) func(path, outside string) error {
		return func(path, outside string) error { return os.Symlink(target(path, outside), path) }
	}
	return []entry{
		{"link out", link(func(path, outside string) string {
			rel, _ := filepath.Rel(filepath.Dir(path), outside)
			return rel
		}), "link"},
		{"absolute link out", link(func(_, outside string) string { return outside }), "link"},
		{"link to a device", link(func(string, string) string { return "/dev/zero" }), "link"},
		{"link to nothing", link(func(string, string) string { return "nothing" }), "link"},
		{"link to itself", link(func(path, _ string) string { return filepath.Base(path) }), "link"},
		{"link inside", func(path, outside string) error {
			inside := filepath.Join(filepath.Dir(path), ".inside", "file") // no walk enters it by itself
			text, err := os.ReadFile(outside)
			return errors.Join(err, os.MkdirAll(filepath.Dir(inside), 0o755), os.WriteFile(inside, text, 0o644), os.Symlink(".inside/file", path))
		}, ""},
		{"link inside to a pipe", func(path, _ string) error {
			inside := filepath.Join(filepath.Dir(path), ".inside")
			return errors.Join(syscall.Mkfifo(inside, 0o644), os.Symlink(".inside", path))
		}, "a named pipe"},
		{"named pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o644) }, "a named pipe"},
		{"socket", listen, "a socket"},
	}
}

// listen puts a socket, whose name the system keeps short: it is made elsewhere.
func listen(path, _ string) error {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	return errors.Join(l.Close(), os.Rename(filepath.Join(dir, "s"), path))
}

// place is one way by which a folder leads a command to a file.
type place struct {
	args string // of the run in the folder
	file string // the file
	text string // what a sound one holds
	put  map[string]string
	code int // with the sound file
	// absolute messages call the file by its absolute path.
	absolute bool
}

func places(t *testing.T) []place {
	t.Helper()
	document := exampleText(t, "oatf/rug-pull.yaml")
	agentTrace := exampleText(t, "attest/refund.json")
	session := exampleText(t, "session/refund.jsonl")
	beside := map[string]string{"in/run/trace.jsonl": traceText}
	return []place{
		{args: "trace verify in", file: "in/run/trace.jsonl", text: traceText},
		{args: "trace verify in/run", file: "in/run/trace.jsonl", text: traceText},
		{args: "trace verify in/*/trace.jsonl", file: "in/run/trace.jsonl", text: traceText},
		{args: "trace verify in/r*", file: "in/run/trace.jsonl", text: traceText},
		{args: "trace report in", file: "in/run/trace.jsonl", text: traceText},
		{args: "trace seal in", file: "in/run/trace.jsonl", text: session},
		{args: "trace verify in", file: "in/deep/er/log.jsonl", text: logText},
		{args: "trace verify in/**/*.jsonl", file: "in/deep/er/log.jsonl", text: logText},
		{args: "trace verify in", file: "in/run/plan.json", text: planText, put: beside},
		{args: "trace verify in/run/trace.jsonl", file: "in/run/plan.json", text: planText, put: beside},
		{args: "trace report in", file: "in/run/plan.json", text: planText, put: beside},
		{args: "trace verify in", file: "in/run/manifest.json", text: manifestTxt, put: beside},
		{args: "trace verify --manifest --no-evidence in", file: "in/run/manifest.json", text: manifestTxt, put: beside},
		{args: "trace verify in", file: "in/.gitignore", text: ignoreText, put: map[string]string{"in/log.jsonl": logText}},
		{args: "trace verify in/deep/er", file: "in/deep/.gitignore", text: ignoreText, put: map[string]string{"in/.git/HEAD": "", "in/deep/er/log.jsonl": logText}, absolute: true},
		{args: "evidence hash in", file: "in/event.ndjson", text: eventText},
		{args: "evidence hash in/*", file: "in/event.ndjson", text: eventText},
		{args: "oatf lint in", file: "in/attack.yaml", text: document},
		{args: "oatf lint in/*.yaml", file: "in/attack.yaml", text: document},
		{args: "oatf fmt -l in", file: "in/attack.yaml", text: document},
		{args: "oatf fmt in", file: "in/attack.yaml", text: document},
		{args: "oatf migrate --to 2026-03 -d in", file: "in/attack.yaml", text: document},
		{args: "oatf migrate --to 2026-03 in", file: "in/attack.yaml", text: document},
		{args: "oatf normalize in", file: "in/attack.yaml", text: document},
		{args: "oatf lint in", file: "in/cupel.yaml", text: configText, put: map[string]string{"in/attack.yaml": document}, absolute: true},
		{args: "oatf lint in/deep", file: "in/cupel.yaml", text: configText, put: map[string]string{"in/.git/HEAD": "", "in/deep/attack.yaml": document}, absolute: true},
		{args: "oatf conformance in", file: "in/parse/valid/case.yaml", text: document},
		{args: "check in", file: "in/run/trace.jsonl", text: traceText},
		{args: "check in", file: "in/deep/log.jsonl", text: logText},
		{args: "check in", file: "in/attack.yaml", text: document},
		{args: "check in", file: "in/trace.json", text: agentTrace},
		{args: "attest validate in", file: "in/trace.json", text: agentTrace},
		{args: "attest eval --assertions suite.yaml in", file: "in/trace.json", text: agentTrace, put: map[string]string{"suite.yaml": suiteText}},
		{args: "attest eval --trace in/trace.json --assertions in/su*.yaml", file: "in/suite.yaml", text: suiteText, put: map[string]string{"in/trace.json": agentTrace}},
	}
}

// lay writes the other files of a place and returns the file's absolute path.
func (p place) lay(t *testing.T) (dir, path string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for name, text := range p.put {
		writeFile(t, filepath.Join(dir, name), []byte(text))
	}
	path = filepath.Join(dir, p.file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "outside", "file"), []byte(p.text))
	return dir, path
}

// TestWhatFoldersLeadTo puts every kind of entry wherever a folder leads a command: an entry that is not a regular
// file inside the folder is named and not read, and makes the exit code 2, without waiting.
func TestWhatFoldersLeadTo(t *testing.T) {
	cases := 0
	for _, p := range racetest.Some(t, places(t)) {
		t.Run(strings.ReplaceAll(p.args+" "+p.file, "/", "_"), func(t *testing.T) {
			dir, path := p.lay(t)
			writeFile(t, path, []byte(p.text))
			sound := runWithin(t, t.Context(), strings.NewReader(""), strings.Fields(p.args)...)
			if sound.code != p.code {
				t.Fatalf("the sound file: exit code %d, expected %d\n%s%s", sound.code, p.code, sound.stdout, sound.stderr)
			}
			for _, e := range entries() {
				cases++
				if err := errors.Join(os.RemoveAll(path), os.RemoveAll(filepath.Join(filepath.Dir(path), ".inside")), e.put(path, filepath.Join(dir, "outside", "file"))); err != nil {
					t.Fatal(e.name, err)
				}
				got := runWithin(t, t.Context(), strings.NewReader(""), strings.Fields(p.args)...)
				p.judge(t, e, path, sound, got)
			}
		})
	}
	t.Logf("%d cases", cases)
}

func (p place) judge(t *testing.T, e entry, path string, sound, got ran) {
	t.Helper()
	name := p.file
	if p.absolute {
		name = path
	}
	switch {
	case e.says == "" && (got.code != sound.code || got.stdout != sound.stdout):
		t.Errorf("%s: exit code %d, not the answer on the regular file\n%s%s", e.name, got.code, got.stdout, got.stderr)
	case e.says == "":
	case got.code != 2:
		t.Errorf("%s: exit code %d, expected 2\n%s%s", e.name, got.code, got.stdout, got.stderr)
	case !strings.Contains(got.stderr, `"`+name+`"`) || !strings.Contains(got.stderr, e.says):
		t.Errorf("%s: the message does not name %q, or why (%q): %s", e.name, name, e.says, got.stderr)
	case strings.Contains(got.stdout+got.stderr, canary):
		t.Errorf("%s: what is out of reach is shown\n%s%s", e.name, got.stdout, got.stderr)
	}
}

// TestOtherEntries puts a folder, a file that may not be read and one beyond the limit
// where a folder leads a command.
func TestOtherEntries(t *testing.T) {
	huge := func(n int) func(string) error {
		return func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("#\n"), n/2+1), 0o644) }
	}
	folder := func(path string) error { return os.Mkdir(path, 0o755) }
	locked := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0) }
	}
	lockedCode, lockedSays := 2, "permission denied"
	if os.Geteuid() == 0 { // who may read everything reads it
		lockedCode, lockedSays = 0, ""
	}
	session := map[string]string{"in/log.jsonl": logText}
	beside := map[string]string{"in/trace.jsonl": traceText}
	document := exampleText(t, "oatf/rug-pull.yaml")
	for title, c := range map[string]struct {
		args, file string
		put        map[string]string
		make       func(path string) error
		code       int
		says       string
	}{
		"folder as trace":              {"trace verify in", "in/trace.jsonl", session, folder, 0, ""},
		"folder as plan":               {"trace verify in", "in/plan.json", beside, folder, 1, "plan.unreadable"},
		"folder as manifest":           {"trace verify --manifest in", "in/manifest.json", beside, folder, 1, "the manifest cannot be read"},
		"folder as ignore":             {"trace verify in", "in/.gitignore", session, folder, 2, "a directory"},
		"folder as config":             {"oatf lint in", "in/cupel.yaml", map[string]string{"in/a.yaml": document}, folder, 2, "a directory"},
		"folder as log":                {"trace verify in", "in/x.jsonl", session, folder, 0, ""},
		"folder as fixture":            {"oatf conformance in", "in/validate/x.yaml", map[string]string{"in/parse/valid/a.yaml": document}, folder, 0, ""},
		"locked trace":                 {"trace verify in", "in/trace.jsonl", nil, locked(traceText), lockedCode, lockedSays},
		"locked log":                   {"trace verify in", "in/log.jsonl", nil, locked(logText), lockedCode, lockedSays},
		"locked ignore":                {"trace verify in", "in/.gitignore", session, locked(""), lockedCode, lockedSays},
		"locked config":                {"oatf lint in", "in/cupel.yaml", map[string]string{"in/a.yaml": document}, locked(configText), lockedCode, lockedSays},
		"locked fixture":               {"oatf conformance in", "in/parse/valid/a.yaml", nil, locked(document), lockedCode, lockedSays},
		"large ignore":                 {"trace verify in", "in/.gitignore", session, huge(256 << 10), 2, "larger than 262144 bytes"},
		"large config":                 {"oatf lint in", "in/cupel.yaml", map[string]string{"in/a.yaml": document}, huge(1 << 20), 2, "larger than 1048576 bytes"},
		"large fixture":                {"oatf conformance in", "in/parse/valid/a.yaml", nil, huge(8 << 20), 2, "larger than 8388608 bytes"},
		"large document":               {"oatf lint --max-bytes 100 in", "in/a.yaml", nil, func(path string) error { return os.WriteFile(path, []byte(document), 0o644) }, 1, "100 bytes"},
		"large plan":                   {"trace verify --max-line-bytes 500 in", "in/plan.json", beside, huge(1000), 1, "plan.unreadable"},
		"compressed trace":             {"trace verify in", "in/trace.jsonl", nil, packed, 2, "gzip -t"},
		"compressed plan":              {"trace verify in", "in/plan.json", beside, packed, 2, "gzip -dc"},
		"compressed manifest":          {"trace verify in", "in/manifest.json", beside, packed, 2, "gzip -dc"},
		"compressed ignore":            {"trace verify in", "in/.gitignore", session, packed, 2, "compressed with gzip"},
		"compressed config":            {"oatf lint in", "in/cupel.yaml", map[string]string{"in/a.yaml": document}, packed, 2, "compressed with gzip"},
		"compressed document":          {"oatf lint in", "in/a.yaml", nil, packed, 2, "gzip -dc"},
		"compressed fixture":           {"oatf conformance in", "in/parse/valid/a.yaml", nil, packed, 2, "compressed with gzip"},
		"compressed events":            {"evidence hash in", "in/a.ndjson", nil, packed, 1, "gzip -dc"},
		"folder as log of a check":     {"check in", "in/x.jsonl", session, folder, 0, ""},
		"folder as suite of a check":   {"check in", "in/suite.yaml", map[string]string{"in/trace.json": exampleText(t, "attest/refund.json"), "in/cupel.yaml": "attest: {pairs: [{suite: suite.yaml, traces: [trace.json]}]}\n"}, folder, 2, "suite.yaml"},
		"locked log of a check":        {"check in", "in/log.jsonl", nil, locked(logText), lockedCode, lockedSays},
		"compressed document of check": {"check in", "in/a.yaml", session, packed, 2, "gzip -dc"},
		"compressed agent run":         {"attest validate in", "in/a.json", nil, packed, 2, "compressed with gzip and truncated"},
	} {
		t.Run(title, func(t *testing.T) {
			p := place{file: c.file, put: c.put}
			_, path := p.lay(t)
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
			got := runWithin(t, t.Context(), strings.NewReader(""), strings.Fields(c.args)...)
			if got.code != c.code || !strings.Contains(got.stdout+got.stderr, c.says) {
				t.Errorf("exit code %d, expected %d and %q\n%s%s", got.code, c.code, c.says, got.stdout, got.stderr)
			}
		})
	}
}

// packed writes a compressed file.
func packed(path string) error { return os.WriteFile(path, []byte("\x1f\x8b\x08\x00canary"), 0o644) }

// swapping is standard input that does something when it is read: by then the operands
// after it have been looked at, and are not open.
type swapping struct{ do func() }

func (s *swapping) Read([]byte) (int, error) {
	if s.do != nil {
		s.do()
		s.do = nil
	}
	return 0, io.EOF
}

// TestSwapped replaces a file, and the folder around it, between the look and the
// opening.
func TestSwapped(t *testing.T) {
	cases := 0
	for _, p := range []place{
		{args: "trace verify - in", file: "in/run/trace.jsonl", text: traceText},
		{args: "trace verify - in", file: "in/run/log.jsonl", text: logText},
		{args: "trace verify - in/*/*.jsonl", file: "in/run/log.jsonl", text: logText},
		{args: "evidence hash - in", file: "in/run/a.ndjson", text: eventText},
		{args: "attest validate - in", file: "in/run/a.json", text: exampleText(t, "attest/refund.json")},
		{args: "oatf lint --jobs 1 - in", file: "in/run/a.yaml", text: exampleText(t, "oatf/rug-pull.yaml")},
	} {
		t.Run(strings.ReplaceAll(p.args+" "+p.file, "/", "_"), func(t *testing.T) {
			for _, e := range append(entries(), entry{"folder becomes a link out", nil, "link"}, entry{"gone", nil, "no such file"}) {
				if e.says == "" {
					continue
				}
				cases++
				dir, path := p.lay(t)
				writeFile(t, path, []byte(p.text))
				writeFile(t, filepath.Join(dir, "elsewhere", filepath.Base(path)), []byte(p.text))
				stdin := &swapping{func() {
					var err error
					switch e.name {
					case "folder becomes a link out":
						err = errors.Join(os.RemoveAll(filepath.Dir(path)), os.Symlink("../elsewhere", filepath.Dir(path)))
					case "gone":
						err = os.Remove(path)
					default:
						err = errors.Join(os.Remove(path), e.put(path, filepath.Join(dir, "outside", "file")))
					}
					if err != nil {
						t.Error(e.name, err)
					}
				}}
				p.judge(t, e, path, ran{}, runWithin(t, t.Context(), stdin, strings.Fields(p.args)...))
			}
		})
	}
	t.Logf("%d cases", cases)
}
