// Package selftest runs test cases of the shared core on both engines, in tests and on users' machines.
package selftest

// Core runs all suites of the shared core with the log formats' canonical forms.
func Core(forms []Form) []Suite {
	return []Suite{Strict(), Canonical(forms), Reference(), Numbers(20_000), Digests()}
}
