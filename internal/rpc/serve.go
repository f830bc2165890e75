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
// A work that is not done by then is abandoned: its request gets the fault Ended, as does
// one whose work has not begun. Every request that was read gets one answer.
//
// A failing r or w is an error, and so is a w that takes no answers for FlushTime when all
// else is done; the other ends are regular ones with a nil error. Requests that arrive
// during the end are answered as long as no silence of Linger comes between them. Serve cannot interrupt a Read: after Last or the end of ctx a
// goroutine keeps waiting until r ends.
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

// server is the state of one Serve.
type server struct {
	handler   Handler
	opt       Options
	lines     *lineReader // used by one goroutine at a time
	relief    *relief     // of the goroutine that uses it
	out       *answerWriter
	pool      *pool
	places    sync.Pool // of *place
	deadlines deadlines
	debts     *debts
	last      chan lastCall
	ended     chan struct{} // closed when the stream has ended
	readErr   error         // why, before ended is closed; nil for its regular end
}

// task is the work for one request.
type task struct {
	request Request
	line    line
	work    Work
	weight  int64 // of the work, in bytes of memory
	more    bool  // another request came with it
}

// lastCall is a request whose Reply has Last.
type lastCall struct {
	request Request
	answer  func() Answer
}

// read takes lines in until the stream ends. While the next line has not come yet, the
// goroutine that read a request does its work and writes the answer, so that the answer
// waits for no hand-over. Another one goes on reading: at once when there is more under
// way or the line is long, and else when the work takes long.
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
		case workers == 0: // the task waits for its turn
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

// accept takes one line in the order of arrival: it answers the line, or returns the
// work for it.
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
		s.debts.pay() // it waits for all others
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

// work does one task and answers its request, unless that took too long: then the
// request has been answered with the fault, and the work went on for nobody.
func (s *server) work(t task) {
	p := s.places.Get().(*place)
	if !s.deadlines.begin(p, t.request) {
		s.giveUp(t)
		return
	}
	answer := perform(p.ctx, t.work, &p.scratch)
	inTime := s.deadlines.done(p)
	mustWrite := inTime && s.send(t.request, answer, false)
	// All memory is given back before the client sees the answer and sends the next line.
	s.lines.giveBack(t.line)
	if inTime {
		s.places.Put(p)
	}
	if mustWrite {
		if t.more {
			runtime.Gosched() // so that the answers to requests that came together go together
		}
		s.out.write()
	}
}

// perform does a work; a panic in it is an answer.
func perform(ctx context.Context, work Work, scratch *[]byte) (a Answer) {
	defer recovered(&a)
	return work(ctx, scratch)
}

// recovered is deferred around the handler's code: a panic is an answer.
func recovered(a *Answer) {
	if value := recover(); value != nil {
		*a = Answer{Fault: &Fault{Kind: Panicked, Message: fmt.Sprintf("%v\n%s", value, debug.Stack())}}
	}
}

// late answers a request whose work is out of time.
func (s *server) late(r Request) { s.answer(r, Answer{Fault: &Fault{Kind: TimedOut}}) }

// answer sends the answer to a request, and writes what is to be written unless another
// goroutine does.
func (s *server) answer(r Request, a Answer) {
	if s.send(r, a, false) {
		s.out.write()
	}
}

// answerSoon is answer for the goroutine that reads: the writing, which waits while
// the client does not read, is left to another one.
func (s *server) answerSoon(r Request, a Answer) {
	if s.send(r, a, false) {
		go s.out.write()
	}
}

// answerAnyway is answerSoon at the end of the loop, where an answer does not wait for the
// client to read those before it.
func (s *server) answerAnyway(r Request, a Answer) {
	if s.send(r, a, true) {
		go s.out.write()
	}
}

// send queues the answer to a request; notifications get none. When it returns true
// the caller has to see to the writing.
func (s *server) send(r Request, a Answer, urgent bool) bool {
	defer s.debts.pay()
	if f := a.Fault; f != nil {
		f.Method = r.Method
		a = Answer{Error: s.handler.Refuse(*f)}
	}
	return r.ID != nil && s.out.send(r.ID, a, urgent)
}
