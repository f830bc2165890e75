// Package rpc serves JSON-RPC 2.0 over newline-delimited JSON: one request per
// line in, one answer per line out, answers in the order they are ready.
//
//	→ {"jsonrpc":"2.0","id":1,"method":"ping","params":{}}
//	← {"jsonrpc":"2.0","id":1,"result":{"pong":true}}
//
// With the framing of language servers each message stands behind its length instead, and
// what is said of lines here is true of messages; see Framing.
//
// The loop is made for clients that cannot be trusted to behave. A line beyond the
// limit is skipped without being kept; ids come back byte for byte; a handler's
// panic is one error answer; a client that writes without reading is held back by
// its own pipe, never by a deadlock; answers are whole lines from one writer.
//
// A request passes through four hands: lineReader cuts it off the stream, parse
// reads its envelope, the Handler takes it in order of arrival, and a worker does
// the Work that the handler returned. The answer goes to the answerWriter. For a
// client that asks one thing at a time all four are one goroutine, so that nothing waits
// for a hand-over; server.read says how the loop stays responsive.
package rpc

import (
	"context"
	"time"
)

// Request is one call or notification. Its bytes may change when its Work has returned,
// or Begin when there is no Work.
type Request struct {
	ID     []byte // the id's bytes as they were sent; nil for a notification
	Method string
	Params []byte // the bytes of params as they were sent; nil when absent
	Line   []byte // set when the line was read up to params only: see Handler.Unread and ReadParams
}

// Answer is what a request gets: the JSON text of the member result or of the
// member error.
type Answer struct {
	Result []byte
	Error  []byte // set: the answer is an error, and Result is ignored
	Fault  *Fault // set: the line is not a request after all; the loop answers it
}

// Work produces an answer, concurrently with other work. The context ends when the
// time for the work is over or when nobody waits for the answer any more. In scratch is
// memory to make the answer in; what is left there will be the memory for a later one.
type Work func(ctx context.Context, scratch *[]byte) Answer

// Reply is a handler's reaction to a request: exactly one of Now, Work and Last is set.
type Reply struct {
	Now    Answer        // known at once
	Work   Work          // to be done concurrently
	Weight int64         // bytes of memory that the Work takes, drawn from Options.WorkBytes; 0: too few to count
	Last   func() Answer // once: to be asked for when all earlier requests are answered; then Serve returns
}

// Handler takes the requests.
type Handler interface {
	// Begin is called for one request after the other in the order of arrival. It
	// decides what depends on that order and must not take long.
	Begin(Request) Reply
	// Unread says whether the Work of a method reads its params itself, so that a long
	// line keeps no later one waiting: Begin then gets the line as far as params.
	Unread(method string) bool
	// Refuse returns the error object (a JSON text) for what the loop itself could
	// not accept or finish.
	Refuse(Fault) []byte
}

// Fault is a request that the loop answers with an error of its own.
type Fault struct {
	Kind    FaultKind
	Message string // what is wrong, in lower case
	Method  string // of the request, where it is known
	Size    int64  // TooLong: the bytes of the line
}

// FaultKind says what went wrong.
type FaultKind int

// The kinds of faults.
const (
	NotJSON    FaultKind = iota // the line is not a JSON text
	NotRequest                  // it is JSON, but no JSON-RPC 2.0 request
	NotFramed                   // what stands where a message's length is expected says none
	TooLong                     // it is longer than Options.MaxLine
	TimedOut                    // its work took longer than Options.WorkTime
	Panicked                    // handling it panicked; Message holds the value and the stack
	Ended                       // its work was not done when the loop had to end
)

// Options bound what a client may ask of the server. A zero field means the default.
type Options struct {
	Framing     Framing       // how messages are told apart; default Lines
	Notifier    *Notifier     // sends messages that nobody asked for; nil: there are none
	MaxLine     int64         // bytes of one line; default 16 MiB
	Concurrent  int           // requests worked on at once; default 64
	QueueBytes  int64         // bytes of requests read and not yet answered; default 32 MiB, at least one line
	WorkBytes   int64         // bytes that all works together may take, as they weigh themselves; default 128 MiB
	AnswerBytes int64         // bytes of answers that the client has not read yet; default 32 MiB
	WorkTime    time.Duration // time for one request's work; 0: no limit
	DrainTime   time.Duration // how long Last waits for earlier requests; default 30 s
	StopTime    time.Duration // how long the end of the context waits for them; default 3.5 s
	FlushTime   time.Duration // how long the client may then take to read the answers; default 500 ms
	Linger      time.Duration // silence that counts as the client's last word; default 25 ms
}

func (o Options) withDefaults() Options {
	orDefault(&o.MaxLine, 16<<20)
	orDefault(&o.Concurrent, 64)
	orDefault(&o.QueueBytes, 32<<20)
	o.QueueBytes = max(o.QueueBytes, o.MaxLine+readChunk+lineOverhead)
	orDefault(&o.WorkBytes, 128<<20)
	orDefault(&o.AnswerBytes, 32<<20)
	orDefault(&o.DrainTime, 30*time.Second)
	orDefault(&o.StopTime, 3500*time.Millisecond)
	orDefault(&o.FlushTime, 500*time.Millisecond)
	orDefault(&o.Linger, 25*time.Millisecond)
	return o
}

func orDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
