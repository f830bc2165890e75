package trace

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/session/diagnosis"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// exchanged notes evidence files that have each other's bytes, or those of one that is damaged itself.
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

// diagnose adds the causes of a failed log's damage, or why they were not looked for. A wrapped log gets one
// finding, because the others concern the wrappers.
func diagnose(v *verification, r *Report, short []stream.Damage) {
	if !v.opt.Diagnose || v.opt.BySession || !damaged(r) {
		return
	}
	text, why := textAgain(v)
	if why != "" {
		r.undiagnosed(why)
		return
	}
	story, ok := diagnosis.Of(text, diagnosing(v))
	if !ok {
		return
	}
	r.Damage = damages(slices.Concat(story.Damage, short))
	if w := story.Wrap; w != nil {
		f := rules[logWrapped].New("the log is wrapped by " + w.Name)
		f.File, f.Line, f.Help = r.Input, w.Line, w.Help
		r.Findings, r.Errors, r.Warnings, r.Infos, r.Omitted = []Finding{f}, 1, 0, 0, 0
		r.Verdict, r.Integrity, r.EvidenceClass = Rejected, IntegrityRejected, ""
	}
}

// damaged says whether a report is on a log whose hashes can show what happened to it.
func damaged(r *Report) bool {
	return r.Verdict.Bad() && (r.Family == Unknown || linked(r.Family)) && r.Integrity != IntegrityValid
}

// undiagnosed says in the report on a damaged log why the cause was not looked for.
func (r *Report) undiagnosed(why string) {
	if r.Family == Unknown && r.Session == nil {
		return // it is no log
	}
	r.Undiagnosed = why
	r.NotCovered = append(r.NotCovered, "the cause of the damage: it was not looked for, because "+why)
}

// textAgain returns the whole log, or why it cannot be read again.
func textAgain(v *verification) (text []byte, why string) {
	switch {
	case v.opt.growing():
		return nil, "the log is still being written"
	case v.chain != nil:
		return v.chain.again()
	}
	text, ok := v.source.whole()
	if !ok {
		return nil, tooLong
	}
	return text, ""
}

var tooLong = fmt.Sprintf("that is only done for logs of at most %d MiB", MaxDiagnosisBytes>>20)

func diagnosing(v *verification) diagnosis.Options {
	opt := diagnosis.Options{
		Family: func(record strictjson.Node) string { return string(familyOf(record)) }, Limits: v.limits,
		Session: session.Options{Canonicalization: v.opt.Session.Canonicalization},
	}
	if v.opt.After != nil {
		opt.After = v.opt.After.Head
	}
	return opt
}

// sessionDamage is the diagnosis of the damaged sessions of a log.
type sessionDamage struct {
	of  map[[sha256.Size]byte][]stream.Damage
	why string // why there is no diagnosis
}

// diagnoseSessions looks for the causes of the damage of sessions.
func diagnoseSessions(v *verification, damaged map[[sha256.Size]byte]bool) (d sessionDamage) {
	if !v.opt.Diagnose || len(damaged) == 0 {
		return d
	}
	var text []byte
	if text, d.why = textAgain(v); d.why == "" {
		d.of = diagnosis.OfSessions(text, diagnosing(v), session.KeyOfSession, damaged)
	}
	return d
}
