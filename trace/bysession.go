package trace

import (
	"crypto/sha256"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

func (v *verification) detectSessions() familyChecker {
	opt := v.opt.Session.internal(v.opt.Engine, nil, false, nil, nil)
	opt.LineName, opt.Unended = v.chain.lineName(), v.opt.Unended
	if v.opt.Anchor != nil {
		opt.Set = v.opt.Anchor.set(v.opt.AnchorGrowing)
	}
	return familyChecker{session.NewSessions(v.limits, opt, sessionFamily), Unknown, nil}
}

func sessionFamily(record strictjson.Node) string {
	if family := familyOf(record); family != Reasoning {
		return string(family)
	}
	return ""
}

// divide adds the sessions' reports and totals to the report. Each report is built twice: now for its totals, and
// again on demand. All sessions must end first, because their final findings can displace others.
func (v *verification) divide(r *Report, found familyChecker, d diagnosisInput) error {
	sum, failed, links := sessionSum{}, map[[sha256.Size]byte]bool{}, Links{}
	all, ok := found.Checker.(*session.Sessions)
	if !ok { // no line could be read
		all = &session.Sessions{}
	}
	for _, one := range all.List() {
		err := all.Visit(one, func() {
			endSession(one, r.Interrupted)
			report := v.sessionReport(one, r.Interrupted)
			if damaged(report) && !r.Interrupted {
				failed[one.Key()] = true
			}
			links.Check(report, true)
			sum.add(report)
		})
		if err != nil {
			return err
		}
	}
	v.causes = diagnoseSessions(d, failed)
	r.Sessions = func(yield func(*Report) bool) {
		more, links := true, Links{}
		for _, one := range all.List() {
			err := all.Visit(one, func() {
				report := v.sessionReport(one, r.Interrupted)
				links.Check(report, true)
				more = yield(report)
			})
			if err != nil {
				panic("trace.Report.Sessions: " + err.Error()) // it went well before
			}
			if !more {
				return
			}
		}
	}
	if sum.close(r); v.opt.Anchor != nil && !r.Interrupted {
		seen := map[[sha256.Size]byte]*session.One{}
		for _, one := range all.List() {
			seen[one.Key()] = one
		}
		pinSessions(&v.opt, v.limits.Findings, r, seen)
	} else if v.opt.Anchor == nil {
		r.NotCovered = append(r.NotCovered, "sessions that are missing altogether: nothing links one session with another; an anchor by `cupel trace seal --by` would show it")
	}
	r.NotCovered = append(r.NotCovered, all.NotCovered()...)
	diagnoseWhole(d, r)
	return nil
}

func endSession(one *session.One, interrupted bool) {
	if one.Family == "" {
		(&unknownChecker{one.Findings, one.Line}).reject()
	} else if !interrupted {
		one.End()
	}
}

func (v *verification) sessionReport(one *session.One, interrupted bool) *Report {
	outcome := stream.Outcome{Integrity: stream.IntegrityRejected}
	if one.Family != "" {
		outcome = one.Outcome(interrupted)
	}
	r := newReport(v.opt.Name, Family(one.Family), stream.Counts{}, &outcome)
	r.FirstLine, r.Interrupted = one.Line, interrupted
	if one.Named {
		r.Session = &one.ID
	}
	r.judge(one.Findings, v.before, !interrupted)
	for i := range r.Findings {
		r.Findings[i].Detail = Detail{Session: r.Session}
	}
	if found, ok := v.causes.of[one.Key()]; ok && damaged(r) {
		r.Damage = damages(slices.Concat(found, outcome.Short))
	} else if v.causes.why != "" && damaged(r) {
		r.undiagnosed(v.causes.why)
	}
	return r
}

type sessionSum struct {
	verdicts                []Verdict // those that occur
	integrities             []Integrity
	families                []Family
	classes                 []EvidenceClass
	canonicalization        []string
	errors, warnings, infos int
	omitted                 int
}

func (n *sessionSum) add(s *Report) {
	n.verdicts, n.integrities = with(n.verdicts, s.Verdict), with(n.integrities, s.Integrity)
	n.families, n.classes = with(n.families, s.Family), with(n.classes, s.EvidenceClass)
	n.errors += s.Errors
	n.warnings += s.Warnings
	n.infos += s.Infos
	n.omitted += s.Omitted
	for _, name := range s.Canonicalization {
		n.canonicalization = with(n.canonicalization, name)
	}
}

// close completes a log's report from those of its sessions: the worst verdict, and properties that all sessions
// share.
func (n *sessionSum) close(r *Report) {
	verdicts := with(n.verdicts, r.Verdict)
	integrities := n.integrities
	if r.Verdict == Rejected { // for a line of no session
		integrities = with(integrities, IntegrityRejected)
	}
	r.Verdict = worst(verdicts, Rejected, Invalid, "", Valid)
	r.Integrity = worst(integrities, IntegrityRejected, IntegrityInvalid, "", IntegrityAbsent, IntegrityValid)
	r.Errors += n.errors
	r.Warnings += n.warnings
	r.Infos += n.infos
	r.Omitted += n.omitted
	r.Family, r.EvidenceClass, r.Canonicalization = Unknown, "", n.canonicalization
	if len(n.families) == 1 {
		r.Family = n.families[0]
	}
	if len(n.classes) == 1 {
		r.EvidenceClass = n.classes[0]
	}
	if r.Unreadable > 0 {
		r.NotCovered = append(r.NotCovered, "lines that cannot be read: their session is unknown, so no session counts them")
	}
	r.Signatures, r.SignatureKey = nil, nil
}

func with[T comparable](list []T, value T) []T {
	if slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

// worst returns the first of values that is in list, or "".
func worst[T ~string](list []T, values ...T) T {
	for _, v := range values {
		if slices.Contains(list, v) {
			return v
		}
	}
	return ""
}
