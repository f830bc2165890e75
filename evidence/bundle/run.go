package bundle

import (
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// run collects what events say about their run.
type run struct {
	began      bool   // an event had an envelope
	id, source string // … and these are its
	producer   Producer
	otherRun   string // "rule@line" of the first event of another run
	otherURI   string // … of another source

	next      uint64 // the sequence number that comes next
	sequenced bool   // … which is known
	unknown   uint64 // events since then whose number cannot be read
	first     uint64 // the first number

	unended    bool  // the last line of a growing input had no end, and was not judged
	cited      int64 // events that cite a source
	timed      bool  // an event had a time
	start, end envelope.Time
	last       envelope.Time
}

func (r *run) take(view *envelope.View) {
	if !r.began && view.RunID != nil && view.Source != nil {
		r.began, r.id, r.source = true, string(view.RunID), string(view.Source)
		r.producer = Producer{Name: string(view.Producer), Version: string(view.ProducerVersion), Git: string(view.Git)}
		r.first = view.Sequence
	}
	if view.Sequenced {
		r.next, r.sequenced, r.unknown = view.Sequence+1, true, 0
	} else {
		r.unknown++
	}
	if !view.Timed {
		return
	}
	if !r.timed || view.Time.Compare(r.start) < 0 {
		r.start = view.Time
	}
	if !r.timed || view.Time.Compare(r.end) > 0 {
		r.end = view.Time
	}
	r.timed, r.last = true, view.Time
}

func (r *run) describe(report *Report) {
	if !r.began {
		return
	}
	report.Run = Run{ID: r.id, Source: r.source, Producer: r.producer}
	if r.timed {
		report.Run.Start, report.Run.End = r.start.String(), r.end.String()
	}
}
