package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/lsp/lsptest"
)

// TestEditorAgreesWithLint edits documents in ranges of UTF-16 units, and compares the diagnostics in the editor with
// those of the command line for the same bytes.
func TestEditorAgreesWithLint(t *testing.T) {
	var texts []string
	for _, path := range examples(t, "../testdata/examples/oatf/*.yaml") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	dir := t.TempDir()
	c := lsptest.Start(func(r io.Reader, w io.Writer) { serveLSP(r, w, "--strict") })
	defer c.Rest()
	if err := c.Send(`{"id":0,"method":"initialize","params":{"capabilities":{}}}`); err != nil {
		t.Fatal(err)
	}
	rounds := 0
	rapid.Check(t, func(t *rapid.T) {
		if rounds++; rounds > 30 {
			return // each waits for the server's pause
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.yaml", rounds))
		text := rapid.SampledFrom(texts).Draw(t, "text")
		line := rapid.IntRange(0, strings.Count(text, "\n")).Draw(t, "line")
		character := rapid.IntRange(0, 40).Draw(t, "character")
		insert := rapid.SampledFrom([]string{"x", "😀é", "\n", "\r\n", "\r", " # cupel:ignore P-003 a reason", "null", "{{", "- ", "\"", ": "}).Draw(t, "insert")
		lines := strings.SplitAfter(text, "\n")
		at := min(character, len([]rune(strings.TrimRight(lines[line], "\n"))))
		row := []rune(lines[line])
		for _, r := range row[:at] {
			if r > 0xffff {
				t.Skip("the place is counted in characters here")
			}
		}
		lines[line] = string(row[:at]) + insert + string(row[at:])
		send := func(message map[string]any) {
			out, err := json.Marshal(message)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Send(string(out)); err != nil {
				t.Fatal(err)
			}
		}
		uri := "file://" + filepath.ToSlash(path)
		send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "oatf", "version": 1, "text": text}}})
		place := map[string]any{"line": line, "character": character}
		send(map[string]any{"method": "textDocument/didChange", "params": map[string]any{
			"textDocument":   map[string]any{"uri": uri, "version": 2},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": place, "end": place}, "text": insert}},
		}})
		edited := strings.Join(lines, "")
		if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
			t.Fatal(err)
		}
		if told, said := toldOf(t, c, uri), lintedAs(t, path, 1+strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(edited), "\n")); !slices.Equal(told, said) {
			t.Fatalf("%s\nthe editor is told %v, and the command line says %v", edited, told, said)
		}
	})
}

func examples(t *testing.T, pattern string) []string {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	return paths
}

// toldOf returns the rules and lines of the diagnostics of a document's second version.
func toldOf(t *rapid.T, c *lsptest.Client, uri string) (list []string) {
	for {
		got, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Params struct {
				URI         string
				Version     int
				Diagnostics []struct {
					Code  string
					Range struct{ Start struct{ Line int } }
				}
			}
		}
		if err := json.Unmarshal([]byte(got), &m); err != nil {
			t.Fatal(err)
		}
		if m.Params.URI != uri || m.Params.Version != 2 {
			continue
		}
		for _, d := range m.Params.Diagnostics {
			list = append(list, fmt.Sprintf("%s %d", d.Code, d.Range.Start.Line+1))
		}
		slices.Sort(list)
		return list
	}
}

// lintedAs returns the rules and lines of `cupel oatf lint` for a file. A line after the last one is the last line in
// an editor.
func lintedAs(t *rapid.T, path string, lines int) (list []string) {
	var stdout, stderr bytes.Buffer
	env := commands.Env{Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
	code := commands.Main(env, []string{"cupel", "oatf", "lint", "--strict", "--format", "json", path})
	var m struct {
		Findings []struct {
			Rule    string
			Line    int
			Repeats string
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &m); err != nil || code == 2 {
		t.Fatal(code, stderr.String(), err)
	}
	for _, f := range m.Findings {
		if f.Repeats == "" {
			list = append(list, fmt.Sprintf("%s %d", f.Rule, min(max(f.Line, 1), lines)))
		}
	}
	slices.Sort(list)
	return list
}
