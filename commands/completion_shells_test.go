//go:build linux

package commands_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// completions are typed lines, and the lines after Tab. A "…" at the end means that several words fit: the line
// stays, and the shell lists what follows.
var completions = []struct{ typed, completed string }{
	{`cupel trace ver`, `cupel trace verify `},
	{`cupel trace verify --engine re`, `cupel trace verify --engine reference `},
	{`cupel trace verify --ignore=line.json,line.ut`, `cupel trace verify --ignore=line.json,line.utf8 `},
	{`cupel trace verify my`, `cupel trace verify my\ file.jsonl `},
	{`cupel trace verify a:`, `cupel trace verify a:b.jsonl `},
	{`cupel evidence seal --output=my\ f`, `cupel evidence seal --output=my\ file.jsonl `},
	{`cupel trace verify --format sarif=ru`, `cupel trace verify --format sarif=run.jsonl `},
	{`cupel evidence verify --limits @lim`, `cupel evidence verify --limits @limits.json `},
	{`cupel oatf conformance fo`, `cupel oatf conformance folder/`},
	{`cupel oatf conformance ru`, `cupel oatf conformance ru`}, // no folder
	{`cupel version ru`, `cupel version ru`},                   // takes no operand

	{`cupel check $(touch touched) --colo`, `cupel check $(touch touched) --color `}, // nothing on the line is run
	{`cupel trace verify --engine `, `public libraries and a naive checker…`},
}

// TestCompletionInShells types lines into the shells that are installed, with the completion
// script that cupel prints, and looks at what Tab makes of them.
func TestCompletionInShells(t *testing.T) {
	for _, sh := range []struct {
		name  string
		args  []string
		setup string
	}{
		{"bash", []string{"--norc", "--noprofile", "--noediting", "-i"}, `set -o emacs; bind 'set bell-style none'; bind 'set show-all-if-ambiguous on'; bind 'set page-completions off'
source <(cupel completion bash)
tell() { printf "%s\n" "$READLINE_LINE" >"$ANSWERS"; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\C-x\C-p": tell'
`},
		{"zsh", []string{"-f", "-i"}, `autoload -Uz compinit; compinit -D -u; LISTMAX=1000; unsetopt beep
source <(cupel completion zsh)
tell() { print -r -- "$BUFFER" >"$ANSWERS"; BUFFER= }; zle -N tell; bindkey -e; bindkey '^X^P' tell
`},
	} {
		t.Run(sh.name, func(t *testing.T) {
			if _, err := exec.LookPath(sh.name); err != nil {
				t.Skipf("completion: NOT run in %s, which is not installed", sh.name)
			}
			typist := newTypist(t, append([]string{sh.name}, sh.args...), sh.setup)
			for _, c := range racetest.Some(t, completions) {
				typist.try(c.typed, c.completed)
			}
			if _, err := os.Lstat(filepath.Join(typist.dir, "touched")); err == nil {
				t.Error("what stands on the line was run")
			}
		})
	}
	t.Run("fish", func(t *testing.T) {
		if _, err := exec.LookPath("fish"); err != nil {
			t.Skip("completion: NOT run in fish, which is not installed")
		}
		completeInFish(t)
	})
}

// completionFolder returns a folder with files whose names are hard on a shell.
func completionFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	check(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	for _, name := range []string{"run.jsonl", "my file.jsonl", "a:b.jsonl", "limits.json", "folder/inner.jsonl"} {
		check(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	return dir
}

// tell are the keys that make a shell print its line and clear it.
const tell = "\x18\x10"

// typist sits at a terminal in front of a shell.
type typist struct {
	*testing.T
	dir      string
	keyboard *os.File
	answers  *os.File
	lines    *bufio.Reader // of answers

	mu     sync.Mutex
	screen bytes.Buffer
	more   chan struct{} // the screen has changed
}

func newTypist(t *testing.T, command []string, setup string) *typist {
	t.Helper()
	ty := &typist{T: t, dir: completionFolder(t), more: make(chan struct{}, 1)}
	fifo := filepath.Join(t.TempDir(), "answers")
	check(t, syscall.Mkfifo(fifo, 0o600))
	var err error
	ty.answers, err = os.OpenFile(fifo, os.O_RDWR, 0)
	check(t, err)
	ty.lines = bufio.NewReader(ty.answers)
	ours, theirs := terminal(t)
	ty.keyboard = ours
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = ty.dir, theirs, theirs, theirs
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + ty.dir, "TERM=dumb", "PS1=", "COLUMNS=200", "LINES=100", "ANSWERS=" + fifo, "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	check(t, cmd.Start())
	check(t, theirs.Close())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = ours.Close()
		_ = ty.answers.Close()
	})
	go func() { _, _ = io.Copy(ty, ours) }()
	ty.press(setup + "printf 'ready\\n' >\"$ANSWERS\"\n")
	if got := ty.answer(); got != "ready" {
		t.Fatalf("the shell said %q", got)
	}
	ty.press(tell) // answered by the line editor, which has the keys from then on
	if got := ty.answer(); got != "" {
		t.Fatalf("the line is %q", got)
	}
	return ty
}

