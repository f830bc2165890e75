package attest

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Options configure an Engine. The zero value is the protocol's default: strict
// validation, the limits of §7, short-circuiting on.
type Options struct {
	Lax                      bool          // tolerate unknown step types (§7)
	Limits                   Limits        // zero fields mean the protocol's own limits
	NoShortCircuit           bool          // evaluate layers 5–6 also after a hard failure in layers 1–4
	AssertionErrorsAsResults bool          // answer a broken assertion with a hard_fail result instead of failing the request with 1002
	Timeout                  time.Duration // of one batch; 0: DefaultTimeout
	Logger                   *slog.Logger  // receives warnings such as deprecated schema versions; nil: nobody
	Concurrent               int           // requests that Serve evaluates at once; 0: DefaultConcurrent
}

// DefaultTimeout is how long one batch may take when nothing else is said (§5).
const DefaultTimeout = 30 * time.Second

// Engine evaluates batches. It is safe for concurrent use.
type Engine struct {
	opt        Options
	evaluated  atomic.Int64
	memo       resultMemo // results by request_id; nil remembers nothing
	plugins    pluginStore
	workspaces sync.Pool // of *workspace
	regexes    *lru[*expression]
	specs      *lru[compiledSpec]
	schemas    [2]*lru[*schema] // formats as annotations, formats asserted
}

// resultMemo makes request_id idempotent (§2.2): it remembers finished results and
// lets duplicates that are in flight share one evaluation.
type resultMemo interface {
	// do returns the result remembered for requestID, or calls evaluate once.
	// evaluate's keep says whether its result may be remembered. payload is a
	// fingerprint of the assertion, to notice an id that is reused for another one.
	// cached says that the result came from an earlier or concurrent evaluation.
	do(ctx context.Context, requestID string, payload uint64, evaluate func() (r Result, keep bool)) (r Result, cached bool)
}

// NewEngine returns an engine.
func NewEngine(opt Options) *Engine {
	opt.Limits = opt.Limits.withDefaults()
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Concurrent <= 0 {
		opt.Concurrent = DefaultConcurrent
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	e := &Engine{opt: opt, specs: newLRU[compiledSpec](specCacheBytes), regexes: newLRU[*expression](regexCacheSize),
		schemas: [2]*lru[*schema]{newLRU[*schema](schemaCacheBytes), newLRU[*schema](schemaCacheBytes)}}
	e.workspaces.New = func() any { return &workspace{scanner: e.newScanner()} }
	return e
}

// Evaluated returns how many assertions were evaluated so far, in all batches.
// Answers from the memory of request ids do not count again.
func (e *Engine) Evaluated() int64 { return e.evaluated.Load() }

// Limits returns the limits in force, as the answer to initialize advertises them.
func (e *Engine) Limits() Limits { return e.opt.Limits }

// EvaluateBatch answers evaluate_batch (§2.2): params is the member "params" of the
// request, the answer is the member "result" on one line. The error says why nothing
// was evaluated: 1001 for the trace, 1002 for an assertion, 3002 when the time is
// over, -32602 for params of another shape, -32700 for bytes that are no JSON.
func (e *Engine) EvaluateBatch(ctx context.Context, params []byte) ([]byte, *Error) {
	w := e.workspace()
	doc, err := w.scanner.Scan(params)
	if err != nil {
		return nil, e.scanError(err)
	}
	defer e.release(w, doc)
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	return e.evaluateBatch(ctx, w, doc.Root(), nil)
}
