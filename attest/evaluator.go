package attest

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/memo"
	"github.com/cupel-dev/cupel/attest/internal/reuse"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// evaluator evaluates compiled assertions, counts evaluations and caches results.
type evaluator struct {
	timeout        time.Duration // per request; usually in the context
	reproducible   bool
	noShortCircuit bool
	log            *slog.Logger
	errorsAsResult bool               // return model failures as results
	remembered     *memo.Memo[Result] // by request_id; can be nil
	evaluated      atomic.Int64
	spend          *costBudget
}

func newEvaluator(opt Options, spend *costBudget) *evaluator {
	v := &evaluator{timeout: opt.Timeout, reproducible: opt.Reproducible, noShortCircuit: opt.NoShortCircuit, errorsAsResult: opt.AssertionErrorsAsResults, spend: spend, log: opt.Logger}
	if opt.Remember > 0 {
		v.remembered = memo.New[Result](opt.Remember, func(requestID string) {
			opt.Logger.Warn("request_id was used before for another assertion; the earlier result is returned", "request_id", wording.Preview(requestID))
		})
	}
	return v
}

// all evaluates w's assertions by layer and returns the results in request order, valid until w is released.
// Questions to models are asked concurrently at the end. It fails if ctx ends or a model fails.
func (v *evaluator) all(ctx context.Context, w *workspace) ([]Result, error) {
	for i := range w.assertions {
		w.assertions[i].Prepare(&w.subject)
	}
	w.results = reuse.Slice(w.results, len(w.assertions))
	w.order = byLayer(w.order[:0], w.assertions)
	hardFail := ""
	var questions []question
	for _, i := range w.order {
		a, r := &w.assertions[i], &w.results[i]
		if hardFail != "" && a.Costly() {
			*r = skipped(a, hardFail)
			continue
		}
		if q := a.Question(&w.subject); q != nil {
			questions = append(questions, v.question(w, i, q))
			continue
		}
		*r = v.one(ctx, w, a)
		if r.Status == HardFail && a.Layer <= check.LastFreeLayer && !v.noShortCircuit {
			hardFail = a.ID
		}
		if ctx.Err() != nil {
			return nil, v.cutShort(ctx)
		}
	}
	if len(questions) > 0 {
		if err := v.ask(ctx, questions, w.results); err != nil {
			return nil, err
		}
	}
	return w.results, nil
}

// skipped returns the soft result of an assertion skipped after a hard failure.
func skipped(a *check.Assertion, because string) Result {
	return Result{
		AssertionID: a.ID, RequestID: a.RequestID, Status: SoftFail, Skipped: true,
		Explanation: "Skipped: assertion " + wording.Quote(because) + " failed in an earlier layer.",
		Details:     newDetails(a.Kind(), check.Verdict{}),
	}
}

// byLayer appends the indexes of assertions in evaluation order: by layer, then request order.
func byLayer(order []int, assertions []check.Assertion) []int {
	for i := range assertions {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return assertions[i].Layer - assertions[j].Layer })
	return order
}

// one evaluates an assertion or returns its cached result.
func (v *evaluator) one(ctx context.Context, w *workspace, a *check.Assertion) (r Result) {
	if a.RequestID == "" || v.remembered == nil {
		r, _ = v.evaluate(ctx, w, a)
	} else {
		cached := false
		r, cached = v.remembered.Do(ctx, a.RequestID, fingerprint(&w.trace, a), func() (Result, bool) { return v.evaluate(ctx, w, a) })
		if cached {
			r.Cost, r.Scored = 0, false
		}
	}
	r.AssertionID, r.RequestID = a.ID, a.RequestID
	return r
}

func (v *evaluator) evaluate(ctx context.Context, w *workspace, a *check.Assertion) (r Result, keep bool) {
	start := time.Now()
	verdict := a.Evaluate(ctx, &w.subject)
	r = resultOf(a.Kind(), verdict, a.Soft)
	if w.pointers || r.Status != Pass {
		r.Pointer = w.pointer(verdict.Node)
	}
	if verdict.Lost != nil {
		r.Pointer = verdict.Lost.Pointer
	}
	r.DurationMS = v.took(start).Milliseconds()
	if verdict.Plugin != nil && !v.reproducible {
		r.DurationMS = verdict.Plugin.DurationMS
	}
	v.evaluated.Add(1)
	return r, !verdict.Fleeting && ctx.Err() == nil
}

func (v *evaluator) took(start time.Time) time.Duration {
	if v.reproducible {
		return 0
	}
	return time.Since(start)
}

// resultOf converts a verdict to a result. The caller adds the assertion's members.
func resultOf(k check.Kind, v check.Verdict, soft bool) Result {
	return Result{
		Status: Status(v.Status(soft)), Score: v.Score, Scored: v.Scored(), Cost: cleanCost(v.Cost), Explanation: v.Explanation,
		Details: newDetails(k, v), lacks: v.LacksData(),
	}
}

// pointer returns the JSON pointer (RFC 6901) of a node in the trace or its source text, or "".
func (w *workspace) pointer(n strictjson.Node) string {
	switch {
	case !n.Exists():
		return ""
	case w.origin != nil:
		start, _ := n.Span()
		return w.origin.Pointer(start)
	}
	return n.Pointer()[len(w.trace.Root.Pointer()):]
}

// cutShort returns error 3002 for a canceled context.
func (v *evaluator) cutShort(ctx context.Context) *Error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return TimedOut(v.timeout)
	}
	return CutShort()
}

var fingerprintSeed = maphash.MakeSeed()

// fingerprint distinguishes assertions with the same request id.
func fingerprint(t *trace.Trace, a *check.Assertion) uint64 {
	var h maphash.Hash
	h.SetSeed(fingerprintSeed)
	for _, part := range [][]byte{[]byte(t.ID), {byte(a.Type)}, a.Node.Last("spec").Raw()} {
		_, _ = h.Write(part) // never fails
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}
