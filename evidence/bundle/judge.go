package bundle

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/segments"
)

// check creates a worker's check of envelopes.
func (v *verifier) check() func(*evidence.Result, *eventResult) {
	checker := envelope.NewChecker(envelope.Options{
		UpstreamCompatible: v.opt.UpstreamCompatible, LenientTime: v.opt.LenientTime,
		RequireTraceParent: v.opt.RequireTraceParent, Strict: v.opt.Strict, Canonical: true,
	})
	return func(r *evidence.Result, s *eventResult) {
		s.view, s.faults = checker.Check(r)
		if v.opt.Unhashed && !v.in.bundle {
			s.faults = slices.DeleteFunc(s.faults, hashMissing)
		}
		s.respelled = r.Event != nil && !s.view.Canonical
	}
}

// event verifies one event. Earlier events must have been verified.
func (v *verifier) event(r *evidence.Result, s *eventResult) error {
	if r.Alone {
		v.report.Kind = KindEvent
	}
	if v.opt.Growing && r.Ending == "" {
		v.run.unended = true
		return nil
	}
	if over := v.beyond(r); over != nil {
		return v.refuse(r, s, over)
	}
	v.report.Events++
	if s.respelled {
		v.report.NotCanonical++
	}
	faults := v.between(r, s)
	if string(s.view.Type) == segments.TypeContinued && v.report.Events == 1 {
		v.readLink(r)
	}
	if s.view.Cites {
		v.run.cited++
	}
	v.run.take(&s.view)
	for _, f := range faults {
		if err := v.noteEvent(r, s, f); err != nil {
			return err
		}
	}
	v.omit(r)
	if v.opt.Each != nil {
		return v.opt.Each(r)
	}
	return nil
}

// readLink reads the link of a run's first event to the run before.
func (v *verifier) readLink(r *evidence.Result) {
	e := v.placer.Event(r)
	if e == nil {
		return
	}
	data := e.Get(evidence.AttrData)
	text := func(name string) string { s, _ := data.Get(name).Text(); return s }
	b := &segments.Before{Log: text("log"), ID: text("run_id"), Head: text("run_root")}
	if b.Events, _ = data.Get("events").Int(); b.Log == "" { // written by an older version
		b.Log = b.ID
	}
	v.report.before = b
}

// omit counts the numbers that the hasher warned of and did not keep.
func (v *verifier) omit(r *evidence.Result) {
	more := r.Counts.Warnings
	for _, f := range r.Findings {
		if f.Severity == finding.Warning {
			more--
		}
	}
	v.report.Warnings += more
	v.report.Omitted += more
}

func (v *verifier) noteEvent(r *evidence.Result, s *eventResult, f envelope.Fault) error {
	found := v.placed(f.Finding, f.Detail, r.Offset+int64(f.Start), s.view.Sequence, s.view.Sequenced)
	if v.cause == "" && found.Severity == finding.Error {
		v.cause = cause(found)
	}
	return v.note(found)
}

// placed adds the Detail to a finding about an event.
func (v *verifier) placed(f finding.Finding, finer string, offset int64, seq uint64, sequenced bool) finding.Finding {
	detail := Detail{Detail: finer, Offset: &offset, Pointer: f.Path, Member: v.member()}
	if sequenced {
		detail.Seq = &seq
		if seq <= math.MaxInt64 {
			index := int64(seq)
			f.Index = &index
		}
	}
	f.Detail = detail
	return f
}

// member returns the name of the bundle's file with the events, or "".
func (v *verifier) member() string {
	if v.in.bundle {
		return EventsName
	}
	return ""
}

func cause(f finding.Finding) string { return f.Rule + "@" + strconv.Itoa(f.Line) }

// beyond returns a fault if an event exceeds a limit on the number of events, or nil.
func (v *verifier) beyond(r *evidence.Result) *envelope.Fault {
	code, limit, message := "", "", ""
	switch most := v.opt.Limits.Events; {
	case v.report.Events >= most:
		code, limit, message = limitTotalEvents, "max_events", say.Beyond(most, "events")
	default:
		return nil
	}
	f := newFault(r, envelope.StepText, code, limit, message)
	f.Finding.Help = say.LimitsHint(limit)
	return &f
}

// refuse ends the input at an event beyond a limit. A too long line or a byte order mark is reported instead.
func (v *verifier) refuse(r *evidence.Result, s *eventResult, over *envelope.Fault) error {
	for _, f := range s.faults {
		if f.Step == envelope.StepText && (f.Finding.Rule == envelope.LineBytes || bytes.HasPrefix(r.Text(), []byte("\ufeff"))) {
			if err := v.noteEvent(r, s, f); err != nil {
				return err
			}
		}
	}
	if err := v.noteEvent(r, s, *over); err != nil {
		return err
	}
	return errEnough
}

// newFault returns a fault about a whole event.
func newFault(r *evidence.Result, step envelope.Step, code, detail, message string) envelope.Fault {
	return envelope.Fault{Step: step, Detail: detail, Finding: finding.Finding{
		Rule: code, Severity: finding.Error, Message: message, Line: r.Line, Column: 1,
	}}
}

// at returns a fault about an attribute of an event. It parses the event again to find the attribute.
func (v *verifier) at(r *evidence.Result, a evidence.Attribute, step envelope.Step, code, detail, message string) envelope.Fault {
	f := newFault(r, step, code, detail, message)
	f.Finding.Path = "/" + a.String()
	f.Start = v.placer.Place(&f.Finding, r, func(e *evidence.Event) evidence.Value { return e.Get(a) })
	return f
}

