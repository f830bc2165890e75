package payload

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Run checks an input's events as a whole: a complete run and consistent events. Memory is a few hundred bytes, at
// most 100 type names, and 8 bytes for each of at most 100,000 files, hosts and commands. The input can be part of
// a run. A single event is judged alone. A stream that does not start at sequence number 0, has gaps or unreadable
// lines need not have a start or the counted number of events. A stream without start and end is reported once as
// not a profile's export. An export without activity is judged by its counts. Counts can be of events or of
// distinct subjects, depending on the producer.
type Run struct {
	placer envelope.Placer

	lines   int  // taken
	partial bool // the run's other events can be elsewhere
	first   int  // line of the first event
	last    int  // line of the last
	time    envelope.Time
	timed   bool
	next    uint64 // the sequence number that follows

	starts, ends int
	finished     runEnd
	seen         [counted]int64
	different    [counted]int64 // of those seen, at least
	names        map[uint64]struct{}
	hidden       bool // some of them are commitments
	unruled      map[string]bool
	more         int // events of further types that no rule knows
}

// runEnd is the first event that ends the run.
type runEnd struct {
	place  finding.Finding // a finding about it, without its words
	at     int             // the lines taken before it
	counts [counted]float64
	marks  [counted]finding.Finding // findings about its counts, without their words
}

// NewRun returns the check of an input that is read under limits.
func NewRun(limits evidence.Limits) *Run {
	return &Run{placer: envelope.NewPlacer(limits), unruled: map[string]bool{}, names: map[uint64]struct{}{}}
}

// Take processes the next event with the facts of its Checker. It returns findings that depend on earlier events.
func (n *Run) Take(r *evidence.Result, f *RunFacts) (said []finding.Finding) {
	n.lines++
	if !f.known {
		n.partial = true
		return nil
	}
	if n.first == 0 {
		n.first = r.Line
	}
	n.last = r.Line
	n.partial = n.partial || r.Alone || f.sequenced && f.sequence != n.next
	n.next = f.sequence + 1
	said = n.order(said, r, f)
	switch f.kind {
	case aStart:
		said = n.start(said, r)
	case anEnd:
		said = n.end(said, r, f)
	case other:
	default:
		n.count(f)
	}
	if f.eventType != nil {
		said = n.noRule(said, r, f.eventType)
	}
	return said
}

// order compares the time with that of the event before.
func (n *Run) order(said []finding.Finding, r *evidence.Result, f *RunFacts) []finding.Finding {
	if !f.timed {
		return said
	}
	if n.timed && f.time.Compare(n.time) < 0 {
		found := n.at(r, timeRegression, "/time", "member time is earlier than that of the previous event")
		found.Expected, found.Found = "not before "+n.time.String(), f.time.String()
		said = append(said, found)
	}
	n.time, n.timed = f.time, true
	return said
}

func (n *Run) start(said []finding.Finding, r *evidence.Result) []finding.Finding {
	n.starts++
	switch {
	case n.starts > 1:
		said = append(said, n.at(r, startRepeated, "/type", "the run has already started"))
	case n.lines > 1:
		said = append(said, n.at(r, startNotFirst, "/type", "events come before the start of the run"))
	}
	return said
}

func (n *Run) end(said []finding.Finding, r *evidence.Result, f *RunFacts) []finding.Finding {
	if n.ends++; n.ends > 1 {
		return append(said, n.at(r, endRepeated, "/type", "the run has already finished"))
	}
	n.finished = runEnd{place: n.at(r, endNotLast, "/type", ""), at: n.lines, counts: f.counts}
	for k, count := range f.counts {
		if count >= 0 {
			n.finished.marks[k] = n.at(r, countDiffers, "/data/"+tallies[k].member, "")
		}
	}
	return said
}

// mostNames limits the distinct subjects.
const mostNames = 100_000

func (n *Run) count(f *RunFacts) {
	n.seen[f.kind]++
	n.hidden = n.hidden || f.hidden
	if f.name == 0 {
		n.different[f.kind]++
		return
	}
	key := f.name<<2 | uint64(f.kind) // the lost bits are not significant
	if _, known := n.names[key]; !known && len(n.names) < mostNames {
		n.names[key] = struct{}{}
		n.different[f.kind]++
	}
}

// Limits of the unknown types that are reported: their number and the length of names.
const (
	mostUnruled  = 100
	longestShown = 200
)

