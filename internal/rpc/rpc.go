// Package rpc serves JSON-RPC 2.0 over newline-delimited JSON: one request per input line, one answer per output
// line, in order of completion.
//
//		 {"jsonrpc":"2.0","id":1,"method":"ping","params":{}}
//	← {"jsonrpc":"2.0","id":1,"result":{"pong":true}}
//
// It also supports the framing of language servers; see Framing.
//
// Clients are not trusted. Lines beyond the limit are skipped without buffering; ids are returned byte for byte; a
// handler's panic becomes an error answer; a client that does not read blocks only itself; answers are whole lines
// from one writer.
//
// lineReader splits the stream, parse reads the envelope, the Handler takes requests in order, and a worker runs
// the returned Work. answerWriter writes the answers. For a client that sends one request at a time, one goroutine
// does all of this, to save time; see server.read.
package rpc

import (
	"context"
	"time"
)

// Request is a call or notification. Its bytes are valid until its Work, or without Work its Begin, returns.
type Request struct {
	ID     []byte // id as sent; nil for a notification
	Method string
	Params []byte // params as sent; nil if absent
	Line   []byte // set if the line was read up to params; see Handler.Unread and ReadParams
}

type Answer struct {
	Result []byte
	Error  []byte // if set, Result is ignored
	Fault  *Fault // if set, the line is not a request; the loop answers it
}

// Work produces an answer concurrently. ctx ends at the time limit or when the client cancels. scratch is reusable
// memory for the answer.
type Work func(ctx context.Context, scratch *[]byte) Answer

// Reply is a handler's response: exactly one of Now, Work and Last is set.
type Reply struct {
	Now    Answer        // immediate answer
	Work   Work          // to be done concurrently
	Weight int64         // memory of the Work in bytes, drawn from Options.WorkBytes; 0: negligible
	Last   func() Answer // called when all earlier requests are answered; then Serve returns
}

// Handler handles requests.
type Handler interface {
	// Begin is called for each request in order of arrival. It must return quickly.
	Begin(Request) Reply
	// Unread reports whether a method's Work parses its params, so that long params do not delay later lines. Begin
	// then gets a request parsed up to params.
	Unread(method string) bool
	// Refuse returns the error object (JSON) for a fault.
	Refuse(Fault) []byte
}

// Fault is a request that is answered with an error without calling the handler.
type Fault struct {
	Kind    FaultKind
	Message string // description, in lower case
	Method  string // of the request, if known
	Size    int64  // TooLong: bytes of the line
}

type FaultKind int

const (
	NotJSON    FaultKind = iota // not JSON
	NotRequest                  // JSON, but not a JSON-RPC 2.0 request
	NotFramed                   // no message length in the header
	TooLong                     // longer than Options.MaxLine
	TimedOut                    // exceeded Options.WorkTime
	Panicked                    // the handler panicked; Message has value and stack
	Ended                       // not finished at the end of the loop
)

// Options limits what clients can request. Zero fields mean defaults.
type Options struct {
	Framing     Framing       // default Lines
	Notifier    *Notifier     // sends notifications; can be nil
	MaxLine     int64         // bytes per line; default 16 MiB
	Concurrent  int           // concurrent requests; default 64
	QueueBytes  int64         // bytes of unanswered requests; default 32 MiB, at least one line
	WorkBytes   int64         // total weight of works; default 128 MiB
	AnswerBytes int64         // bytes of unread answers; default 32 MiB
	WorkTime    time.Duration // time per work; 0: unlimited
	DrainTime   time.Duration // how long Last waits for earlier requests; default 30 s
	StopTime    time.Duration // how long they can continue after the context ends; default 3.5 s
	FlushTime   time.Duration // how long the client can then take to read; default 500 ms
	Linger      time.Duration // silence that marks the end of input; default 25 ms
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
