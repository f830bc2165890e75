package main

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const examples = "../../testdata/examples"

// client connects a client that names roots.
func client(t *testing.T, s *server, roots ...string) *mcp.ClientSession {
	t.Helper()
	if s.limits == (limits{}) {
		s.limits = limits{Time: time.Minute, Bytes: 1 << 30, Answer: 1 << 20, Findings: 100}
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.mcp().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	for _, root := range roots {
		c.AddRoots(&mcp.Root{URI: "file://" + filepath.ToSlash(root)})
	}
	session, err := c.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool: its answer, and its text.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) (a Answer, text string) {
	t.Helper()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Content {
		text += c.(*mcp.TextContent).Text
	}
	b, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	if err != nil {
		t.Fatal(err)
	}
	if result.IsError != (a.Problem != "") {
		t.Errorf("%s: an error is %v, but the problem is %q", tool, result.IsError, a.Problem)
	}
	return a, text
}

// project copies the examples into a folder of their own.
func project(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(examples))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// home returns to the working folder at the end, because a call leaves it.
func home(t *testing.T) {
	t.Helper()
	t.Chdir(".")
}

func TestTools(t *testing.T) {
	home(t)
	dir := project(t)
	session := client(t, &server{}, dir)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 5 {
		t.Fatalf("%d tools, error %v", len(listed.Tools), err)
	}
	for _, tool := range listed.Tools {
		if tool.OutputSchema == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s has no output schema, or is not read-only", tool.Name)
		}
	}
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		exit      int
		schema    string
	}{
		{"check", map[string]any{"path": "session/refund.jsonl"}, 0, "cupel.check/1"},
		{"check", map[string]any{"path": filepath.Join(dir, "session/refund-removed.jsonl")}, 1, "cupel.check/1"},
		{"check", map[string]any{"path": "session"}, 1, "cupel.check/1"},
		{"verify", map[string]any{"path": "trace/incident"}, 0, "cupel.trace/1"},
		{"verify", map[string]any{"path": "evidence/run.tar.gz", "as": "evidence"}, 0, "cupel.evidence/1"},
		{"verify", map[string]any{"path": "evidence/tampered.ndjson", "as": "evidence"}, 1, "cupel.evidence/1"},
		{"lint", map[string]any{"path": "oatf/five-faults.yaml"}, 1, "cupel.lint/1"},
		{"eval", map[string]any{"document": "oatf/rug-pull-2026-03.yaml", "trace": "oatf/rug-pull-refused.jsonl"}, 0, "cupel.verdict/1"},
		{"eval", map[string]any{"document": "oatf/rug-pull-2026-03.yaml", "trace": "oatf/rug-pull-exploited.jsonl"}, 1, "cupel.verdict/1"},
		{"explain", map[string]any{"rule": "sequence.gap"}, 0, "cupel.rules/1"},
		{"explain", map[string]any{"rule": "no.such.rule"}, 2, ""},
	} {
		a, text := call(t, session, c.tool, c.arguments)
		got, _ := a.Report["schema"].(string)
		if a.Exit != c.exit || c.schema != "" && got != c.schema {
			t.Errorf("%s %v: exit code %d and %q, expected %d and %q: %+v", c.tool, c.arguments, a.Exit, got, c.exit, c.schema, a)
		}
		if strings.Contains(text, "refund") || len(text) > 80 {
			t.Errorf("%s: the text is %q", c.tool, text)
		}
	}
}

