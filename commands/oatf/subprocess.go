package oatfcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
)

// subprocess is a user's program that answers questions: a line on stdin per question, a line on stdout per answer.
// It starts with the first question and answers all in sequence. After an exit, a late, unrequested, endless or
// malformed answer it is not asked again, because answers can no longer be matched to questions.
type subprocess struct {
	command string        // for the system's shell
	timeout time.Duration // for one answer
	most    int           // bytes of an answer
	after   func(time.Duration) <-chan time.Time

	mutex  sync.Mutex // one question at a time
	child  *child     // nil before the first question
	failed error      // why it is not asked again
}

// mostErrors limits the end of stderr that is kept, in bytes.
const mostErrors = 4 << 10

// grace is the time for a program to exit after its input ends, and again after a signal.
const grace = 2 * time.Second

var errSlow = errors.New("the program did not answer in time")

func newSubprocess(env cmdline.Env, command string, timeout time.Duration, most int) *subprocess {
	after := env.After
	if after == nil {
		after = time.After
	}
	return &subprocess{command: command, timeout: timeout, most: most, after: after}
}

// ask sends a question (a line without line feed) and passes the answer to read, which reports whether the line is
// an answer, possibly an error.
func (p *subprocess) ask(ctx context.Context, question []byte, read func(line []byte) (isAnswer bool, err error)) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.failed != nil {
		return p.failed
	}
	if p.child == nil {
		if p.child, p.failed = startChild(p.command, p.most); p.failed != nil {
			p.failed = cmdline.CannotStart(p.name(), p.failed)
			return p.failed
		}
	}
	isAnswer := false
	line, err := p.exchange(ctx, append(question, '\n'))
	if err == nil {
		isAnswer, err = read(line)
	}
	if !isAnswer {
		p.child.stop(p.after, true)
		p.failed = err
	}
	return err
}

// exchange sends a question and waits for the answer. A program can answer before it has read the whole question.
func (p *subprocess) exchange(ctx context.Context, question []byte) ([]byte, error) {
	unasked := func(line []byte) error {
		return fmt.Errorf("%s wrote %s before it got a request", p.name(), say.Quoted(string(line)))
	}
	select {
	case line, ok := <-p.child.lines:
		if ok {
			return nil, unasked(line)
		}
	default:
	}
	questions, late := p.child.questions, p.after(p.timeout)
	for {
		select {
		case questions <- question:
			questions = nil
		case line, ok := <-p.child.lines:
			switch {
			case !ok:
				return nil, p.ended()
			case questions != nil:
				return nil, unasked(line)
			}
			return line, nil
		case <-late:
			return nil, fmt.Errorf("%s did not answer within %s: %w", p.name(), p.timeout, errSlow)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// ended returns the error for a program whose output has ended.
func (p *subprocess) ended() error {
	state := p.child.stop(p.after, false)
	if p.child.fault != nil {
		return fmt.Errorf("%s answered with %w", p.name(), p.child.fault)
	}
	text := fmt.Sprintf("%s ended without an answer: %s", p.name(), state)
	if last := p.child.errors.lastLine(); last != "" {
		text += ": " + say.Visible(say.Preview(last, mostTold))
	}
	return errors.New(text)
}

// mostTold limits the program's output quoted in messages, in bytes.
const mostTold = 200

func (p *subprocess) name() string { return "the program " + say.Quoted(p.command) }

// close ends the program: it closes the input, then sends a signal, then kills the process group.
func (p *subprocess) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.child != nil {
		p.child.stop(p.after, false)
	}
	if p.failed == nil {
		p.failed = errors.New("the program was ended")
	}
}

// child is a running process. Its pipes are always served, to prevent deadlocks.
type child struct {
	cmd       *exec.Cmd
	questions chan []byte // to its input; closed ends that
	lines     chan []byte // of its output; closed at its end
	fault     error       // why the output was not read to its end; known when lines is closed
	errors    *tail

	exited  chan struct{}
	drained chan struct{} // standard error is read to its end
	over    chan struct{} // nothing reads its lines any more
	pipes   []io.Closer   // our ends
	stopped sync.Once
	watch   *signalWatch
}

func startChild(command string, most int) (*child, error) {
	c := &child{
		cmd:       exec.Command(shell[0], shell[1], command),
		questions: make(chan []byte), lines: make(chan []byte), errors: &tail{},
		exited: make(chan struct{}), drained: make(chan struct{}), over: make(chan struct{}),
	}
	c.cmd.SysProcAttr = ownGroup()
	in, toIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromOut, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), toIn.Close())
	}
	fromErr, errs, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), toIn.Close(), fromOut.Close(), out.Close())
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = in, out, errs
	c.pipes = []io.Closer{toIn, fromOut, fromErr}
	c.watch = watchSignals()
	err = c.cmd.Start()
	go c.watch.protect(c.cmd.Process)
	for _, theirs := range []io.Closer{in, out, errs} {
		_ = theirs.Close() // the process has copies of them
	}
	if err != nil {
		c.watch.end()
		c.closePipes()
		return nil, err
	}
	go c.write(toIn)
	go c.read(fromOut, most)
	go c.drain(fromErr)
	go c.wait()
	return c, nil
}

