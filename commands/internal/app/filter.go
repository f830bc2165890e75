package app

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// filter decides which findings are reported and which cause exit code 1, by the flags, cupel.yaml and the
// baseline.
type filter struct {
	Weigh FileWeights
	base  *baseline
}

func newFilter(c *cli.Context, run report.Run) (f filter, err error) {
	f.base = &baseline{}
	files := ForeignFiles
	if strings.HasPrefix(run.Command, "oatf ") {
		files = OwnFiles
	}
	if f.Weigh, err = NewWeighing(c, run.KnownRules, files); err != nil {
		return f, err
	}
	if err := NotSharded(c, "write-baseline"); err != nil {
		return f, err
	}
	shard, err := ShardOf(c)
	if err != nil {
		return f, err
	}
	f.base, err = newBaseline(c.Context, c.String("baseline"), c.String("write-baseline"))
	f.base.shard = shard
	return f, err
}

// keeps reports whether a finding is reported. The result is valid even if there is an error about the cupel.yaml.
func (f *filter) keeps(x finding.Finding) (bool, error) {
	w, err := f.Weigh.Of(x.File)
	return w.Choose.Keeps(x.Rule) && !f.base.accepts(x), err
}

// accepted reports whether a finding is in the baseline, or goes into the one being written.
func (f *filter) accepted(x finding.Finding) bool {
	if f.base.accepts(x) {
		return true
	}
	w, _ := f.Weigh.Of(x.File) // keeps says the error
	return f.base.file != "" && w.Choose.Keeps(x.Rule)
}

// fails reports whether a finding causes exit code 1, regardless of the baseline.
func (f *filter) fails(x finding.Finding) bool {
	w, _ := f.Weigh.Of(x.File) // keeps has said the error
	return f.base.file == "" && x.Severity >= w.failOn
}

// refuses reports whether a reported finding causes exit code 1.
func (f *filter) refuses(x finding.Finding) bool {
	w, _ := f.Weigh.Of(x.File) // keeps has said the error
	return !f.base.writes(x) && x.Severity >= w.failOn
}
