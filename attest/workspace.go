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

// workspace is the memory of one evaluation. An engine uses it again for the next one:
// most requests are small, and what they cost is the memory that they ask for.
type workspace struct {
	scanner    *strictjson.Scanner
	trace      trace.Trace
	subject    check.Subject // trace
	assertions []check.Assertion
	order      []int // of the assertions, by layer
	results    []Result
	pointers   bool   // somebody reads Result.Pointer
	origin     Origin // what the trace was made of; nil: nothing else

	compiled int   // bytes of memory that the assertions take, by estimate
	drawn    int64 // from Engine.compiling
}

// Bounds of what a workspace may bring back for the next evaluation: the values of a
// document of about 10 MB, and the lists of a trace of 10,000 steps.
const (
	keptValues = 1 << 18
	keptItems  = 1 << 14
)

// workspaces are the workspaces of an engine that nobody uses. It is safe for concurrent
// use.
type workspaces struct{ pool *sync.Pool }

func newWorkspaces(l Limits) workspaces {
	return workspaces{&sync.Pool{New: func() any { return &workspace{scanner: scan.New(l.JSONDepth, l.Values)} }}}
}

// get returns memory for one evaluation. What is not put back is collected.
func (ws workspaces) get() *workspace { return ws.pool.Get().(*workspace) }

// release takes a workspace back, with what was drawn for it, but for what has become large.
func (e *Engine) release(w *workspace, doc *strictjson.Document) {
	if w.drawn > 0 {
		e.compiling.GiveBack(w.drawn)
	}
	w.compiled, w.drawn = 0, 0
	e.workspaces.put(w, doc)
}

// put takes a workspace back.
func (ws workspaces) put(w *workspace, doc *strictjson.Document) {
	if doc.Capacity() > keptValues {
		return
	}
	w.pointers, w.origin = false, nil
	doc.Source = nil // it belongs to the caller
	w.trace.Reset()
	w.subject.Reset(nil)
	clear(w.assertions)
	clear(w.results)
	if w.items() > keptItems {
		*w = workspace{scanner: w.scanner}
	}
	ws.pool.Put(w)
}

// items is the length of the longest list in w.
func (w *workspace) items() int {
	return max(cap(w.assertions), cap(w.trace.Steps), cap(w.subject.Targets.Nodes))
}

// read reads and validates a scanned trace.
func (w *workspace) read(reader *trace.Reader, root strictjson.Node) error {
	if bad := reader.Read(&w.trace, root); bad != nil {
		return traceError(bad)
	}
	w.subject.Reset(&w.trace)
	return nil
}

// compile reads the assertions of a request, in the room that there is for them. The first
// that cannot be compiled fails the request, unless it is to be answered with a result.
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

// lightAssertions is what the assertions of a request may take of memory without waiting
// for others to be done with theirs.
const lightAssertions = 512 << 10

// room says whether the assertions of a request may take so many bytes more. One request at
// a time has assertions that take a lot.
func (w *workspace) room(ctx context.Context, e *Engine, bytes int) *check.Problem {
	w.compiled += bytes
	if limit := e.opt.Limits.Compiled; w.compiled > limit {
		return &check.Problem{
			Reason: fmt.Sprintf("with the assertions before it, it takes more than %d bytes of memory", limit),
			Detail: fmt.Sprintf("Send the assertions in several requests, make schemas and regexes smaller, or raise limits.max_compiled_bytes, which is %d.", limit),
		}
	}
	if w.compiled > lightAssertions && w.drawn == 0 {
		w.drawn, _ = e.compiling.Draw(ctx, 1) // the caller asks ctx
	}
	return nil
}
