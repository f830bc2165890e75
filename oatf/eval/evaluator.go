package eval

import (
	"context"
	"errors"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/view"
)

// Evaluator is a document with compiled indicators. It is safe for concurrent use with separate runs.
type Evaluator struct {
	attack     *oatf.Attack
	profile    *profile.Profile
	opt        Options
	cast       cast
	indicators []indicator
	alone      *Batch
}

// NewEvaluator compiles the indicators of a document, which must not change during use. It need not be normalized:
// defaults apply for missing targets and protocols, and an indicator without an id has the one from Normalize
// ("ACME-001-02"). It need not be valid: an invalid indicator has an error verdict. The only error is for a nil
// document.
func NewEvaluator(doc *oatf.Document, opt Options) (*Evaluator, error) {
	if doc == nil {
		return nil, errors.New("no document is given")
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

// Reading returns reader options that satisfy the document's requirements; see [Batch.Reading].
func (e *Evaluator) Reading(o capture.Options) capture.Options { return e.alone.Reading(o) }

// Run evaluates one document on a sequence of messages. It is not safe for concurrent use.
type Run struct{ batch *BatchRun }

// Start starts a run.
func (e *Evaluator) Start() *Run { return &Run{e.alone.Start()} }

// Take evaluates the applicable indicators that have not matched yet. The message can change afterwards. If ctx
// ends, it returns ctx's error, and the verdict of the run is an error.
func (r *Run) Take(ctx context.Context, m *capture.Message) error { return r.batch.Take(ctx, m) }

// Unread records an unreadable part of the input; see [BatchRun.Unread].
func (r *Run) Unread(at Place, why string) { r.batch.Unread(at, why) }

// Finish returns the verdict on the messages taken. An indicator is
//
//   - matched after any match, with the first as evidence,
//   - else error after any error, with the first as evidence,
//   - else not_matched if a message was evaluated,
//   - else skipped: there was no applicable message or no evaluator.
//
// Diagnostics report indicators without messages and targets that never existed.
func (r *Run) Finish() AttackVerdict { return r.batch.Finish()[0] }
