package oatf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// testData is where the cases are.
var testData = os.DirFS(filepath.Join("..", "testdata", "oatf"))

// cases reads a list of test cases.
func cases[T any](t testing.TB, name string) []T {
	t.Helper()
	return oatftest.Cases[T](t, testData, name)
}

// TestFixes applies the fix of a misspelled word. It expects no fix if the right word is not better, or already
// exists there.
func TestFixes(t *testing.T) {
	for _, c := range []struct{ execution, old, fixed string }{
		{"{mode: a2a_server, phases: [{state: {}, trigger: {event: 'tasks/send'}}]}", "tasks/send", "message/send"},
		{"{mode: mcp_server, phases: [{state: {}, trigger: {event: 'tasks/send'}}]}", "", ""},
		{"{mode: mcp_server, state: {tools: [{name: a, responses: [{match: {a: 1}}]}]}}", "match", "when"},
		{"{mode: mcp_server, state: {tools: [{name: a, responses: [{match: {a: 1}}, {match: {a: 2}}]}]}}", "match", "when"},
		{"{mode: mcp_server, state: {tools: [{name: a, responses: [{match: {a: 1}, when: {b: 1}}]}]}}", "", ""},
		{"{mode: a2a_server, state: {task_responses: [{artefacts: []}]}}", "artefacts", "artifacts"},
	} {
		text := "oatf: '0.1'\nattack:\n  execution: " + c.execution + "\n"
		got := text
		for _, f := range Check([]byte(text), CheckOptions{Strict: true}) {
			if f.Fix != nil {
				fixed, err := finding.Apply([]byte(text), f.Fix.Edits)
				if err != nil {
					t.Fatal(err)
				}
				got = string(fixed)
			}
		}
		want := text
		if c.old != "" {
			want = strings.ReplaceAll(text, c.old, c.fixed)
		}
		if got != want {
			t.Errorf("%s is mended to %s", text, got)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, c := range cases[struct{ Input, Revision, Help string }](t, "help.yaml") {
		var got []string
		for _, f := range Check([]byte(c.Input), CheckOptions{Strict: true, Revision: Revision(c.Revision)}) {
			got = append(got, f.Help)
		}
		if !slices.Contains(got, c.Help) {
			t.Errorf("%s\nhelp %q, expected %q", c.Input, got, c.Help)
		}
	}
}

// TestHelpOfRevision is TestHelp for the later revision, with the fixed text, or "" without a fix.
func TestHelpOfRevision(t *testing.T) {
	for _, c := range cases[struct{ Input, Help, Fixed string }](t, "help-2026-03.yaml") {
		text, want := rules.WholeDocument(c.Input), ""
		if c.Fixed != "" {
			want = rules.WholeDocument(c.Fixed)
		}
		list := Check([]byte(text), CheckOptions{Strict: true, Revision: V202603})
		i := slices.IndexFunc(list, func(f Finding) bool { return f.Help == c.Help })
		if i < 0 {
			t.Errorf("%s\nfindings %v, expected the help %q", text, list, c.Help)
			continue
		}
		got := ""
		if fix := list[i].Fix; fix != nil {
			out, err := finding.Apply([]byte(text), fix.Edits)
			if err != nil {
				t.Fatal(err)
			}
			got = string(out)
		}
		if got != want {
			t.Errorf("%s\nbecomes\n%s", text, got)
		}
	}
}
