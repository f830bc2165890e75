package commands_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestScriptsStartLight: the scripts start this binary as cupel some two thousand times, so that what a
// package of it makes before main begins is made as often, the helpers of tests included.
func TestScriptsStartLight(t *testing.T) {
	const most = 4 << 20 // bytes that a package may allocate
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(file)
	run.Args = []string{"cupel", "version"}
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	traced := 0
	for line := range strings.Lines(string(said)) {
		words := strings.Fields(line) // init PACKAGE @T ms, T ms clock, BYTES bytes, N allocs
		if len(words) < 8 || words[0] != "init" {
			continue
		}
		traced++
		if bytes, err := strconv.Atoi(words[7]); err != nil || bytes > most {
			t.Errorf("before main begins, %s allocates %s bytes (%v), expected at most %d: make them when they are asked for", words[1], words[7], err, most)
		}
	}
	if traced == 0 {
		t.Fatalf("the runtime tells of no package:\n%s", said)
	}
}
