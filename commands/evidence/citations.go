package evidencecmd

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// citations compares the events of an input with the sources that they cite.
type citations struct {
	cite.Comparer
	held    *input.Sources
	scanner *strictjson.Scanner
	opt     bundle.Options

	result *evidence.Result    // the current event
	found  []finding.Finding   // at most Options.MaxFindings
	beyond int                 // … and this many more
	files  map[digest.Sum]bool // files with findings
	err    error
}

// openCitations opens --sources. It returns nil without the flag.
func openCitations(env cmdline.Env, c *cli.Context, opt bundle.Options) (*citations, error) {
	name := c.String("sources")
	switch {
	case name == "":
		return nil, nil
	case c.Bool("follow"):
		return nil, &cmdline.UsageError{Message: "--sources compares a complete file, but --follow reads a growing one", Hint: cmdline.LeaveOneHint}
	}
	held, err := input.OpenSources(env, "sources", name)
	if err != nil {
		return nil, err
	}
	t := &citations{held: held, opt: opt, scanner: strictjson.NewScanner(strictjson.Limits{TextBytes: int(opt.Limits.WithDefaults().LineBytes), Depth: int(opt.Limits.WithDefaults().JSONDepth), Keys: evidence.MaxKeys, WideNumbers: true, LoneSurrogates: true})}
	t.Sources, t.Report = held, t.difference
	return t, nil
}

func (t *citations) close() {
	if t != nil {
		t.held.Close()
	}
}

// events wraps a function on the next input's events, which can be nil.
func (t *citations) events(other func(*evidence.Result) error) func(*evidence.Result) error {
	if t == nil {
		return other
	}
	t.found, t.beyond, t.files, t.err, t.Counts = nil, 0, map[digest.Sum]bool{}, nil, cite.Counts{}
	first := true
	return func(r *evidence.Result) error {
		if t.err == nil && r.Event != nil {
			t.err = t.event(r, first)
		}
		if first = false; other != nil {
			return other(r)
		}
		return nil
	}
}

func (t *citations) event(r *evidence.Result, first bool) error {
	name, _ := r.Event.Get(evidence.AttrType).Text()
	if first && name == segments.TypeContinued { // it describes the stream
		return nil
	}
	var payload strictjson.Node
	if doc, err := t.scanner.Scan(r.Event.Get(evidence.AttrData).Raw()); err == nil {
		payload = doc.Root()
	} // else there is a finding about it
	t.result = r
	return t.Event(name, payload)
}

// difference keeps a finding about the current event.
func (t *citations) difference(d *cite.Difference) {
	if d.File != nil { // reported once for all events that cite it
		about := digest.Of([]byte(cite.Rules[d.Fault].ID + string(d.File.Sum[:]) + d.File.Path))
		if t.files[about] {
			return
		}
		t.files[about] = true
	}
	if most := t.opt.MaxFindings; most >= 0 && len(t.found) >= most {
		t.beyond++
		return
	}
	f := cite.Rules[d.Fault].New(d.Message)
	f.Path, f.Expected, f.Found, f.Help = "/data", d.Expected, d.Found, d.Help
	if d.Path != "" {
		f.Path += "/" + strings.ReplaceAll(d.Path, ".", "/")
	}
	data := t.result.Event.Get(evidence.AttrData)
	at := data
	from, _ := data.Span()
	start, end := d.At.Span()
	for v := range data.All() {
		if s, e := v.Span(); s == from+start && e == from+end {
			at = v
			break
		}
	}
	t.result.Event.Locate(&f, at)
	t.found = append(t.found, f)
}

// judge adds the differences and counts to the report on an input.
func (t *citations) judge(of *bundle.Report) error {
	if t == nil {
		return nil
	}
	if t.err != nil {
		return app.ReadFailed(of.Input, t.err)
	}
	counts := t.Counts
	of.Cited = &counts
	follow(of, t.found, t.opt, func(f finding.Finding) finding.Finding {
		f.File, f.Detail = of.Input, bundle.Detail{Pointer: f.Path}
		return f
	})
	if t.opt.All {
		of.Errors, of.Omitted = of.Errors+t.beyond, of.Omitted+t.beyond
	}
	return nil
}
