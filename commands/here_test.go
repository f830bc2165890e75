package commands

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// reportingLeaves returns the commands that report findings.
func reportingLeaves() []cmdline.Leaf {
	return slices.DeleteFunc(cmdline.Leaves("", newApp(cmdline.Env{}).Commands), func(l cmdline.Leaf) bool {
		return !slices.Contains(cmdline.FlagNames(l.Command), "write-baseline")
	})
}

// runHere runs a command in the current folder.
func runHere(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(cmdline.Env{
		Context: context.Background(), Stdin: strings.NewReader("{}\n"), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" },
	}, append([]string{"cupel"}, args...))
	return code, out.String(), errs.String()
}

// TestBaselineEffects: the help of every command that reports says what a baseline does to
// its answer.
func TestBaselineEffects(t *testing.T) {
	for _, l := range reportingLeaves() {
		for _, f := range l.Flags {
			if _, usage := cmdline.DescribeFlag(f); strings.HasSuffix(f.Names()[0], "baseline") && strings.HasSuffix(usage, "; ") {
				t.Errorf("%s: --%s says nothing", l.Name, f.Names()[0])
			}
		}
	}
}
