package lint

import (
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
)

// said is a worker's output for an event.
type said struct {
	counts  [finding.Error + 1]int // of its wanted findings, by severity
	worst   string                 // the rule of one that weighs most
	ignored bool                   // there are findings that are not counted
	read    bool                   // its text is an event
	private bool                   // it has values that should not be shared
	facts   payload.RunFacts
	err     error
}

// weight is how many findings an event has.
func (s *said) weight() (n int) {
	for _, of := range s.counts {
		n += of
	}
	return n
}

type input struct {
	opt     Options
	report  *Report
	pending []finding.Finding // of the verification, about the event that comes next or about none
	kept    int               // findings of the linter that the report has
	private bool              // an event until now was private
	run     *payload.Run

	hasher *evidence.Hasher // reads an event once more
	linter *linter          // … and judges it
}

func newInput(name string, opt Options) *input {
	in := &input{opt: opt.withDefaults(), report: &Report{Input: name, Kind: bundle.KindStream}}
	in.run = payload.NewRun(in.opt.Verify.Limits)
	in.hasher = evidence.NewHasher(evidence.Options{Limits: in.opt.Verify.Limits, MaxFindings: 1})
	in.linter = newLinter(&in.opt)
	return in
}

// worker creates a worker's check, which only counts findings.
func (in *input) worker() func(*evidence.Result, *said) {
	l := newLinter(&in.opt)
	return func(r *evidence.Result, s *said) {
		defer l.done()
		if s.err = l.look(r); s.err != nil || r.Event == nil {
			return
		}
		s.read, s.private, s.facts = true, l.private(), l.payload.Facts()
		worst := finding.Info
		for f := range l.all {
			if in.opt.Ignored(f.rule) {
				s.ignored = true
				continue
			}
			s.counts[f.severity]++
			if s.worst == "" || f.severity > worst {
				s.worst, worst = f.rule, f.severity
			}
		}
	}
}

// event adds an event's findings of the verification, then the linter's.
func (in *input) event(r *evidence.Result, s *said) error {
	if s.err != nil {
		return failed(r, s.err)
	}
	in.private = in.private || s.private
	if len(in.pending) == 0 && (s.weight() == 0 && !s.ignored || in.full()) {
		in.omit(s)
	} else if err := in.again(r, s); err != nil {
		return err
	}
	list := in.run.Take(r, &s.facts)
	if !in.full() {
		var err error
		if list, err = in.complete(r, s, list); err != nil {
			return err
		}
	}
	in.take(list)
	return nil
}

// full reports whether the linter's findings have reached the limit.
func (in *input) full() bool {
	return in.opt.Verify.MaxFindings >= 0 && in.kept >= in.opt.Verify.MaxFindings
}

// omit counts the findings of an event.
func (in *input) omit(s *said) {
	for severity := finding.Info; severity <= finding.Error; severity++ {
		in.report.omit(s.worst, severity, s.counts[severity])
	}
}

// failed adds the event to an engine's error.
func failed(r *evidence.Result, err error) error { return source.AtLine(r.Line, err) }

// look checks an event again, to create its findings.
func (in *input) look(r *evidence.Result, s *said) error {
	own := *r
	if s.read {
		again, err := in.hasher.Hash(r.Text())
		if err != nil {
			return failed(r, err)
		}
		own.Event = again.Event
	}
	if err := in.linter.look(&own); err != nil {
		return failed(r, err)
	}
	return nil
}

// again creates the findings of an event.
func (in *input) again(r *evidence.Result, s *said) error {
	if err := in.look(r, s); err != nil {
		return err
	}
	for _, f := range in.pending {
		if !in.covered(f) {
			in.note(in.linter.about(f, in.private))
		}
	}
	in.pending = in.pending[:0]
	first := len(in.report.Findings)
	for f := range in.linter.all {
		if in.full() {
			in.beyond(f.rule, f.severity)
			continue
		}
		in.keep(in.linter.make(f))
	}
	place(r, in.report.Findings[first:])
	return nil
}

// covered reports whether a selected rule covers a finding of the verification in more detail,
// which is then omitted.
func (in *input) covered(f finding.Finding) bool {
	detail, ok := f.Detail.(bundle.Detail)
	if !ok {
		return false
	}
	rule, ok := payload.Covers(detail.Detail, detail.Pointer)
	return ok && in.opt.Wanted(rule) && !in.opt.Ignored(rule)
}

// place sorts an event's findings by position and sets the offsets in their details.
func place(r *evidence.Result, list []finding.Finding) {
	slices.SortStableFunc(list, finding.Compare)
	own := *r
	own.Findings = list
	for i, start := range own.Starts() {
		if d, ok := list[i].Detail.(Detail); ok {
			at := r.Offset + int64(start)
			d.Offset = &at
			list[i].Detail = d
		}
	}
}

// keep adds a finding of the linter, unless it is filtered.
func (in *input) keep(f finding.Finding) {
	if f.File = in.report.Input; in.note(f) {
		in.kept++
	}
}

func (in *input) note(f finding.Finding) bool {
	if !in.opt.Wanted(f.Rule) || !in.opt.Keep(f) {
		return false
	}
	in.report.Findings = append(in.report.Findings, f)
	in.report.add(f.Severity, 1)
	return true
}

// flush adds findings of the verification outside of events.
func (in *input) flush() {
	for _, f := range in.pending {
		in.note(f)
	}
	in.pending = nil
}

// complete completes an event's findings that depend on earlier events.
func (in *input) complete(r *evidence.Result, s *said, list []finding.Finding) ([]finding.Finding, error) {
	if len(list) == 0 {
		return nil, nil
	}
	if err := in.look(r, s); err != nil {
		return nil, err
	}
	for i, f := range list {
		list[i] = in.linter.complete(f)
	}
	place(r, list)
	return list, nil
}

// whole returns the findings about a completely read run. Earlier events that they refer to can be private.
func (in *input) whole() []finding.Finding {
	list := in.run.Finish()
	for i := range list {
		list[i].Source = finding.Snippet{}
		list[i].Detail = Detail{Detail: bundle.Detail{Pointer: list[i].Path}, Print: fingerprint(list[i].Rule, "", list[i].Path)}
	}
	return list
}

func (in *input) take(list []finding.Finding) {
	for _, f := range list {
		if in.full() && in.opt.Wanted(f.Rule) {
			in.beyond(f.Rule, f.Severity)
			continue
		}
		in.keep(f)
	}
}

// beyond counts a finding beyond the limit.
func (in *input) beyond(rule string, severity finding.Severity) {
	if !in.opt.Ignored(rule) {
		in.report.omit(rule, severity, 1)
	}
}

func (in *input) close() *Report {
	if in.report.Kind == bundle.KindBundle {
		inMember(in.report.Findings)
	}
	return in.report
}

// inMember sets the file of findings about events in a bundle.
func inMember(list []finding.Finding) {
	for i := range list {
		if d, ok := list[i].Detail.(Detail); ok {
			d.Member = bundle.EventsName
			list[i].Detail = d
		}
	}
}
