package rpc

import (
	"fmt"
	"io"
	"sync"
)

// keepBuffer is the largest output buffer that is kept for the next answers.
const keepBuffer = 1 << 20

// answerWriter is the one writer of the output. Answers are collected as whole lines
// and written by one goroutine at a time: the one that had the first of them to send.
// What gathers during a write goes out with the next one.
type answerWriter struct {
	w   io.Writer
	max int64

	mu      sync.Mutex
	changed sync.Cond // an answer was written, or the writer has failed
	pending []byte    // collected lines
	spare   []byte    // the other buffer, for the next lines
	unsent  int64     // bytes of pending and of the running write
	writing bool
	failed  chan struct{} // closed when the output is gone
	err     error
}

func newAnswerWriter(w io.Writer, max int64) *answerWriter {
	a := &answerWriter{w: w, max: max, failed: make(chan struct{})}
	a.changed.L = &a.mu
	return a
}

// send adds the answer to a request. It waits while the client leaves too many
// answers unread, unless urgent. When it returns true nobody is writing, and the caller
// has to see to write().
func (a *answerWriter) send(id []byte, answer Answer, urgent bool) (idle bool) {
	size := int64(len(id) + len(answer.Result) + len(answer.Error))
	a.mu.Lock()
	defer a.mu.Unlock()
	for !urgent && a.err == nil && a.unsent > 0 && a.unsent+size > a.max {
		a.changed.Wait()
	}
	if a.err != nil {
		return false
	}
	before := len(a.pending)
	a.pending = appendAnswer(a.pending, id, answer)
	a.unsent += int64(len(a.pending) - before)
	idle = !a.writing
	a.writing = true
	return idle
}

// appendAnswer appends one answer as a line.
func appendAnswer(dst, id []byte, answer Answer) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	if answer.Error != nil {
		dst = append(append(dst, `,"error":`...), answer.Error...)
	} else {
		dst = append(append(dst, `,"result":`...), answer.Result...)
	}
	return append(dst, "}\n"...)
}

// write writes what is pending until nothing is.
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

// fail notes why the output is gone; the caller holds the lock.
func (a *answerWriter) fail(err error) {
	if a.err == nil {
		a.err = err
		close(a.failed)
	}
}

// giveUp ends the writer: answers that have not been written by now never will be, because
// of err.
func (a *answerWriter) giveUp(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unsent > 0 {
		a.fail(err)
	}
}

// problem says that answers could not be written, and why; nil when all were.
func (a *answerWriter) problem() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		return nil
	}
	return fmt.Errorf("cannot write answers: %w", a.err)
}

// flush waits until everything is written or the output is gone.
func (a *answerWriter) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.writing {
		a.changed.Wait()
	}
}
