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

// History keeps the scores of assertions over the runs of an engine and of others, for
// query_drift and for thresholds that are "dynamic". Package attest/history keeps one in a
// file. It is safe for concurrent use.
type History interface {
	// Scores returns the last scores of an assertion, n at most, the oldest first; none for
	// an assertion that it does not know.
	Scores(ctx context.Context, assertionID string, n int) ([]float64, error)
	// Record adds scores in their order.
	Record(ctx context.Context, scores []Score) error
}

// Score is the score of one evaluation of an assertion.
type Score struct {
	AssertionID string
	Score       float64 // 0.0 to 1.0
}

// DriftWindow is how many of the last scores count when nobody says how many.
const DriftWindow = drift.Window

// The statuses of a DriftReport.
const (
	DriftOK       = "ok"
	DriftDetected = "drift"
)

// DriftReport says how the scores of an assertion lie, and how far the latest of them is from
// the others. Without scores all numbers are 0.
type DriftReport struct {
	AssertionID string
	Mean        float64
	StdDev      float64 // of the scores themselves, not an estimate from a sample
	Count       int     // of the scores that are spoken of
	LatestScore float64
	Deviation   float64 // how many StdDev the latest score lies above the mean; negative below it
	Status      string  // DriftDetected: of ten scores or more the latest lies more than two StdDev from the mean
}

// QueryDrift reports on the last scores of an assertion, window at most. Without a history,
// and for an assertion that it does not know, there are none. The error is a 3001: the
// history cannot be read.
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

// past is what the history says of an assertion.
func (e *Engine) past(ctx context.Context, assertionID string, window int) (drift.Stats, error) {
	if e.opt.History == nil {
		return drift.Stats{}, nil
	}
	scores, err := e.opt.History.Scores(ctx, assertionID, window)
	if err != nil {
		return drift.Stats{}, NewError(CodeEngine, fmt.Sprintf("the history cannot be read: %v", err),
			"Look after the file that the key history of the engine's configuration names.")
	}
	return drift.Of(scores), nil
}

// setThresholds gives the dynamic assertions of w the thresholds that their earlier scores
// make.
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

// Record adds the scores of results to the history; there is nothing to do without one, nor
// where answers are to be reproducible: a score that is added changes the answers after it.
// EvaluateBatch and Evaluate do it themselves. For those who use EvaluatePrepared the order in
// which they record is the order of the history, whichever trace is evaluated first.
func (e *Engine) Record(ctx context.Context, results []Result) error {
	if scores := e.scores(results); len(scores) > 0 {
		return e.opt.History.Record(ctx, scores)
	}
	return nil
}

// scores are those of results that belong into the history.
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

// RecordOrLog is Record for answers that are given all the same: the log says that scores are
// missing, once, and how many they were when the history can be written again.
func (e *Engine) RecordOrLog(ctx context.Context, results []Result) {
	scores := e.scores(results)
	if len(scores) == 0 {
		return
	}
	e.missing.note(e.opt.Logger, len(scores), e.opt.History.Record(ctx, scores))
}

// missing counts the scores that a history lacks since it cannot be written. It is safe for
// concurrent use.
type missing struct {
	mu    sync.Mutex
	count int
}

// note notes what has come of recording scores: the log has a line when that begins to fail, and
// one when it works again.
func (m *missing) note(log *slog.Logger, scores int, err error) {
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

// MarshalJSON returns the report as the answer to query_drift carries it.
func (r DriftReport) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the report as the answer to query_drift carries it.
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
