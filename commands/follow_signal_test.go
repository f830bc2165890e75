//go:build linux

package commands_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stopped is a process that follows log.jsonl and is ended by a signal.
type stopped struct {
	cmd   *exec.Cmd
	lines chan string // of standard output
	plan  *os.File    // what it waits for before it reads the log
}

// startFollowing starts the process. It reads its plan from a pipe: as soon as that is open, the process handles
// signals.
func startFollowing(t *testing.T, args ...string) *stopped {
	t.Helper()
	t.Chdir(t.TempDir())
	check(t, syscall.Mkfifo("plan", 0o666))
	check(t, os.WriteFile("log.jsonl", nil, 0o666))
	cmd := exec.Command("cupel", append([]string{"trace", "verify", "--follow", "--plan=plan", "log.jsonl"}, args...)...)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	p := &stopped{cmd: cmd, lines: make(chan string)}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it may be gone
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	p.plan, err = os.OpenFile("plan", os.O_WRONLY, 0) // returns when the run reads it
	check(t, err)
	t.Cleanup(func() { _ = p.plan.Close() })
	return p
}

// goOn lets the process read the log.
func (p *stopped) goOn(t *testing.T) {
	t.Helper()
	_, err := io.WriteString(p.plan, `{"id":"p1","nodes":[]}`)
	check(t, err)
	check(t, p.plan.Close())
}

// next returns the next line of standard output; ok is false at its end.
func (p *stopped) next(t *testing.T) (line string, ok bool) {
	t.Helper()
	select {
	case line, ok = <-p.lines:
		return line, ok
	case <-time.After(deadline):
		t.Fatal("no line of the report comes")
		return "", false
	}
}

// end sends the signal and returns what is still printed, and the exit code: -1 when the
// signal killed the process.
func (p *stopped) end(t *testing.T, s syscall.Signal) (rest []string, code int) {
	t.Helper()
	check(t, p.cmd.Process.Signal(s))
	for line, ok := p.next(t); ok; line, ok = p.next(t) {
		rest = append(rest, line)
	}
	_ = p.cmd.Wait() // its state says more
	return rest, p.cmd.ProcessState.ExitCode()
}

// TestFollowEndsWithSignals: SIGTERM ends a log that is followed as Ctrl-C does, after any
// number of its lines: with a report on them and the exit code of its verdict.
func TestFollowEndsWithSignals(t *testing.T) {
	const most = 4
	for n := range most {
		reports := map[syscall.Signal]string{}
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			p := startFollowing(t, "--format=jsonl")
			check(t, os.WriteFile("log.jsonl", []byte(strings.Repeat("{\n", n+1)), 0o666))
			p.goOn(t)
			for range n + 1 { // a finding each
				if line, _ := p.next(t); !strings.Contains(line, `"line.json"`) {
					t.Fatalf("no finding: %s", line)
				}
			}
			rest, code := p.end(t, s)
			if reports[s] = strings.Join(rest, "\n"); code != 1 || !strings.Contains(reports[s], fmt.Sprintf(`"unreadable":%d}`, n+1)) || strings.Contains(reports[s], `"interrupted"`) || strings.Contains(reports[s], "omitted") {
				t.Errorf("after %d lines, %v: exit code %d\n%s", n+1, s, code, reports[s])
			}
		}
		if reports[syscall.SIGTERM] != reports[syscall.SIGINT] {
			t.Errorf("after %d lines:\n%s\n%s", n+1, reports[syscall.SIGTERM], reports[syscall.SIGINT])
		}
	}
}

// TestFollowKeepsReports checks that a report file is whole whenever SIGTERM comes, without temporary files.
func TestFollowKeepsReports(t *testing.T) {
	const before = "before the log is opened"
	points := map[string]func(*stopped){
		before:               func(*stopped) {},
		"while it is opened": func(p *stopped) { p.goOn(t) },
		"while lines come": func(p *stopped) {
			p.goOn(t)
			check(t, os.WriteFile("log.jsonl", bytes.Repeat([]byte("{\n"), 100000), 0o666))
		},
	}
	for name, reach := range points {
		p := startFollowing(t, "--format=json=out.json")
		reach(p)
		_, code := p.end(t, syscall.SIGTERM)
		text, err := os.ReadFile("out.json")
		check(t, err)
		var doc struct{ Errors []string }
		err = json.Unmarshal(text, &doc)
		interrupted := len(doc.Errors) == 1 && doc.Errors[0] == "interrupted" && code == 130
		judged := len(doc.Errors) == 0 && code == 1 && name != before
		if err != nil || !interrupted && !judged {
			t.Errorf("%s: exit code %d, %v\n%s", name, code, err, text)
		}
		if list, err := os.ReadDir("."); err != nil || len(list) != 3 { // with the log and the plan
			t.Errorf("%s: left behind: %v", name, list)
		}
	}
}
