package recordcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
)

// tap records both directions of a connection. Recording never changes or stops the connection: messages that cannot
// be recorded are counted, and a LOG_DROP says so as soon as the log can be written again.
type tap struct {
	sink   sink
	notify func(message string)
	limit  int // bytes of a message

	mu       sync.Mutex
	messages *messages
	halves   map[side]*lines
	lost     lost
	closed   bool
}

// lost is messages that are not in the log, and of which no LOG_DROP tells yet.
type lost struct {
	count int64
	why   string // reason of LOG_DROP
}

// Reasons of LOG_DROP.
const (
	tooLarge      = "buffer_overflow"
	internalError = "internal_error"
)

// sink is a log. It is not used after its Close.
type sink interface {
	Append(event []byte) error
}

func newTap(s sink, limit int, notify func(string)) *tap {
	return &tap{
		sink: s, notify: notify, limit: limit, messages: newMessages(),
		halves: map[side]*lines{fromClient: {limit: limit}, fromServer: {limit: limit}},
	}
}

// see records the messages that a chunk completes.
func (t *tap) see(from side, chunk []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.halves[from].feed(chunk, func(line []byte, long bool) { t.line(from, line, long) })
	}
}

// end records a message without a line end.
func (t *tap) end(from side) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.halves[from].end(func(line []byte, long bool) { t.line(from, line, long) })
	}
}

// close records what is left. It returns the number of messages of which the log does not even tell the loss.
func (t *tap) close() int64 {
	for from := range t.halves {
		t.end(from)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.tellLost()
	return t.lost.count
}

func (t *tap) line(from side, line []byte, long bool) {
	if long {
		t.lose(1, tooLarge, fmt.Errorf("a message of more than %d bytes", t.limit))
		return
	}
	list := t.messages.events(from, line)
	for i, event := range list {
		if !t.tellLost() {
			t.lost.count += int64(len(list) - i)
			return
		}
		if err := t.sink.Append(event); err != nil {
			t.lose(1, internalError, err)
		}
	}
}

// lose counts messages that are not recorded. Only the first of a series is reported.
func (t *tap) lose(count int64, why string, err error) {
	if t.lost.count == 0 {
		t.notify("a message was passed on, but not recorded: " + err.Error())
	}
	t.lost = lost{t.lost.count + count, why}
	t.tellLost()
}

// tellLost appends a LOG_DROP if messages were lost. It returns false if the log cannot be written.
func (t *tap) tellLost() bool {
	if t.lost.count == 0 {
		return true
	}
	if t.sink.Append(dropped(t.lost.count, t.lost.why)) != nil {
		return false
	}
	t.lost = lost{}
	return true
}

// passBytes is the size of a read.
const passBytes = 64 << 10

// pass copies bytes unchanged. A chunk is recorded before it is written, so that the log has each message before the
// other side can react to it.
func (t *tap) pass(from side, r io.Reader, w io.Writer) error {
	buf := make([]byte, passBytes)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			t.see(from, buf[:n])
			if _, err := w.Write(buf[:n]); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			t.end(from)
			return nil
		case err != nil:
			return err
		}
	}
}

// grace is the time that processes of an ended server can keep its output open without writing to it.
const grace = 2 * time.Second

// serveMCP runs an MCP server, connects it to standard input and output, and records the connection. It returns when
// the server and its output have ended.
func serveMCP(env cmdline.Env, command []string, t *tap) (*os.ProcessState, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.SysProcAttr = ownGroup()
	in, toIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromOut, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), toIn.Close())
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = in, out, env.Stderr, grace
	signals := forwardSignals()
	defer signals.end()
	err = cmd.Start()
	_, _ = in.Close(), out.Close() // the process has copies of them
	if err != nil {
		_, _ = toIn.Close(), fromOut.Close()
		return nil, cmdline.CannotStart(say.Quoted(command[0]), err)
	}
	go signals.forward(cmd.Process)
	go func() {
		if t.pass(fromClient, env.Stdin, toIn) != nil {
			closeInput(env.Stdin) // the server reads no more, and the client must notice it
		}
		_ = toIn.Close()
	}()
	drained := make(chan struct{})
	rest := &output{file: fromOut}
	go func() {
		defer close(drained)
		_ = t.pass(fromServer, rest, env.Stdout)
		_ = fromOut.Close() // if the client reads no more, the server must notice it
	}()
	err = cmd.Wait()
	rest.hurry()
	<-drained
	if cmd.ProcessState == nil {
		return nil, err
	}
	return cmd.ProcessState, nil // it says how the server ended
}

// closeInput closes an input that can be closed.
func closeInput(r io.Reader) {
	if c, ok := r.(io.Closer); ok {
		_ = c.Close()
	}
}

// output is the output of a server. After hurry, a read waits at most for the grace period.
type output struct {
	file *os.File

	mu      sync.Mutex
	hurried bool
}

func (o *output) hurry() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hurried = true
	_ = o.file.SetReadDeadline(time.Now().Add(grace)) // where there are no deadlines, the output has to end by itself
}

func (o *output) Read(p []byte) (int, error) {
	o.mu.Lock()
	if o.hurried {
		_ = o.file.SetReadDeadline(time.Now().Add(grace))
	}
	o.mu.Unlock()
	return o.file.Read(p)
}
