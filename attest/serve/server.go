// Package serve implements the server of the Attest protocol (§1 and §2), its configuration file and its log.
//
//		 {"jsonrpc":"2.0","id":1,"method":"evaluate_batch","params":{"trace":{…},"assertions":[…]}}
//	← {"jsonrpc":"2.0","id":1,"result":{"results":[…],"total_cost":0.0,"total_duration_ms":2}}
package serve

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/rpc"
)

// Options configure a server. The zero value is the protocol's default.
type Options struct {
	Engine     attest.Options // Remember: 0 means DefaultRemember
	Concurrent int            // requests that are evaluated at once; 0: DefaultConcurrent
	Memory     int            // bytes that those take together, by estimate; the others wait. 0: DefaultMemory
}

// DefaultConcurrent is the number of concurrent evaluations (§1.5).
const DefaultConcurrent = 64

// DefaultMemory is the memory for concurrent requests: enough for the largest one.
const DefaultMemory = 128 << 20

// assertionBytes is the size of a request besides its trace: assertions with schemas, reference texts and regular
// expressions.
const assertionBytes = 16 << 20

// DefaultRemember is the number of results that a server caches by request_id (§2.2).
const DefaultRemember = 10_000

func (o Options) withDefaults() Options {
	if o.Engine.Logger == nil {
		o.Engine.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Engine.Timeout <= 0 {
		o.Engine.Timeout = attest.DefaultTimeout
	}
	if o.Concurrent <= 0 {
		o.Concurrent = DefaultConcurrent
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Engine.Remember <= 0 {
		o.Engine.Remember = DefaultRemember
	}
	return o
}

// Serve runs the engine on a pair of streams (§1): it reads requests from r and writes answers to w, one JSON
// object per line, up to opt.Concurrent at once. It returns nil after shutdown, at the end of r or of ctx. Pending
// requests are answered first, with a 3002 if unfinished 3.5 s after the end of ctx or 30 s after shutdown. It
// returns an error if r or w fails, or if the client does not read the answers within another half second. It
// cannot interrupt a Read: after shutdown or the end of ctx a goroutine waits until r ends.
func Serve(ctx context.Context, r io.Reader, w io.Writer, opt Options) error {
	opt = opt.withDefaults()
	s := newSession(opt)
	return rpc.Serve(ctx, r, w, s, rpc.Options{
		MaxLine:    int64(s.engine.Limits().TraceBytes) + assertionBytes,
		Concurrent: opt.Concurrent,
		WorkBytes:  int64(opt.Memory),
		WorkTime:   workTime(opt.Engine),
	})
}

// lateResults is extra time in which an engine can return results that report a timeout.
const lateResults = time.Second

func workTime(opt attest.Options) time.Duration {
	if opt.AssertionErrorsAsResults {
		return opt.Timeout + lateResults
	}
	return opt.Timeout
}

// Refuse implements rpc.Handler. It returns the protocol's errors.
func (s *session) Refuse(f rpc.Fault) []byte {
	return s.refused(f.Method, s.refuse(f)).Error
}

func (s *session) refuse(f rpc.Fault) error {
	switch f.Kind {
	case rpc.NotJSON:
		return attest.NewError(attest.CodeParse, f.Message,
			"Send each request as one complete JSON object in UTF-8 on a separate line, ended by a newline.")
	case rpc.NotRequest:
		return attest.NewError(attest.CodeInvalidRequest, f.Message,
			`Send one object per line with "jsonrpc":"2.0", a string "method" and an "id" that is a string, a number or null.`)
	case rpc.TooLong:
		trace := s.engine.Limits().TraceBytes
		return attest.NewError(attest.CodeInvalidTrace, f.Message,
			fmt.Sprintf("Reduce trace size by filtering steps or truncating tool results. Max allowed: %d bytes for the trace and %d bytes for the rest of the request.", trace, assertionBytes))
	case rpc.TimedOut:
		return attest.TimedOut(s.timeout)
	case rpc.Ended:
		return attest.CutShort()
	}
	value, stack, _ := strings.Cut(f.Message, "\n")
	s.log.Error("panic", "method", wording.Preview(f.Method), "value", wording.Preview(value), "stack", stack)
	return attest.NewError(attest.CodeEngine, fmt.Sprintf("internal error in %s: %s", wording.Preview(f.Method), wording.Preview(value)),
		"The fault is in the engine, not in the request. The engine continues; its log has the stack trace for a bug report.")
}
