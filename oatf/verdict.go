package oatf

import "time"

// IndicatorVerdict is the result of one indicator (§2.19).
type IndicatorVerdict struct {
	IndicatorID string          `json:"indicator_id"`
	Result      IndicatorResult `json:"result"`
	Timestamp   *time.Time      `json:"timestamp,omitempty"`
	Evidence    *string         `json:"evidence,omitempty"` // the matched content, or what went wrong
	Source      *string         `json:"source,omitempty"`
}

// AttackVerdict answers whether the agent complied with the attack (§2.19).
type AttackVerdict struct {
	AttackID          *string            `json:"attack_id,omitempty"`
	Result            AttackResult       `json:"result"`
	IndicatorVerdicts []IndicatorVerdict `json:"indicator_verdicts"`
	EvaluationSummary EvaluationSummary  `json:"evaluation_summary"`
	Timestamp         *time.Time         `json:"timestamp,omitempty"`
	Source            *string            `json:"source,omitempty"`
}

// EvaluationSummary counts the indicator results of a verdict (§2.19), so that
// skipped indicators cannot hide behind a good verdict.
type EvaluationSummary struct {
	Matched    int `json:"matched"`
	NotMatched int `json:"not_matched"`
	Error      int `json:"error"`
	Skipped    int `json:"skipped"`
}
