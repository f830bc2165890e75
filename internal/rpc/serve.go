package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/cupel-dev/cupel/internal/budget"
)

// Serve reads requests from r and writes answers to w until one of these happens:
//
//   - r ends: everything read is answered, also a last line without a newline;
//   - a Reply has Last: all earlier requests are answered, within DrainTime, then
//     Last's answer is written;
//   - ctx ends: what was read is answered, within StopTime;
//   - w fails: the answers cannot be written.
//
// Every request gets one answer. Requests that are unfinished or not started get the fault Ended.
//
// Serve returns an error if r or w fails or w blocks for FlushTime at the end, else nil. Requests that arrive
// during the end are answered until none has come for Linger. Serve cannot interrupt a Read: after Last or the end
// of ctx a goroutine waits until r ends.
func Serve(ctx context.Context, r io.Reader, w io.Writer, handler Handler, opt Options) error {
	opt = opt.withDefaults()
	out := newAnswerWriter(w, opt.Framing, opt.AnswerBytes)
	opt.Notifier.connect(out)
	defer opt.Notifier.connect(nil)
	s := &server{
		handler: handler, opt: opt, out: out,
		debts: newDebts(),
		last:  make(chan lastCall, 1),
		ended: make(chan struct{}),
	}
	s.lines = newLineReader(r, opt.Framing, opt.MaxLine, budget.New(opt.QueueBytes))
	s.pool = newPool(opt.Concurrent, opt.WorkBytes, s.work)
	defer s.pool.close()
	s.deadlines = deadlines{time: opt.WorkTime, late: s.late}
	s.places.New = func() any { return newPlace(ctx) }
	s.relief = newRelief(func() { s.pool.start(s.read) })
	s.pool.start(s.read)
	return s.wait(ctx)
}

type server struct {
	handler   Handler
	opt       Options
	lines     *lineReader // used by one goroutine at a time
	relief    *relief     // of the reading goroutine
	out       *answerWriter
	pool      *pool
	places    sync.Pool // of *place
	deadlines deadlines
	debts     *debts
	last      chan lastCall
	ended     chan struct{} // closed at the end of the stream
	readErr   error         // set before ended is closed; nil for a regular end
}

// task is the work on one request.
type task struct {
	request Request
	line    line
	work    Work
	weight  int64 // memory of the work in bytes
	more    bool  // another request is already read
}

type lastCall struct {
	request Request
	answer  func() Answer
}

// read accepts lines until the stream ends. If no further line is available, the reading goroutine does the work
// itself, to save a switch. Another goroutine takes over reading: at once if more requests are pending or the line
// is long, otherwise if the work takes long.
func (s *server) read() {
	for {
		line, err := s.lines.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.readErr = fmt.Errorf("cannot read requests: %w", err)
			}
			close(s.ended)
			return
		}
		if !s.debts.owe() {
			return
		}
		t, ok := s.accept(line)
		if !ok {
			continue
		}
		t.more = s.lines.waiting()
		switch t, workers, ended := s.pool.admit(t); {
		case ended:
			s.giveUp(t)
		case workers == 0: // queued
		case t.more:
			s.pool.start(func() { s.pool.run(t) })
		case workers > 1 || line.long():
			s.pool.start(s.read)
			s.pool.run(t)
			return
		default:
			absence := s.relief.leave()
			s.pool.run(t)
			if !s.relief.back(absence) {
				return
			}
		}
	}
}

// accept processes a line in order: it answers it or returns its work.
func (s *server) accept(l line) (t task, ok bool) {
	if l.fault != "" {
		s.answerSoon(Request{ID: null}, Answer{Fault: &Fault{Kind: NotFramed, Message: l.fault}})
		return task{}, false
	}
	if l.size > s.opt.MaxLine {
		message := fmt.Sprintf("request exceeds max line size: %d > %d bytes", l.size, s.opt.MaxLine)
		s.answerSoon(Request{ID: longID(l.text, l.id)}, Answer{Fault: &Fault{Kind: TooLong, Message: message, Size: l.size}})
		return task{}, false
	}
	request, fault := parse(l.text, s.handler.Unread)
	if fault != nil {
		s.answerSoon(request, Answer{Fault: fault})
		s.lines.giveBack(l)
		return task{}, false
	}
	reply := s.begin(request)
	if reply.Work != nil {
		return task{request: request, line: l, work: reply.Work, weight: reply.Weight}, true
	}
	if reply.Last != nil {
		s.last <- lastCall{request.sender(), reply.Last}
		s.debts.pay() // waits for all others
	} else {
		s.answerSoon(request, reply.Now)
	}
	s.lines.giveBack(l)
	return task{}, false
}

func (s *server) begin(r Request) (reply Reply) {
	defer recovered(&reply.Now)
	return s.handler.Begin(r)
}

// work runs a task and answers its request, unless it expired.
func (s *server) work(t task) {
	p := s.places.Get().(*place)
	if !s.deadlines.begin(p, t.request) {
		s.giveUp(t)
		return
	}
	answer := perform(p.ctx, t.work, &p.scratch)
	inTime := s.deadlines.done(p)
	mustWrite := inTime && s.send(t.request, answer, false)
	// Release memory before the client can send the next line.
	s.lines.giveBack(t.line)
	if inTime {
		s.places.Put(p)
	}
	if mustWrite {
		if t.more {
			runtime.Gosched() // let answers to simultaneous requests be written together
		}
		s.out.write()
	}
}

// perform runs a work and converts a panic to an answer.
func perform(ctx context.Context, work Work, scratch *[]byte) (a Answer) {
	defer recovered(&a)
	return work(ctx, scratch)
}

// recovered converts a panic to an answer. Defer it around handler code.
func recovered(a *Answer) {
	if value := recover(); value != nil {
		*a = Answer{Fault: &Fault{Kind: Panicked, Message: fmt.Sprintf("%v\n%s", value, debug.Stack())}}
	}
}

func (s *server) late(r Request) { s.answer(r, Answer{Fault: &Fault{Kind: TimedOut}}) }

// answer sends an answer. It writes the pending output unless another goroutine does.
func (s *server) answer(r Request, a Answer) {
	if s.send(r, a, false) {
		s.out.write()
	}
}

// answerSoon is answer for the reading goroutine. Another goroutine writes the output, because writing can block.
func (s *server) answerSoon(r Request, a Answer) {
	if s.send(r, a, false) {
		go s.out.write()
	}
}

// answerAnyway is answerSoon at the end of the loop. It does not wait for the client to read.
func (s *server) answerAnyway(r Request, a Answer) {
	if s.send(r, a, true) {
		go s.out.write()
	}
}

// send queues an answer, except to a notification. If it returns true, the caller must write the output.
func (s *server) send(r Request, a Answer, urgent bool) bool {
	defer s.debts.pay()
	if f := a.Fault; f != nil {
		f.Method = r.Method
		a = Answer{Error: s.handler.Refuse(*f)}
	}
	return r.ID != nil && s.out.send(r.ID, a, urgent)
}
