package attest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/rpc"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// session is the state of one conversation with a client: what initialize,
// evaluate_batch, submit_plugin_result and shutdown mean when they arrive (§2).
//
// Begin is called for one request at a time; only the answer to shutdown is made
// elsewhere, from counters.
type session struct {
	engine     *Engine
	log        *slog.Logger
	concurrent int // advertised: requests evaluated at once

	phase    phase
	sessions int64        // initialize requests that established a session
	plugins  atomic.Int64 // plugin results recorded
}

// phase is how far the session has come.
type phase int

const (
	fresh   phase = iota // nothing was negotiated yet
	open                 // initialize has been answered
	closing              // shutdown was asked for
)

// method is one row of the protocol: its name, and what a request with its params, an
// object, asks for.
type method struct {
	name  string
	begin func(*session, rpc.Request) (rpc.Reply, *Error)
}

// methods lists what a client can call (§2).
var methods = []method{
	{methodInitialize, (*session).initialize},
	{methodEvaluate, (*session).evaluate},
	{methodPlugin, (*session).submitPluginResult},
	{methodShutdown, (*session).shutdown},
}

// Begin implements rpc.Handler.
func (s *session) Begin(r rpc.Request) rpc.Reply {
	reply, err := s.begin(r)
	if err != nil {
		s.log.Warn("request refused", "method", preview(r.Method), "code", err.Code, "error", preview(err.Message))
		return rpc.Reply{Now: failure(err)}
	}
	return reply
}

func (s *session) begin(r rpc.Request) (rpc.Reply, *Error) {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == r.Method })
	if i < 0 {
		return rpc.Reply{}, unknownMethod(r.Method)
	}
	if err := s.allows(r.Method); err != nil {
		return rpc.Reply{}, err
	}
	return methods[i].begin(s, r)
}

// Unread implements rpc.Handler: a batch, which may be large, is read by its worker.
func (s *session) Unread(name string) bool { return name == methodEvaluate && s.phase == open }

// read scans the params of the small methods, whose line was read to its end before.
func (s *session) read(r rpc.Request) (strictjson.Node, *Error) {
	params, _, err := r.ScanParams(s.engine.newScanner())
	if err != nil {
		return params, s.engine.scanError(err)
	}
	return params, mustBeObject(params, r.Method)
}

func mustBeObject(params strictjson.Node, method string) *Error {
	if params.Is(strictjson.Object) {
		return nil
	}
	return NewError(CodeInvalidParams, "params must be an object",
		"Send the parameters of "+method+` by name: "params":{…}.`)
}

func unknownMethod(name string) *Error {
	names := []string{methodInitialize, methodEvaluate, methodPlugin, methodShutdown}
	return NewError(CodeMethodNotFound, fmt.Sprintf("method not found: '%s'%s", preview(name), didYouMean(name, names)),
		fmt.Sprintf("The methods of protocol version %d are %s.", ProtocolVersion, joinNames(names)))
}

// allows says whether the method may be called in this phase (3003 otherwise).
func (s *session) allows(name string) *Error {
	switch {
	case s.phase == closing:
		return NewError(CodeSession, name+" called after shutdown",
			"The engine is about to exit. Start a new engine process for further requests.")
	case s.phase == fresh && name != methodInitialize:
		return NewError(CodeSession, name+" called before initialize",
			fmt.Sprintf("Call initialize first to establish a session before sending %s requests.", name))
	case s.phase == open && name == methodInitialize:
		return NewError(CodeSession, "initialize called twice",
			"The session is already established. Send initialize once per engine process; start another process for another session.")
	}
	return nil
}

// initialize establishes the session, also when a required capability is missing:
// then it is the client's duty to stop. After another protocol version the client
// may try again.
func (s *session) initialize(r rpc.Request) (rpc.Reply, *Error) {
	params, err := s.read(r)
	if err != nil {
		return rpc.Reply{}, err
	}
	n, err := readNegotiation(params)
	if err != nil {
		return rpc.Reply{}, err
	}
	if n.version != ProtocolVersion && n.version != ProtocolVersion-1 {
		return rpc.Reply{}, unsupportedVersion(n.version)
	}
	if n.version < ProtocolVersion {
		s.log.Warn("protocol_version is deprecated; upgrade the SDK", "protocol_version", n.version, "sdk_name", preview(n.sdkName))
	}
	s.phase = open
	s.sessions++
	s.log.Info("session established", "sdk_name", preview(n.sdkName), "sdk_version", preview(n.sdkVersion), "protocol_version", n.version)
	return answer(n.appendNegotiated(nil, buildinfo.Version, s.concurrent, s.engine.Limits())), nil
}

// evaluate leaves everything to a worker, the scan of the params included. The loop
// watches over its time.
func (s *session) evaluate(r rpc.Request) (rpc.Reply, *Error) {
	return rpc.Reply{Work: func(ctx context.Context, scratch *[]byte) rpc.Answer {
		result, fault, err := s.evaluateBatch(ctx, r, (*scratch)[:0])
		if err != nil {
			s.log.Warn("request refused", "method", methodEvaluate, "code", err.Code, "error", preview(err.Message))
			return failure(err)
		}
		*scratch = result
		return rpc.Answer{Result: result, Fault: fault}
	}}, nil
}

// evaluateBatch appends the result of a batch to dst.
func (s *session) evaluateBatch(ctx context.Context, r rpc.Request, dst []byte) ([]byte, *rpc.Fault, *Error) {
	w := s.engine.workspace()
	params, fault, refused := r.ScanParams(w.scanner)
	switch {
	case fault != nil:
		return nil, fault, nil
	case refused != nil:
		return nil, nil, s.engine.scanError(refused)
	}
	defer s.engine.release(w, params.Document())
	result, err := s.engine.evaluateBatch(ctx, w, params, dst)
	return result, nil, err
}

func (s *session) submitPluginResult(r rpc.Request) (rpc.Reply, *Error) {
	params, err := s.read(r)
	if err != nil {
		return rpc.Reply{}, err
	}
	p, err := readPluginSubmission(params)
	if err != nil {
		return rpc.Reply{}, err
	}
	s.engine.plugins.put(p)
	s.plugins.Add(1)
	s.log.Debug("plugin result recorded", "trace_id", preview(p.traceID), "plugin_name", preview(p.plugin),
		"assertion_id", preview(p.assertionID), "status", p.status)
	return answer([]byte(`{"accepted":true}`)), nil
}

func (s *session) shutdown(r rpc.Request) (rpc.Reply, *Error) {
	if _, err := s.read(r); err != nil {
		return rpc.Reply{}, err
	}
	s.phase = closing
	sessions := s.sessions
	s.log.Info("shutting down")
	return rpc.Reply{Last: func() rpc.Answer {
		evaluated := s.engine.Evaluated() + s.plugins.Load()
		return rpc.Answer{Result: fmt.Appendf(nil, `{"sessions_completed":%d,"assertions_evaluated":%d}`, sessions, evaluated)}
	}}, nil
}

func answer(result []byte) rpc.Reply { return rpc.Reply{Now: rpc.Answer{Result: result}} }

func failure(err *Error) rpc.Answer { return rpc.Answer{Error: err.AppendJSON(nil)} }
