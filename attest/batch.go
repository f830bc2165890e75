package attest

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// evaluateParams evaluates parsed params. The results are valid until w is released.
func (e *Engine) evaluateParams(ctx context.Context, w *workspace, params strictjson.Node) ([]Result, error) {
	start := time.Now()
	list, err := readParams(params)
	if err != nil {
		return nil, err
	}
	if err := w.read(&e.reader, params.Last("trace")); err != nil {
		return nil, err
	}
	if err := w.compile(ctx, e, list); err != nil {
		return nil, err
	}
	if err := e.setThresholds(ctx, w); err != nil {
		return nil, err
	}
	results, err := e.evaluator.all(ctx, w)
	if err == nil {
		e.RecordOrLog(ctx, results)
		logBatch(ctx, e.opt.Logger, w, time.Since(start))
	}
	return results, err
}

// readParams checks params and returns the list of assertions. It rejects long assertion ids before the trace is
// read.
func readParams(params strictjson.Node) (list strictjson.Node, err error) {
	if !params.Is(strictjson.Object) {
		return params, at(params, ParamsByName("evaluate_batch"))
	}
	list = params.Last("assertions")
	if !list.Missing() && !list.Is(strictjson.Array) {
		return list, at(list, NewError(CodeInvalidParams, fmt.Sprintf("params field 'assertions' must be array, got %s", list.Kind()),
			"Send params as an object with the members trace and assertions."))
	}
	i := 0
	for n := range list.Children() {
		if id, problem := check.TooLongID(n); problem != nil {
			return list, assertionError(id, i, problem)
		}
		i++
	}
	return list, nil
}

// logBatch logs a finished batch, with a warning for duplicate assertion ids.
func logBatch(ctx context.Context, log *slog.Logger, w *workspace, took time.Duration) {
	t, assertions := &w.trace, w.assertions
	if log.Enabled(ctx, slog.LevelWarn) {
		seen := make(map[string]bool, len(assertions))
		for i := range assertions {
			if id := assertions[i].ID; seen[id] {
				log.Warn("assertion_id occurs twice in one batch", "trace_id", wording.Preview(t.ID), "assertion_id", wording.Preview(id))
			} else {
				seen[id] = true
			}
		}
	}
	if log.Enabled(ctx, slog.LevelInfo) {
		log.Info("evaluation complete", "trace_id", wording.Preview(t.ID), "duration_ms", took.Milliseconds(), "assertions", len(assertions))
	}
}

// ParamsByName returns the error for params that are not an object.
func ParamsByName(method string) *Error {
	return NewError(CodeInvalidParams, "params must be an object", "Send the parameters of "+method+` by name: "params":{…}.`)
}
