package commands

import (
	"github.com/cupel-dev/cupel/internal/report"
)

// A run may call other commands, each for some of its inputs, and report what they report in one
// report with one exit code.

// part is the part of the report that another command makes, whose findings are chosen by weigh and
// by the baseline of the whole. It is to be closed by its end.
func (o *output) part(run report.Run, weigh weighing) *output {
	return &output{
		screen: o.screen, to: o.to.section(run), quiet: o.quiet,
		filter: filter{weigh: weigh, base: o.filter.base}, counts: o.counts, whole: o,
	}
}

// take counts a part in.
func (o *output) take(part *output) {
	o.began = o.began || part.began
	o.no = o.no || part.no
	o.failed = o.failed || part.failed
	o.interrupted = o.interrupted || part.interrupted
	_ = o.note(part.broken)
}

// section is the part of every report that run reports, where the whole goes.
func (d *destinations) section(run report.Run) *destinations {
	run.Version = d.run.Version
	return &destinations{
		run: run, screen: d.screen, color: d.color, quiet: d.quiet,
		formats: d.formats, streams: d.streams, writers: d.writers.Section(run), whole: d,
	}
}
