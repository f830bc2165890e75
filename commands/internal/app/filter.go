package app

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// filter chooses the findings that are reported, and those that make the answer no, by
// the flags, cupel.yaml and the baseline.
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

// keeps reports whether a finding is reported, even if the finding's cupel.yaml causes an error.
func (f *filter) keeps(x finding.Finding) (bool, error) {
	w, err := f.Weigh.Of(x.File)
	return w.Choose.Keeps(x.Rule) && !f.base.accepts(x), err
}

// accepted reports whether a finding is one that the baseline has, or that the one to be written gets.
func (f *filter) accepted(x finding.Finding) bool {
	if f.base.accepts(x) {
		return true
	}
	w, _ := f.Weigh.Of(x.File) // keeps says the error
	return f.base.file != "" && w.Choose.Keeps(x.Rule)
}

// fails reports whether a finding that no baseline can accept makes the answer no.
func (f *filter) fails(x finding.Finding) bool {
	w, _ := f.Weigh.Of(x.File) // keeps has said the error
	return f.base.file == "" && x.Severity >= w.failOn
}

// refuses reports whether a finding that is kept makes the answer no.
func (f *filter) refuses(x finding.Finding) bool {
	w, _ := f.Weigh.Of(x.File) // keeps has said the error
	return !f.base.writes(x) && x.Severity >= w.failOn
}
