package attest

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"slices"
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// evaluateBatch is EvaluateBatch on params that the scanner of w has read. It appends
// the result to dst.
func (e *Engine) evaluateBatch(ctx context.Context, w *workspace, params strictjson.Node, dst []byte) ([]byte, *Error) {
	start := time.Now()
	list, err := readParams(params)
	if err != nil {
		return nil, err
	}
	if err := tooLongID(list); err != nil {
		return nil, err
	}
	if err := e.readTrace(&w.trace, params.Last("trace")); err != nil {
		return nil, err
	}
	if err := e.compileAll(w, list); err != nil {
		return nil, err
	}
	results, err := e.evaluateAll(ctx, w, w.assertions)
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	e.logBatch(ctx, &w.trace, w.assertions, took)
	return appendBatch(dst, results, took), nil
}

// logBatch writes the log line of a finished batch, and a warning when results
// cannot be told apart by their assertion_id.
func (e *Engine) logBatch(ctx context.Context, t *trace, assertions []assertion, took time.Duration) {
	if e.opt.Logger.Enabled(ctx, slog.LevelWarn) {
		seen := make(map[string]bool, len(assertions))
		for i := range assertions {
			if id := assertions[i].id; seen[id] {
				e.opt.Logger.Warn("assertion_id occurs twice in one batch", "trace_id", preview(t.id), "assertion_id", preview(id))
			} else {
				seen[id] = true
			}
		}
	}
	if e.opt.Logger.Enabled(ctx, slog.LevelInfo) {
		e.opt.Logger.Info("evaluation complete", "trace_id", preview(t.id), "duration_ms", took.Milliseconds(), "assertions", len(assertions))
	}
}

// readParams checks the shape of params and returns the list of assertions.
func readParams(params strictjson.Node) (strictjson.Node, *Error) {
	if err := mustBeObject(params, methodEvaluate); err != nil {
		return params, at(params, err)
	}
	list := params.Last("assertions")
	if !list.Missing() && !list.Is(strictjson.Array) {
		return list, at(list, NewError(CodeInvalidParams, fmt.Sprintf("params field 'assertions' must be array, got %s", list.Kind()),
			"Send params as an object with the members trace and assertions."))
	}
	return list, nil
}

// ValidateTrace runs the seven validation steps of §7 on one trace, given as the
// bytes that were received. Nil means that the trace is valid.
func (e *Engine) ValidateTrace(raw []byte) *Error {
	return e.withTrace(raw, func(*workspace) *Error { return nil })
}

// withTrace reads and validates a trace that stands alone and hands it to use, which
// must not keep it.
func (e *Engine) withTrace(raw []byte, use func(*workspace) *Error) *Error {
	w := e.workspace()
	doc, err := w.scanner.Scan(raw)
	if refused := (*strictjson.Error)(nil); errors.As(err, &refused) {
		return e.unreadableTrace(refused, refused.Pointer)
	}
	defer e.release(w, doc)
	if err := e.readTrace(&w.trace, doc.Root()); err != nil {
		return err
	}
	return use(w)
}

// compileAll reads the assertions of a request into w. The first that cannot be
// compiled fails the request, unless the engine is to answer it with a result.
func (e *Engine) compileAll(w *workspace, list strictjson.Node) *Error {
	w.assertions = slices.Grow(w.assertions[:0], list.Len())
	for n := range list.Children() {
		a, err := e.compile(n, len(w.assertions))
		if err != nil && !e.opt.AssertionErrorsAsResults {
			return err
		}
		if err != nil {
			a.check = refused(err.Message)
		}
		w.assertions = append(w.assertions, a)
	}
	return nil
}

// refused is the check of an assertion that cannot be evaluated on any trace.
type refused string

func (r refused) evaluate(context.Context, *trace) verdict { return broken(string(r)) }

// evaluateAll evaluates assertions on the trace of w, by layer, and returns one result
// each in their order, in the memory of w. The error says that the context has ended
// before.
func (e *Engine) evaluateAll(ctx context.Context, w *workspace, assertions []assertion) ([]Result, *Error) {
	t := &w.trace
	for i := range assertions {
		if c, ok := assertions[i].check.(preparedCheck); ok {
			c.prepare(t)
		}
	}
	w.results = resized(w.results, len(assertions))
	w.order = byLayer(w.order[:0], assertions)
	hardFail := ""
	for _, i := range w.order {
		a, r := &assertions[i], &w.results[i]
		if hardFail != "" && a.skippable() {
			*r = a.skipped(hardFail)
			continue
		}
		*r = e.evaluateOne(ctx, t, a)
		if r.Status == HardFail && a.layer <= lastFreeLayer && !e.opt.NoShortCircuit {
			hardFail = a.id
		}
		if ctx.Err() != nil {
			return nil, e.cutShort(ctx)
		}
	}
	return w.results, nil
}

// lastFreeLayer is the last layer that calls no provider (§4).
const lastFreeLayer = 4

// skippable says whether an assertion would cost money: a layer above the free ones,
// with a provider.
func (a *assertion) skippable() bool {
	_, off := a.check.(unavailable)
	return a.layer > lastFreeLayer && !off
}

// skipped is the result of an assertion that a hard failure in the free layers saved.
// It is soft: the failure that caused it stays the only hard one.
func (a *assertion) skipped(because string) Result {
	return Result{AssertionID: a.id, RequestID: a.requestID, Status: SoftFail, Skipped: true,
		Explanation: "Skipped: assertion " + quote(because) + " failed in an earlier layer."}
}

// byLayer appends the order of evaluation: cheap layers first, in each the order of the
// request.
func byLayer(order []int, assertions []assertion) []int {
	for i := range assertions {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return assertions[i].layer - assertions[j].layer })
	return order
}

// evaluateOne evaluates an assertion, or answers from the memory of request ids.
func (e *Engine) evaluateOne(ctx context.Context, t *trace, a *assertion) (r Result) {
	if a.requestID == "" || e.memo == nil {
		r, _ = e.evaluate(ctx, t, a)
	} else {
		cached := false
		r, cached = e.memo.do(ctx, a.requestID, t.fingerprint(a), func() (Result, bool) { return e.evaluate(ctx, t, a) })
		if cached {
			r.Cost = 0
		}
	}
	r.AssertionID, r.RequestID = a.id, a.requestID
	return r
}

// evaluate evaluates an assertion; keep says whether the result may be remembered.
func (e *Engine) evaluate(ctx context.Context, t *trace, a *assertion) (r Result, keep bool) {
	start := time.Now()
	v := a.evaluate(ctx, t)
	r = v.result(a.soft)
	r.Pointer = t.pointer(v.node)
	r.DurationMS = time.Since(start).Milliseconds()
	e.evaluated.Add(1)
	return r, !v.fleeting && ctx.Err() == nil
}

// pointer returns the RFC 6901 pointer of a node when the trace stands alone; in a
// request, where nobody reads it, it is not computed.
func (t *trace) pointer(n strictjson.Node) string {
	if t.root.Index() != 0 || !n.Exists() {
		return ""
	}
	return n.Document().Pointer(n.Index())
}

var fingerprintSeed = maphash.MakeSeed()

// fingerprint tells assertions apart that use one request id.
func (t *trace) fingerprint(a *assertion) uint64 {
	var h maphash.Hash
	h.SetSeed(fingerprintSeed)
	for _, part := range [][]byte{[]byte(t.id), {byte(a.typ)}, a.node.Last("spec").Raw()} {
		_, _ = h.Write(part) // never fails
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}
