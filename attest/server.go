package attest

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/rpc"
)

// DefaultConcurrent is how many requests are evaluated at once (§1.5).
const DefaultConcurrent = 64

// assertionBytes is the room that a request line has beside the trace: for the
// assertions and their schemas, reference texts and regular expressions.
const assertionBytes = 16 << 20

// rememberedResults is how many results an engine remembers by request_id.
const rememberedResults = 10_000

// Serve is the engine on a pair of streams (§1): it reads requests from r and writes
// answers to w, one JSON object per line, up to opt.Concurrent requests at once.
//
// It returns nil after shutdown, at the end of r, when ctx ends (what was read is
// answered first) and when w fails; only a failing r is an error. It cannot interrupt
// a Read: after shutdown or the end of ctx a goroutine keeps waiting until r ends.
func Serve(ctx context.Context, r io.Reader, w io.Writer, opt Options) error {
	engine := NewEngine(opt)
	engine.memo = newMemo(rememberedResults, engine.opt.Logger)
	s := &session{engine: engine, log: engine.opt.Logger, concurrent: engine.opt.Concurrent}
	return rpc.Serve(ctx, r, w, s, rpc.Options{
		MaxLine:    int64(engine.Limits().TraceBytes) + assertionBytes,
		Concurrent: s.concurrent,
		WorkTime:   engine.opt.Timeout,
	})
}

// Refuse implements rpc.Handler: the protocol's error for what the loop could not
// accept or finish.
func (s *session) Refuse(f rpc.Fault) []byte {
	err := s.refuse(f)
	s.log.Warn("request refused", "method", preview(f.Method), "code", err.Code, "error", preview(err.Message))
	return err.AppendJSON(nil)
}

func (s *session) refuse(f rpc.Fault) *Error {
	switch f.Kind {
	case rpc.NotJSON:
		return NewError(CodeParse, f.Message,
			"Send each request as one complete JSON object in UTF-8 on a line of its own, ended by a newline.")
	case rpc.NotRequest:
		return NewError(CodeInvalidRequest, f.Message,
			`Send one object per line with "jsonrpc":"2.0", a string "method" and an "id" that is a string, a number or null.`)
	case rpc.TooLong:
		trace := s.engine.Limits().TraceBytes
		return invalidTrace(fmt.Sprintf("Reduce trace size by filtering steps or truncating tool results. Max allowed: %d bytes for the trace and %d bytes for the rest of the request.", trace, assertionBytes),
			"%s", f.Message)
	case rpc.TimedOut:
		return timedOut(s.engine.opt.Timeout.Milliseconds())
	}
	value, stack, _ := strings.Cut(f.Message, "\n")
	s.log.Error("panic", "method", preview(f.Method), "value", preview(value), "stack", stack)
	return NewError(CodeEngine, fmt.Sprintf("internal error in %s: %s", preview(f.Method), preview(value)),
		"This is a fault of the engine, not of the request. The engine goes on; its log holds the stack for a bug report.")
}
