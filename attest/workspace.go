package attest

import (
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
	pointers   bool // somebody reads Result.Pointer
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

func newWorkspaces(depth int) workspaces {
	return workspaces{&sync.Pool{New: func() any { return &workspace{scanner: scan.New(depth)} }}}
}

// get returns memory for one evaluation. What is not put back is collected.
func (ws workspaces) get() *workspace { return ws.pool.Get().(*workspace) }

// put takes a workspace back, but for what has become large.
func (ws workspaces) put(w *workspace, doc *strictjson.Document) {
	if doc.Capacity() > keptValues {
		return
	}
	w.pointers = false
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

// compile reads the assertions of a request. The first that cannot be compiled fails the
// request, unless it is to be answered with a result.
func (w *workspace) compile(compiler *check.Compiler, list strictjson.Node, errorsAsResults bool) error {
	w.assertions = slices.Grow(w.assertions[:0], list.Len())
	for n := range list.Children() {
		a, problem := compiler.Compile(n)
		if problem != nil {
			err := assertionError(a.ID, len(w.assertions), problem)
			if !errorsAsResults {
				return err
			}
			a.Check = check.Unanswered(err.Message)
		}
		w.assertions = append(w.assertions, a)
	}
	return nil
}
