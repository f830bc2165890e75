package commands_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands"
)

// TestWatch checks that a change starts a run, however it is made, that a failed run does not end the watch, that
// output files and other files in the inputs' folder start no run, and that Ctrl-C ends it.
func TestWatch(t *testing.T) {
	const good = "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {tools: []}}\n"
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("in/a.yaml", good)
	write("in/.hidden/e.yaml", good)
	write("gone/d.yaml", good)
	write("named/b.yaml", good)
	write("named/beside.yaml", good)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, errors watched
	code := make(chan int, 1)
	env := commands.Env{Context: ctx, Stdout: &out, Stderr: &errors, Getenv: func(string) string { return "" }}
	go func() {
		code <- commands.Main(env, []string{"cupel", "oatf", "lint", "--watch", "--format", "text", "--format", "json=in/report.json", "in", "gone", "named/b.yaml"})
	}()
	runs := func() int { return strings.Count(errors.String(), "watching for changes") }
	next := func(what string, change func(), want string) {
		t.Helper()
		before, at := runs(), len(out.String())
		from := len(errors.String())
		change()
		for end := time.Now().Add(deadline); ; {
			said := out.String()[at:] + errors.String()[from:]
			if runs() > before && regexp.MustCompile(want).MatchString(said) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s: expected %s\n%s\n%s", what, want, out.String(), errors.String())
			}
			select {
			case c := <-code:
				t.Fatalf("%s: ended with exit code %d\n%s", what, c, errors.String())
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	next("the first run", func() {}, `(?m)^passed: 3 documents`)
	next("an edit", func() { write("in/a.yaml", strings.Replace(good, "mcp_s", "mpc_s", 1)) }, `(?m)^passed: 3 documents, .*1 warning`)
	next("a file saved by renaming", func() {
		write("in/.a.yaml.new", "oatf: \"0.1\"\nattack: {}\n")
		if err := os.Rename("in/.a.yaml.new", "in/a.yaml"); err != nil {
			t.Fatal(err)
		}
	}, `(?m)^failed: 3 documents, 1 error`)
	next("a new folder", func() { write("in/deep/er/c.yaml", good) }, `4 documents`)
	next("an edit in it", func() { write("in/deep/er/c.yaml", strings.Replace(good, "mcp_s", "mpc_s", 1)) }, `4 documents, .*1 warning`)
	next("a cupel.yaml", func() { write("cupel.yaml", "exclude: [er]\n") }, `1 excluded by cupel.yaml`)
	next("a broken one", func() { write("cupel.yaml", "exlude: [er]\n") }, `unknown key "exlude"`)
	next("a folder that goes", func() {
		if err := os.Remove("cupel.yaml"); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll("gone"); err != nil {
			t.Fatal(err)
		}
	}, `no such file or directory: "gone"`)
	next("and comes back", func() { write("gone/d.yaml", good) }, `4 documents, 1 error, 1 warning`)
	next("a folder inside that goes", func() {
		if err := os.RemoveAll("in/deep"); err != nil {
			t.Fatal(err)
		}
	}, `3 documents, 1 error, 0 warnings`)
	next("an edit after it", func() { write("in/a.yaml", good) }, `(?m)^passed: 3 documents`)
	next("a named file that goes", func() {
		if err := os.Remove("named/b.yaml"); err != nil {
			t.Fatal(err)
		}
	}, `no such file or directory: "named/b.yaml"`)
	next("and comes back", func() { write("named/b.yaml", good) }, `(?m)^passed: 3 documents`)
	next("a storm", func() {
		for range 500 {
			write("in/a.yaml", good)
		}
		write("in/a.yaml", strings.Replace(good, "mcp_s", "mpc_s", 1))
	}, `(?m)^passed: 3 documents, .*1 warning`)

	// A file that takes the place of another is one change, and all those before it have been seen
	// when it is.
	replace := func(path, text string) {
		t.Helper()
		write("new", text)
		if err := os.Rename("new", path); err != nil {
			t.Fatal(err)
		}
	}
	next("the end of the storm", func() { replace("named/b.yaml", good) }, `(?s)changed: [^\n]*b\.yaml.*watching`)
	before := runs()
	write("named/beside.yaml", "oatf: [")
	write("in/.hidden/e.yaml", "oatf: [")
	next("what counts, after what does not", func() { replace("in/a.yaml", good) }, `(?m)^passed: 3 documents`)
	if runs() != before+1 {
		t.Errorf("%d runs for one change\n%s", runs()-before, errors.String())
	}
	if regexp.MustCompile(`changed: .*(beside|report|hidden)`).MatchString(errors.String()) {
		t.Errorf("what does not count began a run\n%s", errors.String())
	}
	stop()
	select {
	case c := <-code:
		if c != 130 {
			t.Errorf("exit code %d, expected 130", c)
		}
	case <-time.After(deadline):
		t.Fatal("Ctrl-C does not end it")
	}
}
