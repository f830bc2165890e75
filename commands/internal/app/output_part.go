package app

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// A run can call other commands for some inputs and combine their output in one report with one exit code.

// Part returns the output for another command that checks some of the inputs. All parts share one report, one exit
// code and the baseline. Finish it with End.
func (o *Output) Part(run report.Run, weigh FileWeights) *Output {
	return &Output{
		screen: o.screen, to: o.to.section(run), quiet: o.quiet,
		Filter: filter{Weigh: weigh, base: o.Filter.base}, counts: o.counts, whole: o,
	}
}

func (o *Output) take(part *Output) {
	o.began = o.began || part.began
	o.AnsweredNo = o.AnsweredNo || part.AnsweredNo
	o.Failed = o.Failed || part.Failed
	o.interrupted = o.interrupted || part.interrupted
	_ = o.note(part.Broken)
}

func (d *destinations) section(run report.Run) *destinations {
	run.Version = d.run.Version
	return &destinations{
		run: run, screen: d.screen, color: d.color, quiet: d.quiet,
		formats: d.formats, streams: d.streams, writers: d.writers.Section(run), whole: d,
	}
}

// OfFile reports the findings of one file, and returns those that the filters kept.
func (o *Output) OfFile(name string, list []finding.Finding) ([]finding.Finding, error) {
	kept := []finding.Finding{}
	for _, f := range list {
		f.File = name
		if o.Keep(f) {
			kept = append(kept, f)
		}
		if err := o.Finding(f); err != nil {
			return nil, err
		}
	}
	return kept, nil
}
