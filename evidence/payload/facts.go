package payload

import (
	"hash/maphash"

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
	name      uint64           // stands for what an event of activity is about; 0: nothing says
	hidden    bool             // … and that is a commitment, which differs for equal names
	counts    [counted]float64 // of an event that ends a run; below zero: there is none
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

// tallies are the members that count events, by kind, the types of those events, and the
// member of their data that names what they are about when they have no subject.
var tallies = [counted]struct{ member, eventType, name string }{
	aFile:        {"files_count", typeFile, "file"},
	aConnection:  {"network_count", "assay.net.connect", "host"},
	aProcess:     {"processes_count", "assay.process.exec", "cmd"},
	aDegradation: {"sandbox_degradation_count", typeSandbox, ""},
}

// ofActivity says whether the kind is one of what a run does.
func (k kind) ofActivity() bool { return k < aDegradation }

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

// read takes what the event says, whose shape is s, nil when its type has none.
func (f *RunFacts) read(e *evidence.Event, v *envelope.View, s *shape) {
	*f = RunFacts{
		known: true, kind: kindOf(v.Type),
		time: v.Time, timed: v.Timed, sequence: v.Sequence, sequenced: v.Sequenced,
	}
	if s == nil {
		f.eventType = v.Type
	}
	if f.kind.ofActivity() {
		member := e.Get(evidence.AttrData).Get(tallies[f.kind].name)
		f.name = nameOf(v.Subject, member)
		_, about := e.Get(evidence.AttrSubject).Commitment()
		_, named := member.Commitment()
		f.hidden = about || named && v.Subject == nil
	}
	for k := range f.counts {
		f.counts[k] = -1
	}
}

// seed is that of all names: what one worker has seen is compared with what others have.
var seed = maphash.MakeSeed()

func nameOf(subject []byte, member evidence.Value) uint64 {
	if subject == nil {
		subject = member.TextBytes(nil)
	}
	if subject == nil {
		return 0
	}
	return maphash.Bytes(seed, subject) | 1
}

// count takes the counts of an event that ends a run.
func (f *RunFacts) count(values *[maxMembers]evidence.Value) {
	for k := range f.counts {
		if n, ok := integer(values[finishedShape.place(tallies[k].member)]); ok && n >= 0 {
			f.counts[k] = n
		}
	}
}

// maxMembers is how many members a shape has at most; the bit behind them in a set stands
// for the data as a whole.
const (
	maxMembers = 16
	wholeData  = 1 << maxMembers
)
