package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/rpc"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// session is the state of a conversation with a client (§2). Begin is called sequentially; only the answer to
// shutdown is created elsewhere, from counters.
type session struct {
	engine     *attest.Engine
	log        *slog.Logger
	concurrent int           // advertised: requests evaluated at once
	timeout    time.Duration // of one batch

	keepsHistory bool // the engine does
	simulates    bool // the engine has a model that speaks for users

	phase    phase
	turns    uint64       // of simulated users, asked for so far
	sessions int64        // initialize requests that established a session
	plugins  atomic.Int64 // plugin results recorded
}

func newSession(opt Options) *session {
	return &session{
		engine: attest.NewEngine(opt.Engine), log: opt.Engine.Logger,
		concurrent: opt.Concurrent, timeout: opt.Engine.Timeout, keepsHistory: opt.Engine.History != nil, simulates: opt.Engine.Judge != nil,
	}
}

type phase int

const (
	fresh   phase = iota // nothing was negotiated yet
	open                 // initialize has been answered
	closing              // shutdown was asked for
)

// method is a method of the protocol: its name and handler.
type method struct {
	name  string
	begin func(*session, rpc.Request) (rpc.Reply, error)
}

// methods lists the protocol's methods (§2).
var methods = []method{
	{methodInitialize, (*session).initialize},
	{methodEvaluate, (*session).evaluate},
	{methodPlugin, (*session).submitPluginResult},
	{methodTree, (*session).validateTree},
	{methodDrift, (*session).queryDrift},
	{methodUser, (*session).generateUserMessage},
	{methodShutdown, (*session).shutdown},
}

func (s *session) Begin(r rpc.Request) rpc.Reply {
	reply, err := s.begin(r)
	if err != nil {
		return rpc.Reply{Now: s.refused(r.Method, err)}
	}
	return reply
}

func (s *session) begin(r rpc.Request) (rpc.Reply, error) {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == r.Method })
	if i < 0 || r.Method == methodUser && !s.simulates {
		return rpc.Reply{}, s.unknownMethod(r.Method)
	}
	if err := s.allows(r.Method); err != nil {
		return rpc.Reply{}, err
	}
	return methods[i].begin(s, r)
}

// Unread implements rpc.Handler: large params (traces, conversations) are parsed by the worker.
func (s *session) Unread(name string) bool {
	return (name == methodEvaluate || name == methodTree || name == methodUser && s.simulates) && s.phase == open
}

// read parses the params of a method with small params.
func (s *session) read(r rpc.Request) (params strictjson.Node, err error) {
	_, err = r.ReadParams(func(text []byte) (err error) {
		params, err = s.scan(r.Method, text)
		return err
	})
	return params, err
}

// scan reads the params of a method, which are an object.
func (s *session) scan(method string, text []byte) (params strictjson.Node, err error) {
	limits := s.engine.Limits()
	doc, err := scan.New(limits.JSONDepth, limits.Values).Scan(text)
	if err != nil {
		refused := scan.Text(err, limits.JSONDepth)
		return params, attest.NewError(attest.CodeParse, refused.Message, refused.Detail)
	}
	if params = doc.Root(); !params.Is(strictjson.Object) {
		return params, attest.ParamsByName(method)
	}
	return params, nil
}

func (s *session) unknownMethod(name string) error {
	names := []string{methodInitialize, methodEvaluate, methodPlugin, methodTree, methodDrift, methodShutdown}
	switch {
	case s.simulates:
		names = append(names, methodUser)
	case name == methodUser:
		return attest.NewError(attest.CodeMethodNotFound, "method not found: '"+methodUser+"': no judge provider is configured",
			"Set ATTEST_OPENAI_API_KEY or ATTEST_OPENAI_BASE_URL, or providers.judge in the file that ATTEST_CONFIG names: its model speaks for the simulated user.")
	}
	return attest.NewError(attest.CodeMethodNotFound, fmt.Sprintf("method not found: '%s'%s", wording.Preview(name), wording.DidYouMean(name, names)),
		fmt.Sprintf("The methods of protocol version %d are %s.", attest.ProtocolVersion, wording.JoinNames(names)))
}

