package attest

import (
	"context"
	"log/slog"
	"time"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/judge"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/budget"
)

// Options configure an Engine. The zero value is the protocol's default: strict
// validation, the limits of §7, short-circuiting on.
type Options struct {
	Lax                      bool           // tolerate unknown step types (§7)
	Limits                   Limits         // zero fields mean the protocol's own limits
	AllowIncomplete          bool           // evaluate imported traces as if nothing of their record were lost
	Reproducible             bool           // what is answered depends on the request and on the models alone: durations are 0, of several errors that of the assertion evaluated first is told, and the history is only read
	NoShortCircuit           bool           // evaluate layers 5–6 also after a hard failure in layers 1–4
	AssertionErrorsAsResults bool           // answer a broken assertion, and one that no model answers in time, with a hard_fail result instead of failing the request with 1002, 2001 or 3002
	Timeout                  time.Duration  // of one batch; 0: DefaultTimeout
	Logger                   *slog.Logger   // receives warnings such as deprecated schema versions; nil: nobody
	Judge                    model.Chat     // answers the judges of layer 6; nil: they fail and say so
	Embedding                model.Embedder // turns texts into vectors for layer 5; nil: its assertions fail and say so
	History                  History        // keeps scores for query_drift and dynamic thresholds; nil: nobody does
	MaxCost                  *float64       // USD: once the calls of models have cost as much, none begins, and what is left is skipped; one that may be reached by calls under way, as dear as the dearest so far, has others wait; nil: any amount
	Remember                 int            // results that are remembered by their request_id (§2.2); 0: none

	// Texts of a trace stand in the prompt of a judge between lines with an id of 128 random
	// bits: no text can end there and go on as the judge's instructions, and no two prompts are
	// the same. DerivedDelimiters makes equal prompts equal, for answers that are recorded and
	// replayed: the id is the first 32 hex digits of the SHA-256 of "delimiter\n" and the prompt
	// with zeros in its place, so that whoever knows the prompt knows its id. A text still cannot
	// contain it: it would have to contain a hash of itself.
	DerivedDelimiters bool
}

// DefaultTimeout is how long one batch may take when nothing else is said (§5).
const DefaultTimeout = 30 * time.Second

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.withDefaults()
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Engine evaluates assertions on traces. It is safe for concurrent use.
type Engine struct {
	opt        Options
	reader     trace.Reader
	compiler   *check.Compiler
	workspaces workspaces
	evaluator  *evaluator
	compiling  *budget.Budget // one request at a time has assertions that take a lot of memory
	purse      *purse
	missing    missing // in the history
}

// NewEngine returns an engine.
func NewEngine(opt Options) *Engine {
	purse := &purse{most: opt.MaxCost}
	opt = opt.withDefaults().paid(purse)
	delimiter := judge.Random
	if opt.DerivedDelimiters {
		delimiter = judge.Derived
	}
	return &Engine{
		opt: opt, purse: purse, compiler: check.NewCompiler(check.Options{Judge: opt.Judge, Embedding: opt.Embedding, Delimiter: delimiter}), evaluator: newEvaluator(opt, purse), workspaces: newWorkspaces(opt.Limits), compiling: budget.New(1),
		reader: trace.Reader{
			Lax: opt.Lax, TraceBytes: opt.Limits.TraceBytes, Steps: opt.Limits.Steps, OutputChars: opt.Limits.OutputChars,
			ResultBytes: opt.Limits.ResultBytes, SubTraceDepth: opt.Limits.SubTraceDepth,
			Deprecated: func(traceID string) {
				opt.Logger.Warn("schema_version 0 is deprecated; write schema_version 1", "trace_id", wording.Preview(traceID))
			},
		},
	}
}

// Evaluated returns how many assertions were evaluated so far, in all batches.
// Answers from the memory of request ids do not count again.
func (e *Engine) Evaluated() int64 { return e.evaluator.evaluated.Load() }

// Spent is what the calls of models have cost so far, in USD, those that failed among them.
func (e *Engine) Spent() float64 { return e.purse.total() }

// Paid is what of Spent was paid for this engine, in USD: without the answers that were
// recorded before. Options.MaxCost is its limit.
func (e *Engine) Paid() float64 { return e.purse.paid() }

// Took is how long what began at start has taken, as answers say it; see
// Options.Reproducible.
func (e *Engine) Took(start time.Time) time.Duration { return e.evaluator.took(start) }

// Limits returns the limits in force, as the answer to initialize advertises them.
func (e *Engine) Limits() Limits { return e.opt.Limits }

// Capabilities returns the identifiers of §2.1 that the engine supports as it is
// configured.
func (e *Engine) Capabilities() []string {
	list := []string{"layers_1_4", "soft_failures", "multi_agent", string(TypeTraceTree), "plugins"}
	if e.opt.Judge != nil && e.opt.Embedding != nil {
		list = append(list, "layers_5_6")
	}
	if e.opt.Embedding != nil {
		list = append(list, string(TypeEmbedding))
	}
	if e.opt.Judge != nil {
		list = append(list, string(TypeLLMJudge), "simulation")
	}
	if e.opt.History != nil {
		list = append(list, "continuous_eval")
	}
	return list
}

// EvaluateBatch answers evaluate_batch (§2.2): params is the member "params" of the
// request, the answer is the member "result" on one line. The error says why nothing
// was evaluated, as an *Error: 1001 for the trace, 1002 for an assertion, 3002 when the
// time is over, -32602 for params of another shape, -32700 for bytes that are no JSON.
func (e *Engine) EvaluateBatch(ctx context.Context, params []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	return e.AppendBatch(ctx, nil, params)
}

// AppendBatch is EvaluateBatch for a caller that watches over the time and brings the
// memory for the answer, which is appended to dst. Nothing refers to params afterwards.
func (e *Engine) AppendBatch(ctx context.Context, dst, params []byte) ([]byte, error) {
	w := e.workspaces.get()
	doc, err := w.scanner.Scan(params)
	if err != nil {
		return nil, scanError(scan.Params(err, e.opt.Limits.JSONDepth))
	}
	defer e.release(w, doc)
	start := time.Now()
	results, err := e.evaluateParams(ctx, w, doc.Root())
	if err != nil {
		return nil, err
	}
	return appendBatch(dst, results, e.Took(start)), nil
}

// ValidateTrace runs the seven validation steps of §7 on one trace, given as the
// bytes that were received. Nil means that the trace is valid; the error is an *Error.
func (e *Engine) ValidateTrace(raw []byte) error { return e.ValidateText(TraceText{Raw: raw}) }
