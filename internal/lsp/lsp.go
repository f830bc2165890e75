// Package lsp is the server's side of the Language Server Protocol 3.17, as far as an editor
// needs it to show what is wrong with a document while it is typed, to explain and to mend it:
//
//	→ {"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.yaml",…
//	← {"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a.yaml",…
//
// It knows the protocol and the texts, and nothing of what is in them: that is for a Language
// to say. Messages come through the loop of package rpc, each behind its length.
//
// A client may send whatever it likes: what is no message, or comes out of order, is an error
// answer, a text that is too large is not kept and its only diagnostic says so, a position
// outside of a text is at the end of it, and a panic ends one request.
package lsp

import (
	"context"
	"io"
	"time"

	"github.com/cupel-dev/cupel/internal/rpc"
)

// Options tune Serve. A zero field means the default.
type Options struct {
	Name, Version string             // of the server
	Delay         time.Duration      // from an edit to the check of its document; default 40 ms
	Log           func(error string) // takes a fault of the server itself; nil: nobody does
}

const (
	defaultDelay = 40 * time.Millisecond

	// maxMessage is how long a message may be: one that opens a document of twice MaxDocument
	// can be read, so that a diagnostic tells about its length.
	maxMessage = 16 << 20

	// workBytes is what the answers that are being made may take together.
	workBytes = 40 << 20

	// requestTime is how long a request may take, and farewell how long those under way when
	// the client says exit.
	requestTime = 30 * time.Second
	farewell    = 200 * time.Millisecond
)

// Serve answers a client until it says exit, its stream ends, or ctx does. orderly says that it
// has asked for shutdown before. A failing stream is an error.
func Serve(ctx context.Context, r io.Reader, w io.Writer, language Language, opt Options) (orderly bool, err error) {
	if opt.Delay <= 0 {
		opt.Delay = defaultDelay
	}
	if opt.Log == nil {
		opt.Log = func(string) {}
	}
	s := &server{
		language: language, opt: opt, turn: make(chan struct{}, 1), logs: make(chan []byte, maxLogs),
		documents: documents{open: map[string]*document{}}, calls: map[string]context.CancelFunc{},
	}
	s.checker = newChecker(s, opt.Delay)
	checking, stop := context.WithCancel(ctx)
	defer stop()
	go s.checker.run(checking)
	go s.sendLogs(checking)
	err = rpc.Serve(ctx, r, w, s, rpc.Options{
		Framing: rpc.ContentLength, Notifier: &s.notifier, MaxLine: maxMessage,
		Concurrent: 8, WorkBytes: workBytes, WorkTime: requestTime, DrainTime: farewell, StopTime: farewell,
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == shutDown, err
}
