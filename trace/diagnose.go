package trace

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/session/diagnosis"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// exchanged adds a note to evidence files that contain each other's bytes.
func exchanged(findings []Finding) {
	recorded := map[string]int{} // finding of the file with each expected digest, plus 1
	for i, f := range findings {
		if f.Rule == "hash.evidence" {
			recorded[f.Expected] = i + 1
		}
	}
	for i := range findings {
		f := &findings[i]
		at := recorded[f.Found] - 1
		switch {
		case f.Rule != "hash.evidence" || at < 0 || at == i:
		case findings[at].Found == f.Expected:
			f.Notes = []string{fmt.Sprintf("the file was swapped with that of the evidence on line %d: each has the other's bytes", findings[at].Line)}
		default:
			f.Notes = []string{fmt.Sprintf("the file has the bytes of the evidence on line %d", findings[at].Line)}
		}
	}
}

// diagnose adds the causes of damage to the report on a failed log, or why they were not determined. For a wrapped
// log it replaces the findings by one, because they concern the wrapper.
func diagnose(d diagnosisInput, r *Report, short []stream.Damage) {
	if !d.opt.Diagnose || d.opt.BySession || !damaged(r) {
		return
	}
	text, why := d.again()
	if records := d.records(); why == "" && records > int64(d.limits.IDs) {
		why = fmt.Sprintf("that is only done for logs of at most %d lines; --max-ids raises the limit", d.limits.IDs)
	}
	if why != "" {
		r.undiagnosed(why)
		return
	}
	opt := d.options()
	if d.lines && d.trail.Tells(d.records()) {
		opt.Trail, opt.Chain = d.trail, string(r.Family)
	}
	story, ok := diagnosis.Of(text, opt)
	if !ok {
		return
	}
	r.Damage = damages(slices.Concat(story.Damage, short))
	r.wrapped(story.Wrap)
}

// wrapped turns the report into one on a wrapped log, unless w is nil.
func (r *Report) wrapped(w *diagnosis.Wrap) {
	if w != nil {
		f := rules[logWrapped].New("the log is wrapped by " + w.Name)
		f.File, f.Line, f.Help = r.Input, w.Line, w.Help
		r.Findings, r.Errors, r.Warnings, r.Infos, r.Omitted = []Finding{f}, 1, 0, 0, 0
		r.Verdict, r.Integrity, r.EvidenceClass = Rejected, IntegrityRejected, ""
	}
}

// damaged reports whether the log has damage that its hashes can locate.
func damaged(r *Report) bool {
	return r.Verdict.Bad() && (r.Family == Unknown || linked(r.Family)) && r.Integrity != IntegrityValid
}

// undiagnosed records why the cause of damage was not determined.
func (r *Report) undiagnosed(why string) {
	if r.Family == Unknown && r.Session == nil {
		return // not a log
	}
	r.Undiagnosed = why
	r.NotCovered = append(r.NotCovered, "the cause of the damage: it was not looked for, because "+why)
}

type diagnosisInput struct {
	opt    *Options
	limits stream.Limits
	again  func() (text *io.SectionReader, why string) // the whole log, or why it cannot be read again
	trail  *session.Trail                              // the recorded steps, or nil
	lines  bool                                        // the log is one of lines
	counts stream.Counts
}

// records returns the number of nonblank lines.
func (d diagnosisInput) records() int64 { return d.counts.Readable + d.counts.Unreadable }

func (d diagnosisInput) options() diagnosis.Options {
	opt := diagnosis.Options{
		Family: func(record strictjson.Node) string { return string(familyOf(record)) }, Limits: d.limits,
		Session: session.Options{Canonicalization: d.opt.Session.Canonicalization},
	}
	if d.opt.After != nil {
		opt.After = d.opt.After.Head
	}
	return opt
}

// sessionDamage is the diagnosis of the damaged sessions in a log.
type sessionDamage struct {
	of  map[[sha256.Size]byte][]stream.Damage
	why string // why the diagnosis is missing
}

func diagnoseSessions(d diagnosisInput, damaged map[[sha256.Size]byte]bool) (found sessionDamage) {
	if !d.opt.Diagnose || len(damaged) == 0 {
		return found
	}
	var text *io.SectionReader
	if text, found.why = d.again(); found.why == "" && text.Size() > MaxDiagnosisBytes {
		found.why = tooLong
	}
	if found.why == "" {
		found.of = diagnosis.OfSessions(text, d.options(), session.KeyOfSession, damaged)
	}
	return found
}

// diagnoseWhole diagnoses damage to a log of many sessions as a whole. A wrapped log does not have sessions.
func diagnoseWhole(d diagnosisInput, r *Report) {
	if !d.opt.Diagnose || r.Interrupted || !r.Verdict.Bad() {
		return
	}
	text, why := d.again()
	if why != "" {
		return // its sessions say so
	}
	if story, ok := diagnosis.OfAll(text, d.options()); ok {
		r.Damage = damages(story.Damage)
		if r.wrapped(story.Wrap); story.Wrap != nil {
			r.Sessions = func(func(*Report) bool) {}
		}
	}
}
