package commands

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
)

// reportingLeaves are the commands that report findings.
func reportingLeaves() []leaf {
	return slices.DeleteFunc(leaves("", newApp(Env{}).Commands), func(l leaf) bool {
		return !slices.Contains(flagNames(l.Command), "write-baseline")
	})
}

// runHere runs a command in the current folder.
func runHere(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(Env{
		Context: context.Background(), Stdin: strings.NewReader("{}\n"), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" },
	}, append([]string{"cupel"}, args...))
	return code, out.String(), errs.String()
}

// TestBaselineEffects: the help of every command that reports says what a baseline does to
// its answer.
func TestBaselineEffects(t *testing.T) {
	var names []string
	for _, l := range reportingLeaves() {
		names = append(names, strings.TrimPrefix(l.name, "cupel "))
	}
	for _, name := range names {
		if baselineEffects[name] == "" {
			t.Errorf("%s: nothing is said", name)
		}
	}
	for name := range baselineEffects {
		if !slices.Contains(names, name) {
			t.Errorf("there is no command %s", name)
		}
	}
}