// noRule reports an unknown type at its first event.
func (n *Run) noRule(said []finding.Finding, r *evidence.Result, eventType []byte) []finding.Finding {
	switch {
	case n.unruled[string(eventType)]:
		return said
	case len(n.unruled) == mostUnruled || len(eventType) > longestShown:
		n.more++
		return said
	}
	n.unruled[string(eventType)] = true
	name := say.Quoted(string(eventType))
	if known := sibling(eventType); known != nil {
		return append(said, n.at(r, typeVersion, "/type", "no rule for type "+name+", a version of "+known.eventType+": its data were not checked"))
	}
	return append(said, n.at(r, typeUnknown, "/type", "no rule for type "+name+": its data were not checked"))
}

// sibling returns the shape of the type of which another is a version (its name, ".v" and digits), or nil.
func sibling(eventType []byte) *shape {
	dot := bytes.LastIndexByte(eventType, '.')
	if dot < 0 {
		return nil
	}
	digits, versioned := bytes.CutPrefix(eventType[dot+1:], []byte{'v'})
	if !versioned || len(digits) == 0 || len(bytes.Trim(digits, "0123456789")) > 0 {
		return nil
	}
	return shapeOf(eventType[:dot])
}

// Finish returns the findings about the whole input, after all events of a completely read input.
func (n *Run) Finish() (said []finding.Finding) {
	if n.more > 0 {
		said = append(said, rules[typeUnknown].New(fmt.Sprintf("%d more events have types without a rule; their data was not checked", n.more)))
	}
	switch {
	case n.first == 0 || n.starts == 0 && n.ends == 0 && n.partial:
		return said
	case n.starts == 0 && n.ends == 0:
		return append(said, rules[noProfile].New("no event starts or ends the export of a profile, so the run was not checked as a whole"))
	}
	return append(said, slices.Concat(n.bounds(), n.compare())...)
}

// bounds checks that start and end are in the right positions.
func (n *Run) bounds() (said []finding.Finding) {
	if n.starts == 0 && !n.partial {
		f := lacks(startAbsent, typeStarted)
		f.Line = n.first
		said = append(said, f)
	}
	switch {
	case n.ends == 0 && !n.partial:
		f := lacks(endAbsent, typeFinished)
		f.Line = n.last
		said = append(said, f)
	case n.ends > 0 && n.finished.at < n.lines:
		f := n.finished.place
		f.Message = "events come after the end of the run"
		said = append(said, f)
	}
	return said
}

// compare compares the counts of the end with the events.
func (n *Run) compare() (said []finding.Finding) {
	if n.ends == 0 {
		return nil
	}
	summary := n.seen[aFile]+n.seen[aConnection]+n.seen[aProcess] == 0
	for k, count := range n.finished.counts {
		if count < 0 || n.agrees(kind(k), count, summary) {
			continue
		}
		f := n.finished.marks[k]
		f.Message = "member " + tallies[k].member + " does not match the number of events " + tallies[k].eventType
		f.Expected, f.Found = strconv.FormatInt(n.seen[k], 10), strconv.FormatFloat(count, 'f', -1, 64)
		if n.different[k] != n.seen[k] {
			f.Expected += ", or " + strconv.FormatInt(n.different[k], 10) + " for those of different subjects"
		}
		said = append(said, f)
	}
	return said
}

func (n *Run) agrees(k kind, count float64, summary bool) bool {
	seen, different := float64(n.seen[k]), float64(n.different[k])
	switch {
	case n.hidden && k.ofActivity():
		return count <= seen
	case n.partial || summary && k.ofActivity():
		return count >= different
	case len(n.names) == mostNames: // there can be more
		return different <= count && count <= seen
	}
	return count == seen || count == different
}

// at returns a finding at a member of an event, which it parses again.
func (n *Run) at(r *evidence.Result, id rule, pointer, message string) finding.Finding {
	f := rules[id].New(message)
	f.Path = pointer
	n.placer.Place(&f, r, func(e *evidence.Event) evidence.Value {
		v := e.Root()
		for name := range strings.SplitSeq(pointer[1:], "/") {
			v = v.Get(name)
		}
		return v
	})
	return f
}

// lacks is the finding of a run without an event of a type.
func lacks(r rule, eventType string) finding.Finding {
	return rules[r].New("the run has no event " + eventType)
}
