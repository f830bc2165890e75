// Package lsp implements the server side of the Language Server Protocol 3.17 for diagnostics,
// explanations and fixes while editing:
//
//		 {"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.yaml",…
//	← {"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a.yaml",…
//
// A Language supplies the knowledge about documents. Package rpc reads the messages.
//
// Clients are not trusted: malformed or misplaced messages get error responses, oversized texts are dropped with a
// diagnostic, positions outside of a text mean its end, and a panic ends only one request.
package lsp

import (
	"context"
	"io"
	"time"

	"github.com/cupel-dev/cupel/internal/rpc"
)

// Options configures Serve. Zero fields mean defaults.
type Options struct {
	Name, Version string             // of the server
	Delay         time.Duration      // from an edit to the check, default 40 ms
	Log           func(error string) // receives internal errors; can be nil
}

const (
	defaultDelay = 40 * time.Millisecond

	// maxMessage limits a message in bytes. It fits a document of twice MaxDocument, which then gets a diagnostic.
	maxMessage = 16 << 20

	// workBytes limits the memory of all answers in progress.
	workBytes = 40 << 20

	// requestTime limits a request; farewell limits pending requests at exit.
	requestTime = 30 * time.Second
	farewell    = 200 * time.Millisecond
)

// Serve serves a client until exit, the end of the stream or of ctx. orderly reports whether the client sent
// shutdown first. It returns an error if a stream fails.
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
