package commands_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

const initializeEngine = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"sdk_name":"attest-python","sdk_version":"0.5.0","protocol_version":1,"required_capabilities":["layers_1_4"],"preferred_encoding":"json"}}` + "\n"

// engineProcess is an engine as an SDK starts it: by its name, with one flag, all
// three streams pipes.
type engineProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	errors io.ReadCloser
	lines  *bufio.Reader
}

func startEngine(t *testing.T, flags ...string) *engineProcess {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &engineProcess{t: t, cmd: &exec.Cmd{Path: path, Args: append([]string{"attest-engine"}, flags...)}}
	var errs [3]error
	p.in, errs[0] = p.cmd.StdinPipe()
	p.out, errs[1] = p.cmd.StdoutPipe()
	p.errors, errs[2] = p.cmd.StderrPipe()
	if err := errors.Join(append(errs[:], p.cmd.Start())...); err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewReader(p.out)
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

func (p *engineProcess) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Error(err)
	}
}

func (p *engineProcess) receive() string {
	p.t.Helper()
	line, err := p.lines.ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	return line
}

// ends reads what is left on the output and compares the exit code.
func (p *engineProcess) ends(code int) (rest string) {
	p.t.Helper()
	overdue := time.AfterFunc(20*time.Second, func() {
		p.t.Error("the engine does not end")
		_ = p.cmd.Process.Kill()
	})
	defer overdue.Stop()
	text, err := io.ReadAll(p.lines)
	if err != nil && !errors.Is(err, os.ErrClosed) {
		p.t.Error(err)
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.t.Error(err)
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("exit code %d, want %d", got, code)
	}
	return string(text)
}

func engineBatch(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"evaluate_batch","params":{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"refund"}},"assertions":[{"assertion_id":"a","type":"content","spec":{"target":"output.message","check":"contains","value":"refund"}}]}}`+"\n", id)
}

// TestEngineShutdown: the engine ends by itself, its input still open.
func TestEngineShutdown(t *testing.T) {
	p := startEngine(t, "--log-level=warn")
	p.send(initializeEngine + engineBatch(1) + `{"jsonrpc":"2.0","id":2,"method":"shutdown","params":{}}` + "\n")
	for range 2 {
		p.receive()
	}
	if got, want := p.receive(), `{"jsonrpc":"2.0","id":2,"result":{"sessions_completed":1,"assertions_evaluated":1}}`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if rest := p.ends(0); rest != "" {
		t.Errorf("the engine says more: %s", rest)
	}
}

// TestEngineTerminated: SIGTERM lets the engine answer what it was asked, and end well.
func TestEngineTerminated(t *testing.T) {
	p := startEngine(t, "--log-level=warn")
	p.send(initializeEngine)
	p.receive()
	const requests = 500
	for id := range requests {
		p.send(engineBatch(id))
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if answers := strings.Count(p.ends(0), `"status":"pass"`); answers != requests {
		t.Errorf("%d answers, want %d", answers, requests)
	}
}

// TestEngineInterrupted: Ctrl-C is an interrupt as in every other command.
func TestEngineInterrupted(t *testing.T) {
	p := startEngine(t, "--log-level=warn")
	p.send(initializeEngine)
	p.receive()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.ends(130)
}

// TestEngineOutputClosed: a client that stops reading has requests that were not answered,
// and the engine says so.
func TestEngineOutputClosed(t *testing.T) {
	p := startEngine(t, "--log-level=error")
	p.send(initializeEngine)
	p.receive()
	if err := p.out.Close(); err != nil {
		t.Fatal(err)
	}
	said := make(chan []byte)
	go func() {
		text, err := io.ReadAll(p.errors)
		if err != nil {
			t.Error(err)
		}
		said <- text
	}()
	p.send(engineBatch(1))
	text := within(t, said)
	p.ends(2)
	if got := string(text); !strings.HasPrefix(got, "cupel: error: cannot write answers: ") || strings.Count(got, "\n") != 2 || !strings.Contains(got, "\ncupel: hint: ") {
		t.Errorf("the engine says %q", text)
	}
}

// TestEngineSlowWork: SIGTERM leaves the engine time for what it was asked, and no more: a
// client gives it five seconds. Every request is answered, those that were waiting too.
func TestEngineSlowWork(t *testing.T) {
	p := startEngine(t, "--log-level=error", "--eval-timeout=120s", "--max-concurrent=2")
	p.send(initializeEngine)
	p.receive()
	slow := strings.Repeat("ab", 200_000)
	var assertions []string // seconds of work each, on any machine
	for i := range 8 {
		assertions = append(assertions, fmt.Sprintf(`{"assertion_id":"%d","type":"content","spec":{"target":"output.message","check":"regex_match","value":"(a?b?){500}(c|d){%d}[xz]"}}`, i, 300+i))
	}
	const requests = 6
	for id := range requests {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"evaluate_batch","params":{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"%s"}},"assertions":[%s]}}`+"\n", id, slow, strings.Join(assertions, ",")))
	}
	p.send(`{"jsonrpc":"2.0","id":"read","method":"nobody"}` + "\n")
	p.receive() // all before it have been read
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest := p.ends(0)
	late := 0
	for id := range requests {
		result, refusal := fmt.Sprintf(`"id":%d,"result":`, id), fmt.Sprintf(`"id":%d,"error":{"code":3002,`, id)
		late += strings.Count(rest, refusal)
		if n := strings.Count(rest, result) + strings.Count(rest, refusal); n != 1 {
			t.Errorf("%d answers to request %d in %.2000s", n, id, rest)
		}
	}
	if late < requests-2 {
		t.Errorf("%d answers say that there was no time, want those of %d waiting requests at least", late, requests-2)
	}
}

// TestEngineInputEnds in the middle of a line: the half line is answered too.
func TestEngineInputEnds(t *testing.T) {
	p := startEngine(t, "--log-level=error")
	p.send(initializeEngine + engineBatch(1) + strings.TrimSpace(engineBatch(2)) + "\n" + engineBatch(3)[:100])
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	rest := p.ends(0)
	if answers := strings.Count(rest, `"status":"pass"`); answers != 2 || !strings.Contains(rest, `"code":-32700`) {
		t.Errorf("answers are %s", rest)
	}
}

// TestEngineLogUnread fills the pipe of standard error many times over: a client that
// never reads it gets every answer.
func TestEngineLogUnread(t *testing.T) {
	p := startEngine(t, "--log-level=debug")
	p.send(initializeEngine)
	p.receive()
	const requests = 3000
	for id := range requests {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"nobody knows %s"}`+"\n", id, strings.Repeat("x", 100)))
		if got := p.receive(); !strings.Contains(got, fmt.Sprintf(`"id":%d,"error":{"code":-32601`, id)) {
			t.Fatalf("answer is %s", got)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":"end","method":"shutdown"}` + "\n")
	p.receive()
	p.ends(0)
}

// TestEngineWritesWithoutReading sends 3,000 requests through real pipes before the
// first answer is read.
func TestEngineWritesWithoutReading(t *testing.T) {
	p := startEngine(t, "--log-level=error")
	p.send(initializeEngine)
	const requests = 3000
	for id := range requests {
		p.send(engineBatch(id))
	}
	for range requests + 1 {
		p.receive()
	}
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	p.ends(0)
}
