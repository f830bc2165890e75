package eval

import (
	"context"
	"errors"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/view"
)

// Evaluator is a document whose indicators are compiled. Several goroutines may use one,
// each with a run of its own.
type Evaluator struct {
	attack     *oatf.Attack
	profile    *profile.Profile
	opt        Options
	cast       cast
	indicators []indicator
	alone      *Batch
}

// NewEvaluator compiles the indicators of a document, which must not change as long as the
// evaluator is in use. The document need not be normalized: targets and protocols that it
// leaves out are the default ones, and in verdicts an indicator without an id has the one
// that Normalize gives it ("ACME-001-02").
//
// The document need not be valid either. An indicator that cannot be compiled gives an
// error verdict, whatever the messages. The only error of NewEvaluator is a nil document.
func NewEvaluator(doc *oatf.Document, opt Options) (*Evaluator, error) {
	if doc == nil {
		return nil, errors.New("there is no document")
	}
	return newEvaluator(doc, opt), nil
}

func newEvaluator(doc *oatf.Document, opt Options) *Evaluator {
	seen := view.Of(doc)
	e := &Evaluator{attack: &doc.Attack, profile: seen.Profile, opt: opt, cast: seen.Actors, indicators: make([]indicator, len(doc.Attack.Indicators))}
	if own, ok := opt.CEL.(*celEvaluator); ok && e.profile.Evaluation.StrictMissing {
		e.opt.CEL = strictCEL{own}
	}
	if e.opt.Budget == nil {
		e.opt.Budget = NewBudget()
	}
	for i := range e.indicators {
		e.indicators[i] = compile(e.profile, doc, i, &e.opt)
	}
	e.alone = NewBatch(e)
	return e
}

// Reading returns the options of a reader with what the document needs of it, see
// [Batch.Reading].
func (e *Evaluator) Reading(o capture.Options) capture.Options { return e.alone.Reading(o) }

// Run is the evaluation of one document on one run of messages. It is for one goroutine.
type Run struct{ batch *BatchRun }

// Start begins a run of messages.
func (e *Evaluator) Start() *Run { return &Run{e.alone.Start()} }

// Take evaluates the indicators that apply to a message and have not matched yet. The
// message may change afterwards. The error is that of the context, when it is done; the
// run's verdict is an error then.
func (r *Run) Take(ctx context.Context, m *capture.Message) error { return r.batch.Take(ctx, m) }

// Unread tells the run of a part of it that cannot be read, see [BatchRun.Unread].
func (r *Run) Unread(at Place, why string) { r.batch.Unread(at, why) }

// Finish gives the verdict on the messages that were taken. Of an indicator over a run
//
//   - any match is matched, with the first as evidence,
//   - else any error is error, with the first as evidence,
//   - else, where a message was evaluated, not_matched,
//   - else skipped: there was no message that it applies to, or no evaluator for it.
//
// An indicator that applied to no message, and one whose target led to nothing in any, has
// a diagnostic.
func (r *Run) Finish() AttackVerdict { return r.batch.Finish()[0] }
