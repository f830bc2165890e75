package commands_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
)

var updateFollow = flag.Bool("update-follow", false, "write the transcripts of testdata/follow anew")

// deadline is as long as a slow machine may need.
const deadline = 60 * time.Second

// followed is a `trace verify --follow` that waits until the test lets it look again.
// What is done to its files meanwhile is done while it waits.
type followed struct {
	t           rapid.TB
	dir         string
	out, errors watched
	waits       chan chan time.Time // what ends each wait
	wait        chan time.Time      // … the present one
	stop        context.CancelFunc
	code        chan int
	clock       time.Time // of edits
}

// follow starts the command on log.jsonl in the folder, and returns when it has
// read what there is. The caller stops it.
func follow(t rapid.TB, dir string, args ...string) *followed {
	t.Helper()
	return followOperand(t, dir, filepath.Join(dir, "log.jsonl"), args...)
}

// followOperand is follow for any operand.
func followOperand(t rapid.TB, dir, operand string, args ...string) *followed {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	f := &followed{t: t, dir: dir, waits: make(chan chan time.Time, 1), stop: stop, code: make(chan int, 1), clock: time.Now().Add(-time.Hour)}
	env := commands.Env{
		Context: ctx, Stdout: &f.out, Stderr: &f.errors, Getenv: func(string) string { return "" },
		After: func(time.Duration) <-chan time.Time {
			wait := make(chan time.Time, 1)
			f.waits <- wait
			return wait
		},
	}
	family := "trace"
	if len(args) > 0 && args[0] == "evidence" {
		family, args = "evidence", args[1:]
	}
	args = append([]string{"cupel", family, "verify", "--follow"}, args...)
	go func() { f.code <- commands.Main(env, append(args, operand)) }()
	f.waited()
	return f
}

// waited returns when the command waits.
func (f *followed) waited() {
	f.t.Helper()
	select {
	case f.wait = <-f.waits:
	case code := <-f.code:
		f.t.Fatalf("the command ended with exit code %d\n%s%s", code, f.out.String(), f.errors.String())
	case <-time.After(deadline):
		f.t.Fatalf("the command neither waits nor ends\n%s%s", f.out.String(), f.errors.String())
	}
}

// look lets the command look, and returns when it waits again.
func (f *followed) look() {
	f.t.Helper()
	f.wait <- time.Time{}
	f.waited()
}

// ends lets the command look until it ends by itself.
func (f *followed) ends() {
	f.t.Helper()
	for end := time.After(deadline); ; {
		select {
		case f.wait <- time.Time{}:
		case f.wait = <-f.waits:
		case code := <-f.code:
			f.code <- code
			return
		case <-end:
			f.t.Fatalf("the command does not end\n%s%s", f.out.String(), f.errors.String())
		}
	}
}

// end interrupts the command and returns its exit code. What was done since the last
// look need not be seen.
func (f *followed) end() int {
	f.t.Helper()
	f.stop()
	select {
	case code := <-f.code:
		return code
	case <-time.After(deadline):
		f.t.Fatal("Ctrl-C does not end the command")
		return -1
	}
}

func (f *followed) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *followed) path(name string) string { return filepath.Join(f.dir, name) }

// add appends to a file, and creates it if necessary.
func (f *followed) add(name, text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	f.must(err)
	_, err = file.WriteString(text)
	f.must(err)
	f.must(file.Close())
}

// edit overwrites bytes of a file in place. Its time of modification is one that it never
// had, however coarse the system's clock.
func (f *followed) edit(name string, offset int64, text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path(name), os.O_WRONLY, 0)
	f.must(err)
	_, err = file.WriteAt([]byte(text), offset)
	f.must(err)
	f.must(file.Close())
	f.touch(name)
}

func (f *followed) touch(name string) {
	f.t.Helper()
	f.clock = f.clock.Add(time.Second)
	f.must(os.Chtimes(f.path(name), f.clock, f.clock))
}

