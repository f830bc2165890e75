package trace

import (
	"errors"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// checkSessions returns an error for options that are about one session, where there are
// many.
func (o *Options) checkSessions() error {
	switch {
	case !o.BySession:
		return nil
	case o.growing():
		return errors.New("sessions are told apart in a log as it stands, not while it grows")
	case o.Engine.consultsSecond():
		return errors.New("the second engine checks one log, not the sessions of one")
	case o.Anchor != nil, o.Session.ExpectCount != nil, o.Session.ExpectHead != "":
		return errors.New("an anchor, a count and a head are about one session, not about many")
	case o.OnFinding != nil:
		return errors.New("the findings of sessions come with their reports")
	}
	return nil
}

// detectSessions makes the checker of a log of many sessions.
func (v *verification) detectSessions() familyChecker {
	opt := v.opt.Session.internal(v.opt.Engine, nil, false, nil, nil)
	opt.LineName = v.chain.lineName()
	return familyChecker{session.NewSessions(v.limits, opt, sessionFamily), Unknown, nil}
}

// sessionFamily tells the family of a session by its first record; "" for one that is none of
// session logs.
func sessionFamily(record strictjson.Node) string {
	if family := familyOf(record); family != Reasoning {
		return string(family)
	}
	return ""
}

// divide adds the reports on the sessions to that on the whole log, and what they come to.
func (v *verification) divide(r *Report, found familyChecker) error {
	r.Sessions = []*Report{}
	all, ok := found.Checker.(*session.Sessions)
	if !ok {
		return nil // no line could be read
	}
	for _, one := range all.List() {
		report, err := v.sessionReport(one, r.Interrupted)
		if err != nil {
			return err
		}
		r.Sessions = append(r.Sessions, report)
	}
	for i, one := range all.List() {
		report := r.Sessions[i]
		report.judge(one.Findings, v.before, !r.Interrupted)
		report.tag()
	}
	r.sum()
	return nil
}

// sessionReport is the report on a session, without its findings.
func (v *verification) sessionReport(one *session.One, interrupted bool) (*Report, error) {
	var outcome stream.Outcome
	var err error
	var known bool
	if interrupted {
		outcome, known = one.Partial()
	} else {
		outcome, known, err = one.Finish()
	}
	if err != nil {
		return nil, err
	}
	if !known {
		outcome, _ = (&unknown{one.Findings, one.Line}).Finish()
		outcome.Integrity = stream.IntegrityRejected
	}
	r := newReport(v.opt.Name, Family(one.Family), stream.Counts{}, &outcome)
	r.FirstLine, r.Interrupted = one.Line, interrupted
	if one.Named {
		r.Session = &one.ID
	}
	return r, nil
}

// tag lets the findings of a report on a session name it.
func (r *Report) tag() {
	for i := range r.Findings {
		r.Findings[i].Detail = Detail{Session: r.Session}
	}
}

// sum makes of a report on a log what the reports on its sessions come to. The log is as bad
// as the worst of them; of what they do not share, it has nothing.
func (r *Report) sum() {
	verdicts, integrities := []Verdict{r.Verdict}, []Integrity{}
	if r.Verdict == Rejected { // for a line of no session
		integrities = append(integrities, IntegrityRejected)
	}
	for i, s := range r.Sessions {
		verdicts, integrities = append(verdicts, s.Verdict), append(integrities, s.Integrity)
		r.Errors += s.Errors
		r.Warnings += s.Warnings
		r.Infos += s.Infos
		if i == 0 {
			r.Family, r.EvidenceClass = s.Family, s.EvidenceClass
		}
		if r.Family != s.Family {
			r.Family = Unknown
		}
		if r.EvidenceClass != s.EvidenceClass {
			r.EvidenceClass = ""
		}
		for _, name := range s.Canonicalization {
			if !slices.Contains(r.Canonicalization, name) {
				r.Canonicalization = append(r.Canonicalization, name)
			}
		}
	}
	r.Verdict = worst(verdicts, Rejected, Invalid, "", Valid)
	r.Integrity = worst(integrities, IntegrityRejected, IntegrityInvalid, "", IntegrityAbsent, IntegrityValid)
	r.NotCovered = append(r.NotCovered, "sessions that are missing altogether: nothing links one session with another")
	if r.Unreadable > 0 {
		r.NotCovered = append(r.NotCovered, "lines that cannot be read: nothing tells the session that one belongs to, so they are counted in none")
	}
	r.Signatures = nil
}

// worst returns the first of some values that is in a list, "" where none is.
func worst[T ~string](list []T, values ...T) T {
	for _, v := range values {
		if slices.Contains(list, v) {
			return v
		}
	}
	return ""
}
