// Package selftest holds the test cases of the shared core and runs them on both
// engines: in the project's own tests, and on a user's machine.
package selftest

// Core runs every suite of the shared core, with the canonical forms of the log formats.
func Core(forms []Form) []Suite {
	return []Suite{Strict(), Canonical(forms), Reference(), Numbers(20_000), Digests()}
}
