package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/internal/rpc"
)

type server struct {
	language Language
	opt      Options
	notifier rpc.Notifier
	checker  *checker
	turn     chan struct{} // semaphore for reading whole documents
	logs     chan []byte   // messages to the client's user

	mu        sync.Mutex
	state     state
	encoding  Encoding
	documents documents
	calls     map[string]context.CancelFunc // cancels requests in progress, by id
}

type state uint8

const (
	fresh state = iota // before initialize
	ready
	shutDown // only exit is expected
)

// Unread returns false: every message is read whole.
func (s *server) Unread(string) bool { return false }

// Refuse returns the error response for a message that the loop could not accept or finish.
func (s *server) Refuse(f rpc.Fault) []byte {
	message, _, _ := strings.Cut(f.Message, "\n")
	e := &responseError{codeInvalidRequest, message}
	switch f.Kind {
	case rpc.NotJSON, rpc.NotFramed:
		e.Code = codeParseError
	case rpc.TooLong:
		e.Message = fmt.Sprintf("the message has %d bytes, more than the limit of %d", f.Size, maxMessage)
	case rpc.TimedOut:
		e = &responseError{codeRequestFailed, fmt.Sprintf("%s took longer than %v", f.Method, requestTime)}
	case rpc.Ended:
		e = &responseError{codeRequestCancelled, "the server ends"}
	case rpc.Panicked:
		s.opt.Log(fmt.Sprintf("%s: %s", f.Method, f.Message))
		e = &responseError{codeInternalError, fmt.Sprintf("an internal fault: %s", message)}
	}
	return encoded(e)
}

func (s *server) Begin(r rpc.Request) rpc.Reply {
	if r.Method == "exit" {
		return rpc.Reply{Last: func() rpc.Answer { return rpc.Answer{Result: []byte("null")} }}
	}
	if r.ID == nil {
		if take := notifications[r.Method]; take != nil && s.is(ready) {
			if err := take(s, r); err != nil {
				s.log(fmt.Sprintf("%s: %s", r.Method, err))
			}
		}
		return rpc.Reply{}
	}
	switch {
	case r.Method == "initialize":
		return now(s.initialize(r))
	case s.is(fresh):
		return now(nil, &responseError{codeNotInitialized, "expected initialize before " + quoted(r.Method)})
	case s.is(shutDown):
		return now(nil, &responseError{codeInvalidRequest, "the session is shut down: expected exit, not " + quoted(r.Method)})
	case r.Method == "shutdown":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.state = shutDown
		return now(nil, nil)
	}
	take := requests[r.Method]
	if take == nil {
		return now(nil, &responseError{codeMethodNotFound, "unknown method " + quoted(r.Method)})
	}
	reply, refused := take(s, r)
	if refused != nil {
		return now(nil, refused)
	}
	return reply
}

func (s *server) is(state state) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == state
}

func (s *server) initialize(r rpc.Request) (any, *responseError) {
	var p initializeParams
	if refused := decode(r, &p); refused != nil {
		return nil, refused
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != fresh {
		return nil, &responseError{codeInvalidRequest, "initialize can be sent only once"}
	}
	s.state, s.encoding = ready, chosen(p.Capabilities.General.PositionEncodings)
	var result initializeResult
	result.ServerInfo.Name, result.ServerInfo.Version = s.opt.Name, s.opt.Version
	can := &result.Capabilities
	can.PositionEncoding = encodingNames[s.encoding]
	can.TextDocumentSync.OpenClose, can.TextDocumentSync.Save, can.TextDocumentSync.Change = true, true, syncIncremental
	can.CompletionProvider.TriggerCharacters = []string{" ", ":", "-", "[", "{", ",", "\""}
	can.CodeActionProvider.CodeActionKinds = []string{quickFix, fixAll}
	can.HoverProvider, can.DocumentFormattingProvider, can.DocumentSymbolProvider = true, true, true
	return result, nil
}

// chosen returns the first encoding of names that the server supports.
func chosen(names []string) Encoding {
	for _, name := range names {
		for e, known := range encodingNames {
			if name == known {
				return Encoding(e)
			}
		}
	}
	return UTF16
}

type work func(ctx context.Context) (any, *responseError)

// cancellable returns do with support for $/cancelRequest. The caller must hold the lock.
func (s *server) cancellable(id string, do work) rpc.Work {
	cancelled, cancel := context.WithCancel(context.Background())
	s.calls[id] = cancel
	return func(ctx context.Context, _ *[]byte) rpc.Answer {
		defer s.done(id, cancel)
		defer context.AfterFunc(ctx, cancel)()
		if cancelled.Err() != nil {
			return answered(nil, errCancelled)
		}
		result, refused := do(cancelled)
		if cancelled.Err() != nil {
			result, refused = nil, errCancelled
		}
		return answered(result, refused)
	}
}

var errCancelled = &responseError{codeRequestCancelled, "the request was cancelled"}

func (s *server) done(id string, cancel context.CancelFunc) {
	cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, id)
}

// alone runs do exclusively, because parsing a whole document takes many times its size in memory.
func (s *server) alone(ctx context.Context, do func()) bool {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-s.turn }()
	do()
	return true
}

// maxLogs limits the queued messages to the user; more are dropped.
const maxLogs = 32

// log queues a message to the client's user.
func (s *server) log(message string) {
	select {
	case s.logs <- encoded(logMessageParams{logWarning, message}):
	default:
	}
}

// sendLogs sends queued messages until ctx ends.
func (s *server) sendLogs(ctx context.Context) {
	for {
		select {
		case params := <-s.logs:
			s.notifier.Send("window/logMessage", params)
		case <-ctx.Done():
			return
		}
	}
}

func now(result any, refused *responseError) rpc.Reply {
	return rpc.Reply{Now: answered(result, refused)}
}

func answered(result any, refused *responseError) rpc.Answer {
	if refused != nil {
		return rpc.Answer{Error: encoded(refused)}
	}
	return rpc.Answer{Result: encoded(result)}
}

// encoded marshals a value of this package's types.
func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("lsp.encoded: " + err.Error()) // a bug: all types can be marshaled
	}
	return text
}

func decode(r rpc.Request, into any) *responseError {
	if r.Params == nil {
		return &responseError{codeInvalidParams, r.Method + " needs params"}
	}
	err := json.Unmarshal(r.Params, into)
	if err == nil {
		return nil
	}
	message := "params of " + r.Method
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field != "" {
			message += ": " + strings.TrimPrefix(wrong.Field, "documentParams.")
		}
		found, _, _ := strings.Cut(wrong.Value, " ")
		return &responseError{codeInvalidParams, message + ": expected " + wanted(wrong.Type.Kind()) + ", found: " + found}
	}
	return &responseError{codeInvalidParams, message + ": " + err.Error()}
}

// wanted returns the protocol's name of a kind of values.
func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.Struct:
		return "an object"
	case reflect.Slice:
		return "an array"
	case reflect.String:
		return "a string"
	}
	return "a whole number"
}

func quoted(name string) string {
	const most = 60
	if len(name) > most {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(name[:most], ""))
	}
	return fmt.Sprintf("%q", name)
}
