package trace

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
)

// Links compares the session logs of a run with each other: a session that `cupel record` continues in a new file
// names the session before, its number of events and its head. The zero value is ready for use.
type Links struct {
	ends map[[sha256.Size]byte]sessionEnd // by the session's id
	logs map[[sha256.Size]byte]bool       // by the id of the first session
}

type sessionEnd struct {
	head   string
	events int64
}

// Check compares a report with those before it. It adds findings to it if its session continues another one whose log
// ended differently (segment.broken) or was not checked before (segment.missing). alone means that there is no other
// input: the log before is then listed in NotCovered.
func (l *Links) Check(r *Report, alone bool) (added []Finding) {
	if !r.Family.session() || r.session == "" || r.Interrupted {
		return nil
	}
	if l.ends == nil {
		l.ends, l.logs = map[[sha256.Size]byte]sessionEnd{}, map[[sha256.Size]byte]bool{}
	}
	log := sha256.Sum256([]byte(r.session))
	if b := r.before; b != nil {
		log = sha256.Sum256([]byte(b.Log))
		end, known := l.ends[sha256.Sum256([]byte(b.Session))]
		name := say.Quoted(b.Session)
		switch {
		case known && (end.head != b.Head || end.events != b.Events):
			f := rules[segmentBroken].New("the session " + name + " did not end as the link says")
			f.Expected = fmt.Sprintf("%d events, head %s", b.Events, b.Head)
			f.Found = fmt.Sprintf("%d events, head %s", end.events, end.head)
			added = append(added, f)
		case known:
		case alone:
			r.NotCovered = append(r.NotCovered, "the files before this one: the log continues session "+name+"; verify them together, oldest first")
		default:
			f := rules[segmentMissing].New("the log continues session " + name + ", which is not among the inputs before it")
			if l.logs[log] {
				f.Severity, f.Message = rules[segmentBroken].Severity, f.Message+", but an older part of the log is"
			}
			added = append(added, f)
		}
	}
	l.logs[log] = true
	l.ends[sha256.Sum256([]byte(r.session))] = sessionEnd{r.Head, r.Events}
	for i := range added {
		f := &added[i]
		f.File, f.Path = r.Input, "payload.continues"
		if f.Severity == rules[segmentBroken].Severity {
			r.Errors++
			r.Verdict, r.Integrity = worse(r.Verdict), IntegrityInvalid
		} else {
			r.Warnings++
		}
	}
	r.Findings = slices.Concat(added, r.Findings)
	return added
}

// worse returns the verdict of a log with a broken link.
func worse(v Verdict) Verdict {
	if v == Rejected {
		return v
	}
	return Invalid
}
