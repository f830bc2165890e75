package commands_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/commands"
)

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID            string
	Name          string
	Description   string
	Entry         string
	Args          []string
	Language      string
	Files         string
	Types         []string
	TypesOr       []string `yaml:"types_or"`
	RequireSerial bool     `yaml:"require_serial"`
	Minimum       string   `yaml:"minimum_pre_commit_version"`
}

func readHooks(t *testing.T) (list []hook) {
	t.Helper()
	text, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("no hooks")
	}
	return list
}

// run calls a hook as pre-commit does, in the current folder.
func (h hook) run(files ...string) (code int, output string) {
	var stdout, stderr bytes.Buffer
	code = commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
	}, slices.Concat(strings.Fields(h.Entry), h.Args, files))
	return code, stdout.String() + stderr.String()
}

// extension returns the extension of a hook's files.
func (h hook) extension() string {
	if strings.HasPrefix(h.ID, "oatf-") {
		return ".yaml"
	}
	return ".jsonl"
}

// damaged returns a file that the hook judges and finds broken: it shows its format, since a file
// that shows none is skipped.
func (h hook) damaged() string {
	switch {
	case strings.HasPrefix(h.ID, "oatf-"):
		return "oatf: [\n"
	case strings.HasPrefix(h.ID, "trace-"):
		return `{"event_id":"e","session_id":"s","sequence_number":0,"timestamp_wall":"2026-03-01T00:00:00Z","event_type":"SESSION_START","payload_hash":"` + "\n"
	}
	return `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:x","id":"r:0","assayrunid":"r","assayseq":0,"assaycontenthash":"sha256:0","data":{` + "\n"
}

// TestHooksTakeFiles: a tracked file that is named like a flag is an operand of every
// hook, as pre-commit calls it, and what the flag would write stays as it is. A name with
// line feeds makes no line of its own.
func TestHooksTakeFiles(t *testing.T) {
	hooks := readHooks(t)
	for _, h := range hooks {
		broken := h.damaged()
		t.Chdir(t.TempDir())
		victim := filepath.Join(t.TempDir(), "victim"+h.extension())
		tracked := []string{"--format=json=" + victim, "-q" + h.extension(), "a b" + h.extension(), "a\n::error::b" + h.extension()}
		for _, name := range append(tracked, victim) {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(broken), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		code, output := h.run(tracked...)
		if text, err := os.ReadFile(victim); err != nil || string(text) != broken {
			t.Errorf("%s: the file %s has become %q (%v)", h.ID, victim, text, err)
		}
		for _, name := range tracked {
			if code == 0 || !strings.Contains(output, strings.ReplaceAll(name, "\n", `\u{a}`)) {
				t.Errorf("%s: exit code %d, and no word about %q\n%s", h.ID, code, name, output)
			}
		}
		if strings.Contains(output, "\n::") {
			t.Errorf("%s: a name makes a line:\n%s", h.ID, output)
		}
	}
	t.Logf("%d hooks", len(hooks))
}

// TestHooksLeaveOthers: files that are nothing of cupel's make no hook fail, say a word, or
// change.
func TestHooksLeaveOthers(t *testing.T) {
	hooks := readHooks(t)
	t.Chdir(t.TempDir())
	others := map[string]string{
		"readme.md": "# text\n", "trace.jsonl.orig": "text\n", "-": "text\n",
		"compose.yaml": "services:\n    web: {image: x}\n", "list.yml": "- a\n", "empty.yaml": "",
		"audit.jsonl": `{"kind":"Event","verb":"get"}` + "\n", "queue.ndjson": `{"event_type":"click","payload":{}}` + "\n",
		"order.ndjson": `{"specversion":"1.0","type":"com.example.order","data":1}` + "\n", "rows.jsonl": "[1]\n[2]\n",
	}
	var names []string
	for name, text := range others {
		names = append(names, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range hooks {
		if code, output := h.run(names...); code != 0 || output != "" {
			t.Errorf("%s: exit code %d\n%s", h.ID, code, output)
		}
		for name, text := range others {
			if got, err := os.ReadFile(name); err != nil || string(got) != text {
				t.Errorf("%s: %s has become %q (%v)", h.ID, name, got, err)
			}
		}
	}
}

// TestHooksAreAsked: pre-commit calls a hook for the files that it may be about.
func TestHooksAreAsked(t *testing.T) {
	runs := []string{"cupel-check", "trace-verify"}
	records := []string{"cupel-check", "trace-verify", "evidence-check", "evidence-lint"}
	documents := []string{"cupel-check", "trace-verify", "oatf-lint", "oatf-fmt"}
	for name, want := range map[string][]string{
		"run/trace.jsonl": records, "logs/session.NDJSON": records, "run/plan.json": runs, "run/evidence/a\nb": runs,
		"attack.yaml": documents, "a/b.oatf.YML": documents, "yaml": runs, "x.yaml.j2": runs,
	} {
		for _, h := range readHooks(t) {
			id := strings.TrimSuffix(h.ID, "-system")
			if asked := regexp.MustCompile(h.Files).MatchString(name); asked != slices.Contains(want, id) {
				t.Errorf("%s for %q: %v", h.ID, name, asked)
			}
		}
	}
}

// TestHooksHaveTwins: each hook is there twice, built with Go and from PATH, and else the
// same; its flags end, and one process takes all files.
func TestHooksHaveTwins(t *testing.T) {
	byID := map[string]hook{}
	for _, h := range readHooks(t) {
		byID[h.ID] = h
		if len(h.Args) == 0 || h.Args[len(h.Args)-1] != "--" || !h.RequireSerial || !strings.Contains(h.Entry, " --changed") {
			t.Errorf("%s: %q %q, require_serial %v", h.ID, h.Entry, h.Args, h.RequireSerial)
		}
	}
	for id, twin := range byID {
		if strings.HasSuffix(id, "-system") {
			continue
		}
		want := twin
		want.ID, want.Language = id+"-system", "system"
		if diff := cmp.Diff(want, byID[want.ID]); diff != "" || twin.Language != "golang" {
			t.Errorf("%s, %s (-want +got):\n%s", id, twin.Language, diff)
		}
	}
}
