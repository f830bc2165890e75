package evidence

import (
	"sync/atomic"

	"github.com/cupel-dev/cupel/internal/say"
)

// Total is the result for one input.
type Total struct {
	Events    int   // events, hashed or not; a blank line of a stream counts, because it keeps its place
	Bytes     int64 // of the input, as far as it was read
	Alone     bool  // the input is one event, not a stream
	Hashed    int
	Matched   int  // recorded and computed hash are the same
	Differing int  // … are not
	Rooted    bool // every event has a content hash: RunRoot is over all of them, in the input's order
	RunRoot   Sum

	Counts   Counts    // of all findings, those of the events too
	Findings []Finding // of the input as a whole
}

// tally adds up the results of one input in order.
type tally struct {
	limits      Limits
	maxFindings int
	total       Total
	root        *Root
	doctor      *Doctor     // made when the first recorded hash differs
	kept        int         // findings
	spent       atomic.Bool // no more of them are kept, which the workers look at
	full        bool        // a limit of the whole input was passed: reading has stopped
}

func newTally(opt Options) *tally {
	return &tally{limits: opt.Limits, maxFindings: opt.MaxFindings, root: NewRoot()}
}

// add counts a result and explains a mismatch. It reports whether the input is within its limits.
func (t *tally) add(r *Result) bool {
	if t.pastLimit(r) {
		return false
	}
	t.total.Events++
	if r.Hashed {
		t.total.Hashed++
		t.root.addSum(r.Sum)
	}
	switch r.Match {
	case Same:
		t.total.Matched++
	case Different:
		t.total.Differing++
	}
	if len(r.Findings) > 0 {
		t.trim(r)
		t.diagnose(r)
	}
	t.total.Counts.addAll(r.Counts)
	return true
}

// trim limits the findings of the whole input; workers limit them per block.
func (t *tally) trim(r *Result) {
	if most := t.maxFindings; most >= 0 && t.kept+len(r.Findings) > most {
		r.Counts.Omitted += t.kept + len(r.Findings) - most
		r.Findings = r.Findings[:most-t.kept]
	}
	t.kept += len(r.Findings)
	if t.kept == t.maxFindings {
		t.spent.Store(true)
	}
}

func (t *tally) diagnose(r *Result) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == RuleMismatch {
			if t.doctor == nil {
				t.doctor = NewDoctor(t.limits)
			}
			f.Notes = t.doctor.notes(r.text, r.Recorded, r.Sum)
		}
	}
}

// pastLimit stops the input at the limits on all its events.
func (t *tally) pastLimit(r *Result) bool {
	broken, flag, message := ruleTotalEvents, "max_events", ""
	switch {
	case int64(t.total.Events) >= t.limits.Events:
		message = say.Beyond(t.limits.Events, "events")
	case r.end > t.limits.EventsBytes:
		broken, flag = ruleFileSize, "max_events_bytes"
		message = say.Beyond(t.limits.EventsBytes, "bytes")
	default:
		return false
	}
	t.full = true
	f := rules[broken].New(message)
	f.Line, f.Column = r.Line, 1
	f.Help = say.LimitsHint(flag)
	t.total.Counts.add(f.Severity)
	t.total.Findings = append(t.total.Findings, f)
	return true
}

// sum returns the total, with the run root if it can be computed.
func (t *tally) sum() Total {
	if t.total.Hashed == t.total.Events && !t.full {
		t.total.Rooted, t.total.RunRoot = true, t.root.Sum()
	}
	return t.total
}
