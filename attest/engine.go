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

// Options configures an Engine. The zero value uses the protocol's defaults: strict validation, the limits of §7,
// and skipping of later layers after a hard failure.
type Options struct {
	Lax                      bool           // tolerate unknown step types (§7)
	Limits                   Limits         // zero fields mean the protocol's own limits
	AllowIncomplete          bool           // treat imported traces as complete
	Reproducible             bool           // answers depend only on the request and the models: durations are 0, the first error by evaluation order is returned, and the history is read-only
	NoShortCircuit           bool           // evaluate layers 5–6 also after a hard failure in layers 1–4
	AssertionErrorsAsResults bool           // answer invalid assertions, and those without a timely model answer, with hard_fail instead of an error 1002, 2001 or 3002
	Timeout                  time.Duration  // per batch; 0: DefaultTimeout
	Logger                   *slog.Logger   // receives warnings such as deprecated schema versions; can be nil
	Judge                    model.Chat     // model for layer 6; nil: judges fail
	Embedding                model.Embedder // model for layer 5; nil: its assertions fail
	History                  History        // scores for query_drift and dynamic thresholds; can be nil
	MaxCost                  *float64       // USD limit: once reached, no model call starts and the rest is skipped; calls that could reach it, at the highest price so far, wait for those in flight; nil: unlimited
	Remember                 int            // results to remember by request_id (§2.2); 0: none

	// DerivedDelimiters makes equal prompts to a judge equal, for recorded answers. Prompts enclose texts of the
	// trace in lines with a 128-bit id, to prevent prompt injection. By default the id is random. With this option
	// it is the first 32 hex digits of the SHA-256 of "delimiter\n" and the prompt with zeros as id. No text can
	// contain this id, because it would contain its own hash.
	DerivedDelimiters bool
}

// DefaultTimeout is the default time limit of a batch (§5).
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
	compiling  *budget.Budget // serializes requests with large assertions
	spend      *costBudget
	missing    unrecordedScores // missing history scores
}

func NewEngine(opt Options) *Engine {
	spend := &costBudget{most: opt.MaxCost}
	opt = opt.withDefaults().paid(spend)
	delimiter := judge.Random
	if opt.DerivedDelimiters {
		delimiter = judge.Derived
	}
	return &Engine{
		opt: opt, spend: spend, compiler: check.NewCompiler(check.Options{Judge: opt.Judge, Embedding: opt.Embedding, Delimiter: delimiter}), evaluator: newEvaluator(opt, spend), workspaces: newWorkspaces(opt.Limits), compiling: budget.New(1),
		reader: trace.Reader{
			Lax: opt.Lax, TraceBytes: opt.Limits.TraceBytes, Steps: opt.Limits.Steps, OutputChars: opt.Limits.OutputChars,
			ResultBytes: opt.Limits.ResultBytes, SubTraceDepth: opt.Limits.SubTraceDepth,
			Deprecated: func(traceID string) {
				opt.Logger.Warn("schema_version 0 is deprecated; write schema_version 1", "trace_id", wording.Preview(traceID))
			},
		},
	}
}

// Evaluated returns the number of evaluations so far, not counting cached results.
func (e *Engine) Evaluated() int64 { return e.evaluator.evaluated.Load() }

// Spent returns the cost of all model calls so far in USD, including failed ones.
func (e *Engine) Spent() float64 { return e.spend.total() }

// Paid returns the part of Spent that Options.MaxCost limits, without previously recorded answers.
func (e *Engine) Paid() float64 { return e.spend.paid() }

// Took returns the duration since start as reported in answers; see Options.Reproducible.
func (e *Engine) Took(start time.Time) time.Duration { return e.evaluator.took(start) }

func (e *Engine) Limits() Limits { return e.opt.Limits }

// Capabilities returns the supported identifiers of §2.1.
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

// EvaluateBatch answers evaluate_batch (§2.2). params is the request's member "params"; the answer is the member
// "result", on one line. The error is an *Error: 1001 for the trace, 1002 for an assertion, 3002 for a timeout,
// -32602 for invalid params, -32700 for malformed JSON.
func (e *Engine) EvaluateBatch(ctx context.Context, params []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	return e.AppendBatch(ctx, nil, params)
}

// AppendBatch is EvaluateBatch without a timeout. It appends the answer to dst and keeps no reference to params.
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

// ValidateTrace runs the seven validation steps of §7 on a trace. It returns nil or an *Error.
func (e *Engine) ValidateTrace(raw []byte) error { return e.ValidateText(TraceText{Raw: raw}) }
