// Package archtest holds the tests of the repository's structure: the direction of imports, the doors to
// files, the voice of messages, the packages of a release, and the figures of each Go package. It has no
// code of its own outside tests.
package archtest

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// update rewrites data files of the tests: ratchet.txt (TestRatchet) and api.txt (TestAPI).
var update = flag.Bool("update", false, "lower ratchet.txt to what is measured, write api.txt anew")

// TestMain runs the tests in the repository's root, so that every path in them is relative to it.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}
