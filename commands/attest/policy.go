package attestcmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/door"
)

// evalPolicyFile is the policy of a run.
var evalPolicyFile = app.SideFile{From: "--policy", Limit: 64 << 10, Less: policyHint, Opener: door.NamedText, Role: "policy"}

const policyHint = "`cupel help attest-suite` describes policies"

// policyGate applies a policy to the results of a run. The zero value has none: every hard failure blocks.
type policyGate struct {
	file   string // --policy
	policy *suite.Policy
	tally  suite.Tally
}

func (g *policyGate) flag(category string) cli.Flag {
	return &cli.StringFlag{
		Name: "policy", Category: category, Destination: &g.file,
		Usage: "`FILE` that says which failures are allowed: by layer, cost, class of failure, or since an earlier run",
	}
}

// read reads the policy. against reports whether the run is compared with an earlier one.
func (g *policyGate) read(ctx context.Context, against bool) error {
	if g.file == "" {
		return nil
	}
	data, err := evalPolicyFile.Read(ctx, g.file)
	if err != nil {
		return err
	}
	if g.policy, err = suite.ParsePolicy(data); err != nil {
		return &cmdline.Hinted{Err: fmt.Errorf("cannot use the policy %q: %w", g.file, err), Hint: policyHint}
	}
	if g.policy.BlockOnRegression && !against {
		return &cmdline.UsageError{Message: fmt.Sprintf("the policy %q blocks on regressions, but no earlier run is given", g.file), Hint: "name its report with --against FILE"}
	}
	return nil
}

// broken returns errors for the limits that the run exceeds, in the policy's file.
func (g *policyGate) broken(spent float64, worse int) []finding.Finding {
	list := g.policy.Broken(g.tally, spent, worse)
	for i := range list {
		list[i].File, list[i].Line, list[i].Column = g.file, 1, 1
	}
	return list
}

// allows counts a failed result and lowers its finding to a warning if the policy allows it.
func (g *policyGate) allows(r suite.Result, f *finding.Finding) bool {
	if g.policy.Blocks(&g.tally, r.Result) {
		return false
	}
	if f.Severity == finding.Error {
		f.Severity = finding.Warning
	}
	return true
}