func TestRefused(t *testing.T) {
	home(t)
	dir := project(t)
	outside := filepath.Join(t.TempDir(), "secret.jsonl")
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(outside, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link(outside, "out.jsonl")
	link(filepath.Dir(outside), "outfolder")
	link("/dev/zero", "device")
	link("session/refund.jsonl", "inside.jsonl")
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe.jsonl")).Run(); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	session := client(t, &server{}, dir)
	for path, want := range map[string]error{
		"out.jsonl": errOutside, "outfolder/secret.jsonl": errOutside, "outfolder": errOutside, "device": errOutside, outside: errOutside,
		"../" + filepath.Base(dir) + "x": errOutside, "../../etc/passwd": errOutside, "session/../../x": errOutside, "/etc/passwd": errOutside, "/dev/stdin": errOutside,
		"pipe.jsonl": errIrregular, "socket.jsonl": errIrregular, "": errMissing, "-": errMissing, "none": errMissing, "a\x00b": errMissing, "--fix": errMissing,
	} {
		for _, tool := range []string{"check", "verify", "lint"} {
			if a, _ := call(t, session, tool, map[string]any{"path": path}); a.Exit != 2 || a.Problem != want.Error() || a.Report != nil {
				t.Errorf("%s %q: %+v, expected %v", tool, path, a, want)
			}
		}
		if a, _ := call(t, session, "eval", map[string]any{"document": "oatf/rug-pull-2026-03.yaml", "trace": path}); a.Problem != want.Error() {
			t.Errorf("eval with %q: %+v, expected %v", path, a, want)
		}
	}
	if a, _ := call(t, session, "check", map[string]any{"path": "inside.jsonl"}); a.Exit != 0 {
		t.Errorf("a link within the root: %+v", a)
	}
	a, _ := call(t, session, "verify", map[string]any{"path": "session", "as": "x"})
	if a.Problem == "" {
		t.Errorf("another kind: %+v", a)
	}
}

func TestRoots(t *testing.T) {
	home(t)
	dir, none := project(t), t.TempDir()
	if a, _ := call(t, client(t, &server{}), "check", map[string]any{"path": "session"}); a.Problem != errNoRoots.Error() {
		t.Errorf("without roots: %+v", a)
	}
	s := &server{}
	if err := s.addRoot(filepath.Join(dir, "session")); err != nil {
		t.Fatal(err)
	}
	session := client(t, s, dir) // --root counts, not the client's
	if a, _ := call(t, session, "check", map[string]any{"path": "trace"}); a.Problem != errMissing.Error() {
		t.Errorf("outside of --root: %+v", a)
	}
	if a, _ := call(t, session, "check", map[string]any{"path": "refund.jsonl"}); a.Exit != 0 {
		t.Errorf("below --root: %+v", a)
	}
	if a, _ := call(t, client(t, &server{}, none, dir), "check", map[string]any{"path": "session/refund.jsonl"}); a.Exit != 0 {
		t.Errorf("below the second root: %+v", a)
	}
	// A configuration above the root has no say.
	if err := os.WriteFile(filepath.Join(dir, "cupel.yaml"), []byte("ignore: [sequence, chain, tool]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, _ := call(t, session, "check", map[string]any{"path": "refund-removed.jsonl"}); a.Exit != 1 {
		t.Errorf("with a configuration above the root: %+v", a)
	}
}

func TestLimits(t *testing.T) {
	home(t)
	dir := project(t)
	call := func(change func(*limits)) Answer {
		s := &server{limits: limits{Time: time.Minute, Bytes: 1 << 30, Answer: 1 << 20, Findings: 100}}
		change(&s.limits)
		a, _ := call(t, client(t, s, dir), "verify", map[string]any{"path": "session"})
		return a
	}
	whole := call(func(*limits) {})
	if whole.Exit != 1 || whole.Omitted != 0 {
		t.Errorf("without a limit: %+v", whole)
	}
	if a := call(func(l *limits) { l.Findings = 1 }); a.Exit != 1 || a.Omitted == 0 {
		t.Errorf("one finding: %+v", a)
	}
	for name, change := range map[string]func(*limits){
		"max-bytes": func(l *limits) { l.Bytes = 100 }, "max-answer-bytes": func(l *limits) { l.Answer = 100 }, "timeout": func(l *limits) { l.Time = 1 },
	} {
		if a := call(change); a.Report != nil || !strings.Contains(a.Problem, "--"+name) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
