package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// initialize is the first request of every session.
const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"sdk_name":"bench","sdk_version":"1","protocol_version":1,"required_capabilities":["layers_1_4"],"preferred_encoding":"json"}}` + "\n"

// engine is an engine process and the driver's ends of its pipes.
type engine struct {
	cmd *exec.Cmd
	in  *os.File
	out *bufio.Reader
}

// start starts an engine and returns it after the answer to initialize, with the time since the start of the
// process.
func start(command []string) (*engine, time.Duration, error) {
	begin := time.Now()
	e := &engine{cmd: exec.Command(command[0], command[1:]...)}
	e.cmd.Stderr = os.Stderr
	stdin, in, err := pipe()
	if err != nil {
		return nil, 0, err
	}
	out, stdout, err := pipe()
	if err != nil {
		return nil, 0, err
	}
	e.cmd.Stdin, e.cmd.Stdout = stdin, stdout
	e.in, e.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := e.cmd.Start(); err != nil {
		return nil, 0, err
	}
	if err := errors.Join(stdin.Close(), stdout.Close()); err != nil {
		return nil, 0, err
	}
	if _, err := e.ask([]byte(initialize)); err != nil {
		return nil, 0, err
	}
	return e, time.Since(begin), nil
}

// pipe returns a pipe with blocking reads and writes, as most clients have. Go's poller would wake other threads
// for every answer, which took longer than the evaluation of the example.
func pipe() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err == nil {
		_, _ = r.Fd(), w.Fd() // makes them blocking
	}
	return r, w, err
}

// stop closes the engine's input and waits for its end.
func (e *engine) stop() error {
	return errors.Join(e.in.Close(), e.cmd.Wait())
}

func (e *engine) send(line []byte) error {
	_, err := e.in.Write(line)
	return err
}

var errAnswered = errors.New("unexpected answer")

// receive returns the id of the next answer. It returns an error for an error answer, because timing refused
// requests is useless.
func (e *engine) receive() (id int, err error) {
	line, err := e.out.ReadSlice('\n')
	for errors.Is(err, bufio.ErrBufferFull) { // a long answer: its start is enough
		var rest []byte
		line = bytes.Clone(line[:min(len(line), 256)])
		rest, err = e.out.ReadSlice('\n')
		_ = rest
	}
	if err != nil {
		return 0, fmt.Errorf("no answer: %w", err)
	}
	text, found := bytes.CutPrefix(line, []byte(`{"jsonrpc":"2.0","id":`))
	digits, rest, comma := bytes.Cut(text, []byte(","))
	if !found || !comma || !bytes.HasPrefix(rest, []byte(`"result"`)) {
		return 0, fmt.Errorf("%w %.300s", errAnswered, line)
	}
	return strconv.Atoi(string(digits))
}

func (e *engine) ask(line []byte) (took time.Duration, err error) {
	begin := time.Now()
	if err := e.send(line); err != nil {
		return 0, err
	}
	_, err = e.receive()
	return time.Since(begin), err
}

// memory returns the engine's current and highest resident memory in MiB, or zeros if the system does not report
// it.
func (e *engine) memory() (now, peak float64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.cmd.Process.Pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kib, _ := strconv.ParseFloat(fields[1], 64)
		switch fields[0] {
		case "VmRSS:":
			now = kib / 1024
		case "VmHWM:":
			peak = kib / 1024
		}
	}
	return now, peak
}