// do performs one line of a script:
//
//	look                    the command looks at what was done
//	ends                    … until it ends by itself
//	add NAME LOG A-B        appends the lines A to B of an example log or stream
//	begin NAME LOG A        … the first 40 bytes of line A
//	end NAME LOG A          … the rest of it
//	edit NAME OLD NEW       changes the first OLD in place
//	touch NAME              … only its time of modification
//	cut NAME LINES          keeps so many lines
//	rename OLD NEW, remove NAME, mkdir NAME, link NAME TARGET
func (f *followed) do(line string) {
	f.t.Helper()
	words := strings.Fields(line)
	arg := func(i int) string { return words[i] }
	lines := func(i int) []string {
		example := arg(i) + ".jsonl"
		if arg(i) == "events" {
			example = "../evidence/run.ndjson"
		}
		list := exampleLines(f.t, example)
		list[len(list)-1] += "\n"
		return list
	}
	from, to := 0, 0
	if a := words[len(words)-1]; strings.Trim(a, "0123456789-") == "" {
		first, last, several := strings.Cut(a, "-")
		from, _ = strconv.Atoi(first)
		if to = from; several {
			to, _ = strconv.Atoi(last)
		}
	}
	switch arg(0) {
	case "look":
		f.look()
	case "ends":
		f.ends()
	case "add":
		f.add(arg(1), strings.Join(lines(2)[from-1:to], ""))
	case "begin":
		f.add(arg(1), lines(2)[from-1][:40])
	case "end":
		f.add(arg(1), lines(2)[from-1][40:])
	case "edit":
		text, err := os.ReadFile(f.path(arg(1)))
		f.must(err)
		f.edit(arg(1), int64(bytes.Index(text, []byte(arg(2)))), arg(3))
	case "touch":
		f.touch(arg(1))
	case "cut":
		text, err := os.ReadFile(f.path(arg(1)))
		f.must(err)
		f.must(os.Truncate(f.path(arg(1)), int64(len(strings.Join(strings.SplitAfter(string(text), "\n")[:from], "")))))
	case "rename":
		f.must(os.Rename(f.path(arg(1)), f.path(arg(2))))
	case "remove":
		f.must(os.Remove(f.path(arg(1))))
	case "mkdir":
		f.must(os.Mkdir(f.path(arg(1)), 0o777))
	case "link":
		f.must(os.Symlink(arg(2), f.path(arg(1))))
	default:
		f.t.Fatalf("unknown line in a script: %q", line)
	}
}

