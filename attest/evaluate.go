package attest

import (
	"context"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/scan"
)

// Evaluate evaluates assertions on a trace and returns one result each, in order. The error is an *Error (1001 for
// the trace, 1002 for an assertion, 3002 for a timeout), or reports a value that cannot be encoded as JSON.
func (e *Engine) Evaluate(ctx context.Context, t Trace, assertions []Assertion) ([]Result, error) {
	params, err := marshal(struct {
		Trace      Trace       `json:"trace"`
		Assertions []Assertion `json:"assertions"`
	}{t, assertions})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	w := e.workspaces.get()
	doc, err := w.scanner.Scan(params)
	if err != nil {
		return nil, scanError(scan.Params(err, e.opt.Limits.JSONDepth))
	}
	defer e.release(w, doc)
	w.pointers = true
	results, err := e.evaluateParams(ctx, w, doc.Root())
	return slices.Clone(results), err
}

// Prepared is a compiled assertion, usable for any number of traces.
type Prepared struct{ assertion check.Assertion }

// Prepare compiles an assertion. The error is an *Error 1002, or reports a spec value that cannot be encoded as
// JSON.
func (e *Engine) Prepare(a Assertion) (Prepared, error) {
	text, err := marshal(a)
	if err != nil {
		return Prepared{}, err
	}
	return e.PrepareJSON(text, 0)
}

// PrepareJSON is Prepare for JSON. index identifies an assertion without id. The *Error's Offset refers to text,
// which must not change.
func (e *Engine) PrepareJSON(text []byte, index int) (Prepared, error) {
	doc, err := scan.New(e.opt.Limits.JSONDepth, e.opt.Limits.Values).Scan(text)
	if err != nil {
		return Prepared{}, scanError(scan.Text(err, e.opt.Limits.JSONDepth))
	}
	a, problem := e.compiler.Compile(doc.Root(), nil)
	if problem != nil {
		return Prepared{}, assertionError(a.ID, index, problem)
	}
	return Prepared{a}, nil
}

// Unavailable reports whether the assertion needs a model that is not configured, and how to configure it. Its
// results are hard failures.
func (p Prepared) Unavailable() (reason, action string, off bool) {
	return p.assertion.Unavailable()
}

// EvaluatePrepared evaluates assertions on a trace of a stream, or on JSON: TraceText{Raw: …}. Results are in
// order. Errors are those of Evaluate.
func (e *Engine) EvaluatePrepared(ctx context.Context, text TraceText, list []Prepared) ([]Result, error) {
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	var results []Result
	err := e.withText(text, func(w *workspace) error {
		w.pointers = true
		w.assertions = slices.Grow(w.assertions[:0], len(list))
		for _, p := range list {
			w.assertions = append(w.assertions, p.assertion)
		}
		if err := e.setThresholds(ctx, w); err != nil {
			return err
		}
		all, err := e.evaluator.all(ctx, w)
		results = slices.Clone(all)
		return err
	})
	return results, err
}
