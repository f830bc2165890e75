package payload

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// RunFacts are what a [Run] must know of one event. The zero value is that of a line that
// could not be read.
type RunFacts struct {
	known     bool // the event could be read
	kind      kind
	eventType []byte // of an event whose type has no shape; else nil
	time      envelope.Time
	timed     bool
	sequence  uint64
	sequenced bool
	counts    [counted]int64 // of an event that ends a run; below zero: there is none
}

// kind is what an event means to its run.
type kind uint8

const (
	aFile kind = iota
	aConnection
	aProcess
	aDegradation
	aStart
	anEnd
	other
)

// counted is how many kinds of events the end of a run counts.
const counted = int(aStart)

// tallies are the members that count events, by kind, and the types of those events.
var tallies = [counted]struct{ member, eventType string }{
	aFile:        {"files_count", typeFile},
	aConnection:  {"network_count", "assay.net.connect"},
	aProcess:     {"processes_count", "assay.process.exec"},
	aDegradation: {"sandbox_degradation_count", typeSandbox},
}

func kindOf(eventType []byte) kind {
	switch string(eventType) {
	case typeStarted:
		return aStart
	case typeFinished:
		return anEnd
	}
	for k := range tallies {
		if tallies[k].eventType == string(eventType) {
			return kind(k)
		}
	}
	return other
}

// read takes what the envelope says.
func (f *RunFacts) read(v *envelope.View, s *shape) {
	*f = RunFacts{
		known: true, kind: kindOf(v.Type),
		time: v.Time, timed: v.Timed, sequence: v.Sequence, sequenced: v.Sequenced,
	}
	if s == nil {
		f.eventType = v.Type
	}
	for k := range f.counts {
		f.counts[k] = -1
	}
}

// count takes the counts of an event that ends a run.
func (f *RunFacts) count(values *[maxMembers]evidence.Value) {
	for k := range f.counts {
		if n, ok := integer(values[finishedShape.place(tallies[k].member)]); ok && 0 <= n && n <= 1<<53 {
			f.counts[k] = int64(n)
		}
	}
}
