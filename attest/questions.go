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

// maxAsked is how many questions of one request wait for their answers at once. A
// provider that can take fewer holds the others back itself.
const maxAsked = 64

// question is an assertion that waits for an answer. It needs nothing of the workspace:
// when the time of the request is over, the question may still be waiting.
type question struct {
	index       int // of the assertion in the request
	id          string
	requestID   string
	fingerprint uint64
	pointer     string
	kind        check.Kind
	soft        bool
	announce    func(context.Context) // nil: it is not asked together with others
	ask         func(context.Context) check.Verdict
	answered    bool // the result has it
}

// answer is what came back, in whatever order.
type answer struct {
	place    int // of the question
	index    int // of the assertion
	result   Result
	err      error
	panicked string // set: what the provider panicked with, and its stack
}

// question takes over what an assertion asks.
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

// ask asks all questions together and puts the answers in their places among the results.
// The first that fails fails all: the first by time, or by its place where answers have to be
// reproducible. Models know the time they have, also where the caller keeps it.
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
	answers := make(chan answer, len(questions)) // room for all: nobody waits for a reader who is gone
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

// collect puts the answers in their places among the results.
func (v *evaluator) collect(ctx context.Context, questions []question, answers <-chan answer, results []Result) error {
	first := answer{place: math.MaxInt}
	for {
		select {
		case <-ctx.Done():
			return v.outOfTime(ctx, questions, results)
		case a, more := <-answers:
			switch {
			case a.panicked != "":
				panic(a.panicked) // where the caller can recover from it
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

// earliest is the place of the first question that has failed, so far: those behind it need not
// be asked any more, since places are taken in their order.
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

// answer puts one question, or answers it from the memory of request ids.
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
			verdict = v.purse.unpaid(verdict)
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
