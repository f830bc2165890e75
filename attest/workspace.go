package attest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// workspace is the reusable memory of an evaluation, because allocation dominates the time for small requests.
type workspace struct {
	scanner    *strictjson.Scanner
	trace      trace.Trace
	subject    check.Subject // trace
	assertions []check.Assertion
	order      []int // of the assertions, by layer
	results    []Result
	pointers   bool   // Result.Pointer is needed
	origin     Origin // source of the trace, or nil

	compiled int   // estimated bytes of the assertions
	drawn    int64 // from Engine.compiling
}

// A larger workspace is not reused. The limits suffice for a document of about 10 MB and a trace of 10,000 steps.
const (
	keptValues = 1 << 18
	keptItems  = 1 << 14
)

type workspaces struct{ pool *sync.Pool }

func newWorkspaces(l Limits) workspaces {
	return workspaces{&sync.Pool{New: func() any { return &workspace{scanner: scan.New(l.JSONDepth, l.Values)} }}}
}

func (ws workspaces) get() *workspace { return ws.pool.Get().(*workspace) }

// release returns a workspace to the pool, without oversized parts, and releases its memory budget.
func (e *Engine) release(w *workspace, doc *strictjson.Document) {
	if w.drawn > 0 {
		e.compiling.GiveBack(w.drawn)
	}
	w.compiled, w.drawn = 0, 0
	e.workspaces.put(w, doc)
}

func (ws workspaces) put(w *workspace, doc *strictjson.Document) {
	if doc.Capacity() > keptValues {
		return
	}
	w.pointers, w.origin = false, nil
	doc.Source = nil // owned by the caller
	w.trace.Reset()
	w.subject.Reset(nil)
	clear(w.assertions)
	clear(w.results)
	if w.items() > keptItems {
		*w = workspace{scanner: w.scanner}
	}
	ws.pool.Put(w)
}

func (w *workspace) items() int {
	return max(cap(w.assertions), cap(w.trace.Steps), cap(w.subject.Targets.Nodes))
}

func (w *workspace) read(reader *trace.Reader, root strictjson.Node) error {
	if bad := reader.Read(&w.trace, root); bad != nil {
		return traceError(bad)
	}
	w.subject.Reset(&w.trace)
	return nil
}

// compile compiles a request's assertions within the memory budget. The first failure fails the request, unless
// errors are to be results.
func (w *workspace) compile(ctx context.Context, e *Engine, list strictjson.Node) error {
	w.assertions = slices.Grow(w.assertions[:0], list.Len())
	room := func(bytes int) *check.Problem { return w.room(ctx, e, bytes) }
	for n := range list.Children() {
		a, problem := e.compiler.Compile(n, room)
		if ctx.Err() != nil {
			return e.evaluator.cutShort(ctx)
		}
		if problem != nil {
			err := assertionError(a.ID, len(w.assertions), problem)
			if !e.opt.AssertionErrorsAsResults {
				return err
			}
			a.Check = check.Unanswered{Reason: err.Message, Detail: err.Data.Detail}
		}
		w.assertions = append(w.assertions, a)
	}
	return nil
}

// lightAssertions is the size up to which assertions do not use the budget.
const lightAssertions = 512 << 10

// room reserves memory for assertions. Only one request at a time can have large ones.
func (w *workspace) room(ctx context.Context, e *Engine, bytes int) *check.Problem {
	w.compiled += bytes
	if limit := e.opt.Limits.Compiled; w.compiled > limit {
		return &check.Problem{
			Reason: fmt.Sprintf("together with the earlier assertions, the assertion needs more than %d bytes of memory", limit),
			Detail: fmt.Sprintf("Send the assertions in several requests, make schemas and regexes smaller, or raise limits.max_compiled_bytes, which is %d.", limit),
		}
	}
	if w.compiled > lightAssertions && w.drawn == 0 {
		w.drawn, _ = e.compiling.Draw(ctx, 1) // the caller checks ctx
	}
	return nil
}