func (c *child) drain(errs io.Reader) {
	defer close(c.drained)
	_, _ = io.Copy(c.errors, errs)
}

func (c *child) wait() {
	defer close(c.exited)
	_ = c.cmd.Wait() // the state says how it ended
}

// write writes the questions. A process that does not read them is noticed at its output.
func (c *child) write(in io.WriteCloser) {
	for question := range c.questions {
		_, _ = in.Write(question)
	}
	_ = in.Close()
}

// read splits the output into lines.
func (c *child) read(out io.Reader, most int) {
	defer close(c.lines)
	var line []byte
	chunk := make([]byte, 32<<10)
	for {
		n, err := out.Read(chunk)
		for rest := chunk[:n]; len(rest) > 0; {
			part, after, whole := bytes.Cut(rest, []byte{'\n'})
			if len(line)+len(part) > most {
				c.fault = fmt.Errorf("a line of more than %d bytes", most)
				return
			}
			line, rest = append(line, part...), after
			if !whole {
				break
			}
			select {
			case c.lines <- line:
			case <-c.over:
				return
			}
			line = nil
		}
		if err != nil {
			return
		}
	}
}

// stop ends the process group and describes how it ended. hurry skips the grace period.
func (c *child) stop(after func(time.Duration) <-chan time.Time, hurry bool) string {
	c.stopped.Do(func() {
		close(c.over)
		close(c.questions)
		steps := []func(*os.Process){nil, terminate, kill}
		if hurry {
			steps = steps[1:]
		}
		for _, step := range steps {
			if step != nil {
				step(c.cmd.Process)
			}
			if happens(c.exited, after) {
				break
			}
		}
		kill(c.cmd.Process) // its remaining children
		happens(c.drained, after)
		c.watch.end()
		c.closePipes()
	})
	select {
	case <-c.exited:
		return c.cmd.ProcessState.String()
	default:
		return "the program cannot be killed"
	}
}

// happens reports whether a channel is closed within the grace period.
func happens(what <-chan struct{}, after func(time.Duration) <-chan time.Time) bool {
	select {
	case <-what:
		return true
	case <-after(grace):
		return false
	}
}

func (c *child) closePipes() {
	for _, pipe := range c.pipes {
		_ = pipe.Close()
	}
}

type tail struct {
	mutex sync.Mutex
	text  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, p[max(0, len(p)-mostErrors):]...)
	t.text = t.text[max(0, len(t.text)-mostErrors):]
	return len(p), nil
}

func (t *tail) lastLine() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	text := strings.TrimSpace(string(t.text))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
