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

// evaluateBatch is EvaluateBatch on params that are scanned already, with a scanner
// of newScanner.
func (e *Engine) evaluateBatch(ctx context.Context, params strictjson.Node) ([]byte, *Error) {
	start := time.Now()
	list, err := readParams(params)
	if err != nil {
		return nil, err
	}
	if err := tooLongID(list); err != nil {
		return nil, err
	}
	t, err := e.readTrace(params.Last("trace"))
	if err != nil {
		return nil, err
	}
	assertions, err := e.compileAll(list)
	if err != nil {
		return nil, err
	}
	results, err := e.evaluateAll(ctx, t, assertions)
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	e.logBatch(ctx, t, assertions, took)
	return appendBatch(nil, results, took), nil
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
	return e.withTrace(raw, func(*trace) *Error { return nil })
}

// withTrace reads and validates a trace that stands alone and hands it to use, which
// must not keep it.
func (e *Engine) withTrace(raw []byte, use func(*trace) *Error) *Error {
	scanner := e.scanners.Get().(*strictjson.Scanner)
	doc, err := scanner.Scan(raw)
	if refused := (*strictjson.Error)(nil); errors.As(err, &refused) {
		return e.unreadableTrace(refused, refused.Pointer)
	}
	defer e.release(scanner, doc)
	t, invalid := e.readTrace(doc.Root())
	if invalid != nil {
		return invalid
	}
	return use(t)
}

// keptValues bounds the memory that a scanner may bring back for the next request.
const keptValues = 1 << 16

// release gives a scanner back, unless a large text has made it large.
func (e *Engine) release(scanner *strictjson.Scanner, doc *strictjson.Document) {
	if cap(doc.Values) <= keptValues {
		e.scanners.Put(scanner)
	}
}

// compileAll reads the assertions of a request. The first that cannot be compiled
// fails the request, unless the engine is to answer it with a result.
func (e *Engine) compileAll(list strictjson.Node) ([]assertion, *Error) {
	assertions := make([]assertion, 0, list.Len())
	for n := range list.Children() {
		a, err := e.compile(n, len(assertions))
		if err != nil && !e.opt.AssertionErrorsAsResults {
			return nil, err
		}
		if err != nil {
			a.check = refused(err.Message)
		}
		assertions = append(assertions, a)
	}
	return assertions, nil
}

// refused is the check of an assertion that cannot be evaluated on any trace.
type refused string

func (r refused) bind(*trace) evaluation { return always(broken(string(r))) }

// evaluateAll evaluates assertions on a trace, by layer, and returns one result each
// in their order. The error says that the context has ended before.
func (e *Engine) evaluateAll(ctx context.Context, t *trace, assertions []assertion) ([]Result, *Error) {
	evaluations := make([]evaluation, len(assertions))
	for i := range assertions {
		evaluations[i] = assertions[i].bind(t)
	}
	results := make([]Result, len(assertions))
	hardFail := ""
	for _, i := range byLayer(assertions) {
		if a := &assertions[i]; hardFail != "" && a.skippable() {
			results[i] = a.skipped(hardFail)
			continue
		}
		results[i] = e.evaluateOne(ctx, t, &assertions[i], evaluations[i])
		if results[i].Status == HardFail && assertions[i].layer <= lastFreeLayer && !e.opt.NoShortCircuit {
			hardFail = assertions[i].id
		}
		if ctx.Err() != nil {
			return nil, timedOut(e.opt.Timeout.Milliseconds())
		}
	}
	return results, nil
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

// byLayer is the order of evaluation: cheap layers first, in each the order of the
// request.
func byLayer(assertions []assertion) []int {
	order := make([]int, len(assertions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return assertions[i].layer - assertions[j].layer })
	return order
}

// evaluateOne evaluates an assertion, or answers from the memory of request ids.
func (e *Engine) evaluateOne(ctx context.Context, t *trace, a *assertion, evaluate evaluation) Result {
	run := func() (Result, bool) {
		start := time.Now()
		v := evaluate(ctx)
		r := v.result(a.soft)
		r.Pointer = t.pointer(v.node)
		r.DurationMS = time.Since(start).Milliseconds()
		e.evaluated.Add(1)
		return r, !v.fleeting && ctx.Err() == nil
	}
	var r Result
	if a.requestID == "" || e.memo == nil {
		r, _ = run()
	} else {
		cached := false
		if r, cached = e.memo.do(ctx, a.requestID, t.fingerprint(a), run); cached {
			r.Cost = 0
		}
	}
	r.AssertionID, r.RequestID = a.id, a.requestID
	return r
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
	for _, part := range [][]byte{[]byte(t.id), []byte(a.typ), a.node.Last("spec").Raw()} {
		_, _ = h.Write(part) // never fails
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}