// TestFollowTranscripts runs every testdata/follow/*.txtar: changes to a log while it is followed, as followed.do
// describes them, and the output of the command. The first line of a script after the comments has the flags, after
// "evidence" if events are followed; the lines before it run first.
func TestFollowTranscripts(t *testing.T) {
	scripts, err := filepath.Glob("../testdata/follow/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(script)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			before := &followed{t: t, dir: dir}
			f := before
			for line := range strings.Lines(string(archive.Comment)) {
				line = strings.TrimSpace(line)
				flags, starts := strings.CutPrefix(line, "follow")
				switch {
				case line == "" || line[0] == '#':
				case starts:
					args := strings.Fields(flags)
					for i := range args { // after the cut: a folder's name may have a blank
						args[i] = strings.ReplaceAll(args[i], "DIR", dir)
					}
					f = follow(t, dir, args...)
					defer f.stop()
				default:
					f.do(line)
				}
			}
			code := f.end()
			got := []txtar.File{}
			for name, text := range map[string]string{"stdout": f.out.String(), "stderr": f.errors.String(), "exit code": strconv.Itoa(code) + "\n"} {
				text = strings.ReplaceAll(text, filepath.ToSlash(dir)+"/", "")
				got = append(got, txtar.File{Name: name, Data: open.ReplaceAll([]byte(text), nil)})
			}
			if *updateFollow {
				archive.Files = inOrder(got)
				if err := os.WriteFile(script, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(asText(archive.Files), asText(inOrder(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Logf("%d transcripts", len(scripts))
}

// TestFollowState checks that the state of a followed log belongs to the file that has the name at the end, and
// records that it was rewritten. A log whose file was replaced has no state.
func TestFollowState(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		code   int
		says   string // of the next run, "" without a state for it
	}{
		"grown":         {"add log.jsonl refund 5-6", 0, "6 events"},
		"rotated":       {"rename log.jsonl log.1\nadd log.jsonl refund 1-3", 0, "3 events"},
		"not begun":     {"rename log.jsonl log.1\nadd log.jsonl refund 1-0", 0, ""},
		"half a line":   {"rename log.jsonl log.1\nbegin log.jsonl refund 1", 0, ""},
		"cut":           {"cut log.jsonl 2", 1, "found 1 error"},
		"cut to zero":   {"cut log.jsonl 0", 1, "anchor.prefix"},
		"cut to half":   {"cut log.jsonl 0\nbegin log.jsonl refund 1", 1, "anchor.prefix"},
		"cut and again": {"cut log.jsonl 2\nlook\nrename log.jsonl log.1\nadd log.jsonl refund 1-3", 0, "3 events"},
		"removed":       {"rename log.jsonl log.1\nlook\nrename log.1 log.jsonl", 0, "4 events"},
	} {
		dir := t.TempDir()
		before := &followed{t: t, dir: dir}
		before.do("add log.jsonl refund 1-4")
		verify := func() (int, string) {
			var out bytes.Buffer
			env := commands.Env{Context: t.Context(), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
			return commands.Main(env, []string{"cupel", "trace", "verify", "--state", before.path("state.json"), before.path("log.jsonl")}), out.String()
		}
		if len(name)%2 == 0 { // an earlier run makes no difference
			if code, text := verify(); code != 0 {
				t.Fatalf("%s: exit code %d\n%s", name, code, text)
			}
		}
		f := follow(t, dir, "--state", before.path("state.json"))
		defer f.stop()
		for line := range strings.Lines(c.script) {
			f.do(line)
		}
		f.look()
		f.end()
		if _, err := os.Stat(f.path("state.json")); (err == nil) != (c.says != "") {
			t.Errorf("%s: a state: %v", name, err == nil)
		}
		if code, text := verify(); c.says != "" && (code != c.code || !strings.Contains(text, c.says)) {
			t.Errorf("%s: the next run: exit code %d, want %d and %q\n%s", name, code, c.code, c.says, text)
		}
	}
}

// TestFollowNoLongerThere: a log that is not the one of the state is not waited for.
func TestFollowNoLongerThere(t *testing.T) {
	for name, now := range map[string]string{"shorter": "add log.jsonl refund 1-3", "empty": "add log.jsonl refund 1-0", "another": "add log.jsonl signed-1.0 1-4\nadd log.jsonl refund 1-4"} {
		f := &followed{t: t, dir: t.TempDir()}
		var out bytes.Buffer
		verify := func(flags ...string) int {
			out.Reset()
			env := commands.Env{
				Context: t.Context(), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" },
				After: func(time.Duration) <-chan time.Time {
					t.Fatalf("%s: the log is waited for", name)
					return nil
				},
			}
			return commands.Main(env, append([]string{"cupel", "trace", "verify", "--state", f.path("state.json"), f.path("log.jsonl")}, flags...))
		}
		f.do("add log.jsonl refund 1-4")
		verify()
		f.do("remove log.jsonl")
		for line := range strings.Lines(now) {
			f.do(line)
		}
		if code := verify("--follow"); code != 1 || !strings.Contains(out.String(), "anchor.prefix") {
			t.Errorf("%s: exit code %d\n%s", name, code, out.String())
		}
	}
}

// inOrder sorts the outputs: exit code, standard output, standard error.
func inOrder(files []txtar.File) (list []txtar.File) {
	for _, name := range []string{"exit code", "stdout", "stderr"} {
		for _, f := range files {
			if f.Name == name {
				list = append(list, f)
			}
		}
	}
	return list
}

// open is what reports say is not covered, of which transcripts say nothing.
var open = regexp.MustCompile(`(?m)^  not covered: .*\n|,"not_covered":\[.*?\]`)

func asText(files []txtar.File) string { return string(txtar.Format(&txtar.Archive{Files: files})) }
