package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// evalFolder is where the captures are, each in a folder with its document.
const evalFolder = "../testdata/oatf/eval"

// judge runs `cupel oatf eval` at a fixed time.
func judge(t require, stdin io.Reader, args ...string) (code int, stdout string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = commands.Main(commands.Env{
		Context: context.Background(), Stdin: stdin, Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string { return map[string]string{"SOURCE_DATE_EPOCH": "0"}[name] },
	}, append([]string{"cupel", "oatf", "eval"}, args...))
	return code, out.String()
}

// evalVerdicts returns the elements of the list "verdicts" of a JSON document, byte for byte.
func evalVerdicts(t require, stdout string) []string {
	t.Helper()
	var doc struct{ Verdicts []json.RawMessage }
	check(t, json.Unmarshal([]byte(stdout), &doc))
	var list []string
	for _, v := range doc.Verdicts {
		list = append(list, string(v))
	}
	return list
}

// evalCases returns the folders of the captures.
func evalCases(t *testing.T) (names []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(evalFolder, "*", "attack.yaml"))
	check(t, err)
	for _, name := range found {
		names = append(names, filepath.Dir(name))
	}
	if len(names) < 10 {
		t.Fatalf("%d cases", len(names))
	}
	return names
}

// TestEvalAlone: the verdict on a document is the same whatever other documents are
// evaluated with it, in whatever order, on captures that come together with --each or alone,
// from files or through pipes of any speed.
func TestEvalAlone(t *testing.T) {
	cases := evalCases(t)
	alone := map[[2]string]string{} // by document and capture
	verdict := func(t require, document, capture string) string {
		key := [2]string{document, capture}
		if alone[key] == "" {
			_, stdout := judge(t, nil, "--format=json", filepath.Join(document, "attack.yaml"), "--each", "--trace", filepath.Join(capture, "run.jsonl"))
			list := evalVerdicts(t, stdout)
			if len(list) != 1 {
				t.Fatalf("%d verdicts:\n%s", len(list), stdout)
			}
			alone[key] = list[0]
		}
		return alone[key]
	}
	step := racetest.Step(t)
	rapid.Check(t, func(t *rapid.T) {
		if rapid.IntRange(1, step).Draw(t, "which of so many is tried") > 1 {
			return
		}
		documents := rapid.SliceOfNDistinct(rapid.SampledFrom(cases), 1, 4, rapid.ID).Draw(t, "documents")
		captures := rapid.SliceOfN(rapid.SampledFrom(cases), 1, 3).Draw(t, "captures")
		args := []string{"--format=json", "--each"}
		var want []string
		var stdin io.Reader
		piped := rapid.IntRange(-1, len(captures)-1).Draw(t, "the capture that is piped")
		for i, capture := range captures {
			name := filepath.Join(capture, "run.jsonl")
			if i == piped {
				text, err := os.ReadFile(name)
				check(t, err)
				stdin = iotest.OneByteReader(bytes.NewReader(text))
				args = append(args, "--stdin-name", name)
				name = "-"
			}
			args = append(args, "--trace", name)
			for _, document := range documents {
				want = append(want, verdict(t, document, capture))
			}
		}
		for _, document := range documents {
			args = append(args, filepath.Join(document, "attack.yaml"))
		}
		_, stdout := judge(t, stdin, args...)
		if got := evalVerdicts(t, stdout); !slices.Equal(got, want) {
			t.Fatalf("%q:\n%s\nalone:\n%s", args, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestEvalExitCodes checks that the exit code is the same in every format, and the worst of the verdicts': an error
// comes before a failure. A document whose protocols are not in the capture does not count if another one applies.
func TestEvalExitCodes(t *testing.T) {
	cases := evalCases(t)
	for i := 0; i < len(cases); i += racetest.Step(t) {
		first, second := cases[i], cases[(i+1)%len(cases)]
		run := func(format string, documents ...string) (int, string) {
			args := []string{"--format=" + format, "--trace", filepath.Join(first, "run.jsonl")}
			for _, d := range documents {
				args = append(args, filepath.Join(d, "attack.yaml"))
			}
			return judge(t, nil, args...)
		}
		alone := func(document string) (code int, applies bool) {
			code, text := run("json", document)
			return code, !strings.Contains(text, `"result":"not_applicable"`)
		}
		one, oneApplies := alone(first)
		other, otherApplies := alone(second)
		want := max(one, other)
		switch {
		case oneApplies && !otherApplies:
			want = one
		case otherApplies && !oneApplies:
			want = other
		}
		for _, format := range []string{"text", "short", "json", "jsonl", "sarif", "github", "junit", "gitlab", "checkstyle", "tap"} {
			if got, _ := run(format, first, second); got != want {
				t.Errorf("%s and %s as %s: exit code %d, want %d: alone %d and %d", first, second, format, got, want, one, other)
			}
		}
	}
}

// TestEvalRules runs the examples of the rules about indicators and lines.
func TestEvalRules(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/etc/hosts"}}}`
	t.Chdir(t.TempDir())
	tried := 0
	for _, r := range eval.Rules() {
		if !strings.HasPrefix(r.ID, "E-1") {
			continue // what it is about, a document that is read does not have, or package eval tries
		}
		for example, want := range map[string]bool{r.Bad: true, r.Good: false} {
			document, line := example, message
			if strings.HasPrefix(example, "{") {
				document, line = "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: name, condition: absent}}\n", example
			}
			document = "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {}}\n  " + strings.ReplaceAll(strings.TrimSpace(document), "\n", "\n  ") + "\n"
			check(t, os.WriteFile("attack.yaml", []byte(document), 0o666))
			check(t, os.WriteFile("run.jsonl", []byte(line+"\n"), 0o666))
			_, stdout := judge(t, nil, "--format=short", "attack.yaml", "--trace", "run.jsonl")
			if got := strings.Contains(stdout, "["+r.ID+"]"); got != want {
				t.Errorf("%s: found %v, want %v, in\n%s\n%s", r.ID, got, want, document, stdout)
			}
			tried++
		}
	}
	if tried == 0 {
		t.Fatal("no rules")
	}
}