// terminal opens a pseudo terminal: the test's end and the shell's.
func terminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	check(t, err)
	fd := int(ours.Fd())
	check(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	check(t, err)
	check(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 100, Col: 200}))
	theirs, err = os.OpenFile(filepath.Join("/dev/pts", strconv.Itoa(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	check(t, err)
	return ours, theirs
}

// Write takes what the shell shows.
func (ty *typist) Write(b []byte) (int, error) {
	ty.mu.Lock()
	defer ty.mu.Unlock()
	select {
	case ty.more <- struct{}{}:
	default: // the last signal was not read yet
	}
	return ty.screen.Write(b)
}

func (ty *typist) shown() string {
	ty.mu.Lock()
	defer ty.mu.Unlock()
	return ty.screen.String()
}

func (ty *typist) press(keys string) {
	ty.Helper()
	if _, err := ty.keyboard.WriteString(keys); err != nil {
		ty.Fatal(err)
	}
}

func (ty *typist) answer() string {
	ty.Helper()
	check(ty.T, ty.answers.SetReadDeadline(time.Now().Add(patience)))
	line, err := ty.lines.ReadString('\n')
	if err != nil {
		ty.Fatalf("no answer: %v; the screen shows\n%s", err, ty.shown())
	}
	return strings.TrimSuffix(line, "\n")
}

// try types a line and Tab, and compares the line with want.
func (ty *typist) try(typed, want string) {
	ty.Helper()
	ty.mu.Lock()
	ty.screen.Reset()
	ty.mu.Unlock()
	ty.press(typed + "\t" + tell)
	got := ty.answer()
	if list, ok := strings.CutSuffix(want, "…"); ok {
		ty.waitFor(list)
		want = typed
	}
	if got != want && strings.ReplaceAll(got, `\:`, ":") != want {
		ty.Errorf("%q becomes %q, expected %q", typed, got, want)
	}
}

// waitFor waits until the shell shows a text.
func (ty *typist) waitFor(text string) {
	ty.Helper()
	late := time.After(patience)
	for !strings.Contains(ty.shown(), text) {
		select {
		case <-ty.more:
		case <-late:
			ty.Fatalf("nothing shows %q:\n%s", text, ty.shown())
		}
	}
}

// completeInFish has fish list what each of the lines can become. Fish says what Tab inserts,
// and takes a word from within quotes.
func completeInFish(t *testing.T) {
	cmd := exec.Command("fish", "--no-config", "-c", "cupel completion fish | source\nwhile read -z line; complete -C $line; printf '\\0'; end")
	cmd.Dir = completionFolder(t)
	var lines strings.Builder
	var tried []struct{ typed, completed string }
	for _, c := range racetest.Some(t, completions) {
		tried = append(tried, c)
		lines.WriteString(c.typed + "\x00")
	}
	cmd.Stdin = strings.NewReader(lines.String())
	out, err := cmd.Output()
	check(t, err)
	offers := strings.Split(string(out), "\x00")
	if len(offers) != len(tried)+1 {
		t.Fatalf("%d answers to %d lines:\n%s", len(offers)-1, len(tried), out)
	}
	for i, c := range tried {
		want := "\n" + strings.ReplaceAll(lastWord(c.completed), `\ `, " ")
		if list, ok := strings.CutSuffix(c.completed, "…"); ok {
			want = "\t" + list
		}
		if got := "\n" + offers[i]; c.completed == c.typed && got != "\n" || c.completed != c.typed && !strings.Contains(got, want) {
			t.Errorf("%q becomes one of %q, expected %q", c.typed, got, want)
		}
	}
	if _, err := os.Lstat(filepath.Join(cmd.Dir, "touched")); err == nil {
		t.Error("what stands on the line was run")
	}
}

// lastWord returns the text after the last blank that separates words.
func lastWord(line string) string {
	line = strings.TrimSuffix(line, " ")
	for i := len(line) - 1; i > 0; i-- {
		if line[i] == ' ' && line[i-1] != '\\' {
			return line[i+1:]
		}
	}
	return line
}
