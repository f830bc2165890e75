package bundle

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// entry is an event in the scratch file.
type entry struct {
	seq    uint64
	at     int64 // in the scratch file
	offset int64 // in the input
	line   int   // of the input
	size   int32 // of its line, the line feed included
	origin int32 // of origins.list
	sum    evidence.Sum
}

// sort sorts events by sequence number. Most inputs are already sorted.
func (s *sealer) sort() {
	bySeq := func(a, b entry) int { return cmp.Compare(a.seq, b.seq) }
	if !slices.IsSortedFunc(s.index, bySeq) {
		slices.SortStableFunc(s.index, bySeq)
	}
}

// sequences checks that the sorted numbers start at 0 and have no gaps or duplicates.
func (s *sealer) sequences() {
	next, before := uint64(0), 0
	for i, e := range s.index {
		code, detail, message := contractSequenceGap, "", ""
		switch {
		case e.seq == next:
		case i == 0:
			code, detail, message = contractSequenceStart, "seq.start", "the lowest assayseq is not 0"
		case e.seq < next:
			detail, message = "seq.repeated", fmt.Sprintf("assayseq %d is repeated: it is also on line %d", e.seq, before)
		default:
			detail, message = "seq.gap", missing(e.seq-next)
		}
		if message != "" {
			f := s.about(e, code, detail, evidence.AttrSequence, message)
			f.Expected, f.Found = strconv.FormatUint(next, 10), strconv.FormatUint(e.seq, 10)
			f.CausedBy = s.cause
			_ = s.note(f) // All is set: it has no error
		}
		next, before = e.seq+1, e.line
	}
}

// about returns a finding about an event, at its position, because its text is no longer available.
func (s *sealer) about(e entry, code, detail string, a evidence.Attribute, message string) finding.Finding {
	f := finding.Finding{Rule: code, Severity: finding.Error, Message: message, Line: e.line, Column: 1, Path: "/" + a.String()}
	return s.placed(f, detail, e.offset, e.seq, true)
}

// origins lists the different runs and sources of events. There should be one.
type origins struct {
	list        []origin
	known       map[[2]digest.Sum]int32
	run, source []byte // the texts of the one that was asked for last
	last        int32
}

type origin struct{ run, source shownText }

// shownText is a hash of a text and its display form.
type shownText struct {
	sum  digest.Sum
	text string // a preview
}

func shown(text []byte) shownText { return shownText{digest.Of(text), say.Preview(text, shownBytes)} }

// of returns the index of an event's origin.
func (o *origins) of(view *envelope.View) int32 {
	if len(o.list) > 0 && string(view.RunID) == string(o.run) && string(view.Source) == string(o.source) {
		return o.last
	}
	o.run, o.source = append(o.run[:0], view.RunID...), append(o.source[:0], view.Source...)
	key := [2]digest.Sum{digest.Of(o.run), digest.Of(o.source)}
	known, ok := o.known[key]
	if !ok {
		if o.known == nil {
			o.known = map[[2]digest.Sum]int32{}
		}
		known = int32(len(o.list))
		o.known[key] = known
		o.list = append(o.list, origin{shown(o.run), shown(o.source)})
	}
	o.last = known
	return known
}

// sameOrigin checks that all events have the run and source of the first one. Events with the same fault are
// reported together.
func (s *sealer) sameOrigin() {
	if len(s.origins.list) < 2 {
		return
	}
	s.severalRuns()
	first := s.origins.list[s.index[0].origin]
	events := make([]int, len(s.origins.list))
	for _, e := range s.index {
		events[e.origin]++
	}
	for _, e := range s.index {
		if events[e.origin] == 0 || e.origin == s.index[0].origin {
			continue
		}
		other := s.origins.list[e.origin]
		s.compare(e, events[e.origin], contractRunIDMismatch, "run_id.other", evidence.AttrRunID, first.run, other.run)
		s.compare(e, events[e.origin], contractInvalidEvent, "source.other", evidence.AttrSource, first.source, other.source)
		events[e.origin] = 0
	}
}

// namedRuns limits the runs named in a finding.
const namedRuns = 5

// severalRuns reports events of several runs; a bundle must have one.
func (s *sealer) severalRuns() {
	var names []string
	known := map[digest.Sum]bool{}
	for _, o := range s.origins.list {
		if known[o.run.sum] {
			continue
		}
		if known[o.run.sum] = true; len(known) <= namedRuns {
			names = append(names, strconv.Quote(o.run.text))
		}
	}
	if len(known) < 2 {
		return
	}
	message := fmt.Sprintf("the events belong to %d runs, expected one: %s", len(known), strings.Join(names, ", "))
	if len(known) > namedRuns {
		message += say.More(len(known) - namedRuns)
	}
	f := finding.Finding{Rule: contractRunIDMismatch, Severity: finding.Error, Message: message, Detail: Detail{Detail: "run_id.several"}}
	f.Help = "`cupel evidence show --run RUN --format ndjson` prints the events of one run"
	_ = s.note(f) // All is set: it has no error
}

func (s *sealer) compare(e entry, events int, code, detail string, a evidence.Attribute, want, got shownText) {
	if want.sum == got.sum {
		return
	}
	message := a.String() + " differs from the first event's"
	if events > 1 {
		message += fmt.Sprintf(", in %d events", events)
	}
	f := s.about(e, code, detail, a, message)
	f.Expected, f.Found, f.CausedBy = want.text, got.text, s.cause
	_ = s.note(f) // All is set: it has no error
}

// inOrder reads the events in a scratch file in the order of an index.
type inOrder struct {
	scratch io.ReaderAt
	index   []entry
	run     io.SectionReader // events that follow each other in both
}

func (o *inOrder) Read(p []byte) (int, error) {
	for {
		n, err := o.run.Read(p)
		switch {
		case n > 0, err != nil && err != io.EOF:
			return n, err
		case len(o.index) == 0:
			return 0, io.EOF
		}
		o.next()
	}
}

// next starts the next range of adjacent events.
func (o *inOrder) next() {
	start, end, n := o.index[0].at, o.index[0].at, 0
	for n < len(o.index) && o.index[n].at == end {
		end += int64(o.index[n].size)
		n++
	}
	o.run = *io.NewSectionReader(o.scratch, start, end-start)
	o.index = o.index[n:]
}
