package attest

import (
	"context"
	"errors"

	"github.com/cupel-dev/cupel/attest/internal/check"
)

// outOfTime fails the open questions if errors are to be results and the time is over. Otherwise it returns an
// error.
func (v *evaluator) outOfTime(ctx context.Context, questions []question, results []Result) error {
	err := v.cutShort(ctx)
	if !v.errorsAsResult || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	for i := range questions {
		if q := &questions[i]; !q.answered {
			results[q.index] = unanswered(q, err, Result{})
		}
	}
	return nil
}

func unanswered(q *question, err error, r Result) Result {
	said := check.Unanswered{Reason: err.Error()}
	if own := (*Error)(nil); errors.As(err, &own) {
		said.Detail = own.Data.Detail
	}
	failed := resultOf(q.kind, said.Verdict(), false)
	failed.AssertionID, failed.RequestID, failed.Pointer = q.id, q.requestID, q.pointer
	failed.Cost, failed.DurationMS = r.Cost, r.DurationMS
	return failed
}
