package trace

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/segments"
)

// Links compares the session logs of a run with each other: a session that `cupel record` continues in a new file
// names the session before, its number of events and its head. The zero value is ready for use.
type Links struct{ files segments.Files }

// Check compares a report with those before it. It adds findings to it if its session continues another one whose log
// ended differently (segment.broken) or was not checked before (segment.missing). alone means that there is no other
// input: the log before is then listed in NotCovered, unless an older part of the log is there.
func (l *Links) Check(r *Report, alone bool) (added []Finding) {
	if !r.Family.session() || r.session == "" || r.Interrupted {
		return nil
	}
	added, before := l.files.Check(&segments.File{Noun: "session", ID: r.session, Head: r.Head, Events: r.Events, Before: r.before}, alone)
	if before != "" {
		r.NotCovered = append(r.NotCovered, before)
	}
	for i := range added {
		f := &added[i]
		f.File, f.Line, f.Path = r.Input, r.FirstLine, "payload.continues"
		if r.Session != nil {
			f.Detail = Detail{Session: r.Session}
		}
		if f.Severity == finding.Error {
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
