package attest

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"

	"github.com/cupel-dev/cupel/attest/internal/drift"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// History stores scores of assertions across runs, for query_drift and "dynamic" thresholds. Package attest/history
// stores them in a file. Implementations must be safe for concurrent use.
type History interface {
	// Scores returns the last n scores of an assertion, oldest first.
	Scores(ctx context.Context, assertionID string, n int) ([]float64, error)
	// Record adds scores in order.
	Record(ctx context.Context, scores []Score) error
}

// Score is the score of one evaluation.
type Score struct {
	AssertionID string
	Score       float64 // 0.0 to 1.0
}

// DriftWindow is the default number of scores in a drift report.
const DriftWindow = drift.Window

// The statuses of a DriftReport.
const (
	DriftOK       = "ok"
	DriftDetected = "drift"
)

// DriftReport describes the distribution of an assertion's scores and how far the latest deviates. Without scores,
// all numbers are 0.
type DriftReport struct {
	AssertionID string
	Mean        float64
	StdDev      float64 // of the population, not a sample estimate
	Count       int     // number of scores
	LatestScore float64
	Deviation   float64 // distance of the latest score from the mean in StdDev, signed
	Status      string  // DriftDetected: at least ten scores, and the latest deviates by more than two StdDev
}

// QueryDrift reports on the last window scores of an assertion. It returns error 3001 if the history cannot be
// read.
func (e *Engine) QueryDrift(ctx context.Context, assertionID string, window int) (DriftReport, error) {
	s, err := e.past(ctx, assertionID, window)
	if err != nil {
		return DriftReport{}, err
	}
	r := DriftReport{
		AssertionID: assertionID, Mean: s.Mean, StdDev: s.StdDev, Count: s.Count,
		LatestScore: s.Latest, Deviation: s.Deviation(), Status: DriftOK,
	}
	if s.Drifted() {
		r.Status = DriftDetected
	}
	return r, nil
}

func (e *Engine) past(ctx context.Context, assertionID string, window int) (drift.Stats, error) {
	if e.opt.History == nil {
		return drift.Stats{}, nil
	}
	scores, err := e.opt.History.Scores(ctx, assertionID, window)
	if err != nil {
		return drift.Stats{}, NewError(CodeEngine, fmt.Sprintf("the history cannot be read: %v", err),
			"Check the file that the key history in the engine's configuration names.")
	}
	return drift.Of(scores), nil
}

// setThresholds sets dynamic thresholds from earlier scores.
func (e *Engine) setThresholds(ctx context.Context, w *workspace) error {
	for i := range w.assertions {
		a := &w.assertions[i]
		if !a.Dynamic() {
			continue
		}
		past, err := e.past(ctx, a.ID, drift.Window)
		if err != nil {
			return err
		}
		a.Against(past)
	}
	return nil
}

// Record adds the scores of results to the history. It does nothing without a history or with Options.Reproducible.
// EvaluateBatch and Evaluate call it. Callers of EvaluatePrepared must call it, in the order that the history
// should have.
func (e *Engine) Record(ctx context.Context, results []Result) error {
	if scores := e.scores(results); len(scores) > 0 {
		return e.opt.History.Record(ctx, scores)
	}
	return nil
}

func (e *Engine) scores(results []Result) (scores []Score) {
	if e.opt.History == nil || e.opt.Reproducible {
		return nil
	}
	for i := range results {
		if r := &results[i]; r.Scored {
			scores = append(scores, Score{r.AssertionID, r.Score})
		}
	}
	return scores
}

// RecordOrLog is Record, but logs errors: once when they start, and the number of missing scores when writing works
// again.
func (e *Engine) RecordOrLog(ctx context.Context, results []Result) {
	scores := e.scores(results)
	if len(scores) == 0 {
		return
	}
	e.missing.note(e.opt.Logger, len(scores), e.opt.History.Record(ctx, scores))
}

// unrecordedScores counts scores that could not be written. It is safe for concurrent use.
type unrecordedScores struct {
	mu    sync.Mutex
	count int
}

// note processes the result of a write, and logs when failures start or end.
func (m *unrecordedScores) note(log *slog.Logger, scores int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case err != nil:
		if m.count == 0 {
			log.Error("scores are missing in the history until it can be written again", "error", err.Error())
		}
		m.count += scores
	case m.count > 0:
		log.Warn("the history can be written again", "missing_scores", m.count)
		m.count = 0
	}
}

// MarshalJSON returns the answer to query_drift.
func (r DriftReport) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the answer to query_drift.
func (r DriftReport) AppendJSON(dst []byte) []byte {
	dst = wording.AppendQuoted(append(dst, `{"assertion_id":`...), r.AssertionID)
	dst = appendFloat(append(dst, `,"mean":`...), r.Mean)
	dst = appendFloat(append(dst, `,"stddev":`...), r.StdDev)
	dst = strconv.AppendInt(append(dst, `,"count":`...), int64(r.Count), 10)
	dst = appendFloat(append(dst, `,"latest_score":`...), r.LatestScore)
	dst = appendFloat(append(dst, `,"deviation":`...), r.Deviation)
	dst = wording.AppendQuoted(append(dst, `,"status":`...), r.Status)
	return append(dst, '}')
}
