package attest

import "github.com/cupel-dev/cupel/internal/strictjson"

// workspace is the memory of one evaluation. An engine uses it again for the next one:
// most requests are small, and what they cost is the memory that they ask for.
type workspace struct {
	scanner    *strictjson.Scanner
	trace      trace
	assertions []assertion
	order      []int // of the assertions, by layer
	results    []Result
}

// Bounds of what a workspace may bring back for the next evaluation: the values of a
// document of about 10 MB, the lists of a trace of 10,000 steps, and maps that are
// emptied in no time, for that takes time in proportion to their size.
const (
	keptValues  = 1 << 18
	keptItems   = 1 << 14
	keptEntries = 1 << 10
)

// workspace returns memory for one evaluation. What is not released is collected.
func (e *Engine) workspace() *workspace { return e.workspaces.Get().(*workspace) }

// release gives a workspace back, but for what has become large.
func (e *Engine) release(w *workspace, doc *strictjson.Document) {
	if cap(doc.Values) > keptValues {
		return
	}
	doc.Source = nil // it belongs to the caller
	w.trace.reset()
	clear(w.assertions)
	clear(w.results)
	if w.items() > keptItems {
		*w = workspace{scanner: w.scanner}
	}
	e.workspaces.Put(w)
}

// items is the length of the longest list in w.
func (w *workspace) items() int {
	return max(cap(w.assertions), cap(w.trace.steps), cap(w.trace.found))
}

// emptied returns a map without entries, in the memory of m unless that is large.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > keptEntries {
		return nil
	}
	clear(m)
	return m
}

// resized returns a slice of n zeros, in the memory of list where that is enough.
func resized[T any](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}
