package rpc

import (
	"fmt"
	"io"
	"strconv"
	"sync"
)

const keepBuffer = 1 << 20

// answerWriter is the only writer of the output. It collects complete lines or messages, and one goroutine at a
// time writes them.
type answerWriter struct {
	w       io.Writer
	framing Framing
	max     int64

	mu      sync.Mutex
	changed sync.Cond // an answer was written or the writer failed
	pending []byte    // collected lines
	spare   []byte    // other buffer
	unsent  int64     // bytes pending or being written
	writing bool
	failed  chan struct{} // closed when the output fails
	err     error
}

func newAnswerWriter(w io.Writer, framing Framing, max int64) *answerWriter {
	a := &answerWriter{w: w, framing: framing, max: max, failed: make(chan struct{})}
	a.changed.L = &a.mu
	return a
}

// send queues an answer. Unless urgent, it blocks while too many are unread. If idle is true, nobody is writing,
// and the caller must call write.
func (a *answerWriter) send(id []byte, answer Answer, urgent bool) (idle bool) {
	size := int64(len(id) + len(answer.Result) + len(answer.Error))
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.room(size, urgent) {
		return false
	}
	before := len(a.pending)
	a.pending = appendAnswer(a.pending, id, answer)
	return a.queued(before)
}

// notify queues a notification, like an answer that is not urgent.
func (a *answerWriter) notify(method string, params []byte) (idle bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.room(int64(len(method)+len(params)), false) {
		return false
	}
	before := len(a.pending)
	a.pending = append(strconv.AppendQuote(append(a.pending, `{"jsonrpc":"2.0","method":`...), method), `,"params":`...)
	a.pending = append(append(a.pending, params...), '}')
	return a.queued(before)
}

// room waits for room for a message. It returns false if the output failed. The caller must hold the lock.
func (a *answerWriter) room(size int64, urgent bool) bool {
	for !urgent && a.err == nil && a.unsent > 0 && a.unsent+size > a.max {
		a.changed.Wait()
	}
	return a.err == nil
}

// queued completes the message at pending[before:]. The caller must hold the lock.
func (a *answerWriter) queued(before int) (idle bool) {
	if a.framing == ContentLength {
		a.pending = framed(a.pending, before)
	} else {
		a.pending = append(a.pending, '\n')
	}
	a.unsent += int64(len(a.pending) - before)
	idle = !a.writing
	a.writing = true
	return idle
}

func appendAnswer(dst, id []byte, answer Answer) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	if answer.Error != nil {
		dst = append(append(dst, `,"error":`...), answer.Error...)
	} else {
		dst = append(append(dst, `,"result":`...), answer.Result...)
	}
	return append(dst, '}')
}

// write writes until nothing is pending.
func (a *answerWriter) write() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.pending) > 0 && a.err == nil {
		lines := a.pending
		a.pending = a.spare[:0]
		a.mu.Unlock()
		_, err := a.w.Write(lines)
		a.mu.Lock()
		a.unsent -= int64(len(lines))
		a.spare = nil
		if cap(lines) <= keepBuffer {
			a.spare = lines
		}
		if err != nil {
			a.fail(err)
		}
		a.changed.Broadcast()
	}
	a.writing = false
	a.changed.Broadcast()
}

// fail records why the output failed. The caller must hold the lock.
func (a *answerWriter) fail(err error) {
	if a.err == nil {
		a.err = err
		close(a.failed)
		a.changed.Broadcast()
	}
}

// giveUp fails the writer and drops pending answers.
func (a *answerWriter) giveUp(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unsent > 0 {
		a.fail(err)
	}
}

// problem returns an error if answers could not be written.
func (a *answerWriter) problem() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		return nil
	}
	return fmt.Errorf("cannot write answers: %w", a.err)
}

// flush waits until everything is written or the output fails.
func (a *answerWriter) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.writing {
		a.changed.Wait()
	}
}
