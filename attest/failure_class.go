package attest

// FailureClass is the kind of cause of a result that does not pass.
type FailureClass string

// The classes of failures.
const (
	BrokenCode         FailureClass = "broken_code"         // the agent did not do what the assertion requires
	FlakyJudge         FailureClass = "flaky_judge"         // samples or replies of judges contradict each other
	BadRubric          FailureClass = "bad_rubric"          // the assertion of a judge cannot be used
	MissingTraceData   FailureClass = "missing_trace_data"  // the trace lacks the value, or its record lost it
	StochasticVariance FailureClass = "stochastic_variance" // other runs of the same case pass; known only for several runs
)

// FailureClasses lists the classes.
func FailureClasses() []FailureClass {
	return []FailureClass{BrokenCode, FlakyJudge, BadRubric, MissingTraceData, StochasticVariance}
}

// FailureClass returns the class of a result. It is empty for a result that passes or was skipped.
func (r Result) FailureClass() FailureClass {
	switch {
	case r.Status == Pass || r.Skipped:
		return ""
	case r.Status == Unanswerable || r.lacks:
		return MissingTraceData
	case r.Judge != nil && r.Judge.HighVariance:
		return FlakyJudge
	}
	return BrokenCode
}
