package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/lsp/lsptest"
)

// serveLSP is cupel lsp on streams, with its exit code.
func serveLSP(r io.Reader, w io.Writer, args ...string) (code int, stderr string) {
	var said bytes.Buffer
	env := commands.Env{Context: context.Background(), Stdin: r, Stdout: w, Stderr: &said, Getenv: func(string) string { return "" }}
	code = commands.Main(env, append([]string{"cupel", "lsp"}, args...))
	return code, said.String()
}

// playFile plays the script of a file, and writes the server's messages into it if update is set.
func playFile(t *testing.T, path string, update bool, serve func(r io.Reader, w io.Writer)) {
	t.Helper()
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	played := lsptest.Play(t, string(script), update, serve)
	if update {
		if err := os.WriteFile(path, []byte(played), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// TestEditorScripts plays an editor by the scripts of testdata/lsp.
func TestEditorScripts(t *testing.T) {
	scripts, err := filepath.Glob("../testdata/lsp/*.script")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, path := range scripts {
		t.Run(filepath.Base(path), func(t *testing.T) {
			code, stderr := 0, ""
			playFile(t, path, os.Getenv("UPDATE_SCRIPTS") != "", func(r io.Reader, w io.Writer) { code, stderr = serveLSP(r, w, "--stdio") })
			if code != 0 || stderr != "" {
				t.Errorf("exit code %d, %s", code, stderr)
			}
		})
	}
}

// TestHalfTyped types the shared examples character by character, backwards and with pieces cut
// out: every request is answered, whatever the document is at that time.
func TestHalfTyped(t *testing.T) {
	var texts []string
	for _, pattern := range []string{"../testdata/examples/oatf/*.yaml", "../testdata/examples/attest/*suite*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal("no examples", err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
	}
	code := 0
	c := lsptest.Start(func(r io.Reader, w io.Writer) { code, _ = serveLSP(r, w) })
	send := func(format string, args ...any) {
		if err := c.Send(fmt.Sprintf(format, args...)); err != nil {
			t.Fatal(err)
		}
	}
	send(`{"id":0,"method":"initialize","params":{"capabilities":{}}}`)
	id := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		text = text[:cut] + rapid.SampledFrom([]string{"", text[cut:], text[min(len(text), cut+7):], "{", "\"", "{{", "- ", ": ", "\t"}).Draw(t, "rest")
		line := strings.Count(text[:min(cut, len(text))], "\n")
		character := rapid.IntRange(0, 30).Draw(t, "character")
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/a.yaml","languageId":"yaml","version":1,"text":%s}}}`, quoted)
		methods := []string{"hover", "completion", "documentSymbol", "formatting"}
		for _, method := range methods {
			id++
			send(`{"id":%d,"method":"textDocument/%s","params":{"textDocument":{"uri":"file:///nowhere/a.yaml"},"position":{"line":%d,"character":%d}}}`, id, method, line, character)
		}
		for left := len(methods); left > 0; {
			got, err := c.Next()
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(got, `{"id":`) && !strings.HasPrefix(got, `{"id":0,`) {
				left--
			}
			if strings.Contains(got, "internal fault") {
				t.Fatalf("%s\nfor\n%s", got, text)
			}
		}
	})
	send(`{"id":1000000,"method":"shutdown"}`)
	send(`{"method":"exit"}`)
	c.Rest()
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestEditorHeedsConfiguration checks that the nearest cupel.yaml applies to documents in an editor, including later
// changes to it.
func TestEditorHeedsConfiguration(t *testing.T) {
	dir := t.TempDir()
	write := func(config string) {
		if err := os.WriteFile(filepath.Join(dir, "cupel.yaml"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	document := filepath.ToSlash(filepath.Join(dir, "a.yaml"))
	c := lsptest.Start(func(r io.Reader, w io.Writer) { serveLSP(r, w) })
	defer c.Rest()
	say := func(message string) {
		t.Helper()
		if err := c.Send(strings.ReplaceAll(message, "DOC", "file://"+document)); err != nil {
			t.Fatal(err)
		}
	}
	hear := func() string {
		t.Helper()
		got, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	say(`{"id":0,"method":"initialize","params":{"capabilities":{}}}`)
	hear()
	text := `oatf: '0.1'\nattack:\n  severity: hihg\n  execution: {mode: mcp_server, state: {tools: []}}\n  indicators: [{surface: tool_arguments, pattern: {regex: a}}]\n`
	open := `{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"DOC","languageId":"yaml","version":1,"text":"` + text + `"}}}`
	for i, one := range []struct{ config, rules string }{
		{"", "P-003"},
		{"ignore: [P-003]\n", "V-005"}, // the other name of the same fault
		{"ignore: [P-003, V-005]\n", ""},
		{"select: [V-]\n", "V-005"},
		{"per-file-ignores: {'*.yaml': [P-, V-]}\n", ""},
		{"per-file-ignores: {'b.yaml': [P-, V-]}\n", "P-003"},
		{"exclude: [a.yaml]\n", ""},
		{"ignore: [P-003\n", "P-003"}, // a mistake is for its author
		{"", "P-003"},
	} {
		write(one.config)
		if i == 0 {
			say(open)
		} else {
			say(`{"method":"workspace/didChangeWatchedFiles","params":{"changes":[]}}`)
		}
		var rules []string
		got := hear()
		for _, part := range strings.Split(got, `"code":"`)[1:] {
			rule, _, _ := strings.Cut(part, `"`)
			rules = append(rules, rule)
		}
		if strings.Join(rules, " ") != one.rules {
			t.Errorf("%q: %s, expected %s", one.config, got, one.rules)
		}
	}
}

// TestConfigurationKeys: every key that is completed in cupel.yaml is one.
func TestConfigurationKeys(t *testing.T) {
	c := lsptest.Start(func(r io.Reader, w io.Writer) { serveLSP(r, w) })
	defer c.Rest()
	for _, message := range []string{
		`{"id":0,"method":"initialize","params":{"capabilities":{}}}`,
		`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/cupel.yaml","version":1,"text":"zzz: 1\n"}}}`,
		`{"id":1,"method":"textDocument/completion","params":{"textDocument":{"uri":"file:///nowhere/cupel.yaml"},"position":{"line":1,"character":0}}}`,
	} {
		if err := c.Send(message); err != nil {
			t.Fatal(err)
		}
	}
	var answer struct {
		Result []struct{ Label string }
	}
	for answer.Result == nil {
		got, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(got, `{"id":1,`) {
			if err := json.Unmarshal([]byte(got), &answer); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, item := range answer.Result {
		_, err := config.Parse("c", []byte(item.Label+": {}\n"))
		if err != nil && strings.Contains(err.Error(), "unknown key") {
			t.Error(err)
		}
	}
	if len(answer.Result) < 5 {
		t.Errorf("%d keys", len(answer.Result))
	}
}
