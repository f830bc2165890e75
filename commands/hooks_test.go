package commands_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/commands"
)

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID    string
	Entry string
	Args  []string
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

// TestHooksTakeFiles: a tracked file that is named like a flag is an operand of every
// hook, as pre-commit calls it, and what the flag would write stays as it is.
func TestHooksTakeFiles(t *testing.T) {
	hooks := readHooks(t)
	for _, h := range hooks {
		dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim.jsonl")
		t.Chdir(dir)
		tracked := "--format=json=" + victim
		if err := os.MkdirAll(filepath.Dir(tracked), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{tracked, victim} {
			if err := os.WriteFile(name, []byte("no record\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var stdout, stderr bytes.Buffer
		args := append(append(strings.Fields(h.Entry), h.Args...), tracked)
		code := commands.Main(commands.Env{
			Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
		}, args)
		if text, err := os.ReadFile(victim); err != nil || string(text) != "no record\n" {
			t.Errorf("%s: the file %s has become %q (%v)", h.ID, victim, text, err)
		}
		if code == 0 || !strings.Contains(stdout.String()+stderr.String(), tracked) {
			t.Errorf("%s: exit code %d, and no word about the file\n%s%s", h.ID, code, stdout.String(), stderr.String())
		}
	}
	t.Logf("%d hooks", len(hooks))
}