// between merges the verifier's faults with the event's, by step.
func (v *verifier) between(r *evidence.Result, s *eventResult) []envelope.Fault {
	faults := s.faults
	own := len(faults)
	faults = v.hashes(faults, r)
	if s.view.Sequenced {
		faults = v.sequence(faults, r, s)
	}
	if s.view.RunID != nil {
		faults = v.sameRun(faults, r, s)
	}
	if s.view.Source != nil {
		faults = v.sameSource(faults, r, s)
	}
	faults = v.afterwards(faults, r, s)
	if own > 0 && len(faults) > own {
		slices.SortStableFunc(faults, func(a, b envelope.Fault) int { return int(a.Step) - int(b.Step) })
	}
	return faults
}

// hashes adds the hasher's faults: a mismatch and imprecise numbers.
func (v *verifier) hashes(faults []envelope.Fault, r *evidence.Result) []envelope.Fault {
	mismatch := -1
	if r.Match == evidence.Different {
		f := v.at(r, evidence.AttrContentHash, envelope.StepHash, integrityEventHash, evidence.RuleMismatch, evidence.HashDiffers)
		f.Finding.Expected, f.Finding.Found = say.Preview(r.Recorded, shownBytes), r.ContentHash()
		mismatch, faults = len(faults), append(faults, f)
	}
	var starts []int
	for i, found := range r.Findings {
		switch {
		case found.Rule == evidence.RuleMismatch && mismatch >= 0:
			faults[mismatch].Finding.Notes = found.Notes
		case strings.HasPrefix(found.Rule, "number."):
			if starts == nil {
				starts = r.Starts()
			}
			f := envelope.Fault{Step: envelope.StepBeyond, Detail: found.Rule, Start: starts[i], Finding: found}
			faults = append(faults, f)
		}
	}
	return faults
}

// sequence checks the order of events. Only a bundle must start at 0 and have no gaps.
func (v *verifier) sequence(faults []envelope.Fault, r *evidence.Result, s *eventResult) []envelope.Fault {
	seq, whole := s.view.Sequence, v.in.bundle
	next := v.run.next + v.run.unknown // at most: events without a number have taken some, or none
	code, detail, want := contractSequenceGap, "", strconv.FormatUint(next, 10)
	severity := finding.Error
	message := ""
	switch {
	case whole && v.report.Events == 1 && seq != 0:
		code, detail, message, want = contractSequenceStart, "seq.start", "the first event's assayseq is not 0", "0"
	case !whole && !v.run.sequenced, v.run.next <= seq && seq <= next, whole && v.report.Events == 1:
		return faults
	case seq < v.run.next:
		detail, message = "seq.back", "assayseq is below the expected number"
		if !whole {
			want = "more than " + strconv.FormatUint(v.run.next-1, 10)
		}
	default:
		detail, message = "seq.gap", missing(seq-next)
		if !whole {
			severity = finding.Warning
		}
	}
	f := v.at(r, evidence.AttrSequence, envelope.StepSequence, code, detail, message)
	f.Finding.Severity = severity
	f.Finding.Expected, f.Finding.Found = want, strconv.FormatUint(seq, 10)
	return append(faults, f)
}

// sameRun checks that the event's run is that of the manifest or of the first event.
func (v *verifier) sameRun(faults []envelope.Fault, r *evidence.Result, s *eventResult) []envelope.Fault {
	want, of := v.run.id, "the first event's"
	if v.manifest != nil {
		want, of = v.manifest.RunID, "the manifest's"
	} else if !v.run.began {
		return faults
	}
	if string(s.view.RunID) == want {
		return faults
	}
	f := v.at(r, evidence.AttrRunID, envelope.StepRun, contractRunIDMismatch, "run_id.other", "assayrunid is not "+of)
	f.Finding.Expected, f.Finding.Found = say.Preview(want, shownBytes), say.Preview(s.view.RunID, shownBytes)
	f.Finding.CausedBy = v.run.otherRun
	if v.run.otherRun == "" {
		v.run.otherRun = cause(f.Finding)
	}
	return append(faults, f)
}

// sameSource checks that the event's source is that of the first event.
func (v *verifier) sameSource(faults []envelope.Fault, r *evidence.Result, s *eventResult) []envelope.Fault {
	if !v.run.began || string(s.view.Source) == v.run.source {
		return faults
	}
	f := v.at(r, evidence.AttrSource, envelope.StepEnvelope, contractInvalidEvent, "source.other", "source differs from the first event's")
	f.Finding.Expected, f.Finding.Found = say.Preview(v.run.source, shownBytes), say.Preview(s.view.Source, shownBytes)
	f.Finding.CausedBy = v.run.otherURI
	if v.run.otherURI == "" {
		v.run.otherURI = cause(f.Finding)
	}
	return append(faults, f)
}

// afterwards checks requirements that flags add.
func (v *verifier) afterwards(faults []envelope.Fault, r *evidence.Result, s *eventResult) []envelope.Fault {
	if v.opt.CheckTime && s.view.Timed && v.run.timed && s.view.Time.Compare(v.run.last) < 0 {
		f := v.at(r, evidence.AttrTime, envelope.StepBeyond, contractTimestampRegression, "time.back", "time is earlier than that of the previous event")
		f.Finding.Expected, f.Finding.Found = "not before "+v.run.last.String(), s.view.Time.String()
		faults = append(faults, f)
	}
	if v.opt.Strict && !r.Alone && r.Ending != "\n" {
		f := newFault(r, envelope.StepBeyond, contractInvalidEvent, "line.ending", "the line does not end with a single line feed")
		f.Finding.Expected, f.Finding.Found = `"\n"`, strconv.Quote(r.Ending)
		faults = append(faults, f)
	}
	return faults
}
