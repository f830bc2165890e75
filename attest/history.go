package attest

import "context"

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
