package attest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cupel-dev/cupel/attest/internal/check"
)

// maxAsked limits concurrent questions per request. Providers can have lower limits.
const maxAsked = 64

// question is an assertion that waits for a model's answer. It does not refer to the workspace, because it can
// outlive the request.
type question struct {
	index       int // of the assertion in the request
	id          string
	requestID   string
	fingerprint uint64
	pointer     string
	kind        check.Kind
	soft        bool
	announce    func(context.Context) // nil unless asked with others
	ask         func(context.Context) check.Verdict
	answered    bool // result is set
}

type answer struct {
	place    int // of the question
	index    int // of the assertion
	result   Result
	err      error
	panicked string // panic value and stack of the provider, if set
}

func (v *evaluator) question(w *workspace, i int, q *check.Question) question {
	a := &w.assertions[i]
	own := question{
		index: i, id: a.ID, requestID: a.RequestID, kind: a.Kind(), soft: a.Soft, announce: q.Announce, ask: q.Ask,
	}
	if v.remembered != nil && a.RequestID != "" {
		own.fingerprint = fingerprint(&w.trace, a)
	}
	own.pointer = w.pointer(q.Node)
	return own
}

// ask asks all questions concurrently and stores the answers in results. The first failure aborts all: the first in
// time, or in request order if reproducible.
func (v *evaluator) ask(ctx context.Context, questions []question, results []Result) (err error) {
	spent := &bill{log: v.log}
	defer func() {
		if err != nil {
			spent.lose()
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, v.timeout)
	defer cancel()
	for _, q := range questions {
		if q.announce != nil && !v.remembered.Knows(q.requestID) {
			q.announce(ctx)
		}
	}
	answers := make(chan answer, len(questions)) // buffered, because the reader can stop early
	var next atomic.Int64
	var asking sync.WaitGroup
	failed := newEarliest(len(questions))
	for range min(len(questions), maxAsked) {
		asking.Go(func() {
			for i := int(next.Add(1)) - 1; i < failed.place() && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				a := v.answer(ctx, &questions[i], spent)
				if a.err != nil && !v.errorsAsResult {
					failed.note(i)
				}
				a.place = i
				answers <- a
			}
		})
	}
	go func() {
		asking.Wait()
		close(answers)
	}()
	return v.collect(ctx, questions, answers, results)
}

func (v *evaluator) collect(ctx context.Context, questions []question, answers <-chan answer, results []Result) error {
	first := answer{place: math.MaxInt}
	for {
		select {
		case <-ctx.Done():
			return v.outOfTime(ctx, questions, results)
		case a, more := <-answers:
			switch {
			case a.panicked != "":
				panic(a.panicked) // lets the caller recover
			case ctx.Err() != nil:
				return v.outOfTime(ctx, questions, results)
			case !more:
				return first.err
			case a.err != nil && v.errorsAsResult:
				a.result = unanswered(&questions[a.place], a.err, a.result)
			case a.err != nil && !v.reproducible:
				return a.err
			case a.err != nil && a.place < first.place:
				first = a
			}
			results[a.index] = a.result
			questions[a.place].answered = true
		}
	}
}

// earliest is the lowest failed index. Later questions need not be asked.
type earliest struct{ at atomic.Int64 }

func newEarliest(none int) *earliest {
	e := &earliest{}
	e.at.Store(int64(none))
	return e
}

func (e *earliest) place() int { return int(e.at.Load()) }

func (e *earliest) note(place int) {
	for at := e.at.Load(); int64(place) < at && !e.at.CompareAndSwap(at, int64(place)); at = e.at.Load() {
	}
}

// answer asks a question or returns a cached result.
func (v *evaluator) answer(ctx context.Context, q *question, spent *bill) (a answer) {
	a.index = q.index
	defer func() {
		if value := recover(); value != nil {
			a.panicked = fmt.Sprintf("%v\n%s", value, debug.Stack())
		}
	}()
	put := func() (r Result, keep bool) {
		start := time.Now()
		verdict := q.ask(ctx)
		spent.add(verdict.Cost)
		if errors.Is(verdict.Err, errSpent) {
			verdict = v.spend.unpaid(verdict)
		}
		if verdict.Err != nil {
			a.err = providerError(verdict.Err)
		}
		r = resultOf(q.kind, verdict, q.soft)
		r.Pointer, r.Skipped = q.pointer, verdict.Unpaid
		r.DurationMS = v.took(start).Milliseconds()
		v.evaluated.Add(1)
		return r, verdict.Err == nil && !verdict.Fleeting && ctx.Err() == nil
	}
	if v.remembered == nil || q.requestID == "" {
		a.result, _ = put()
	} else {
		cached := false
		if a.result, cached = v.remembered.Do(ctx, q.requestID, q.fingerprint, put); cached {
			a.result.Cost, a.result.Scored = 0, false
		}
	}
	a.result.AssertionID, a.result.RequestID = q.id, q.requestID
	return a
}
