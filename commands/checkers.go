package commands

// checkersOf are the commands that check calls.
func checkersOf() *checkers {
	return &checkers{
		records: [kindDialog + 1]checker{
			kindTrace:    {run: traceVerifyRun, check: verifyTraces},
			kindEvidence: {run: evidenceVerifyRun, flags: []string{"--all", "--payloads"}, check: verifyEvidence},
			kindDocument: {run: oatfLintRun, files: ownFiles, check: lintDocuments},
			kindDialog:   {run: attestValidateRun, check: validateTraces},
		},
		suites:    suiteChecker,
		evaluates: attestEvalRun,
	}
}