// allows returns an error 3003 if the method is not allowed in this phase.
func (s *session) allows(name string) error {
	switch {
	case s.phase == closing:
		return attest.NewError(attest.CodeSession, name+" called after shutdown",
			"The engine is about to exit. Start a new engine process for further requests.")
	case s.phase == fresh && name != methodInitialize:
		return attest.NewError(attest.CodeSession, name+" called before initialize",
			fmt.Sprintf("Call initialize first to establish a session before sending %s requests.", name))
	case s.phase == open && name == methodInitialize:
		return attest.NewError(attest.CodeSession, "initialize called twice",
			"The session is already established. Send initialize once per engine process; start another process for another session.")
	}
	return nil
}

// initialize starts the session, even if a required capability is missing, because the client must stop then. After
// a version mismatch the client can retry.
func (s *session) initialize(r rpc.Request) (rpc.Reply, error) {
	params, err := s.read(r)
	if err != nil {
		return rpc.Reply{}, err
	}
	n, err := readNegotiation(params)
	if err != nil {
		return rpc.Reply{}, err
	}
	if n.version != attest.ProtocolVersion && n.version != attest.ProtocolVersion-1 {
		return rpc.Reply{}, unsupportedVersion(n.version)
	}
	if n.version < attest.ProtocolVersion {
		s.log.Warn("protocol_version is deprecated; upgrade the SDK", "protocol_version", n.version, "sdk_name", wording.Preview(n.sdkName))
	}
	s.phase = open
	s.sessions++
	s.log.Info("session established", "sdk_name", wording.Preview(n.sdkName), "sdk_version", wording.Preview(n.sdkVersion), "protocol_version", n.version)
	return answer(n.appendNegotiated(nil, buildinfo.Version, s.concurrent, s.engine)), nil
}

func (s *session) evaluate(r rpc.Request) (rpc.Reply, error) { return s.later(r, s.engine.AppendBatch) }

func (s *session) validateTree(r rpc.Request) (rpc.Reply, error) {
	return s.later(r, func(_ context.Context, dst, params []byte) ([]byte, error) {
		return s.engine.AppendTraceTree(dst, params)
	})
}

// later returns a Reply whose work runs on a worker, including the parsing of params, with a time limit.
func (s *session) later(r rpc.Request, answer func(ctx context.Context, dst, params []byte) ([]byte, error)) (rpc.Reply, error) {
	return rpc.Reply{Weight: s.engine.Weight(r.Params), Work: func(ctx context.Context, scratch *[]byte) (a rpc.Answer) {
		fault, err := r.ReadParams(func(params []byte) (err error) {
			a.Result, err = answer(ctx, (*scratch)[:0], params)
			return err
		})
		switch {
		case fault != nil:
			return rpc.Answer{Fault: fault}
		case err != nil:
			return s.refused(r.Method, err)
		}
		*scratch = a.Result
		return a
	}}, nil
}

func (s *session) submitPluginResult(r rpc.Request) (rpc.Reply, error) {
	params, err := s.read(r)
	if err != nil {
		return rpc.Reply{}, err
	}
	p, err := readPluginSubmission(params)
	if err != nil {
		return rpc.Reply{}, err
	}
	s.engine.SubmitPluginResult(p.traceID, p.plugin, p.result)
	s.plugins.Add(1)
	s.log.Debug("plugin result recorded", "trace_id", wording.Preview(p.traceID), "plugin_name", wording.Preview(p.plugin),
		"assertion_id", wording.Preview(p.result.AssertionID), "status", string(p.result.Status))
	accepted := rpc.Answer{Result: []byte(`{"accepted":true}`)}
	if !s.keepsHistory {
		return rpc.Reply{Now: accepted}, nil
	}
	return rpc.Reply{Work: func(ctx context.Context, _ *[]byte) rpc.Answer {
		s.engine.RecordOrLog(ctx, []attest.Result{p.result})
		return accepted
	}}, nil
}

func (s *session) shutdown(r rpc.Request) (rpc.Reply, error) {
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

// refused logs an error and returns it as the answer.
func (s *session) refused(method string, err error) rpc.Answer {
	var protocol *attest.Error
	if !errors.As(err, &protocol) {
		protocol = attest.NewError(attest.CodeEngine, err.Error(), "")
	}
	s.log.Warn("request refused", "method", wording.Preview(method), "code", protocol.Code, "error", wording.Preview(protocol.Message))
	return rpc.Answer{Error: protocol.AppendJSON(nil)}
}
